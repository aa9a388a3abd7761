"""The estimate beside what a compiler allocated: where they agree, and which kernels are outside of their band."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.estimate.registers import LEAST_REGISTERS
from regpress_lint.measured.matching import Place, median_registers
from regpress_lint.measured.resident import resident
from regpress_lint.views.kernels import occupancy_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.core.measured import Row
    from regpress_lint.measured.matching import Measurements
    from regpress_lint.views.kernels import KernelRow, OccupancyRow, TargetRow

Verdict = Literal["inside", "above", "below", "unmeasured"]
OUTSIDE = ("above", "below")


class AgreementRow(NamedTuple):
    """A kernel on one target. registers: the median over its instantiations, `least` and `most` the others' ends.

    spills, scratch_bytes: the largest of its instantiations. occupancy: at the median, with the block size and the LDS
    that the source says.
    """

    kernel: KernelRow
    target: TargetRow
    rows: tuple[Row, ...]
    registers: int | None
    least: int | None
    most: int | None
    spills: int | None
    scratch_bytes: int | None
    occupancy: OccupancyRow | None
    verdict: Verdict


def agreement(kernels: Sequence[KernelRow], measurements: Measurements) -> Iterator[AgreementRow]:
    """One row per kernel and target, in the order of the kernels; targets that the source is not for have none."""
    lines: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for kernel in kernels:
        lines[kernel.path, kernel.name].append((kernel.line, kernel.end_line))
    for kernel in kernels:
        place = Place(kernel.name, kernel.path, kernel.line, kernel.end_line, tuple(lines[kernel.path, kernel.name]))
        for target in kernel.targets:
            if target.unserved is None:
                yield _row(kernel, target, measurements.of(place, target.name))


def _row(kernel: KernelRow, target: TargetRow, rows: tuple[Row, ...]) -> AgreementRow:
    known = [row.registers for row in rows if row.registers is not None]
    registers = median_registers(rows)
    spills, scratch = _largest(row.spills for row in rows), _largest(row.scratch_bytes for row in rows)
    middle = next((row for row in rows if row.registers == registers and registers is not None), None)
    now = None
    if middle is not None:
        lds = max(kernel.lds_bytes or 0, middle.lds_bytes or 0)
        now = resident(middle._replace(lds_bytes=lds), kernel.block_size)
    return AgreementRow(
        kernel,
        target,
        rows,
        registers,
        min(known, default=None),
        max(known, default=None),
        spills,
        scratch,
        None if now is None else occupancy_row(now, None),
        _verdict(target, registers, spills),
    )


def _largest(numbers: Iterable[int | None]) -> int | None:
    return max((number for number in numbers if number is not None), default=None)


def _verdict(target: TargetRow, registers: int | None, spills: int | None) -> Verdict:
    """Where the measured number lies. Launch bounds cap it: a kernel at its cap, or one that spills, wants more. A band
    that begins at the least of an estimate also contains 0: clang gives a kernel without vectors no VGPR.
    """
    if registers is None:
        return "unmeasured"
    if registers > target.registers.high:
        return "above"
    least = target.registers.low if target.registers.low > LEAST_REGISTERS else 0
    if registers < min(least, target.budget) and not spills:
        return "below"
    return "inside"
