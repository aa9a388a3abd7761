"""Tables of a rule's page as a terminal shows them: columns aligned, long cells broken within the line's width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.formats.terminal import Palette, cells, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CELL = re.compile(r"(?:`[^`]*`|\\.|[^|`])+|(?<=\|)(?=\|)")
_RULE = re.compile(r":?-+:?")
_GAP = "  "
_NARROWEST = 10


def table(lines: Sequence[str], width: int, palette: Palette) -> Iterator[str]:
    """Lines of a Markdown table, its head in bold; no wider than `width` cells as far as words can be broken."""
    rows = [[cell.strip() for cell in _CELL.findall(line.strip().strip("|"))] for line in lines]
    columns = max(map(len, rows))
    rows = [row + [""] * (columns - len(row)) for row in rows]
    head = next((number for number, row in enumerate(rows) if all(map(_RULE.fullmatch, row))), None)
    widths = _widths([row for number, row in enumerate(rows) if number != head], width)
    for number, row in enumerate(rows):
        if number == head:
            yield _GAP.join("-" * column for column in widths)
            continue
        for line in _broken(row, widths):
            yield palette.paint(line, "bold") if head is not None and number < head else line


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """As wide as the cells, the widest columns narrowed until the line fits."""
    widths = [max(1, *map(cells, column)) for column in zip(*rows, strict=True)]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > width and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    return widths


def _broken(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    parts = [wrap(cell, column) for cell, column in zip(row, widths, strict=True)]
    for line in range(max(map(len, parts))):
        texts = (part[line] if line < len(part) else "" for part in parts)
        shown = (text + " " * (column - cells(text)) for text, column in zip(texts, widths, strict=True))
        yield _GAP.join(shown).rstrip()
