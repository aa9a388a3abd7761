"""Bytes of one file and the only place where byte offsets become lines and columns.

A file as its compiler reads it may be another text than its bytes: with the bodies that it includes. Text that is
included in the middle of a function is put behind the file's own text, so that no byte of that moves. Places in it are
shown at the `#include`.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from regpress_lint.core.named import NamedTuple

BOM = b"\xef\xbb\xbf"


class Span(NamedTuple):
    """Half-open range of byte offsets in a file."""

    start: int
    end: int

    def contains(self, other: Span) -> bool:
        """True if `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


class Position(NamedTuple):
    """One place in a file; line and columns count from 1, `byte` from 0.

    `column` counts UTF-8 bytes (clang, vim, rdjson), `utf16` UTF-16 code units (SARIF, LSP), `codepoint` characters.
    """

    line: int
    column: int
    utf16: int
    codepoint: int
    byte: int


class Source:
    """A file's path as given by the user (forward slashes) and its raw bytes, byte order mark included."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.data = data
        self.own = data  # as its author sees it: `Spliced` may have blanks in `data`
        self.size = len(data)  # of the file itself: `Spliced` has more behind it
        self._mentioned: dict[bytes, bool] = {}

    def mentions(self, word: bytes) -> bool:
        """True if the file contains these bytes: queries for each kernel of a file search it once."""
        mentioned = self._mentioned.get(word)
        if mentioned is None:
            mentioned = self._mentioned[word] = word in self.data
        return mentioned

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        find, offset, size = self.data.find, 0, self.size
        while (offset := find(b"\n", offset, size) + 1) > 0:
            starts.append(offset)
        return starts

    @property
    def line_count(self) -> int:
        """Number of lines; a file that does not end in a newline counts its last, unfinished line."""
        return len(self._line_starts)

    @property
    def text_start(self) -> int:
        """Offset of the first byte behind a byte order mark."""
        return len(BOM) if self.data.startswith(BOM) else 0

    def line_of(self, offset: int) -> int:
        """Line number (from 1) of a byte offset."""
        return bisect_right(self._line_starts, offset)

    def line_span(self, line: int) -> Span:
        """Bytes of a line (from 1) without its line ending."""
        starts = self._line_starts
        start = starts[line - 1]
        end = starts[line] - 1 if line < len(starts) else self.size
        if end > start and self.data[end - 1 : end] == b"\r":
            end -= 1
        return Span(start, end)

    def line_text(self, line: int) -> str:
        """Text of a line (from 1) without its ending; invalid UTF-8 becomes U+FFFD."""
        start, end = self.line_span(line)
        return self.own[start:end].removeprefix(BOM if line == 1 else b"").decode("utf-8", "replace")

    def position(self, offset: int) -> Position:
        """Line and columns of a byte offset; an offset past the end is clamped to it."""
        offset = min(max(offset, 0), self.size)
        line = self.line_of(offset)
        start = self._line_starts[line - 1]
        if line == 1 and self.data.startswith(BOM):
            start = min(len(BOM), offset)
        before = self.own[start:offset].decode("utf-8", "replace")
        wide = sum(1 for char in before if ord(char) > 0xFFFF)
        return Position(line, offset - start + 1, len(before) + wide + 1, len(before) + 1, offset)

    def inside(self, offset: int) -> int:
        """Where the parsed text has an offset of the file: elsewhere for one in a literal with a kernel."""
        return offset

    def shown(self, span: Span) -> Span:
        """Where a reader of the file finds a span."""
        return span

    def origin(self, _span: Span) -> Origin | None:
        """Where the text of a span comes from, another file or a macro; None for the file's own."""
        return None

    def text(self, span: Span) -> str:
        """Source text of a span; invalid UTF-8 becomes U+FFFD."""
        return self.data[span.start : span.end].decode("utf-8", "replace")


def differing(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Where two texts differ: from where on, and to where in the old and in the new one. As little as can be."""
    start = _common(old, new)
    least = min(len(old), len(new)) - start
    tail = min(_common(old[::-1], new[::-1]), least)
    return start, len(old) - tail, len(new) - tail


def _common(data: bytes, two: bytes) -> int:
    """How many bytes two texts have in common at their begin."""
    low, high = 0, min(len(data), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if data[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


INCLUDED = "in the text that is included"


class Origin(NamedTuple):
    """Where a text comes from that a file does not spell: a place in a file, and words for it."""

    path: str
    span: Span
    words: str


class Annex(NamedTuple):
    """A text that an `#include` brings into a function, one in a string literal, or kernels that a macro writes.

    inside: the directive, in the file or in another annex, or the macro's name where it is used. body: where the text
    is, behind the file's own. path: the file that it is of. at: where it begins there. macro: bytes of the name at that
    place, of a macro that writes the text; 0 for other texts.
    """

    inside: Span
    body: Span
    path: str
    at: int = 0
    macro: int = 0


class Spliced(Source):
    """A source with annexes. `data` is the file's own text (of `size` bytes) followed by its annexes.

    own: the file's own text, if `data` has blanks in its place, as for Python.
    """

    def __init__(
        self, path: str, data: bytes, size: int, annexes: tuple[Annex, ...] = (), own: bytes | None = None
    ) -> None:
        super().__init__(path, data)
        self.own = data if own is None else own
        self.size = size
        self.annexes = annexes
        self._starts = [annex.body.start for annex in annexes]

    def annex_of(self, offset: int) -> Annex | None:
        """The annex of an offset; None for the file's own text."""
        if offset < self.size or not self.annexes:
            return None
        return self.annexes[max(bisect_right(self._starts, offset) - 1, 0)]

    def inside(self, offset: int) -> int:
        """Where the parsed text has an offset of the file: elsewhere for one in a literal with a kernel."""
        for annex in self.annexes if offset < self.size else ():
            if self._is_literal(annex) and annex.at <= offset <= annex.at + annex.body.end - annex.body.start:
                return annex.body.start + offset - annex.at
        return offset

    def shown(self, span: Span) -> Span:
        """Where a reader of the file itself finds a span: for a place in an annex the `#include` in the file, or the
        use of the macro, for one in a literal the place itself.
        """
        annex = self.annex_of(span.start)
        while annex is not None:
            if self._is_literal(annex):
                start = annex.at + span.start - annex.body.start
                return Span(start, max(start, start + min(span.end, annex.body.end) - span.start))
            span = annex.inside
            annex = self.annex_of(span.start)
        return span

    def origin(self, span: Span) -> Origin | None:
        """Where a span in an annex comes from; None for the file's own text."""
        annex = self.annex_of(span.start)
        if annex is None or self._is_literal(annex):
            return None
        if annex.macro:
            return Origin(annex.path, Span(annex.at, annex.at + annex.macro), "the macro that writes it")
        end = min(span.end, annex.body.end) - annex.body.start
        place = Span(span.start - annex.body.start, max(end, 0))
        return Origin(annex.path, place, INCLUDED)

    def is_own(self, offset: int) -> bool:
        """Whether a place is in a text of the file itself: not in text that it includes."""
        annex = self.annex_of(offset)
        return annex is None or not self.is_included(annex)

    def is_included(self, annex: Annex) -> bool:
        """Whether an annex is the text of an `#include`."""
        return annex.path != self.path and not annex.macro

    def _is_literal(self, annex: Annex) -> bool:
        return annex.path == self.path and not annex.macro

    def line_of(self, offset: int) -> int:
        """Line number (from 1) of a byte offset."""
        return super().line_of(offset if offset < self.size else self.shown(Span(offset, offset)).start)

    def position(self, offset: int) -> Position:
        """Line and columns of a byte offset."""
        return super().position(offset if offset <= self.size else self.shown(Span(offset, offset)).start)
