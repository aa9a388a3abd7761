"""Compiles what `kernels --sweep` estimates: each kernel of testdata/sweep/kernels.cu at each of its values.

    python -m tools.measure.sweep_truth [--store]      # compile, compare; --store writes testdata/sweep/measured.csv
    python -m tools.measure.sweep_truth --stored       # compare with the stored numbers

A point is right if estimate and compiler lead to the same number of waves per SIMD (occupancy step) at 256 threads.
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

    from regpress_lint.core.uncertainty import Band

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "testdata" / "sweep" / "kernels.cu"
MEASURED = ROOT / "testdata" / "sweep" / "measured.csv"
TARGETS = ("gfx90a", "sm_90")
_BLOCK = 256
_SWEEP = re.compile(r"^// sweep: (.+)\ntemplate <([^>]+)>\n__global__ void (\w+)\(", re.MULTILINE)


class Measured(NamedTuple):
    """A compiler's allocation for a kernel at some arguments."""

    kernel: str
    arguments: str
    target: str
    registers: int
    scratch_bytes: int


def sweeps() -> list[tuple[str, tuple[Axis, ...]]]:
    """Each kernel with its axes, in the order of its template parameters."""
    found = []
    for axes, _, kernel in _SWEEP.findall(SOURCE.read_text()):
        pairs = (each.partition("=") for each in axes.split())
        found.append((kernel, tuple(Axis(name, tuple(values.split(","))) for name, _, values in pairs)))
    return found


def compiled(target: str) -> Iterator[Measured]:
    """The kernels at all of their points, compiled as one file by the compiler for a target."""
    kernels = sweeps()
    instances = "\n".join(
        f"template __global__ void {kernel}<{', '.join(values)}>({_parameters(kernel)});"
        for kernel, axes in kernels
        for values in product(*(axis.values for axis in axes))
    )
    source_text = SOURCE.read_text().partition("void run(")[0]
    bounded = re.sub(
        r"^__global__ void", f"__global__ __launch_bounds__({_BLOCK}) void", source_text, flags=re.MULTILINE
    )
    names = "|".join(kernel for kernel, _ in kernels)
    with tempfile.TemporaryDirectory(prefix="regpress-sweep-") as folder:
        source = Path(folder) / "kernels.cu"
        source.write_text(f"{bounded}\n{instances}\n")
        for row in toolchain.compile_for(toolchain.find_toolchain(), source, target, Path(folder)) or ():
            found = re.match(rf"_Z\d+({names})I((?:Li\d+E)+)E", row.symbol)
            if found is not None:
                arguments = " ".join(re.findall(r"Li(\d+)E", found[2]))
                yield Measured(found[1], arguments, target, row.total, row.scratch_bytes)


def _parameters(kernel: str) -> str:
    found = re.search(rf"__global__ void {kernel}\(([^)]*)\)", SOURCE.read_text())
    assert found is not None
    return found[1]


def stored() -> list[Measured]:
    """Stored allocations of compilers."""
    return stored_truth.stored(MEASURED, Measured)


class Compared(NamedTuple):
    """One point: the compiler's numbers, the estimate with its band, and waves per SIMD by either."""

    measured: Measured
    low: int
    estimate: int
    high: int
    waves: float
    estimated_waves: float

    @property
    def same_step(self) -> bool:
        """Whether both lead to the same number of waves."""
        return self.waves == self.estimated_waves

    @property
    def in_band(self) -> bool:
        """Whether the compiler's number is inside the band."""
        return self.low <= self.measured.registers <= self.high


def compared(rows: Sequence[Measured]) -> Iterator[Compared]:
    """Every measured point beside its estimate."""
    data = SOURCE.read_bytes()
    estimates: dict[tuple[str, str, str], Band] = {}
    for kernel, axes in sweeps():
        block = Axis("block", (str(_BLOCK),))
        for swept in file_sweep(data, "kernels.cu", Settings(architectures=TARGETS), None, (*axes, block), (kernel,)):
            for point in swept.points:
                for row in point.targets:
                    estimates[kernel, " ".join(point.values[:-1]), row.name] = row.registers
    for one in rows:
        band = estimates[one.kernel, one.arguments, one.target]
        waves, estimated = _waves(one.target, one.registers), _waves(one.target, band.estimate)
        yield Compared(one, band.low, band.estimate, band.high, waves, estimated)


def _waves(target: str, registers: int) -> float:
    arch = architecture(target)
    found = occupancy(arch, KernelUse(vgprs=registers, block_size=_BLOCK))
    return found.waves / found.simds


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    given = stored_truth.parser(__doc__).parse_args(arguments)
    rows = stored_truth.rows(given, MEASURED, Measured, chain.from_iterable(map(compiled, TARGETS)))
    points = list(compared(rows))
    for one in points:
        row, mark = one.measured, " " if one.same_step else "-"
        print(f"{mark} {row.target:7} {row.kernel:11} {row.arguments:6} {row.registers:4} compiled, "
              f"{one.low}..{one.estimate}..{one.high}, waves {one.waves:g} and {one.estimated_waves:g}")  # fmt: skip
    for target in TARGETS:
        own = [one for one in points if one.measured.target == target]
        same, inside = sum(one.same_step for one in own), sum(one.in_band for one in own)
        print(f"{target}: {len(own)} points, same step {same / len(own):.0%}, in band {inside / len(own):.0%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
