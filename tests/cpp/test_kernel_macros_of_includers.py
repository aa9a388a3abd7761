"""Kernels of a header whose head is a macro that only the files define that include the header."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import build

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.preprocess.includes import IncludeResolver
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from regpress_lint.program.file import File

BODY = "(int n, float *x) { int i = threadIdx.x; if (i < n) x[i] *= 2; }\n"


def header(text: str, macros: str, main: str = "") -> list[str]:
    """Names of the kernels of `kern.cuh`, which `main.cu` includes behind its macros."""
    files = {"kern.cuh": text, "macros.cuh": macros, "main.cu": f'#include "macros.cuh"\n#include "kern.cuh"\n{main}'}
    found = build_header(files)
    return [kernel.name for kernel in found.kernels]


def build_header(files: dict[str, str]) -> File:
    read = {name: text.encode() for name, text in files.items()}
    project = Project(IncludeResolver(".", lambda path: read.get(path)), peers=lambda _path: sorted(read))
    return build_file(Source("kern.cuh", read["kern.cuh"]), "cuda", project)


@pytest.mark.parametrize(
    ("text", "macros"),
    [
        (f"MY_KERNEL k{BODY}", "#define MY_KERNEL static __global__ void\n"),
        (f"MY_KERNEL(64) k{BODY}", "#define MY_KERNEL(lb_) static __global__ __launch_bounds__((lb_)) void\n"),
        (f"template <int N>\nMY_KERNEL(N) k{BODY}", "#define MY_KERNEL(n) __global__ void __launch_bounds__(n)\n"),
        (f"MY_KERNEL(k){BODY}", "#define MY_KERNEL(name) __global__ void name\n"),
        (f"MY_KERNEL void k{BODY}", "#define GLOBAL __global__\n#define MY_KERNEL GLOBAL\n"),
        (
            f"static inline MY_HELPER float f(float a) {{ return a; }}\n__global__ void k{BODY}",
            "#define MY_HELPER __device__\n",
        ),
    ],
)
def test_the_kernel_is_found(text: str, macros: str) -> None:
    assert header(text, macros) == ["k"]


def test_its_bounds_and_launches_are_known() -> None:
    files = {
        "kern.cuh": f"template <int N, typename T>\nMY_KERNEL(N) k{BODY.replace('float', 'T')}",
        "macros.cuh": "#define BOUNDS(x) __launch_bounds__((x))\n"
        "#define MY_KERNEL(lb_) static __global__ BOUNDS(lb_) void\n",
        "main.cu": '#include "macros.cuh"\n#include "kern.cuh"\n'
        "void run(double *x) { k<192, double><<<1, 192>>>(8, x); }\n",
    }
    (kernel,) = build_header(files).kernels
    assert kernel.complete
    assert kernel.launch_bounds is not None
    assert kernel.launch_bounds.max_threads == 192
    assert [instance.arguments for instance in kernel.instances] == ["192, double"]
    assert [launch.block_size for launch in kernel.launches] == [192]


@pytest.mark.parametrize("macros", ["", "#define MY_KERNEL void\n", "#define MY_KERNEL static inline void\n"])
def test_no_kernel_where_the_macro_makes_none(macros: str) -> None:
    assert header(f"MY_KERNEL k{BODY}", macros) == []


def test_header_with_its_own_macro_needs_no_includer() -> None:
    text = f"#define MY_KERNEL __global__ void\nMY_KERNEL k{BODY}"
    assert [kernel.name for kernel in build(text, path="kern.cuh").kernels] == ["k"]
    assert header(text, "#define MY_KERNEL void\n") == ["k"]


@pytest.mark.parametrize(
    ("text", "names"), [(f"MY_KERNEL(k){BODY}", ["k"]), ("// of threadIdx.x\nKINDS(DOUBLED)\n", ["a", "b"])]
)
def test_macros_reach_through_headers_between(text: str, names: list[str]) -> None:
    files = {
        "kern.cuh": text,
        "between.cuh": f'#define DOUBLED(name) __global__ void name{BODY.rstrip()}\n#include "kern.cuh"\n',
        "main.cu": "#define MY_KERNEL(name) __global__ void name\n#define KINDS(F) F(a) F(b)\n"
        '#include "between.cuh"\n' + f"void run(float *x) {{ {names[0]}<<<1, 96>>>(8, x); }}\n",
    }
    found = build_header(files).kernels
    assert [kernel.name for kernel in found] == names
    assert [launch.block_size for launch in found[0].launches] == [96]


def test_macros_of_its_body_may_use_each_other() -> None:
    steps = "#define SWAP(x, mask) { float y = __shfl_xor_sync(~0u, x, mask); x = x < y ? y : x; }\n"
    files = {
        "kern.cuh": "__global__ void k(float *p) { float x = p[threadIdx.x]; LARGEST(x); p[threadIdx.x] = x; }\n",
        "macros.cuh": f"{steps}#define LARGEST(x) \\\n  SWAP(x, 1) \\\n  SWAP(x, 2)\n",
        "main.cu": '#include "macros.cuh"\n#include "kern.cuh"\n',
    }
    found = build_header(files)
    assert kernel_facts(found, found.kernels[0], Settings()).unknowns("sm_90") == ()


@pytest.mark.parametrize(
    ("directive", "behind", "call"), [("ifndef", "", "pick(o[1])"), ("ifdef", "#undef GPU\n", "pick(o[1], 3)")]
)
def test_arms_in_a_parameter_list_follow_the_includer(directive: str, behind: str, call: str) -> None:
    """`#ifdef GPU` among the parameters, and the file that includes the header defines it: a call has as many."""
    parameters, sum_ = f"float a\n#{directive} GPU\n, int id\n#endif\n", f"a\n#{directive} GPU\n + id\n#endif\n"
    header = f"inline __device__ float pick({parameters}) {{\n  return {sum_}; }}\n"
    main = f'#define GPU\n#include "pick.h"\n{behind}__global__ void k(float *o) {{ o[0] = {call}; }}\n'
    read = {"pick.h": header.encode(), "main.cu": main.encode()}
    project = Project(IncludeResolver(".", lambda path: read.get(path)), peers=lambda _path: sorted(read))
    file = build_file(Source("main.cu", read["main.cu"]), "cuda", project)
    assert not kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).unknowns("sm_90")


def test_prints_of_one_includer_of_several_are_left_out() -> None:
    """Only a test has `#define CHECKED`."""
    printing = '#ifdef CHECKED\n  printf("%f", o[0]);\n#endif\n'
    header = f"inline __device__ void step(float *o) {{\n{printing}  o[0] += 1;\n}}\n"
    main = '#include "step.h"\n__global__ void k(float *o) { step(o); }\n'
    read = {"step.h": header, "main.cu": main, "other.cu": main, "test.cu": f"#define CHECKED\n{main}"}
    resolver = IncludeResolver(".", lambda path: read[path].encode() if path in read else None)
    project = Project(resolver, peers=lambda _path: sorted(read))
    file = build_file(Source("main.cu", main.encode()), "cuda", project)
    assert kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).target("sm_90").registers.high < 24
