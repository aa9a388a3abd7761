"""The register estimate against compilers on benchmarks that the table of truth does not hold.

    python -m tools.measure.unseen_registers SOURCES TRUTH.csv [--files 60] [--seed 1] [--worst N]

Of the benchmarks in SOURCES (HeCBench's `src`) that TRUTH.csv does not name, source files with kernels are drawn at
random for each target and compiled as the table's were: clang++-19 for gfx90a with room for 256 threads per block
(VGPRs and AGPRs), nvcc for sm_90. What does not compile (headers that are missing) is left out. A kernel is one name in
one file, its truth the median over its instances. Printed: rank correlation, the same for 32 and more registers, median
error, area under the curve for more than 64, share of truth in the band and the band's median width; private memory.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file, detect_language
from tools.measure.calibrate_registers import ranks, spearman
from tools.measure.toolchain import compile_for, find_toolchain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.model.estimate.registers import RegisterEstimate
    from tools.measure.toolchain import Toolchain

FOLDERS = {"gfx90a": "-hip", "sm_90": "-cuda"}
MANY = 128


class Used(NamedTuple):
    """A compiler's numbers for a kernel, the median over its instances: registers, bytes of private memory."""

    registers: float
    private: float


class Pair(NamedTuple):
    """A compiler's number for a kernel, and the estimate."""

    kernel: str
    registers: float
    private: float
    estimate: RegisterEstimate


def drawn(root: Path, truth: Path, suffix: str, count: int, seed: int) -> list[Path]:
    """Files with kernels of benchmarks that the table does not name."""
    with truth.open(newline="") as handle:
        known = {row["bench"].rpartition("-")[0] for row in csv.DictReader(handle)}
    folders = [
        one for one in sorted(root.iterdir()) if one.name.endswith(suffix) and one.name[: -len(suffix)] not in known
    ]
    files = [file for folder in folders for file in sorted(folder.rglob("*.cu")) if b"__global__" in file.read_bytes()]
    return random.Random(seed).sample(files, min(count, len(files)))


def compiled(path: Path, target: str, chain: Toolchain) -> dict[str, Used]:
    """What each kernel of a file takes; empty for what does not compile."""
    flags = ["-w", f"-I{path.parent}", f"-I{path.parent.parent}"]
    if target.startswith("gfx"):
        flags.append("--gpu-max-threads-per-block=256")
    with tempfile.TemporaryDirectory() as folder:
        try:
            allocations = compile_for(chain, path, target, Path(folder), *flags)
        except RuntimeError:
            return {}
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for item in allocations or ():
        found[item.kernel].append((item.total, item.scratch_bytes))
    return {
        kernel: Used(median(one for one, _ in used), median(other for _, other in used))
        for kernel, used in found.items()
    }


def pairs(root: Path, files: list[Path], target: str) -> list[Pair]:
    """All kernels of the files that compile."""
    projects = Projects([candidate.path for candidate in discover([str(root)]).files], [str(root)])
    chain = find_toolchain()
    return [pair for path in files for pair in paired(path, root, compiled(path, target, chain), projects, target)]


def paired(path: Path, root: Path, measured: Mapping[str, Used], projects: Projects, target: str) -> list[Pair]:
    """The kernels of one file that were compiled, with their estimates; a name counts once."""
    data = path.read_bytes()
    language = detect_language(str(path), data)
    if not measured or language is None:
        return []
    model = build_file(Source(str(path), data), language, projects.of(str(path)))
    named = {kernel.name.rpartition("::")[2]: kernel for kernel in reversed(model.kernels)}
    return [
        Pair(
            f"{path.relative_to(root)} {kernel.name}",
            *measured[name],
            kernel_facts(model, kernel, Settings()).target(target).registers,
        )
        for name, kernel in named.items()
        if name in measured
    ]


def _correlation(a: list[float], b: list[float]) -> float:
    return spearman(a, b) if len(set(a)) > 1 and len(set(b)) > 1 else math.nan


def report(target: str, found: list[Pair], worst: int) -> None:
    """Print the figures."""
    real, said = [one.registers for one in found], [float(one.estimate.estimate) for one in found]
    large = [number for number, value in enumerate(real) if value >= 32]
    above = sum(value > 64 for value in real)
    rank = sum(place for place, value in zip(ranks(said), real, strict=True) if value > 64)
    area = (rank - above * (above - 1) / 2) / (above * (len(real) - above)) if 0 < above < len(real) else math.nan
    print(f"{target}: {len(found)} kernels of {len({one.kernel.split('/')[0] for one in found})} benchmarks")
    print(
        f"  Spearman {_correlation(real, said):.3f}, of {len(large)} with 32 or more "
        f"{_correlation([real[k] for k in large], [said[k] for k in large]):.3f}, "
        f"median error {median(abs(a - b) / max(a, 1) for a, b in zip(real, said, strict=True)):.3f}, area {area:.3f}"
    )
    inside = fmean(one.estimate.low <= one.registers <= one.estimate.high for one in found)
    width = median((one.estimate.high - one.estimate.low) / max(one.registers, 1) for one in found)
    hits = sum(one.private > 0 and one.estimate.scratch_bytes > 0 for one in found)
    private, predicted = sum(one.private > 0 for one in found), sum(one.estimate.scratch_bytes > 0 for one in found)
    print(f"  {inside:.3f} in the band, its median width {width:.2f} of the truth")
    print(f"  private memory: {private} have some, predicted for {predicted}, right for {hits}")
    seen = sum(one.estimate.estimate > MANY for one in found if one.registers > MANY)
    print(f"  more than {MANY} registers: {sum(value > MANY for value in real)}, of which estimated so: {seen}")
    off = sorted(found, key=lambda one: -abs(math.log((one.estimate.estimate + 2) / (one.registers + 2))))
    for one in off[:worst]:
        print(f"    {one.registers:g} estimated {one.estimate.estimate}: {one.kernel}")


def main() -> int:
    """Draw, compile and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=0)
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    for target, suffix in FOLDERS.items():
        files = drawn(args.sources, args.truth, suffix, args.files, args.seed)
        report(target, pairs(args.sources, files, target), args.worst)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
