"""`kernels --measured`: the estimate beside what a compiler allocated: band, number, private memory, and which kernels
are outside of their band, as a table and within the JSON document of `kernels`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, Literal

from regpress_lint.cli.measured import measured
from regpress_lint.cli.parser import write_json
from regpress_lint.commands.kernels.output import document as kernels_document, short
from regpress_lint.commands.kernels.rows import occupancy_row
from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.demangle import demangled
from regpress_lint.measured.matching import Measurements, Place, median_registers
from regpress_lint.measured.rows import resident
from regpress_lint.model.estimate.registers import LEAST_REGISTERS
from regpress_lint.render.columns import named
from regpress_lint.render.terminal import visible
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from regpress_lint.commands.kernels.rows import KernelRow, OccupancyRow, TargetRow
    from regpress_lint.core.measured import Row


Verdict = Literal["inside", "above", "below", "unmeasured"]
Memory = Literal["agrees", "missed", "not there"]
OUTSIDE = ("above", "below")


class AgreementRow(NamedTuple):
    """A kernel on one target. registers: the median over its instantiations, `least` and `most` the others' ends.

    spills, scratch_bytes: the largest of its instantiations. occupancy: at the median, with the block size and the LDS
    that the source says. memory: whether the compiler has scratch or spills where the estimate has them.
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
    memory: Memory

    @property
    def agrees(self) -> bool:
        """Registers in the band, and private memory where the estimate has it; True for rows without numbers."""
        return self.verdict not in OUTSIDE and self.memory == "agrees"


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
    registers_of = [row.registers for row in rows if row.registers is not None]
    registers = median_registers(rows)
    spills, scratch = _largest(row.spills for row in rows), _largest(row.scratch_bytes for row in rows)
    middle = next((row for row in rows if row.registers == registers and registers is not None), None)
    now = None
    if middle is not None:
        lds = max((kernel.lds_bytes or 0) + target.array_lds_bytes, middle.lds_bytes or 0)
        now = resident(middle._replace(lds_bytes=lds), kernel.block_size)
    return AgreementRow(
        kernel,
        target,
        rows,
        registers,
        min(registers_of, default=None),
        max(registers_of, default=None),
        spills,
        scratch,
        None if now is None else occupancy_row(now, None),
        _verdict(target, registers, spills),
        _memory(target, spills, scratch),
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


def _memory(target: TargetRow, spills: int | None, scratch: int | None) -> Memory:
    """The bytes are not compared: the compiler's include what it saves around calls. What spills only by clang's
    assumption of a block size may be there or not.
    """
    if spills is None and scratch is None:
        return "agrees"
    in_memory = bool(spills or scratch)
    seen = (target.scratch_bytes, target.excess_bytes, *(instance.scratch_bytes for instance in target.instances))
    if in_memory and not any(seen):
        return "missed"
    return "not there" if target.scratch_bytes and not in_memory else "agrees"


def document(rows: Sequence[AgreementRow]) -> dict[str, Any]:
    """The whole document; kernels and targets without a row are left out."""
    by_kernel: dict[int, tuple[KernelRow, dict[str, Any]]] = {}
    for row in rows:
        _, targets = by_kernel.setdefault(id(row.kernel), (row.kernel, {}))
        targets[row.target.name] = measured_json(row)
    kernels = []
    for kernel, targets in by_kernel.values():
        measured = kernel._replace(targets=tuple(target for target in kernel.targets if target.name in targets))
        (plain,) = kernels_document([measured])["kernels"]
        for name, target in plain["targets"].items():
            target["measured"] = targets[name]
        kernels.append(plain)
    return {"version": 1, "kernels": kernels}


def measured_json(row: AgreementRow) -> dict[str, Any] | None:
    """The measured numbers of a kernel on a target; None if there are none."""
    if not row.rows:
        return None
    now = row.occupancy
    return {
        "verdict": row.verdict,
        "private_memory": row.memory,
        "registers": None if row.registers is None else {"least": row.least, "median": row.registers, "most": row.most},
        "spills": row.spills,
        "scratch_bytes": row.scratch_bytes,
        "waves_per_simd": None if now is None else now.waves_per_simd,
        "instances": list(map(_instance, row.rows)),
    }


def _instance(row: Row) -> dict[str, Any]:
    names = ("symbol", "registers", "spills", "scratch_bytes", "lds_bytes", "compiler", "version")
    return {"arguments": demangled(row.symbol).arguments, **{name: getattr(row, name) for name in names}}


_HEAD = (
    *("kernel", "where", "target", "estimate", "band", "measured", "spills", "scratch", "measured", "waves/SIMD"),
    *("measured", "the compiler"),
)
_TEXTS = frozenset({0, 1, 2, 11})
_MEMORY: Mapping[Memory, str] = {"missed": "scratch MISSED", "not there": "scratch NOT THERE"}
WORDS = {"inside": "inside the band", "above": "ABOVE the band", "below": "BELOW the band", "unmeasured": "-"}


def lines(rows: Sequence[AgreementRow], width: int | None = None) -> Iterator[str]:
    """The table, and how many kernels were measured."""
    vendor = vendor_of(row.target.name for row in rows)
    cells = [tuple(in_words_of(vendor, cell) for cell in _HEAD), *map(_cells, rows)]
    yield from named(cells, 2, _TEXTS, width)


def summary(rows: Sequence[AgreementRow]) -> str:
    """One line on all rows, shown or not."""
    measured = [row for row in rows if row.verdict != "unmeasured"]
    outside = sum(row.verdict != "inside" for row in measured)
    text = f"measured: {len(measured)} of {len(rows)} rows, {outside} outside the band"
    counts = Counter(row.memory for row in rows)
    parts = [f"{counts[memory]} {words}" for memory, words in _MEMORY.items() if counts[memory]]
    return f"{text}; private memory: {', '.join(parts)}" if parts else text


def _cells(row: AgreementRow) -> tuple[str, ...]:
    band = row.target.registers
    return (
        visible(row.kernel.name),
        visible(f"{row.kernel.path}:{row.kernel.line}"),
        row.target.name,
        str(band.estimate),
        f"{band.low}-{band.high}",
        _registers(row),
        _shown(row.spills),
        str(row.target.scratch_bytes),
        _shown(row.scratch_bytes),
        f"{short(row.target.occupancy.waves_per_simd)} of {row.target.occupancy.max_waves_per_simd}",
        "-" if row.occupancy is None else short(row.occupancy.waves_per_simd),
        ", ".join(filter(None, (WORDS[row.verdict], _MEMORY.get(row.memory)))),
    )


def _registers(row: AgreementRow) -> str:
    if row.registers is None:
        return "-"
    return f"{row.registers}{'' if row.least == row.most else f' ({row.least}..{row.most})'}"


def _shown(number: int | None) -> str:
    return "-" if number is None else str(number)


_LONGEST = 100  # characters of a name in a message


def show(
    kernels: Sequence[KernelRow], arguments: argparse.Namespace, targets: Sequence[str], *, as_json: bool
) -> tuple[str, ...]:
    """Print the view; what could not be read of the inputs comes back. Raises UsageError for inputs without kernels."""
    reading = measured(arguments.measured, targets)
    rows = list(agreement(kernels, Measurements(reading.rows)))
    problems = (*reading.problems, *_unjoined(rows, reading.rows))
    shown = [row for row in rows if not row.agrees] if arguments.disagreements else rows
    if as_json:
        write_json(document(shown))
        return problems
    from regpress_lint.render.terminal import line_width

    if shown:
        print("\n".join(lines(shown, line_width(sys.stdout, os.environ))))
    print(f"{chr(10) if shown else ''}{summary(rows)}")
    return problems


def _unjoined(rows: Sequence[AgreementRow], measured_rows: Sequence[Row]) -> tuple[str, ...]:
    """The message if no measured kernel matches one of the source, which explains why all columns are empty."""
    if not rows or not measured_rows or any(row.rows for row in rows):
        return ()
    targets = {row.target.name for row in rows}
    names = dict.fromkeys(demangled(row.symbol).whole for row in measured_rows if row.target in targets)
    if not names:
        others = ", ".join(sorted({row.target for row in measured_rows if row.target}))
        return (
            f"--measured: the numbers are for {others or 'no known GPU'}, the kernels for {', '.join(sorted(targets))}",
        )
    first = next(iter(names))
    return (f"--measured: none of the {len(names)} measured kernels, `{_short(first)}` among them, is one of these",)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 3] + "..."
