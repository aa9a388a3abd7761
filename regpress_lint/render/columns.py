"""Aligned columns of text, and what becomes of them on a line that is too short."""

from __future__ import annotations

from regpress_lint.core.patterns import pattern
from regpress_lint.render.terminal import cells, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


GAP = "  "
NARROWEST = 10
_LONGEST_PIECE = 24  # no column is kept wide for a longer piece of a word
# Where a long word may be broken: behind what joins the parts of paths and names.
_PIECES = pattern(r"[^\s/,:_<>-]*[/,:_<>-]*\s*")


def table(rows: Sequence[Sequence[str]], left: frozenset[int] = frozenset({0}), width: int | None = None) -> list[str]:
    """Rows as aligned columns; those named in `left` to the left, numbers to the right; no blanks at the end.

    width: cells of a line. Where the rows are longer, the widest columns are broken into several lines: texts
    anywhere between words, numbers never, the first row is the head and may be broken as well.
    """
    widths = fitting(rows, left, width)
    return [line for row in rows for line in lines(row, widths, left)]


def named(
    rows: Sequence[Sequence[str]],
    names: int,
    left: frozenset[int] = frozenset({0}),
    width: int | None = None,
    below: Sequence[Sequence[str]] = (),
) -> list[str]:
    """`table`, whose first `names` columns are on lines of their own, above their rows, if a line is too short.

    So a path stays whole, and the numbers stay on one line; where they alone fill it, the texts behind the last
    number go below them. Rows with the same names share that line; a row without anything else is that line alone.
    below: sentences under each row but the head.
    """
    printed = table(rows, left)
    under = [[], *(_sentences(sentence, width) for sentence in below)] if below else [[] for _ in rows]
    if width is None or max(map(cells, printed)) <= width:
        return [line for row, sentences in zip(printed, under, strict=True) for line in (row, *sentences)]
    texts = frozenset(index - names for index in left if index >= names)
    head, *rest = [row[names:] for row in rows]
    head = ["regs" if word == "registers" else word for word in head]  # five cells count on such a line
    widths = fitting([head, *rest], texts, width)
    end = len(widths)
    if total(widths) > width:
        end = max(index for index in range(end) if index not in texts) + 1
        widths = fitting([head[:end], *(row[:end] for row in rest)], texts, width)
    printed = list(_shown(head, end, widths, texts, width))
    above: Sequence[str] | None = None
    for row, numbers, sentences in zip(rows[1:], rest, under[1:], strict=True):
        if row[:names] != above:
            above = row[:names]
            together = GAP.join(filter(str.strip, above))
            printed += [together] if cells(together) <= width else [above[0], *(f"{GAP}{name}" for name in above[1:])]
        printed += _shown(numbers, end, widths, texts, width) if any(numbers) else ()
        printed += sentences
    return printed


def _sentences(texts: Sequence[str], width: int | None) -> list[str]:
    return [line for text in texts for line in wrap(f"{GAP}{text}", width, indent=GAP * 2)] if width else [*texts]


def _shown(row: Sequence[str], end: int, widths: Sequence[int], left: frozenset[int], width: int) -> Iterator[str]:
    """A row whose cells from `end` on are on a line below the others."""
    yield from lines(row[:end], widths, left)
    if any(row[end:]):
        yield from wrap(f"{GAP}{'; '.join(filter(None, row[end:]))}", width, indent=GAP * 2)


def fitting(rows: Sequence[Sequence[str]], left: frozenset[int], width: int | None) -> list[int]:
    """Widths of the columns of `table`: first heads of numbers are broken, then texts between words, then words."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(cells, column)) for column in columns]
    if width is None:
        return widths
    pieces = [_longest_piece(column if index in left else column[:1]) for index, column in enumerate(columns)]
    numbers = [max([0, *map(cells, column[1:])]) for column in columns]
    heads = [size if index in left else max(pieces[index], numbers[index]) for index, size in enumerate(widths)]
    words = [min(pieces[index], _LONGEST_PIECE) if index in left else size for index, size in enumerate(heads)]
    least = [min(NARROWEST, size) if index in left else size for index, size in enumerate(words)]
    for lowest in (heads, words, least):
        widths = narrowed(widths, lowest, width)
    return widths


def narrowed(widths: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Widths of columns that fit into a line: the widest ones give way, none below its least."""
    narrow = list(widths)
    while total(narrow) > width:
        wide = [index for index, size in enumerate(narrow) if size > least[index]]
        if not wide:
            break
        narrow[max(wide, key=narrow.__getitem__)] -= 1
    return narrow


def total(widths: Sequence[int]) -> int:
    """Cells of a line of columns."""
    return sum(widths) + len(GAP) * (len(widths) - 1)


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


def _longest_piece(column: Sequence[str]) -> int:
    """Cells of the longest part of a word that nothing breaks."""
    return max((cells(piece.rstrip()) for cell in column for piece in _PIECES.findall(cell)), default=0)


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
