"""The edit between two texts, and where things are after it: places, and what rules found at them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span, differing

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Finding

_LINE = re.compile(r"\blines? \d")
Found = dict[str, tuple["Finding", ...]]
"""What the rules found about a kernel, by code."""


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
        return {code: tuple(_rebased(each, edit, path) for each in findings) for code, findings in found.items()}
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
    notes = tuple(each._replace(span=at(each.span)) if each.path in (None, "", path) else each for each in found.notes)
    return found._replace(span=at(found.span), notes=notes, fix=fix)
