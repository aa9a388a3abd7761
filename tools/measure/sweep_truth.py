"""Compiles what `kernels --sweep` estimates: each kernel of testdata/sweep/kernels.cu at each of its values.

    python -m tools.measure.sweep_truth [--store]      # compile, compare; --store writes testdata/sweep/measured.csv
    python -m tools.measure.sweep_truth --stored       # compare with the stored numbers

Of blocks of 256 threads, whose bounds leave all registers, a point is right if estimate and compiler lead to the same
number of waves per SIMD (occupancy step), and said if it is among those that the band leaves open. Of larger blocks it
is right if both spill, or neither does.
"""

from __future__ import annotations

import re
import sys
import tempfile
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.commands.kernels.sweep import Axis, file_sweep
from regpress_lint.core.settings import Settings
from regpress_lint.targets.occupancy import KernelUse, architecture, occupancy
from tools.measure import stored_truth, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.commands.kernels.rows import TargetRow

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "testdata" / "sweep" / "kernels.cu"
MEASURED = ROOT / "testdata" / "sweep" / "measured.csv"
TARGETS = ("gfx90a", "sm_90")
BLOCKS = (256, 512, 1024)
_SWEEP = re.compile(r"^// sweep: (.+)\ntemplate <([^>]+)>\n__global__ void (\w+)\(", re.MULTILINE)


class Measured(NamedTuple):
    """A compiler's allocation for a kernel at some arguments."""

    kernel: str
    arguments: str
    target: str
    block: int
    registers: int
    scratch_bytes: int


def sweeps() -> list[tuple[str, tuple[Axis, ...]]]:
    """Each kernel with its axes, in the order of its template parameters."""
    found = []
    for axes, _, kernel in _SWEEP.findall(SOURCE.read_text()):
        pairs = (each.partition("=") for each in axes.split())
        found.append((kernel, tuple(Axis(name, tuple(values.split(","))) for name, _, values in pairs)))
    return found


def compiled(target: str, block: int) -> Iterator[Measured]:
    """The kernels at all of their points, compiled as one file by the compiler for a target, bounded by a block."""
    kernels = sweeps()
    instances = "\n".join(
        f"template __global__ void {kernel}<{', '.join(values)}>({_parameters(kernel)});"
        for kernel, axes in kernels
        for values in product(*(axis.values for axis in axes))
    )
    source_text = SOURCE.read_text().partition("void run(")[0]
    bounded = re.sub(
        r"^__global__ void", f"__global__ __launch_bounds__({block}) void", source_text, flags=re.MULTILINE
    )
    names = "|".join(kernel for kernel, _ in kernels)
    with tempfile.TemporaryDirectory(prefix="regpress-sweep-") as folder:
        source = Path(folder) / "kernels.cu"
        source.write_text(f"{bounded}\n{instances}\n")
        for row in toolchain.compile_for(toolchain.find_toolchain(), source, target, Path(folder)) or ():
            if (match := re.match(rf"_Z\d+({names})I((?:Li\d+E)+)E", row.symbol)) is not None:
                arguments = " ".join(re.findall(r"Li(\d+)E", match[2]))
                yield Measured(match[1], arguments, target, block, row.total, row.scratch_bytes)


def _parameters(kernel: str) -> str:
    match = re.search(rf"__global__ void {kernel}\(([^)]*)\)", SOURCE.read_text())
    assert match is not None
    return match[1]


def stored() -> list[Measured]:
    """Stored allocations of compilers."""
    return stored_truth.stored(MEASURED, Measured)


class Compared(NamedTuple):
    """One point: the compiler's numbers, the estimate with its band, and waves per SIMD by either. open: the fewest and
    the most over the band.
    """

    measured: Measured
    low: int
    estimate: int
    high: int
    scratch_bytes: int
    waves: float
    estimated_waves: float
    open: tuple[float, float]

    @property
    def same_step(self) -> bool:
        """Whether both lead to the same number of waves."""
        return self.waves == self.estimated_waves

    @property
    def said(self) -> bool:
        """Whether the compiler's waves are among those over the band."""
        return self.open[0] <= self.waves <= self.open[1]

    @property
    def same_spill(self) -> bool:
        """Whether both have private memory, or neither."""
        return (self.scratch_bytes > 0) == (self.measured.scratch_bytes > 0)

    @property
    def in_band(self) -> bool:
        """Whether the compiler's number is inside the band."""
        return self.low <= self.measured.registers <= self.high


def compared(rows: Sequence[Measured]) -> Iterator[Compared]:
    """Every measured point beside its estimate."""
    data = SOURCE.read_bytes()
    found: dict[tuple[str, str, str, int], tuple[TargetRow, tuple[float, float]]] = {}
    names = tuple(dict.fromkeys(row.target for row in rows))
    blocks = Axis("block", tuple(map(str, dict.fromkeys(row.block for row in rows))))
    asked = {row.kernel for row in rows}
    for kernel, axes in sweeps():
        if kernel not in asked:
            continue
        for swept in file_sweep(data, "kernels.cu", Settings(architectures=names), None, (*axes, blocks), (kernel,)):
            for point in swept.points:
                for row in point.targets:
                    now = row.occupancy.waves_per_simd
                    span = dict(point.open).get(row.name, (now, now))
                    found[kernel, " ".join(point.values[:-1]), row.name, int(point.values[-1])] = row, span
    for one in rows:
        row, span = found[one.kernel, one.arguments, one.target, one.block]
        band, scratch = row.registers, row.scratch_bytes + row.excess_bytes
        waves = _waves(one.target, one.registers, one.block)
        now = row.occupancy.waves_per_simd
        yield Compared(one, band.low, band.estimate, band.high, scratch, waves, now, span)


def _waves(target: str, registers: int, block: int) -> float:
    found = occupancy(architecture(target), KernelUse(vgprs=registers, block_size=block))
    return found.waves / found.simds


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    given = stored_truth.parser(__doc__).parse_args(arguments)
    every = (compiled(target, block) for target in TARGETS for block in BLOCKS)
    rows = stored_truth.rows(given, MEASURED, Measured, chain.from_iterable(every))
    points = list(compared(rows))
    for one in points:
        row, mark = one.measured, " " if _is_right(one) else "-"
        print(f"{mark} {row.target:7} {row.block:4} {row.kernel:11} {row.arguments:6} {row.registers:4} compiled, "
              f"{one.low}..{one.estimate}..{one.high}, waves {one.waves:g} and {one.estimated_waves:g}, "
              f"{row.scratch_bytes} and {one.scratch_bytes} bytes")  # fmt: skip
    for target, block in product(TARGETS, BLOCKS):
        own = [one for one in points if (one.measured.target, one.measured.block) == (target, block)]
        shares = {"in band": sum(one.in_band for one in own), "spill right": sum(one.same_spill for one in own)}
        if block == BLOCKS[0]:
            shares = {"same step": sum(map(_is_right, own)), "step said": sum(one.said for one in own)} | shares
        said = ", ".join(f"{words} {count / len(own):.0%}" for words, count in shares.items())
        print(f"{target}, blocks of {block}: {len(own)} points, {said}")
    return 0


def _is_right(point: Compared) -> bool:
    return point.same_step if point.measured.block == BLOCKS[0] else point.same_spill


if __name__ == "__main__":
    sys.exit(main())
