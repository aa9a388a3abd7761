"""`measure --output-format csv`: one line per kernel and target; an unknown value is an empty cell."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from regpress_lint.core.measured import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.views.measured_view import GroupRow

HEAD = (
    *("kernel", "arguments", "symbol", "target", *NUMBERS, "block_size", "waves_per_simd", "limiters"),
    *("compiler", "version", "path", "line", "origin", "inputs"),
)


def text(groups: Iterable[GroupRow]) -> str:
    """The whole file, its lines ended by a newline alone."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    for group in groups:
        for instance in group.instances:
            row, now = instance.row, instance.occupancy
            waves = ("", "") if now is None else (now.waves_per_simd, " ".join(now.limiters))
            names = (group.name, instance.arguments, row.symbol, row.target)
            numbers = [getattr(row, name) for name in NUMBERS]
            rest = (row.compiler, row.version, row.path, row.line, row.origin, " ".join(row.inputs))
            cells = (*names, *numbers, instance.block_size, *waves, *rest)
            writer.writerow(["" if cell is None else cell for cell in cells])
    return stream.getvalue()
