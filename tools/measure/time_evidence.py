"""Time the evidence pairs of rules on an NVIDIA GPU.

    python -m tools.measure.time_evidence build FOLDER [CODE...]   make FOLDER/times, a program without dependencies
    FOLDER/times > times.txt                                    on the machine with the GPU, twice
    python -m tools.measure.time_evidence store times.txt again.txt    into times.csv of the rules, and their pages

Every pair with a line `// time: NAME threads=... size=... scalars` in its source is timed: both kernels twice without
counting, then nine times each in turn, of which the best counts, of all runs that are stored together. Arrays are
filled with 0.5 .. 1.5 (floating types) or 0 .. 63 (integers), the same for both. What the line leaves out: `size` is
`threads`; the block is the source's launch line or 256.
"""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.measure import evidence, toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.program.model import Kernel

_PRELUDE = r"""
#include <cuda_runtime.h>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

__global__ static void fill_floats(float* data, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    data[i] = 0.5f + float((i * 2654435761u >> 8) & 0xffff) / 65536.0f;
}

__global__ static void fill_doubles(double* data, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    data[i] = 0.5 + double((i * 2654435761u >> 8) & 0xffff) / 65536.0;
}

template <class T>
__global__ static void fill_integers(T* data, size_t count) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x)
    data[i] = T((i * 2654435761u >> 8) & 63);
}

template <class Launch>
static float once(Launch launch, const char* name) {
  static cudaEvent_t start, stop;
  if (start == nullptr) { must(cudaEventCreate(&start), name); must(cudaEventCreate(&stop), name); }
  must(cudaEventRecord(start), name);
  launch();
  must(cudaGetLastError(), name);
  must(cudaEventRecord(stop), name);
  must(cudaEventSynchronize(stop), name);
  float ms = 0;
  must(cudaEventElapsedTime(&ms, start, stop), name);
  return ms;
}

template <class Smell, class Repaired>
static void pair(const char* code, const char* name, Smell smell, Repaired repaired) {
  float best[2] = {1e30f, 1e30f};
  for (int round = 0; round < 11; ++round) {
    float times[2] = {once(smell, name), once(repaired, name)};
    for (int k = 0; k < 2; ++k)
      if (round > 1) best[k] = std::min(best[k], times[k]);
  }
  std::printf("%s,%s,%.5f,%.5f\n", code, name, best[0], best[1]);
  std::fflush(stdout);
}
"""


class Job(NamedTuple):
    """One pair to time, with the words of its line."""

    code: str
    pair: str
    words: Mapping[str, str]


def jobs(code: str, source: Path) -> Iterator[Job]:
    """Pairs of a source that say how they are launched."""
    for name, rest in re.findall(r"^// time: (\w+)(.*)$", source.read_text(), re.MULTILINE):
        yield Job(code, name, dict(word.split("=", 1) for word in rest.split()))


def program(code: str, source: Path, number: int) -> str:
    """C++ of a translation unit that times the pairs of one source. Raises ValueError for a line that lacks a value."""
    from regpress_lint import testing

    kernels = {kernel.name: kernel for kernel in testing.build(source.read_text(), source.as_posix(), "cuda").kernels}
    block, lds = evidence.launch_of(source)
    body = "".join(_timed(job, kernels, block, lds) for job in jobs(code, source))
    text = evidence.without_device_includes(source.read_text())
    inside = f"namespace unit_{number} {{\n{text}\n}}\n"
    return f"{_PRELUDE}\n{inside}void run_{number}() {{\nusing namespace unit_{number};\n{body}}}\n"


def _timed(job: Job, kernels: Mapping[str, Kernel], block: int, lds: int) -> str:
    threads = _number(job, "threads")
    size = int(job.words.get("size", threads))
    lines, arguments = ["{"], []
    for number, parameter in enumerate(kernels[f"{job.pair}_smell"].function.parameters):
        name = f"p{number}"
        lines.append(_argument(job, parameter, name, size))
        arguments.append(name)
    launch = f"<<<{-(-threads // block)}, {block}, {lds}>>>({', '.join(arguments)})"
    both = ", ".join(f"[&] {{ {job.pair}_{version}{launch}; }}" for version in evidence.VERSIONS)
    lines.append(f'pair("{job.code}", "{job.pair}", {both});')
    lines += [f"cudaFree((void*){name});" for name in arguments if f"*){name}" in "".join(lines)]
    return "\n".join([*lines, "}", ""])


def _argument(job: Job, parameter: Variable, name: str, size: int) -> str:
    type_ = parameter.type
    element = type_.name.replace("const", "").replace("volatile", "").strip()
    if type_.pointers:
        filled = (
            ("fill_doubles", "double")
            if element == "double" or (type_.floating and (type_.pointee_size or 0) == 8 * type_.lanes)
            else ("fill_integers", element)
            if not type_.floating and type_.lanes == 1 and not type_.struct
            else ("fill_floats", "float")
        )
        return (
            f"{element}* {name} = nullptr;\n"
            f'must(cudaMalloc((void**)&{name}, {size}ull * sizeof({element})), "{job.pair}: memory");\n'
            f"{filled[0]}<<<1024, 256>>>(({filled[1]}*){name}, {size}ull * sizeof({element}) / sizeof({filled[1]}));"
        )
    if type_.struct or type_.lanes > 1 or parameter.name not in job.words:
        if not type_.struct:
            raise ValueError(f"{job.code} {job.pair}: the line has no value for `{parameter.name}`")
        return f"{element} {name}{{}};"
    return f"{element} {name} = {job.words[parameter.name]};"


def _number(job: Job, word: str) -> int:
    if word not in job.words:
        raise ValueError(f"{job.code} {job.pair}: the line has no `{word}=`")
    return int(job.words[word])


def build(folder: Path, codes: Sequence[str]) -> Path:
    """Compile the program that times the pairs of these rules. Raises RuntimeError with the compiler's words."""
    folder.mkdir(parents=True, exist_ok=True)
    units: list[Path] = []
    for code in codes:
        for source in evidence.sources(code):
            if source.suffix != ".cl" and any(jobs(code, source)):
                units.append(folder / f"unit{len(units)}.cu")
                units[-1].write_text(program(code, source, len(units) - 1))
    main = folder / "main.cu"
    names = [f"run_{number}" for number in range(len(units))]
    calls = "".join(f"  {name}();\n" for name in names)
    main.write_text("".join(f"void {name}();\n" for name in names) + _MAIN.replace("CALLS", calls))
    with ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(_object, [*units, main]))
    toolchain.run(["nvcc", "-arch=sm_90", "-o", str(folder / "times"), *map(str, objects)])
    return folder / "times"


_MAIN = r"""
#include <cuda_runtime.h>
#include <cstdio>

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::printf("gpu,%s\n", properties.name);
CALLS}
"""


def _object(source: Path) -> Path:
    target = source.with_suffix(".o")
    toolchain.run(["nvcc", "-arch=sm_90", "-O3", "-std=c++17", "-w", "-c", "-o", str(target), str(source)])
    return target


def store(paths: Sequence[Path]) -> None:
    """Put the best of a program's outputs into the rules' times.csv; pairs that they do not name keep their times."""
    from tools.measure.measure_evidence import write_page

    compiler = toolchain.compiler_version(Path("nvcc"))
    fresh: dict[str, dict[str, evidence.Timing]] = {}
    for path in paths:
        gpu = ""
        for row in (line.split(",") for line in path.read_text().splitlines() if "," in line):
            if row[0] == "gpu":
                gpu = row[1].removeprefix("NVIDIA ")
                continue
            timing = evidence.Timing(row[1], gpu, compiler, float(row[2]), float(row[3]))
            other = fresh.setdefault(row[0], {}).get(timing.pair, timing)
            fresh[row[0]][timing.pair] = timing._replace(
                smell_ms=min(timing.smell_ms, other.smell_ms), repaired_ms=min(timing.repaired_ms, other.repaired_ms)
            )
    for code, timings in fresh.items():
        known = {pair for pair, _ in evidence.effects(code)}
        merged = {row.pair: row for row in (*evidence.timings(code), *timings.values()) if row.pair in known}
        evidence.write_timings(code, sorted(merged.values()))
        write_page(code, evidence.section(code))
        for pair, _, _, smell_ms, repaired_ms in timings.values():
            print(f"{code} {pair}: {smell_ms:.4g} -> {repaired_ms:.4g} ms, {smell_ms / repaired_ms:.2f} x")


def main(arguments: Sequence[str]) -> int:
    """Command line; see the module's docstring. Returns the exit status."""
    if len(arguments) < 2 or arguments[0] not in ("build", "store"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if arguments[0] == "build":
            print(build(Path(arguments[1]), arguments[2:] or evidence.codes()))
        else:
            store([Path(name) for name in arguments[1:]])
    except (RuntimeError, ValueError, subprocess.SubprocessError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.path[:0] = [str(evidence.ROOT), str(evidence.ROOT / "rules")]
    sys.exit(main(sys.argv[1:]))
