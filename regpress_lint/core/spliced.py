"""A file as its compiler reads it where that is another text than its bytes: with the bodies that it includes.

Text that is included in the middle of a function is put behind the file's own text, so that no byte of that moves.
Places in it are shown at the `#include`.
"""

from __future__ import annotations

from bisect import bisect_right

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Position, Source, Span


class Annex(NamedTuple):
    """A text that an `#include` brings into a function, or one in a string literal.

    inside: the directive, in the file or in another annex. body: where the text is, behind the file's own. path: the
    file that it is of. at: where it begins there.
    """

    inside: Span
    body: Span
    path: str
    at: int = 0


class Spliced(Source):
    """A source with annexes. `data` is the file's own text (of `size` bytes) followed by its annexes."""

    def __init__(self, path: str, data: bytes, size: int, annexes: tuple[Annex, ...] = ()) -> None:
        super().__init__(path, data)
        self.size = size
        self.annexes = annexes
        self._starts = [annex.body.start for annex in annexes]

    def annex_of(self, offset: int) -> Annex | None:
        """The annex of an offset; None for the file's own text."""
        if offset < self.size or not self.annexes:
            return None
        return self.annexes[max(bisect_right(self._starts, offset) - 1, 0)]

    def shown(self, span: Span) -> Span:
        """Where a reader of the file itself finds a span: for a place in an annex the `#include` in the file, for one
        in a literal the place itself.
        """
        annex = self.annex_of(span.start)
        while annex is not None:
            if annex.path == self.path:
                start = annex.at + span.start - annex.body.start
                return Span(start, max(start, start + min(span.end, annex.body.end) - span.start))
            span = annex.inside
            annex = self.annex_of(span.start)
        return span

    def origin(self, span: Span) -> tuple[str, Span] | None:
        """The file that a span in an annex comes from and the span in it; None for the file's own text."""
        annex = self.annex_of(span.start)
        if annex is None or annex.path == self.path:
            return None
        end = min(span.end, annex.body.end) - annex.body.start
        return annex.path, Span(span.start - annex.body.start, max(end, 0))

    def is_own(self, offset: int) -> bool:
        """Whether a place is in a text of the file itself: not in text that it includes."""
        annex = self.annex_of(offset)
        return annex is None or annex.path == self.path

    def line_of(self, offset: int) -> int:
        """Line number (from 1) of a byte offset."""
        return super().line_of(offset if offset < self.size else self.shown(Span(offset, offset)).start)

    def position(self, offset: int) -> Position:
        """Line and columns of a byte offset."""
        return super().position(offset if offset <= self.size else self.shown(Span(offset, offset)).start)
