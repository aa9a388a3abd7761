"""`kernels --output-format csv`: one line per kernel and GPU; an unknown value is an empty cell."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from regpress_lint.views.kernels import KernelRow

HEAD = (
    *("kernel", "path", "line", "target", "registers", "low", "high", "scratch_bytes", "lds_bytes"),
    *("block_size", "block_size_from", "waves_per_simd", "max_waves_per_simd", "limiters", "complete", "unserved"),
)


def write(rows: Iterable[KernelRow], stream: TextIO) -> None:
    """The table with its head, lines ended by a newline alone."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    for row in rows:
        for target in row.targets:
            band, now = target.registers, target.occupancy
            known = target.unserved is None
            numbers = (band.estimate, band.low, band.high, target.scratch_bytes) if known else ("",) * 4
            waves = (now.waves_per_simd, now.max_waves_per_simd, " ".join(now.limiters)) if known else ("",) * 3
            lds = "" if row.lds_bytes is None else row.lds_bytes
            cells = (row.name, row.path, row.line, target.name, *numbers, lds, row.block_size, row.block_size_from)
            unserved = "" if target.unserved is None else target.unserved.verdict
            writer.writerow((*cells, *waves, str(row.complete).lower(), unserved))
