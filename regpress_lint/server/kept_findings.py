"""Findings about kernels that were not analysed again since the text changed: they take long, or the parser has lost
them for a moment (an open `f(` may take the rest of a file with it).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.lint.unused import CODE as UNUSED
from regpress_lint.server.edits import edit_between

if TYPE_CHECKING:
    from collections.abc import Collection

    from regpress_lint.core.diagnostics import Diagnostic, Location
    from regpress_lint.server.edits import Edit
    from regpress_lint.server.looks import Look


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
        _moved(each, edit, now)
        for each in before.report.diagnostics
        if each.kernel in names or (unused and each.code == UNUSED)
    )
    return tuple(each for each in found if each is not None)


def _moved(found: Diagnostic, edit: Edit, now: Look) -> Diagnostic | None:
    place = _at(found.location, edit, now)
    if place is None:
        return None
    others = [(each, _at(each.location, edit, now)) for each in found.related]
    related = tuple(each._replace(location=at) for each, at in others if at is not None)
    return found._replace(location=place, related=related, fix=None)


def _at(location: Location, edit: Edit, now: Look) -> Location | None:
    if location.path != now.text.path:
        return location
    span = edit.moved(Span(location.start.byte, location.end.byte))
    if span is None:
        return None
    source = now.source
    start = source.position(span.start)
    return location._replace(start=start, end=source.position(span.end), line_text=source.line_text(start.line))
