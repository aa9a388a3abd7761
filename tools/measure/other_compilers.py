"""Registers that another compiler gives the kernels of testdata/golden, beside those of the one that estimates are for.

    python -m tools.measure.other_compilers PATH ...     nvcc (sm_90) or clang++ (gfx90a): writes results/compilers.csv
    python -m tools.measure.other_compilers --every 6 PATH ...     of the files every sixth

Estimates are for clang 19 and nvcc 13.0. A row says of another version how many kernels it gives the same, more or
fewer registers, how many bytes of scratch in all, and how many of its numbers are in the estimate's band.
Other nvcc versions are wheels (`pip install --target FOLDER nvidia-cuda-nvcc==13.5.37 nvidia-cuda-runtime
nvidia-cuda-cccl`); before 13.0 these held ptxas without nvcc. Distributions have several clangs; for the older headers
and device libraries of ROCm, clang 22 needs `-mcode-object-version=5 -D__AMDGCN_WAVEFRONT_SIZE=64`, from a script that
is named like it.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tools.measure.golden_rows import names_of, read_estimates, read_measured, sources
from tools.measure.toolchain import (
    Allocation,
    Toolchain,
    compile_cuda,
    compile_hip,
    compiler_version,
    device_libs_for,
    find_toolchain,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RESULTS = Path(__file__).resolve().parent / "results" / "compilers.csv"
FIELDS = tuple("compiler than target kernels same more fewer median scratch_more in_band before".split())


def allocations(path: Path, folder: Path, every: int = 1) -> tuple[str, list[tuple[str, list[Allocation]]]]:
    """A compiler's target, and its allocation for the kernels of each file that it accepts."""
    is_nvcc = path.name.startswith("nvcc")
    chain = find_toolchain()
    chain = replace(chain, nvcc=path) if is_nvcc else replace(chain, clang=path)
    target = "sm_90" if is_nvcc else "gfx90a"
    found: list[tuple[str, list[Allocation]]] = []
    for source in sources()[::every]:
        try:
            found.append((source.name, _of(chain, source, target, folder)))
        except (RuntimeError, OSError, subprocess.SubprocessError) as error:
            print(f"{source.name}: {' '.join(str(error).split())[:160]}", file=sys.stderr)
    return target, found


def _of(chain: Toolchain, source: Path, target: str, folder: Path) -> list[Allocation]:
    if target == "sm_90":
        return compile_cuda(chain, source, target, folder)
    return compile_hip(chain, source, target, device_libs_for(chain, target, folder))


def row(compiler: str, target: str, found: Iterable[tuple[str, Sequence[Allocation]]]) -> dict[str, object]:
    """How another compiler's numbers are beside ours."""
    ours = {(each.file, each.kernel): each for each in read_measured() if each.target == target}
    bands = {(each.file, each.kernel): each for each in read_estimates() if each.target == target}
    ratios: list[float] = []
    same = more = scratch = inside = before = 0
    for file, kernels in found:
        names = names_of([kernel.symbol for kernel in kernels])
        for kernel in kernels:
            key = file, names[kernel.symbol]
            if key not in ours or key not in bands or ours[key].registers is None:
                continue
            old, new = (ours[key].registers or 0) + (ours[key].agprs or 0), kernel.registers + kernel.agprs
            ratios.append((new + 1) / (old + 1))
            same += new == old
            more += new > old
            scratch += kernel.scratch_bytes > ours[key].scratch_bytes
            low, high = (bands[key].within_cap(end) for end in (bands[key].low, bands[key].high))
            inside += low <= new <= high
            before += low <= old <= high
    than = next(each.compiler for each in read_measured() if each.target == target)
    total = len(ratios)
    numbers = (total, same, more, total - same - more, f"{statistics.median(ratios):.3f}", scratch, inside, before)
    return dict(zip(FIELDS, (compiler, than, target, *numbers), strict=True))


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("compiler", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th file")
    arguments = parser.parse_args()
    rows = []
    for path in arguments.compiler:
        with tempfile.TemporaryDirectory(prefix="regpress-compilers-") as folder:
            target, found = allocations(path.absolute(), Path(folder), arguments.every)
        rows.append(row(compiler_version(path), target, found))
        print(rows[-1], flush=True)
    with RESULTS.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
