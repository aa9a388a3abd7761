"""How time grows: with the size of a file, and the numbers of kernels, nested blocks, headers and instantiations.

    python -m tools.robustness.growth                     generated inputs: exponents; fails above 1.2
    python -m tools.robustness.growth --memory            of the memory at the peak, instead of time
    python -m tools.robustness.growth FOLDER ...          folders: seconds per MB, and the five slowest files per KB

All in CPU seconds of one process, by the side of a bare parse with tree-sitter of the same bytes in the same run,
because machines differ. A generated input has one quantity doubled step by step and all others kept; the exponent is
the slope of the logarithm of time over that of the quantity. With --only one of them is measured.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
import tracemalloc
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import tree_sitter_cpp
from tree_sitter import Language, Parser

from regpress_lint.core.settings import Settings
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.lint.projects import Projects

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOST = 1.2  # exponent
SETTINGS = Settings(architectures=("gfx90a", "sm_90"))
FILLER = "// a line of a header that says nothing: only its length counts, as that of a licence does\n" * 8
PARSER = Parser(Language(tree_sitter_cpp.language()))

Files = dict[str, bytes]


class Row(NamedTuple):
    """One file: CPU seconds of linting and of a bare parse, its bytes."""

    seconds: float
    parse: float
    size: int
    path: str


def used(action: Callable[[], object]) -> float:
    """CPU seconds of an action."""
    begin = time.process_time()
    action()
    return time.process_time() - begin


# --------------------------------------------------------------------------------------------------- generated inputs


def header(number: int, lines: int) -> str:
    """A header with a type, a constant, a macro, a device function and a member function of its own."""
    return (
        f"#pragma once\n#define SCALE{number}(x) ((x) * {number + 1})\nconstexpr int kSize{number} = {number + 2};\n"
        f"template <class T, int N> struct Tile{number} {{ T data[4]; static constexpr int count = N;\n"
        f"  __device__ T sum() const {{ T s = 0; for (int i = 0; i < 4; i++) s += data[i]; return s; }} }};\n"
        f"__device__ inline float twice{number}(float x) {{ return SCALE{number}(x) + kSize{number}; }}\n"
        + FILLER
        * lines
    )


def kernel(number: int, headers: int) -> str:
    """A kernel that uses one of the headers."""
    which = number % headers
    return (
        f"__global__ void run{number}(const float *in, float *out) {{\n"
        f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  Tile{which}<float, {number % 7 + 1}> t;\n"
        f"  for (int k = 0; k < 4; k++) t.data[k] = in[i + k];\n"
        f"  out[i] = twice{which}(t.sum()) + Tile{which}<float, {number % 7 + 1}>::count + kSize{which};\n}}\n"
        f"void launch{number}(const float *in, float *out) {{ run{number}<<<64, 256>>>(in, out); }}\n"
    )


def of_size(kernels: int) -> Files:
    """A file with more and more kernels."""
    return program(kernels, 8, 2, 8)


def of_kernels(kernels: int) -> Files:
    """A file with more and more kernels that do next to nothing: what is done for each may not look at all."""
    return {"main.cu": b"".join(b"__global__ void k%d(double *x) { x[0] += 1; }\n" % i for i in range(kernels))}


def of_calls(kernels: int) -> Files:
    """Kernels that each call a function without a visible definition: one search of the file must do for all."""
    each = b"__global__ void k%d(double *x, int i) { x[i] = pow(x[i], 3.0) + far%d(x[i + 1]); }\n"
    return {"main.cu": b"".join(each % (i, i) for i in range(kernels))}


def of_launches(count: int) -> Files:
    """One kernel and its launch again and again: of all pairs of them only a few may be looked at."""
    pair = "__global__ void k(float *x) { x[0] = 1; }\nvoid run(float *x) { k<<<1, 64>>>(x); }\n"
    return {"main.cu": (pair * count).encode()}


def of_brackets(count: int) -> Files:
    """An array of more and more dimensions."""
    return {"main.cu": f"__global__ void k(float *x) {{ float q{'[2]' * count}; x[0] = 1; }}\n".encode()}


def of_conditionals(depth: int) -> Files:
    """Directives in each other's `#else`, around one statement of a kernel."""
    inside = "#ifdef A\nx[0] = 2;\n#else\n" * depth + "x[0] = 1;\n" + "#endif\n" * depth
    return {"main.cu": f"__global__ void k(float *x) {{\n{inside}}}\n".encode()}


def of_guards(depth: int) -> Files:
    """Directives in each other without any `#else`, around one statement of a kernel."""
    inside = "".join(f"#ifdef A{i}\n" for i in range(depth)) + "x[0] = 1;\n" + "#endif\n" * depth
    return {"main.cu": f"__global__ void k(float *x) {{\n{inside}}}\n".encode()}


def of_submits(depth: int) -> Files:
    """SYCL's command groups in each other, each with a kernel."""
    begin = "q.submit([&](sycl::handler &h) {\nh.parallel_for(64, [=](sycl::item<1> i) { x[i] = 1; });\n"
    text = "#include <sycl/sycl.hpp>\nvoid f(sycl::queue &q, float *x) {\n" + begin * depth + "});\n" * depth + "}\n"
    return {"main.cu": text.encode()}


def of_headers(headers: int) -> Files:
    """A file that includes more and more headers and uses eight of them."""
    return program(16, headers, 4, 8)


def of_nesting(depth: int) -> Files:
    """Kernels whose statements and expressions lie deeper and deeper in each other; as many of them, one a level."""
    deep = "".join(f"if (x[{i}] > {i}) {{ x[i] += {i}; " for i in range(depth)) + "}" * depth
    sum_ = "(" * depth + "x[i]" + "".join(f" + x[{i}])" for i in range(depth))
    loops = "".join(f"for (int k{i} = 0; k{i} < n; k{i}++) {{ s += x[k{i}]; " for i in range(depth)) + "}" * depth
    return {"main.cu": (
        "#include <cuda_runtime.h>\n"
        f"__global__ void conditions(float *x) {{ int i = threadIdx.x; {deep} }}\n"
        f"__global__ void brackets(float *x) {{ int i = threadIdx.x; x[i] = {sum_}; }}\n"
        f"__global__ void loops(float *x, int n) {{ float s = 0; {loops} x[0] = s; }}\n"
    ).encode()}  # fmt: skip


def of_instantiations(uses: int) -> Files:
    """A file that names more and more instantiations of templates in 60 headers of 200 KB in all."""
    files = program(8, 60, 4, 8)
    names = "".join(
        f"void call{i}(const float *in, float *out) {{ pick<float, {i}><<<64, 256>>>(in, out); }}\n"
        f"using Alias{i} = Tile{i % 60}<float, {i}>;\n"
        for i in range(uses)
    )
    template = b"template <class T, int N> __global__ void pick(const T *in, T *out) { out[N] = in[N] * N; }\n"
    return {**files, "main.cu": files["main.cu"] + template + names.encode()}


def program(kernels: int, headers: int, lines: int, taken: int) -> Files:
    """A file with kernels that use the first headers `taken` of those that it includes."""
    files = {f"h{i}.h": header(i, lines).encode() for i in range(headers)}
    includes = "".join(f'#include "h{i}.h"\n' for i in range(headers))
    body = "".join(kernel(i, min(taken, headers)) for i in range(kernels))
    return {**files, "main.cu": ("#include <cuda_runtime.h>\n" + includes + body).encode()}


GENERATED: Mapping[str, tuple[Callable[[int], Files], tuple[int, ...]]] = {
    "size": (of_size, (25, 50, 100, 200)),
    "kernels": (of_kernels, (250, 500, 1000, 2000)),
    "calls": (of_calls, (125, 250, 500, 1000)),
    "launches": (of_launches, (500, 1000, 2000, 4000)),
    "brackets": (of_brackets, (5_000, 10_000, 20_000, 40_000)),
    "conditionals": (of_conditionals, (2_500, 5_000, 10_000, 20_000)),
    "guards": (of_guards, (2_500, 5_000, 10_000, 20_000)),
    "submits": (of_submits, (25, 50, 100, 200)),
    "nesting": (of_nesting, (16, 64, 256, 1024)),
    "headers": (of_headers, (30, 60, 120, 240)),
    "instantiations": (of_instantiations, (500, 1000, 2000, 4000)),
}


def lint_files(files: Files) -> None:
    """Lint the main file of a project in memory, nothing of it known before."""
    project = Project(IncludeResolver(".", lambda path: files.get(path)), peers=lambda _path: sorted(files))
    report = lint_bytes(files["main.cu"], "main.cu", SETTINGS, project=lambda: project)
    if not report.kernels or report.extra.get("tracebacks"):
        raise RuntimeError(f"not linted: {report.extra}")


def exponent(points: list[tuple[int, float]]) -> float:
    """Slope of the line through the logarithms, by least squares."""
    xs, ys = [math.log(n) for n, _ in points], [math.log(seconds) for _, seconds in points]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle_x) ** 2 for x in xs)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / spread


def peak(action: Callable[[], object]) -> float:
    """Megabytes that Python holds at the peak of an action; what the parser holds in C is not among them."""
    gc.collect()
    tracemalloc.start()
    action()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / 1e6


def measure_memory(name: str) -> bool:
    """Print one table of memory; False if the exponent is above the bar."""
    make, steps = GENERATED[name]
    points = []
    lint_files(make(steps[0]))
    print(f"\n{name:>15}       KB        MB")
    for step in steps:
        files = make(step)
        points.append((step, peak(partial(lint_files, files))))
        print(f"{step:>15} {sum(map(len, files.values())) / 1e3:>8.0f} {points[-1][1]:>9.1f}")
    slope = exponent(points)
    print(f"exponent {slope:.2f}" + (f", above {MOST}" if slope > MOST else ""))
    return slope <= MOST


def measure_generated(name: str, repeat: int) -> bool:
    """Print one table; False if the exponent is above the bar."""
    make, steps = GENERATED[name]
    points = []
    lint_files(make(steps[0]))  # what is imported and compiled with the first file
    print(f"\n{name:>15}       KB   seconds     parse")
    for step in steps:
        files = make(step)
        seconds = min(used(partial(lint_files, files)) for _ in range(repeat))
        parse = sum(used(partial(PARSER.parse, data)) for data in files.values())
        points.append((step, seconds))
        print(f"{step:>15} {sum(map(len, files.values())) / 1e3:>8.0f} {seconds:>9.2f} {parse:>9.3f}")
    slope = exponent(points)
    print(f"exponent {slope:.2f}" + (f", above {MOST}" if slope > MOST else ""))
    return slope <= MOST


# ------------------------------------------------------------------------------------------------------------ folders


def measure_folder(folder: str, limit: float) -> None:
    """Print seconds per MB of a folder's files, and the slowest."""
    found = [candidate.path for candidate in discover([folder]).files]
    projects = Projects(found, (folder,))
    rows: list[Row] = []
    for path in found:
        if sum(row.seconds for row in rows) > limit:
            break
        data = Path(path).read_bytes()
        seconds = used(partial(lint_bytes, data, path, SETTINGS, project=partial(projects.of, path)))
        rows.append(Row(seconds, used(partial(PARSER.parse, data)), len(data), path))
    size, total = sum(row.size for row in rows) / 1e6, sum(row.seconds for row in rows)
    parse = sum(row.parse for row in rows)
    print(f"\n{folder}: {len(rows)} of {len(found)} files, {size:.2f} MB, {total:.1f} s,", end=" ")
    print(f"{total / size:.2f} s/MB; bare parse {parse / size:.2f} s/MB; ratio {total / parse:.1f}")
    for row in sorted(rows, key=lambda row: row.seconds / max(row.size, 10_000), reverse=True)[:5]:
        per, size = row.seconds / row.size * 1e5, row.size / 1e3
        print(f"{row.seconds:>8.2f} s {per:>8.2f} s per 100 KB {row.parse:>8.3f} s parse {size:>8.1f} KB  {row.path}")


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--only", choices=GENERATED, action="append", help="one generated input")
    parser.add_argument("--memory", action="store_true", help="memory and not time, of generated inputs")
    parser.add_argument("--repeat", type=int, default=3, help="of each generated input; the least counts")
    parser.add_argument("--limit", type=float, default=math.inf, help="CPU seconds of one folder")
    arguments = parser.parse_args()
    gc.set_threshold(50_000, 10, 20)  # as a run has it
    for folder in arguments.folders:
        measure_folder(folder, arguments.limit)
    if arguments.folders:
        return 0
    chosen = arguments.only or GENERATED
    fine = [measure_memory(name) if arguments.memory else measure_generated(name, arguments.repeat) for name in chosen]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
