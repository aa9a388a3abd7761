"""The register estimate against compilers on foreign repositories that nothing was tuned on.

    python -m tools.measure.world_registers FOLDER ... [--truth FILE] [--files 40] [--kernels 40] [--seed 1]
                        [--target T ...] [--include DIR ...] [--define NAME[=VALUE] ...] [--worst N]

FOLDERs are checkouts. Of each, at most `--files` files with kernels are drawn by the seed and compiled standing alone,
without the project's build: include paths are the folders above the file, every folder called `include`, and those of
`--include`; what does not compile so is left out. `--define` is for sources that are empty without a macro of their
build, which the linter is not told. clang++-19 compiles for AMD with room for 256 threads per block (VGPRs
and AGPRs), nvcc for NVIDIA. Both get CUDA and HIP sources that they can read: for clang every name `cuda...` of the
source that HIP has as `hip...` is a macro, and CUDA's headers are HIP's. Functions that CUDA 13 no longer has get their
new names. A file that does not compile alone is compiled as a part of a file that includes it, or without what cannot
be read (`device_only.py`).
A kernel is one name in one file, its truth the median over its instances. Of a checkout with more than `--kernels` of
them as many are drawn by the seed, so that no program is most of the sample. `--truth` keeps what the compilers said in
a CSV: a file that is in it is not compiled again, so that a change of the model is measured in seconds.
Printed for each target: what `unseen_registers.py` prints, and how many kernels with more than 128 registers are seen.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from tools.measure.device_only import compiled_in_part
from tools.measure.toolchain import compile_for, find_toolchain
from tools.measure.unseen_registers import Pair, Used, paired, report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tools.measure.toolchain import Allocation, Toolchain

TARGETS = ("gfx90a", "sm_90")
JOBS = 2
_KERNEL = re.compile(rb"\b__global__\b")
_CUDA_NAME = re.compile(rb"\bcuda[A-Z]\w*")
_HIP_NAME = re.compile(rb"\bhip[A-Z]\w*")
_INDICES = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_HIP_HEADERS = {"hip_fp16.h": "cuda_fp16.h", "hip_cooperative_groups.h": "cooperative_groups.h",
                "hip_runtime_api.h": "hip/hip_runtime.h", "hip_complex.h": "cuComplex.h"}  # fmt: skip
_HIP_LAUNCH = """#define hipLaunchKernelGGL(kernel, grid, block, lds, stream, ...) \\
  (kernel)<<<(grid), (block), (lds), (stream)>>>(__VA_ARGS__)
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];"""
_TAKEN = frozenset(("hipLaunchKernelGGL",))
_UNITS = (".cu", ".hip", ".cpp", ".cuh")
_CUDA_HEADERS = tuple(
    f"{name}.h"
    for name in ("cuda", "cuda_runtime", "cuda_runtime_api", "device_functions", "device_launch_parameters",
                 "driver_types", "math_constants", "math_functions", "vector_functions", "vector_types")
)  # fmt: skip
_RENAMED = {
    "cudaThreadSynchronize": "cudaDeviceSynchronize",
    "cudaThreadExit": "cudaDeviceReset",
    "cudaThreadSetCacheConfig": "cudaDeviceSetCacheConfig",
}
_MOST_INCLUDERS = 2
_BROUGHT = ("cstdint", "cmath", "string", "vector")  # what older compilers' own headers bring along
# Lane exchanges of a whole warp, as HIP before version 6.2 spells them. HIP 5.7's own atomicInc calls what clang 19 no
# longer has, and a kernel with a call of something unknown takes 86 registers.
_WARP = """
#define __shfl_sync(mask, ...) __shfl(__VA_ARGS__)
#define __shfl_up_sync(mask, ...) __shfl_up(__VA_ARGS__)
#define __shfl_down_sync(mask, ...) __shfl_down(__VA_ARGS__)
#define __shfl_xor_sync(mask, ...) __shfl_xor(__VA_ARGS__)
#define __any_sync(mask, value) __any(value)
#define __all_sync(mask, value) __all(value)
#define __ballot_sync(mask, value) __ballot(value)
#define __activemask() __ballot(1)
#define __ldcs(place) (*(place))
#define __ldcg(place) (*(place))
#define __stcs(place, ...) (*(place) = (__VA_ARGS__))
#define __stcg(place, ...) (*(place) = (__VA_ARGS__))
#define cudaDeviceProp hipDeviceProp_t
#define CUstream_st ihipStream_t
#define CUevent_st ihipEvent_t
#define cudaGraphicsResource _hipGraphicsResource
#define cudaFuncSetCacheConfig(...) hipSuccess
#define cudaFuncSetAttribute(...) hipSuccess
#define cuFloatComplex hipFloatComplex
#define cuDoubleComplex hipDoubleComplex
#define cuComplex hipComplex
#define make_cuFloatComplex make_hipFloatComplex
#define make_cuDoubleComplex make_hipDoubleComplex
#define make_cuComplex make_hipComplex
#define __syncwarp(...) __builtin_amdgcn_wave_barrier()
#define atomicInc(place, value) __builtin_amdgcn_atomic_inc32(place, value, __ATOMIC_RELAXED, "agent")
#define atomicDec(place, value) __builtin_amdgcn_atomic_dec32(place, value, __ATOMIC_RELAXED, "agent")
"""


class Told(NamedTuple):
    """A compiler's numbers for one kernel of a file; a file that does not compile has one row without a name."""

    target: str
    file: str
    kernel: str
    registers: float
    private: float


def drawn(folder: Path, count: int, seed: int) -> list[Path]:
    """Files with kernels of a checkout, at most so many."""
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in _UNITS and path.is_file() and _KERNEL.search(path.read_bytes())
    ]
    return random.Random(seed).sample(files, min(count, len(files)))


def include_flags(folder: Path, path: Path) -> list[str]:
    """Where a file's includes may be: the folders above it, and those that are called `include`."""
    above = [parent for parent in path.parents if parent == folder or folder in parent.parents]
    named = sorted(one for one in folder.rglob("include") if one.is_dir())
    return [f"-I{one}" for one in (*above, *named)]


def write_cuda_as_hip(folder: Path, sources: Iterable[Path], hip_root: Path) -> list[str]:
    """Headers that make clang read CUDA's names as HIP's, in `folder`; the flags that use them."""
    known = set(
        re.findall(rb"\bhip[A-Z]\w*", b"".join(one.read_bytes() for one in (hip_root / "include/hip").rglob("*.h")))
    )
    names = {name for path in sources for name in _CUDA_NAME.findall(path.read_bytes())}
    taken = {*_RENAMED, *re.findall(r"#define (\w+)", _WARP)}
    folder.mkdir(parents=True, exist_ok=True)
    defines = (
        f"#define {name.decode()} hip{name[4:].decode()}"
        for name in sorted(names)
        if b"hip" + name[4:] in known and name.decode() not in taken
    )
    (folder / "as_hip.h").write_text(
        "\n".join(("#pragma once", "#include <hip/hip_runtime.h>", _WARP, *defines)) + "\n"
    )
    for header in _CUDA_HEADERS:
        (folder / header).write_text("#include <hip/hip_runtime.h>\n")
    for header, real in (("cuda_fp16.h", "hip_fp16.h"), ("cooperative_groups.h", "hip_cooperative_groups.h"),
                         ("cuComplex.h", "hip_complex.h")):  # fmt: skip
        (folder / header).write_text(f"#include <hip/{real}>\n")
    return [f"-I{folder}", "-include", str(folder / "as_hip.h")]


def write_hip_as_cuda(folder: Path, sources: Iterable[Path]) -> list[str]:
    """HIP's headers for nvcc: its names of the run time are CUDA's. The flag that finds them."""
    names = sorted({name.decode() for path in sources for name in _HIP_NAME.findall(path.read_bytes())})
    words = [f"hip{what[0].upper()}{what[1:]}_{axis}" for what in _INDICES for axis in "xyz"]
    own = [f"#define {word} {word[3].lower()}{word[4:-2]}.{word[-1]}" for word in words]
    defines = (f"#define {name} cuda{name[3:]}" for name in names if name not in words and name not in _TAKEN)
    (folder / "hip").mkdir(parents=True, exist_ok=True)
    text = "\n".join(("#pragma once", "#include <cuda_runtime.h>", _HIP_LAUNCH, *own, *defines))
    for header, real in _HIP_HEADERS.items():
        (folder / "hip" / header).write_text(f"#pragma once\n#include <{real}>\n")
    (folder / "hip" / "hip_runtime.h").write_text(text + "\n")
    return [f"-I{folder}"]


def includers(folder: Path, path: Path) -> list[Path]:
    """Source files beside or above a file that include it by its name."""
    directive = re.compile(rb'#\s*include\s*[<"](?:[^<">]*/)?' + re.escape(path.name.encode()) + rb'[">]')
    near = {one for parent in list(path.parents)[:2] if parent == folder or folder in parent.parents
            for one in parent.glob("*") if one.suffix in _UNITS and one != path}  # fmt: skip
    return [one for one in sorted(near) if directive.search(one.read_bytes())][:_MOST_INCLUDERS]


def told(path: Path, name: str, target: str, chain: Toolchain, flags: Sequence[str], folder: Path) -> list[Told]:
    """Compile one file, or what includes it, or what can be read of it."""
    own = ["--gpu-max-threads-per-block=256"] if target.startswith("gfx") else ["--expt-relaxed-constexpr", "-x", "cu"]
    own += [f"-D{old}={new}" for old, new in _RENAMED.items()]
    own += [flag for header in _BROUGHT for flag in ("-include", header)]

    def compiled(source: Path, more: Sequence[str]) -> list[Allocation] | None:
        with tempfile.TemporaryDirectory() as out:
            return compile_for(chain, source, target, Path(out), "-w", *own, *flags, *more)

    found: list[Allocation] | None = None
    whole = (path, *includers(folder, path))
    for one in whole:
        with suppress(RuntimeError):
            found = found or compiled(one, include_flags(folder, one))
    for one in whole if not found else ():
        with tempfile.TemporaryDirectory() as place:
            found = found or compiled_in_part(
                one, Path(place), folder, lambda source, more: compiled(source, [*more, *include_flags(folder, path)])
            )
    by_kernel: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for item in found or ():
        by_kernel[item.kernel].append((item.total, item.scratch_bytes))
    if not by_kernel:
        return [Told(target, name, "", 0, 0)]
    return [
        Told(target, name, kernel, median(one for one, _ in used), median(other for _, other in used))
        for kernel, used in by_kernel.items()
    ]


def asked(
    folder: Path, files: Sequence[Path], targets: Sequence[str], known: set[tuple[str, str]], more: Sequence[str]
) -> Iterator[Told]:
    """Compile the files of a checkout that are not known yet; `more` are flags: macros, further places of headers."""
    chain = find_toolchain()
    jobs = [
        (path, f"{folder.name}/{path.relative_to(folder).as_posix()}", target) for target in targets for path in files
    ]
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(JOBS) as pool:
        hip: list[str] = []
        if chain.hip_root is not None:
            sources = [path for path in folder.rglob("*") if path.suffix in (*_UNITS, ".h", ".hpp") and path.is_file()]
            hip = write_cuda_as_hip(Path(place), sources, chain.hip_root)
        cuda = write_hip_as_cuda(Path(place) / "nvcc", (path for path, _, target in jobs if target.startswith("sm_")))
        waiting = [
            pool.submit(told, path, name, target, chain, [*(hip if target.startswith("gfx") else cuda), *more], folder)
            for path, name, target in jobs
            if (target, name) not in known
        ]
        for future in as_completed(waiting):
            yield from future.result()


def few(rows: Sequence[Told], count: int, seed: int) -> list[Told]:
    """At most so many kernels of one checkout and target, drawn; the order of `rows` does not matter."""
    kernels = sorted(row for row in rows if row.kernel)
    return kernels if len(kernels) <= count else random.Random(seed).sample(kernels, count)


def read(path: Path | None) -> list[Told]:
    """Earlier answers of compilers."""
    if path is None or not path.is_file():
        return []
    with path.open(newline="") as handle:
        return [
            Told(row["target"], row["file"], row["kernel"], float(row["registers"]), float(row["private"]))
            for row in csv.DictReader(handle)
        ]


def pairs(folder: Path, rows: Iterable[Told], target: str, count: int, seed: int) -> list[Pair]:
    """The compiled kernels of a checkout with their estimates, at most `count`."""
    used: dict[str, dict[str, Used]] = defaultdict(dict)
    own = [row for row in rows if row.target == target and row.file.startswith(f"{folder.name}/")]
    for row in few(own, count, seed):
        used[row.file.partition("/")[2]][row.kernel] = Used(row.registers, row.private)
    paths = [candidate.path for candidate in discover([str(folder)]).files]
    projects = Projects(paths, [str(folder)], architectures=(target,))
    return [
        pair for name in sorted(used) for pair in paired(folder / name, folder.parent, used[name], projects, target)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, compile and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--kernels", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append")
    parser.add_argument("--include", action="append", type=Path, default=[])
    parser.add_argument("--define", action="append", default=[])
    parser.add_argument("--worst", type=int, default=0)
    given = parser.parse_args(arguments)
    sys.setrecursionlimit(20_000)
    targets = given.target or TARGETS
    folders = [folder.resolve() for folder in given.folders]
    flags = [*(f"-I{one.resolve()}" for one in given.include), *(f"-D{one}" for one in given.define)]
    rows = read(given.truth)
    for folder in folders:
        known = {(row.target, row.file) for row in rows}
        for row in asked(folder, drawn(folder, given.files, given.seed), targets, known, flags):
            rows.append(row)
            if given.truth is not None:
                _write(given.truth, rows)
    for target in targets:
        found = [pair for folder in folders for pair in pairs(folder, rows, target, given.kernels, given.seed)]
        if found:
            report(target, found, given.worst)
    return 0


def _write(path: Path, rows: Iterable[Told]) -> None:
    with path.open("w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(Told._fields)
        writer.writerows(sorted(rows))


if __name__ == "__main__":
    raise SystemExit(main())
