"""Largest bodies of which compilers make copies that replace a loop, beside what the linter plans.

    python -m tools.measure.loop_limits [--target sm_90] [--series reads,sums,lds,array] [--trips 4,8,16,32,64]
    python -m tools.measure.loop_limits --planned        the column `planned` of testdata/loop_limits.csv, again
    python -m tools.measure.loop_limits --options        testdata/llvm_options.csv: the limits that clang names itself

Each kernel has one loop of a kind with a number of multiply-adds in its body, which is
searched for by halving. A loop is a branch backwards in clang's LLVM assembly, nvcc's PTX and what IGC assembles at its
first try.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.passes.placement import executed
from regpress_lint.program import build_file
from regpress_lint.targets.compilers.amdgpu import RDNA
from regpress_lint.targets.compilers.igc import IGC
from regpress_lint.targets.compilers.nvcc import NVCC
from regpress_lint.targets.occupancy import architecture
from tools.measure.golden_intel import first_assembly

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SERIES = {
    "reads": "float s = 0; for (int k = 0; k < {0}; k++) {{ float x = a[k * n + tid]; {1} s += x; }} b[tid] = s;",
    "sums": "float x = a[tid]; for (int k = 0; k < {0}; k++) {{ {1} }} b[tid] = x;",
    "lds": "__shared__ float h[{0}]; h[threadIdx.x] = a[tid]; __syncthreads(); float s = 0;"
    " for (int k = 0; k < {0}; k++) {{ float x = h[k]; {1} s += x; }} b[tid] = s;",
    "array": "float h[{0}]; for (int k = 0; k < {0}; k++) h[k] = a[k * n + tid]; for (int r = 0; r < n; r++)"
    " for (int k = 0; k < {0}; k++) {{ float x = h[k]; {1} h[k] = x; }}"
    " for (int k = 0; k < {0}; k++) b[k * n + tid] = h[k];",
}
KERNEL = 'extern "C" __global__ void k(const float *a, float *b, int n) {{ int tid = threadIdx.x; {0} }}\n'
HIP = """#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __syncthreads __builtin_amdgcn_s_barrier
struct X { unsigned x; };
#define threadIdx X{__builtin_amdgcn_workitem_id_x()}
"""
_MOST = 600
TESTDATA = Path(__file__).resolve().parents[2] / "testdata"
LIMITS, OPTIONS = TESTDATA / "loop_limits.csv", TESTDATA / "llvm_options.csv"
_COMPILERS = {"amd": RDNA, "nvidia": NVCC, "intel": IGC}


def body(series: str, trips: int, size: int) -> str:
    """A kernel."""
    steps = " ".join(f"x = x * x + {step}.5f;" for step in range(size))
    return KERNEL.format(SERIES[series].format(trips, steps))


def compiled(target: str, series: str, trips: int, size: int) -> bool:
    """Whether the target's compiler replaces the loop."""
    with tempfile.TemporaryDirectory() as folder:
        return _compiled(target, series, body(series, trips, size), Path(folder))


def _compiled(target: str, series: str, text: str, folder: Path) -> bool:
    if target.startswith("gfx"):
        source = folder / "k.hip"
        source.write_text(HIP + text)
        command = ["clang++-19", "-x", "hip", f"--offload-arch={target}", "--cuda-device-only", "-nogpulib",
                   "-nogpuinc", "-O3", "-S", "-emit-llvm", "-o", str(folder / "k.ll"), str(source)]  # fmt: skip
        subprocess.run(command, check=True, capture_output=True)
        return _backwards((folder / "k.ll").read_text(), r"^(\d+):", r"label %(\d+)") <= (series == "array")
    source = folder / "k.cu"
    source.write_text(text)
    if target == "pvc":
        (assembly,) = first_assembly(source, target, folder).values()
        return _jumps_back(assembly) <= (series == "array")
    command = ["nvcc", f"-arch={target}", "-ptx", "-O3", "-o", str(folder / "k.ptx"), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    branches = _backwards((folder / "k.ptx").read_text(), r"^\$(\w+):", r"bra(?:\.uni)? \t?\$(\w+);")
    return branches <= (series == "array")


def _backwards(text: str, label: str, branch: str) -> int:
    """Branches to a label that is before them, or to the block that they end."""
    seen: set[str] = set()
    backwards = 0
    for line in text.splitlines():
        if (here := re.match(label, line)) is not None:
            seen.add(here[1])
        backwards += any(name in seen for name in re.findall(branch, line)) and "preds" not in line
    return backwards


def _jumps_back(assembly: str) -> int:
    """Jumps of Intel's assembly to a label that is before them; some name two labels."""
    seen: set[str] = set()
    found = 0
    for line in assembly.splitlines():
        if (here := re.match(r"(\w+):", line)) is not None:
            seen.add(here[1])
        elif re.search(r"\b(?:goto|jmpi|while|br[cd])\b", line):
            found += not seen.isdisjoint(re.findall(r"\b[_L]\w+", line))
    return found


def planned(vendor: str, series: str, trips: int, size: int) -> bool:
    """Whether the linter takes it that all loops with so many iterations are replaced."""
    file = build_file(Source("k.cu", body(series, trips, size).encode()), "cuda", Project())
    facts = kernel_facts(file, file.kernels[0], Settings())
    machine = executed(facts.input_for(_COMPILERS[vendor]))
    plans = [note.plan for note in machine.tally.plans if note.trips == trips]
    return bool(plans) and all(plan.whole for plan in plans)


def largest(holds: Callable[[int], bool]) -> int:
    """The largest size that holds, -1 if none does."""
    low, high = -1, 1
    while high < _MOST and holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


class Limit(NamedTuple):
    """A row of LIMITS: the most multiply-adds with which a compiler replaces the loop, and those that we plan."""

    target: str
    series: str
    trips: int
    compiler: int
    planned: int


def limits() -> list[Limit]:
    """Measured and planned copies."""
    with LIMITS.open(newline="", encoding="utf-8") as lines:
        return [
            Limit(row["target"], row["series"], *(int(row[name]) for name in Limit._fields[2:]))
            for row in csv.DictReader(lines)
        ]


def options() -> dict[str, int]:
    """The limits of LLVM's loop passes."""
    with OPTIONS.open(newline="", encoding="utf-8") as lines:
        return {row["option"]: int(row["value"]) for row in csv.DictReader(lines)}


def _said_by_clang() -> list[tuple[str, int]]:
    command = ["clang++-19", "-x", "c++", "-S", "-o", "/dev/null", "-", "-mllvm", "-print-all-options"]
    text = subprocess.run(command, input="", capture_output=True, text=True, check=True).stdout
    found = re.findall(r"--([\w-]*unroll[\w-]*) += \d+ +\(default: (\d+)\)", text)
    return sorted((name, int(value)) for name, value in found)


def _write(path: Path, rows: Sequence[tuple[object, ...]], names: Sequence[str]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)


def main(argv: list[str] | None = None) -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--series", default=",".join(SERIES))
    parser.add_argument("--trips", default="4,8,16,32,64")
    parser.add_argument("--planned", action="store_true")
    parser.add_argument("--options", action="store_true")
    arguments = parser.parse_args(argv)
    if arguments.options:
        _write(OPTIONS, _said_by_clang(), ("option", "value"))
        return 0
    if arguments.planned:
        ours = [
            row._replace(planned=largest(partial(planned, architecture(row.target).vendor, row.series, row.trips)))
            for row in limits()
        ]
        _write(LIMITS, ours, Limit._fields)
        return 0
    vendor = architecture(arguments.target).vendor
    print(f"{'series':8} {'trips':>5} {'compiler':>9} {'planned':>8}")
    for series in arguments.series.split(","):
        for trips in map(int, arguments.trips.split(",")):
            measured = largest(partial(compiled, arguments.target, series, trips))
            said = largest(partial(planned, vendor, series, trips))
            print(f"{series:8} {trips:>5} {measured:>9} {said:>8}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
