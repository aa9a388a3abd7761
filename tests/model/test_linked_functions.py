"""A device function declared here and defined in another translation unit is really called, not inlined."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.facts.kernel import KernelFacts

_KERNEL = """
__global__ void k(const float* __restrict__ in, float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) v[j] = in[i + j * 1000];
  float s = CALL;
#pragma unroll
  for (int j = 0; j < 8; ++j) s = s * v[j] + 1.0f;
  out[i] = s;
}
"""
_BY_POINTER = _KERNEL.replace("CALL", "f(in[i])").replace("out)", "out, float (*f)(float))")
_TARGETS = ("gfx90a", "sm_90", "pvc")


def _facts(folder: Path, source: str) -> KernelFacts:
    path = folder / "k.cu"
    path.write_text(source)
    project = Projects([str(path)], [str(path)]).of(str(path))
    file = build_file(Source(str(path), path.read_bytes()), "cuda", project)
    (kernel,) = (kernel for kernel in file.kernels if kernel.name == "k")
    return kernel_facts(file, kernel, Settings(architectures=_TARGETS))


def _estimates(folder: Path, source: str, header: str | None = None) -> list[int]:
    if header is not None:
        (folder / "f.h").write_text(header)
    facts = _facts(folder, source)
    return [facts.target(target).registers.estimate for target in _TARGETS]


@pytest.mark.parametrize(
    "prototype",
    [
        "__device__ float f(float);",
        "extern __device__ float f(float x);",
        "__device__\nfloat\nf(float) noexcept;",
        "SYCL_EXTERNAL float f(float);",
    ],
)
def test_external_call_costs_as_much_as_an_indirect_call(prototype: str, tmp_path: Path) -> None:
    """clang 19.1.7 on gfx90a and nvcc 13.0.88 on sm_90, `-rdc=true`, give both the same: 58 and 28."""
    linked = _estimates(tmp_path, prototype + _KERNEL.replace("CALL", "f(in[i])"))
    amd, nvidia, _ = by_pointer = _estimates(tmp_path, _BY_POINTER)
    assert abs(linked[0] - amd) <= 1  # the pointer itself
    assert abs(linked[1] - nvidia) <= 1
    assert linked[0] >= 40
    assert by_pointer[0] > _estimates(tmp_path, _KERNEL.replace("CALL", "in[i]"))[0] + 20


def test_function_declared_in_a_header_counts_as_external(tmp_path: Path) -> None:
    text = _KERNEL.replace("CALL", "f(in[i])")
    here = _estimates(tmp_path, "__device__ float f(float);" + text)
    assert _estimates(tmp_path, '#include "f.h"\n' + text, "#pragma once\n__device__ float f(float);\n") == here


@pytest.mark.parametrize(
    "around",
    [
        "float f(float);",
        "// __device__ float f(float);",
        "void host() { f(1.0f); }",
        "__device__ float f(float);\n__device__ float f(float x, float y = 1.0f) { return x * y; }",
        "__device__ float f(float);\n__device__ float f(float x) { return x * 2.0f; }",
        '#include "not_here.h"\n__device__ float f(float);',
    ],
)
def test_inlinable_function_is_not_external(around: str, tmp_path: Path) -> None:
    plain = _estimates(tmp_path, _KERNEL.replace("CALL", "in[i]"))
    other = _estimates(tmp_path, around + "\n" + _KERNEL.replace("CALL", "f(in[i])"))
    assert abs(other[0] - plain[0]) <= 3


def test_built_in_functions_that_are_declared_are_inlined(tmp_path: Path) -> None:
    """`__ocml_sin_f32`, `__nv_sinf`: the compiler brings their code."""
    text = "extern __device__ float __mine(float);" + _KERNEL.replace("CALL", "__mine(in[i])")
    assert _estimates(tmp_path, text)[0] < 30


_RECURSION = """
template <int N> __device__ void add_squares(const float* __restrict__ a, float& sum) {
  sum += a[N] * a[N] + a[N + 100] * a[N + 200] + a[N + 300] * a[N + 400] * a[N + 500];
  if constexpr (N > 0) add_squares<N - 1>(a, sum);
}
"""


def test_a_recursion_in_a_header_keeps_the_variables_of_the_caller(tmp_path: Path) -> None:
    """Where `sum` stands in its file is within the function's body in the header."""
    kernel = """__global__ void k(const float* __restrict__ a, float* b) {
  const int first = 0;  // so that the next declaration is as far from the start as the other function's body
  float sum = a[0];
  add_squares<6>(a, sum);
  b[first] = sum;
}
"""
    apart = _estimates(tmp_path, '#include "f.h"\n' + kernel, _RECURSION)
    assert apart == _estimates(tmp_path, _RECURSION + kernel)


def test_array_that_an_external_function_gets_is_in_memory(tmp_path: Path) -> None:
    """nvcc 13.0.88, `-rdc=true`: 96 bytes; none with a visible function."""
    kernel = _KERNEL.replace("v[8]", "v[24]").replace("j < 8", "j < 24").replace("CALL", "f(v)")
    head = "__device__ float f(const float* v)"
    assert _facts(tmp_path, f"{head};{kernel}").target("sm_90").registers.scratch_bytes == 96
    assert _facts(tmp_path, f"{head} {{ return v[0] * v[3]; }}{kernel}").target("sm_90").registers.scratch_bytes == 0
