"""Aligned columns of text, and what becomes of them on a line that is too short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.formats.terminal import cells, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GAP = "  "
NARROWEST = 10
# Where a long word may be broken: behind what joins the parts of paths and names.
_PIECES = pattern(r"[^\s/,:_<>-]*[/,:_<>-]*\s*")


def table(rows: Sequence[Sequence[str]], left: frozenset[int] = frozenset({0}), width: int | None = None) -> list[str]:
    """Rows as aligned columns; those named in `left` to the left, numbers to the right; no blanks at the end.

    width: cells of a line. Where the rows are longer, the widest columns are broken into several lines: texts
    anywhere between words, numbers never, the first row is the head and may be broken as well.
    """
    widths = fitting(rows, left, width)
    return [line for row in rows for line in lines(row, widths, left)]


def fitting(rows: Sequence[Sequence[str]], left: frozenset[int], width: int | None) -> list[int]:
    """Widths of the columns of `table`."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(cells, column)) for column in columns]
    if width is None:
        return widths
    return narrowed(widths, [_least(column, index in left) for index, column in enumerate(columns)], width)


def narrowed(widths: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Widths of columns that fit into a line: the widest ones give way, none below its least."""
    found = list(widths)
    while sum(found) + len(GAP) * (len(found) - 1) > width:
        wide = [index for index, own in enumerate(found) if own > least[index]]
        if not wide:
            break
        found[max(wide, key=found.__getitem__)] -= 1
    return found


def lines(row: Sequence[str], widths: Sequence[int], left: frozenset[int] | None = None) -> Iterator[str]:
    """A row as one line or more; `left` is None where all columns are aligned to the left."""
    parts = [_broken(cell, column) for cell, column in zip(row, widths, strict=True)]
    for number in range(max(map(len, parts))):
        shown = []
        for index, (part, column) in enumerate(zip(parts, widths, strict=True)):
            text = part[number] if number < len(part) else ""
            blanks = " " * (column - cells(text))
            shown.append(text + blanks if left is None or index in left else blanks + text)
        yield GAP.join(shown).rstrip()


def _least(column: Sequence[str], text: bool) -> int:
    """How narrow a column may become."""
    if text:
        return min(NARROWEST, max(map(cells, column)))
    head, *numbers = column
    pieces = [cells(piece.rstrip()) for piece in _PIECES.findall(head)]
    return max([*pieces, *map(cells, numbers)])


def _broken(cell: str, width: int) -> list[str]:
    """A cell in lines of at most `width`: broken between words, long words behind a joint, else anywhere."""
    if cells(cell) <= width:
        return [cell]
    return [line for word in wrap(cell, width) for line in _cut(word, width)]


def _cut(word: str, width: int) -> Iterator[str]:
    line = ""
    for piece in _PIECES.findall(word):
        if cells(line + piece.rstrip()) > width and line:
            yield line.rstrip()
            line = ""
        line += piece
        while cells(line.rstrip()) > width:
            yield line[:width]
            line = line[width:]
    if line.strip():
        yield line.rstrip()
