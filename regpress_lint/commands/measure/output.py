"""The data of `measure`, a kernel with its instantiations, each with the compiler's numbers and the waves they leave:
as a table (`-` for values that the input lacks), as CSV (an empty cell), and as JSON, version 1, which `--measured
FILE` of other commands reads.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from regpress_lint.commands.kernels.output import limiters, short
from regpress_lint.commands.kernels.rows import OccupancyRow, occupancy_row
from regpress_lint.core.measured import NUMBERS
from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.rows import block_of, merged, resident
from regpress_lint.render.columns import named
from regpress_lint.render.terminal import DEFAULT_WIDTH, visible, wrap
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    instances: dict[str, list[InstanceRow]] = {}
    for row in merged(rows):
        name = demangled(row.symbol)
        block = block_of(row, block_size)
        now = resident(row, block)
        shown = None if now is None else occupancy_row(now, None)
        instances.setdefault(name.qualified, []).append(InstanceRow(name.arguments, row, block, shown))
    return [
        GroupRow(
            name,
            tuple(sorted(instances[name], key=lambda each: (each.arguments, each.row.target or "", each.row.symbol))),
        )
        for name in sorted(instances)
    ]


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
            origin = (row.compiler, row.version, row.path, row.line, row.origin, " ".join(row.inputs))
            cells = (*names, *numbers, instance.block_size, *waves, *origin)
            writer.writerow(["" if cell is None else cell for cell in cells])
    return stream.getvalue()


def document(groups: Iterable[GroupRow], problems: Sequence[str]) -> dict[str, Any]:
    kernels = [{"name": group.name, "instances": list(map(_instance, group.instances))} for group in groups]
    return {"version": 1, "kernels": kernels, "problems": list(problems)}


def _instance(instance: InstanceRow) -> dict[str, Any]:
    row, now = instance.row, instance.occupancy
    return {
        "arguments": instance.arguments,
        **row._asdict(),
        "origin": row.origin.split("+"),
        "inputs": list(row.inputs),
        "block_size": instance.block_size,
        "occupancy": None if now is None else {key: value for key, value in _plain(now._asdict()) if key != "next"},
    }


def _plain(values: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(key, list(value) if isinstance(value, tuple) else value) for key, value in values.items()]


_HEAD = (
    *("kernel", "where", "target", "registers", "AGPRs", "SGPRs", "spills", "scratch", "LDS", "block", "waves/SIMD"),
    *("limited by", "compiler"),
)
_TEXTS = frozenset({0, 1, 2, 11, 12})
_NOT_EVERYWHERE = {4: "agprs", 5: "sgprs"}
_UNKNOWN = "-"


def lines(groups: Sequence[GroupRow], width: int | None = None) -> Iterator[str]:
    """The table, instantiations below the name of their template, and what its marks mean."""
    rows = [instance.row for group in groups for instance in group.instances]
    vendor = vendor_of(row.target for row in rows if row.target is not None and _known(row.target))
    cells = [tuple(in_words_of(vendor, cell) for cell in _HEAD)]
    for group in groups:
        cells += _cells(group)
    left_out = {column for column, name in _NOT_EVERYWHERE.items() if all(getattr(row, name) is None for row in rows)}
    columns = [index for index in range(len(_HEAD)) if index not in left_out]
    texts = frozenset(place for place, index in enumerate(columns) if index in _TEXTS)
    yield from named([tuple(row[index] for index in columns) for row in cells], 2, texts, width)
    marks = list(_marks([instance for group in groups for instance in group.instances]))
    yield from ("",) if marks else ()
    for mark in marks:
        yield from wrap(mark, width or DEFAULT_WIDTH, indent="  ")


def _known(target: str) -> bool:
    from regpress_lint.targets.occupancy import is_known

    return is_known(target)


def _cells(group: GroupRow) -> Iterator[tuple[str, ...]]:
    many = len({instance.arguments for instance in group.instances}) > 1
    if many:
        yield (visible(group.name), *("",) * (len(_HEAD) - 1))
    for instance in group.instances:
        name = f"  {instance.arguments or group.name}" if many else group.name + instance.arguments
        yield (visible(name), *_numbers(instance))


def _numbers(instance: InstanceRow) -> Iterator[str]:
    row, now = instance.row, instance.occupancy
    yield visible(f"{row.path}:{row.line}" if row.path else row.unit or _UNKNOWN)
    yield row.target or "?"
    yield _registers(row)
    yield from map(_shown, (row.agprs, row.sgprs))
    yield f"{row.spill_operations}*" if row.spills is None and row.spill_operations is not None else _shown(row.spills)
    yield from map(_shown, (row.scratch_bytes, row.lds_bytes))
    yield _UNKNOWN if now is None else f"{instance.block_size}{'?' if _is_assumed(instance) else ''}"
    yield _UNKNOWN if now is None else f"{short(now.waves_per_simd)} of {now.max_waves_per_simd}"
    yield _UNKNOWN if now is None else in_words_of(vendor_of((row.target or "",)), limiters(now.limiters))
    yield f"{row.compiler or ''} {row.version or ''}".strip() or _UNKNOWN


def _is_assumed(instance: InstanceRow) -> bool:
    """Whether no bounds of the kernel set its threads per block: compilers report no launches."""
    return instance.row.max_threads != instance.block_size


def _registers(row: Row) -> str:
    if row.registers is None and row.grf is not None:
        return f"{row.grf} GRF"
    return _shown(row.registers)


def _shown(number: int | None) -> str:
    return _UNKNOWN if number is None else str(number)


def _marks(instances: Sequence[InstanceRow]) -> Iterator[str]:
    rows = [instance.row for instance in instances]
    assumed = next(
        (candidate for candidate in instances if candidate.occupancy is not None and _is_assumed(candidate)), None
    )
    if assumed is not None:
        yield f"{assumed.block_size}? compilers do not report launches; --block-size sets what is assumed"
    if any(row.spills for row in rows):
        yield "spills: dwords per lane; scratch: bytes per lane, the slots of spilled registers included"
    if any(row.spill_operations is not None and row.spills is None for row in rows):
        yield "*: operations on spilled registers as IGC counts them; it does not say their size"
    if any(row.compiler == "IGC" and row.path is None for row in rows):
        yield "IGC names no file and line: its kernels are known by their names"
    if any(row.target is None for row in rows):
        yield "?: the input does not name the GPU; --arch does"
