"""Arrays that an initialiser fills, on Intel: by which sizes IGC keeps them in registers at run-time indices."""

from __future__ import annotations

import pytest
from analysis_helpers import scratch_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.pipeline import lint_bytes


def scratch(kind: str, elements: int, init: str, write: str = "") -> int:
    text = f"""#include <cuda_runtime.h>
__global__ void k({kind}* o, const {kind}* in, const int* ix) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  {kind} a[{elements}]{init};
  {write}
  o[t] = a[(unsigned)ix[t] % {elements}];
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    return scratch_of(kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",))), "pvc")


@pytest.mark.parametrize(
    ("kind", "elements", "in_memory"),
    [
        *(("float", 3, False), ("float", 4, False), ("float", 5, True), ("int", 8, False), ("int", 10, True)),
        *(("float", 12, True), ("float", 16, False), ("int", 20, True), ("double", 4, True), ("short", 8, True)),
    ],
)
def test_zeros_are_set_by_vectors_of_words(kind: str, elements: int, in_memory: bool) -> None:
    """IGC 1.0.12504 by ocloc; an array that is only read is no table of the program then."""
    assert bool(scratch(kind, elements, " = {0}")) == in_memory
    assert bool(scratch(kind, elements, " = {0}", "a[1] = in[t];")) == in_memory


@pytest.mark.parametrize(("elements", "in_memory"), [(5, True), (8, False), (10, True), (16, False), (20, True)])
def test_other_constants_are_copied_like_that(elements: int, in_memory: bool) -> None:
    values = " = {" + ", ".join(str(one % 4 + 1) for one in range(elements)) + "}"
    assert bool(scratch("float", elements, values, "a[1] = in[t];")) == in_memory
    assert not scratch("float", elements, values), "it is stored with the program"


@pytest.mark.parametrize(("rows", "columns", "in_memory"), [(3, 4, True), (3, 2, True), (2, 2, False), (4, 4, False)])
def test_an_array_of_two_dimensions_is_filled_like_one_of_as_many_bytes(
    rows: int, columns: int, in_memory: bool
) -> None:
    text = f"""__kernel void k(__global float* o, __global const float* in, __global const int* ix) {{
  int t = get_global_id(0);
  float a[{rows}][{columns}] = {{{{0}}}};
  a[1][1] = in[t];
  o[t] = a[ix[t] % {rows}][ix[t + 1] % {columns}];
}}
"""
    file = testing.build(text, "k.cl", "opencl")
    found = scratch_of(kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",))), "pvc")
    assert bool(found) == in_memory


@pytest.mark.parametrize("body", ["return a[k] * 2;", "a[k] = 1; return a[2];"])
def test_an_array_handed_to_a_function_that_stands_alone_is_in_memory(body: str) -> None:
    text = f"""__attribute__((noinline)) float f(float* a, int k) {{ {body} }}
__kernel void k(__global float* o, __global const float* in, __global const int* ix) {{
  int t = get_global_id(0);
  float a[6];
  for (int j = 0; j < 6; ++j) a[j] = in[t + j];
  o[t] = f(a, ix[t] % 6) + a[3];
}}
"""
    file = testing.build(text, "k.cl", "opencl")
    found = scratch_of(kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",))), "pvc")
    assert 24 <= found <= 32  # ocloc with IGC 1.0.12504: 32


def test_an_array_that_a_loop_fills_stays_in_registers() -> None:
    assert not scratch("float", 10, "", "for (int j = 0; j < 10; ++j) a[j] = in[t + j];")


def test_the_finding_names_the_initialiser() -> None:
    text = b"""#include <cuda_runtime.h>
__global__ void k(float* o, const float* in, const int* ix) {
  float a[10] = {0};
  a[1] = in[threadIdx.x];
  o[threadIdx.x] = a[(unsigned)ix[threadIdx.x] % 10];
}
"""
    found = lint_bytes(text, "k.cu", Settings(architectures=("pvc",))).diagnostics
    assert [one.code for one in found] == ["RP403"]
    assert "an initialiser fills piece by piece" in found[0].message


@pytest.mark.parametrize(
    ("elements", "init", "writes", "in_memory"),
    [
        (8, "{0}", "a[7] = in[t];", True),
        (8, "{0}", "a[0] = in[t];", True),
        (8, "{0}", "a[6] = in[t];", False),
        (8, "{0}", "a[0] = in[t]; a[7] = in[t + 1]; a[1] = 2; a[6] = in[t + 2];", False),
        (8, "{0}", "if (ix[t]) a[7] = in[t];", False),
        (8, "{0}", "a[7] += in[t];", False),
        (8, "{0}", "in = in + (a[3] == in[t]); a[7] = in[t];", False),
        (9, "{0}", "a[8] = in[t];", False),
        (9, "{0}", "a[0] = in[t];", False),
        (12, "{0}", "a[8] = 1; a[9] = 2; a[10] = in[t]; a[11] = in[t + 1];", False),
        (16, "{0}", "for (int j = 0; j < 2; ++j) a[ix[j] & 15] = in[j]; a[15] = in[t];", True),
        (2, "{0}", "a[1] = in[t];", True),
        (8, "{1, 2, 3, 4, 5, 6, 7, 8}", "a[7] = in[t];", True),
        (8, "{1, 2, 3, 4, 5, 6, 7, 8}", "a[0] = in[t];", False),
        (9, "{1, 2, 3, 4, 5, 6, 7, 8, 9}", "a[8] = in[t];", False),
    ],
)
def test_written_ends_need_no_filling(elements: int, init: str, writes: str, in_memory: bool) -> None:
    """IGC 1.0.12504: LLVM sets or copies only parts that are read first, and a copy keeps its beginning."""
    assert bool(scratch("float", elements, f" = {init}", writes)) == in_memory


@pytest.mark.parametrize(("writes", "in_memory"), [("a[1] = in[t];", True), ("a[0] = 1; a[1] = in[t];", False)])
def test_written_ends_of_doubles(writes: str, in_memory: bool) -> None:
    assert bool(scratch("double", 3, " = {0}", writes)) == in_memory
