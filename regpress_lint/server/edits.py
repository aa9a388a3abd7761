"""The edit between two texts, and where things are after it: places, and what rules found at them.

Findings about kernels that were not analysed again since the text changed: they take long, or the parser has lost
them for a moment (an open `f(` may take the rest of a file with it).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.record import replace
from regpress_lint.core.source import Span, differing
from regpress_lint.lint.suppressions import CODE as UNUSED

if TYPE_CHECKING:
    from collections.abc import Collection

    from regpress_lint.core.diagnostics import Diagnostic, Finding, Location
    from regpress_lint.server.workbench import Look


_LINE = re.compile(r"\blines? \d")
Found = dict[str, tuple["Finding", ...]]
"""Findings of the rules about a kernel, by code."""


class Edit(NamedTuple):
    """The bytes from `start` to `old_end` became those from `start` to `new_end`; lines: by how many there are more."""

    start: int
    old_end: int
    new_end: int
    lines: int

    @property
    def grown(self) -> int:
        """By how much all text after it has moved."""
        return self.new_end - self.old_end

    def moved(self, span: Span) -> Span | None:
        """Where a span is now; None for one that the edit touches."""
        if span.end <= self.start:
            return span
        return Span(span.start + self.grown, span.end + self.grown) if span.start >= self.old_end else None


def edit_between(old: bytes, new: bytes) -> Edit:
    """The one edit that makes a text of another, as small as it can be."""
    start, old_end, new_end = differing(old, new)
    return Edit(start, old_end, new_end, new.count(b"\n", start, new_end) - old.count(b"\n", start, old_end))


def rebased(found: Found, edit: Edit, path: str) -> Found | None:
    """The findings of a file, at their new places; None if the edit touches one, or a message tells a moved line."""
    try:
        return {code: tuple(_rebased(finding, edit, path) for finding in findings) for code, findings in found.items()}
    except _TouchedError:
        return None


class _TouchedError(Exception):
    """A place is not there any more, or a line is not known by its number any more."""


def _rebased(found: Finding, edit: Edit, path: str) -> Finding:
    def at(span: Span) -> Span:
        moved = edit.moved(span)
        if moved is None:
            raise _TouchedError
        return moved

    told = (found.message, found.help, *(note.message for note in found.notes))
    if edit.lines and any(_LINE.search(text) for text in told):
        raise _TouchedError
    fix = found.fix
    if fix is not None:
        fix = fix._replace(edits=tuple(each._replace(span=at(each.span)) for each in fix.edits))
    notes = tuple(note._replace(span=at(note.span)) if note.path in (None, "", path) else note for note in found.notes)
    return found._replace(span=at(found.span), notes=notes, fix=fix)


def lost(before: Look, now: Look) -> frozenset[str]:
    """Names of kernels that were seen before, that the text still names, and that its broken trees do not show."""
    if now.analysis is None or not now.analysis.is_broken:
        return frozenset()
    gone = {kernel.name for kernel in before.kernels} - {kernel.name for kernel in now.kernels}
    return frozenset(name for name in gone if name and re.search(rb"\b%b\b" % re.escape(name.encode()), now.text.data))


def opened(before: Look, now: Look) -> bool:
    """Whether the text is in the middle of being typed: a brace, a parenthesis or a quotation is open that was not, or
    is closed without one, and the trees of what follows it say nothing. Earlier findings stay until the file is whole
    again.
    """
    if now.analysis is None or not now.analysis.is_broken:
        return False
    old, new = before.text.data, now.text.data
    odd = any((old.count(quote) - new.count(quote)) % 2 for quote in (b'"', b"'"))
    return odd or any(_balance(old, pair) != _balance(new, pair) for pair in (b"{}", b"()"))


_OTHER_BRANCH = re.compile(rb"^[ \t]*#[ \t]*el(?:se|if)\b.*?(?=^[ \t]*#[ \t]*endif\b|\Z)", re.MULTILINE | re.DOTALL)


def _balance(data: bytes, pair: bytes) -> int:
    """Openings less closings, of each conditional only in its first branch: all of them may open the same brace."""
    text = _OTHER_BRANCH.sub(b"", data)
    return text.count(pair[:1]) - text.count(pair[1:])


def kept(before: Look, now: Look, names: Collection[str | None]) -> tuple[Diagnostic, ...]:
    """Earlier findings about these kernels, at their new places: without those in the changed text, and without fixes,
    because their effect is unknown.
    """
    edit = edit_between(before.text.data, now.text.data)
    unused = now.partial  # what a comment silences is known once all kernels are
    found = (
        _moved(diagnostic, edit, now)
        for diagnostic in before.report.diagnostics
        if diagnostic.kernel in names or (unused and diagnostic.code == UNUSED)
    )
    return tuple(each for each in found if each is not None)


def _moved(found: Diagnostic, edit: Edit, now: Look) -> Diagnostic | None:
    place = _at(found.location, edit, now)
    if place is None:
        return None
    others = [(each, _at(each.location, edit, now)) for each in found.related]
    related = tuple(each._replace(location=at) for each, at in others if at is not None)
    return replace(found, location=place, related=related, fix=None)


def _at(location: Location, edit: Edit, now: Look) -> Location | None:
    if location.path != now.text.path:
        return location
    span = edit.moved(Span(location.start.byte, location.end.byte))
    if span is None:
        return None
    source = now.source
    start = source.position(span.start)
    return location._replace(start=start, end=source.position(span.end), line_text=source.line_text(start.line))
