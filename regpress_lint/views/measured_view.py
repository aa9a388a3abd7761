"""The data of `measure`: a kernel with its instantiations, each with the compiler's numbers and the waves they
leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.resident import block_of, resident
from regpress_lint.measured.rows import merged
from regpress_lint.views.kernels import OccupancyRow, occupancy_row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.core.measured import Row


class InstanceRow(NamedTuple):
    """One instantiation on one target; `occupancy` is None where the GPU or its registers are unknown."""

    arguments: str
    row: Row
    block_size: int
    occupancy: OccupancyRow | None


class GroupRow(NamedTuple):
    """All instantiations of a kernel, by its demangled name without template arguments."""

    name: str
    instances: tuple[InstanceRow, ...]


def groups(rows: Iterable[Row], block_size: int) -> list[GroupRow]:
    """Measured rows by kernel, those of several inputs made one; in the order of names."""
    found: dict[str, list[InstanceRow]] = {}
    for row in merged(rows):
        name = demangled(row.symbol)
        block = block_of(row, block_size)
        now = resident(row, block)
        shown = None if now is None else occupancy_row(now, None)
        found.setdefault(name.qualified, []).append(InstanceRow(name.arguments, row, block, shown))
    return [
        GroupRow(
            name, tuple(sorted(found[name], key=lambda each: (each.arguments, each.row.target or "", each.row.symbol)))
        )
        for name in sorted(found)
    ]
