"""OpenCL C kernels against compilers: clang 19 for AMD (`-x cl`), ocloc for Intel.

    python -m tools.measure.opencl_truth PATHS... [--targets gfx90a,pvc] [--define NAME=VALUE] [--rows FILE] [--worst N]

PATHS are `.cl` files and folders of them. Each file is compiled as it is, with `-cl-std=CL2.0` and the macros of
`--define`; one that a compiler refuses is counted. The demand of each kernel is compared with the estimate's band: on
AMD VGPRs and AGPRs together, on Intel the registers alive at most in IGC's first try, in words of a work-item. A kernel
is known if nothing of it is in the ledger of unknowns.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import tempfile
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import DeviceWords, Settings, as_defined
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file, detect_language
from tools.measure.calibrate_registers import spearman
from tools.measure.golden_intel import compile_opencl
from tools.measure.toolchain import device_libs_for, find_toolchain, parse_amd_remarks, run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.model.estimate.registers import RegisterEstimate


class Used(NamedTuple):
    """Registers and bytes of private memory of a work-item."""

    registers: int
    private: int


class Pair(NamedTuple):
    """A kernel, what a compiler gave it, and the estimate."""

    path: str
    kernel: str
    target: str
    used: Used
    estimate: RegisterEstimate
    known: bool

    @property
    def inside(self) -> bool:
        """Whether the band holds the compiler's number."""
        return self.estimate.low <= self.used.registers <= self.estimate.high


def compiled(path: Path, target: str, defines: Sequence[str], folder: Path) -> Mapping[str, Used] | None:
    """A compiler's allocation for each kernel of a file; None if it refuses the file."""
    macros = [f"-D{define}" for define in defines]
    try:
        if not target.startswith("gfx"):
            options = " ".join(("-cl-std=CL2.0", f"-I{path.parent}", *macros))
            rows = compile_opencl(path, target, folder, ("-options", options))
            return {row.kernel: Used(row.demand, row.demand_scratch_bytes) for row in rows}
        chain = find_toolchain()
        libs = device_libs_for(chain, target, folder / target)
        log = run(
            [str(chain.clang), "-x", "cl", "-cl-std=CL2.0", "-target", "amdgcn-amd-amdhsa", f"-mcpu={target}",
             f"--rocm-device-lib-path={libs}", "-O3", "-S", "-o", str(folder / "a.s"), f"-I{path.parent}", *macros,
             "-Rpass-analysis=kernel-resource-usage", str(path)]
        )  # fmt: skip
    except (RuntimeError, OSError):
        return None
    return {row.symbol: Used(row.registers + row.agprs, row.scratch_bytes) for row in parse_amd_remarks(log)}


def pairs(path: Path, target: str, measured: Mapping[str, Used], projects: Projects) -> list[Pair]:
    """The kernels of one file that were compiled, with their estimates."""
    data = path.read_bytes()
    language = detect_language(str(path), data)
    if language is None:
        return []
    model = build_file(Source(str(path), data), language, projects.of(str(path)))
    found = []
    for name, used in measured.items():
        kernel = model.first_kernel(name)
        if kernel is None:
            print(f"  not found: {path.name} {name}")
            continue
        facts = kernel_facts(model, kernel, Settings())
        estimate = facts.target(target).registers
        known = kernel.complete and not any(unknown.matters for unknown in facts.unknowns(target))
        found.append(Pair(str(path), name, target, used, estimate, known))
    return found


def report(target: str, found: list[Pair], refused: int, worst: int) -> None:
    """Print the figures."""
    if not found:
        print(f"{target}: no kernel was compiled, {refused} files refused")
        return
    real, said = [float(one.used.registers) for one in found], [float(one.estimate.estimate) for one in found]
    known = [one for one in found if one.known]
    private, predicted = ({one.kernel for one in found if test(one)} for test in (_has, _predicted))
    width = median((one.estimate.high - one.estimate.low) / max(one.used.registers, 1) for one in known or found)
    rank = f"{spearman(real, said):.3f}" if len(set(real)) > 1 and len(set(said)) > 1 else "-"
    print(f"{target}: {len(found)} kernels, {refused} files refused; Spearman {rank}")
    print(f"  in the band {fmean(one.inside for one in found):.3f}, median width {width:.2f} of the truth")
    if known:
        print(f"  known {len(known)}, of these in the band {fmean(one.inside for one in known):.3f}")
    print(f"  private memory: {len(private)} have some, predicted {len(predicted)}, right {len(private & predicted)}")
    off = sorted(found, key=lambda one: -abs(math.log((one.estimate.estimate + 2) / (one.used.registers + 2))))
    for one in off[:worst]:
        band = f"{one.estimate.low}-{one.estimate.estimate}-{one.estimate.high}"
        memory = f", memory {one.used.private} estimated {one.estimate.scratch_bytes}"
        print(f"    {one.used.registers} estimated {band}{'' if one.known else ' (open)'}{memory}: "
              f"{Path(one.path).name} {one.kernel}")  # fmt: skip


def _has(one: Pair) -> bool:
    return one.used.private > 0


def _predicted(one: Pair) -> bool:
    return one.estimate.scratch_bytes > 0


def main() -> int:
    """Compile and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--targets", default="gfx90a,pvc")
    parser.add_argument("--define", action="append", default=[])
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--worst", type=int, default=0)
    args = parser.parse_args()
    sys.setrecursionlimit(20_000)
    files = [Path(file.path) for file in discover([str(path) for path in args.paths]).files if file.path.endswith("cl")]
    words = DeviceWords(defined=dict(map(as_defined, args.define)))
    projects = Projects([str(path) for path in files], [str(path) for path in args.paths], words=words)
    every: list[Pair] = []
    for target in args.targets.split(","):
        found, refused = [], 0
        for path in files:
            with tempfile.TemporaryDirectory() as folder:
                measured = compiled(path, target, args.define, Path(folder))
            refused += measured is None
            found += pairs(path, target, measured or {}, projects)
        report(target, found, refused, args.worst)
        every += found
    if args.rows is not None:
        with args.rows.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["file", "kernel", "target", "registers", "private", "low", "estimate", "high", "scratch"])
            for one in every:
                band = (one.estimate.low, one.estimate.estimate, one.estimate.high, one.estimate.scratch_bytes)
                writer.writerow([Path(one.path).name, one.kernel, one.target, *one.used, *band])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
