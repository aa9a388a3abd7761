"""Tables of a rule's page as a terminal shows them: columns aligned, long cells broken within the line's width."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.formats.columns import GAP, NARROWEST, narrowed
from regpress_lint.formats.columns import lines as broken
from regpress_lint.formats.terminal import Palette, cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CELL = re.compile(r"(?:`[^`]*`|\\.|[^|`])+|(?<=\|)(?=\|)")
_RULE = re.compile(r":?-+:?")


def table(lines: Sequence[str], width: int, palette: Palette) -> Iterator[str]:
    """Lines of a Markdown table, its head in bold; no wider than `width` cells as far as words can be broken."""
    rows = [[cell.strip() for cell in _CELL.findall(line.strip().strip("|"))] for line in lines]
    columns = max(map(len, rows))
    rows = [row + [""] * (columns - len(row)) for row in rows]
    head = next((number for number, row in enumerate(rows) if all(map(_RULE.fullmatch, row))), None)
    body = [row for number, row in enumerate(rows) if number != head]
    natural = [max(1, *map(cells, column)) for column in zip(*body, strict=True)]
    widths = narrowed(natural, [NARROWEST] * columns, width)
    for number, row in enumerate(rows):
        if number == head:
            yield GAP.join("-" * column for column in widths)
            continue
        for line in broken(row, widths):
            yield palette.paint(line, "bold") if head is not None and number < head else line
