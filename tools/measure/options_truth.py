"""Compiles what `pressure --without` and `kernels --advise` say of options: kernels with and without each of them.

    python -m tools.measure.options_truth [--store]  # compile, compare; --store writes testdata/options/measured.csv
    python -m tools.measure.options_truth --stored       # compare with the stored numbers
    python -m tools.measure.options_truth FILE...        # options of other kernels, which are compiled as they are

An option is right if estimate and compiler agree whether leaving it out brings more waves per SIMD, at 256 threads.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.facts.run_time_flags import options
from regpress_lint.lint.advice.branch_removal import fixed, sides_in_words
from regpress_lint.lint.advice.trials import edited
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.targets.occupancy import KernelUse, architecture, occupancy
from tools.measure import stored_truth, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.lint.analysis import Analysis

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "testdata" / "options" / "kernels.cu"
MEASURED = ROOT / "testdata" / "options" / "measured.csv"
TARGETS = ("gfx90a", "sm_90")
_BLOCK = 256
_BOUNDS = (b"__global__ void ", b"__global__ void __launch_bounds__(256) ")


class Measured(NamedTuple):
    """A compiler's allocation for a kernel with an option and without it."""

    kernel: str
    option: str
    target: str
    with_it: int
    without_it: int


class Variant(NamedTuple):
    """A kernel and one of its options, with the file that lacks it."""

    kernel: str
    option: str
    data: bytes


def variants(analysis: Analysis) -> Iterator[Variant]:
    """Every option of every kernel of a file."""
    for kernel in analysis.file.kernels:
        for option in options(analysis.facts(kernel)):
            if (data := edited(analysis.source.data, fixed(analysis.source, option))) is not None:
                words = sides_in_words(analysis.source, option.sides)
                yield Variant(kernel.name.rpartition("::")[2], words, data)
        analysis.done_with(kernel)


def read(data: bytes, path: str) -> Analysis:
    """A file as it is estimated. Raises ValueError for one without kernels."""
    found = analyse(data, path, Settings(architectures=TARGETS))
    if isinstance(found, Skipped):
        raise ValueError(path)
    return found


def allocated(path: Path, data: bytes, target: str, *flags: str) -> dict[str, int]:
    """Registers of the kernels of a file by their names, the most of several instantiations."""
    with tempfile.TemporaryDirectory(prefix="regpress-options-", dir=None) as folder:
        source = Path(folder) / path.name
        source.write_bytes(data)
        found: dict[str, int] = {}
        for row in toolchain.compile_for(toolchain.find_toolchain(), source, target, Path(folder), *flags) or ():
            name = toolchain.plain_name(row.symbol)
            found[name] = max(found.get(name, 0), row.total)
        return found


def compiled(path: Path, target: str) -> Iterator[Measured]:
    """Each option of a file, compiled for a target."""
    whole = path.read_bytes().replace(*_BOUNDS) if path == SOURCE else path.read_bytes()
    before = allocated(path, whole, target)
    for kernel, option, data in variants(read(whole, str(path))):
        after = allocated(path, data, target)
        if kernel in before and kernel in after:
            yield Measured(kernel, option, target, before[kernel], after[kernel])


def stored() -> list[Measured]:
    """Stored allocations of compilers."""
    return stored_truth.stored(MEASURED, Measured)


class Compared(NamedTuple):
    """One option: what the compiler allocated, and the estimates with it and without it."""

    measured: Measured
    with_it: int
    without_it: int

    @property
    def agrees(self) -> bool:
        """Whether compiler and estimate say the same of the waves: more of them, or not."""
        row = self.measured
        pays = _waves(row.target, row.without_it) > _waves(row.target, row.with_it)
        return pays == (_waves(row.target, self.without_it) > _waves(row.target, self.with_it))


def compared(path: Path, rows: Sequence[Measured]) -> Iterator[Compared]:
    """Every measured option beside its estimates."""
    whole = path.read_bytes().replace(*_BOUNDS) if path == SOURCE else path.read_bytes()
    before = estimates(whole, str(path))
    after = {(variant.kernel, variant.option): variant.data for variant in variants(read(whole, str(path)))}
    known: dict[bytes, dict[tuple[str, str], int]] = {}
    for row in rows:
        data = after[row.kernel, row.option]
        if data not in known:
            known[data] = estimates(data, str(path), row.kernel)
        yield Compared(row, before[row.kernel, row.target], known[data][row.kernel, row.target])


def estimates(data: bytes, path: str, kernel: str = "") -> dict[tuple[str, str], int]:
    """Estimated registers by kernel and target, of all kernels or of one."""
    analysis = read(data, path)
    return {
        (name, target): analysis.facts(each).target(target).registers.estimate
        for each in analysis.file.kernels
        if kernel in ("", name := each.name.rpartition("::")[2])
        for target in TARGETS
    }


def _waves(target: str, registers: int) -> float:
    return occupancy(architecture(target), KernelUse(vgprs=registers)).waves


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's docstring."""
    parser = stored_truth.parser(__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="other sources, with what they include")
    given = parser.parse_args(arguments)
    found: list[Compared] = []
    for path in given.files or [SOURCE]:
        rows = stored_truth.rows(given, MEASURED, Measured, chain.from_iterable(map(partial(compiled, path), TARGETS)))
        found += compared(path, rows)
    for one in found:
        row, mark = one.measured, " " if one.agrees else "-"
        print(f"{mark} {row.target:7} {row.kernel:9} {row.with_it:4} -> {row.without_it:4} compiled, "
              f"{one.with_it:4} -> {one.without_it:4} estimated, without {row.option}")  # fmt: skip
    for target in TARGETS:
        if own := [one for one in found if one.measured.target == target]:
            print(f"{target}: {len(own)} options, agree {sum(one.agrees for one in own) / len(own):.0%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
