"""Parameters that a macro writes, and words of kernels that are empty in the first arm of a header."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of
from cli_helpers import run

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.core.settings import Language

LIST = "#define ARGS(x) double *o, const double *a, int x\n#define REST double *o, const double *a\n"
LIST += "#define OF(T, x) T *o, const T *a, int x\n"
BODY = "{ double s = 0; for (int j = 0; j < n; ++j) s += a[j] * f(s, o, a, n); o[threadIdx.x] = s; }\n"
CALLEE = "__device__ double f(double s, double *o, const double *a, int m) { return s * a[m]; }\n"
PLAIN = f"{CALLEE}__global__ void k(double *o, const double *a, int n) {BODY}"


@pytest.mark.parametrize(
    ("kernel", "callee"),
    [
        ("ARGS(n)", "double s, ARGS(m)"),
        ("ARGS ( n )", "double s, REST, int m"),
        ("REST, int n", "double s, ARGS ( m )"),
        ("OF(double, n)", "double s, OF(double, m)"),
    ],
)
@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
def test_parameters_of_a_macro_are_those_that_it_writes(kernel: str, callee: str, target: str) -> None:
    text = LIST + PLAIN.replace("double *o, const double *a, int n", kernel).replace(
        "double s, double *o, const double *a, int m", callee
    )
    language: Language = "hip" if target == "gfx90a" else "cuda"
    found, plain = facts_of(text, language), facts_of(PLAIN, language)
    assert found.unknowns(target) == ()
    assert found.target(target).registers == plain.target(target).registers
    assert [parameter.type.pointee_size for parameter in found.kernel.function.parameters] == [8, 8, None]


def test_an_unnamed_parameter_is_not_one_of_a_macro() -> None:
    text = "#define EMPTY\n#define word int\n__global__ void k(EMPTY float *o, word, int n) { o[n] = 1; }\n"
    assert len(facts_of(text, "cuda").kernel.function.parameters) == 3


VENDOR = """#if defined EMULATED
#define IS_NATIVE
#elif defined __CUDACC__
#define IS_CUDA
#else
#define IS_OPENCL
#endif
#if defined IS_NATIVE
#define GLOBAL
#define KERNEL_FQ
#elif defined IS_CUDA
#define GLOBAL
#define KERNEL_FQ extern "C" __global__
#else
#define GLOBAL __global
#define KERNEL_FQ __kernel
#endif
"""


@pytest.mark.parametrize(
    "include", ['"vendor.h"', "TEXT(vendor.h)", "TEXT(INCLUDE_PATH/vendor.h)", "TEXT ( A/B_2/vendor.h )"]
)
def test_header_that_a_macro_names_tells_a_kernel_of_opencl(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], include: str
) -> None:
    (tmp_path / "vendor.h").write_text(VENDOR)
    (tmp_path / "a.cl").write_text(
        f"#include {include}\nKERNEL_FQ void k(GLOBAL float *o) {{ o[get_global_id(0)] = 1; }}\n"
    )
    found = run(capsys, "kernels", "--no-cache", "--output-format", "json", tmp_path / "a.cl")
    (kernel,) = json.loads(found.out)["kernels"]
    assert (kernel["name"], kernel["complete"]) == ("k", True)


_KERNEL = "#define FOR(i, n) for (int i = 0; i < (n); ++i)\n{define}\n{head} {{ {body} }}\n"
_LIST = "(double *o, const double *__restrict__ a, int n)"
_SUM = "double s = 0; FOR(j, 4) s += a[j * n]; o[threadIdx.x] = s;"


@pytest.mark.parametrize(
    ("define", "head", "name"),
    [
        ("#define KERNEL(k) __global__ void __launch_bounds__(256) k", f"KERNEL(f){_LIST}", "f"),
        ("#define KERNEL(n, k) __global__ void __launch_bounds__(n) k", f"KERNEL(256, f)\n{_LIST}", "f"),
        ("#define KERNEL(k) __global__ void __launch_bounds__(256) k##_f64", f"KERNEL(f){_LIST}", "f_f64"),
        (f"#define KERNEL(k) __global__ void __launch_bounds__(256) k{_LIST}", "KERNEL(f)", "f"),
        ("#define KERNEL(k, ...) __global__ void __launch_bounds__(256) k(__VA_ARGS__)", f"KERNEL(f, {_LIST[1:]}", "f"),
    ],
)
def test_a_kernel_named_in_a_macro_is_read_like_any_other(define: str, head: str, name: str) -> None:
    found = facts_of(_KERNEL.format(define=define, head=head, body=_SUM), "cuda")
    plain = facts_of(
        _KERNEL.format(define="", head=f"__global__ void __launch_bounds__(256) f{_LIST}", body=_SUM), "cuda"
    )
    assert found.kernel.name == name
    assert found.unknowns("sm_90") == ()
    assert found.target("sm_90").registers == plain.target("sm_90").registers
