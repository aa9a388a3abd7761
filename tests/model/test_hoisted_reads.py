"""Reads that a loop makes anew in each iteration with the same result: compilers make them in front of it.

What compilers took (nvcc 13.0.88 for sm_90; clang 19.1.7 for gfx90a) is beside each case.
"""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.graph.ops import LOAD_GLOBAL
from regpress_lint.model.passes.trace import scheduled_kernel
from regpress_lint.targets.compilers import habits

_BODY = """
#pragma unroll
    for (int q = 0; q < 16; ++q) s[q] += c[i + q * 128] * s[(q + 1) % 16];"""
_SHARED = _BODY.replace("c[i + q * 128]", "cell[(i + q) & 31]")


def kernel(loop: str) -> str:
    return f"""#include <cuda_runtime.h>
__global__ void __launch_bounds__(128) k(double* y, const double* c, double* o, int* whole, int n, int m) {{
  __shared__ double cell[32];
  int i = blockIdx.x * 128 + threadIdx.x;
  double s[16];
#pragma unroll
  for (int q = 0; q < 16; ++q) s[q] = y[q * n + i];
  cell[threadIdx.x & 31] = s[3];
  __syncthreads();
  {loop}
#pragma unroll
  for (int q = 0; q < 16; ++q) y[q * n + i] = s[q];
}}
"""


def held(loop: str, target: str) -> int:
    file = testing.build(kernel(loop), "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    return facts.trace(target).held.together


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"for (int t = 0; t < n; ++t) {{{_BODY} }}", id="plain"),  # nvcc 102, clang 104
        pytest.param(f"int t = 0; do {{{_BODY} t += m; }} while (t < n);", id="do"),  # 104, 126
        pytest.param(f"for (int t = 0; t < n; ++t) {{{_BODY} cell[t] = n; }}", id="writes-lds"),  # 102, 104
        pytest.param(f"for (int t = 0; t < n; ++t) {{{_SHARED} }}", id="reads-lds"),  # 102, 96
        # 88, 130: in front of the inner loop, as the outer one writes
        pytest.param(
            f"for (int u = 0; u < m; ++u) {{ for (int t = 0; t < n; ++t) {{{_BODY} }} o[u] = 1; }}", id="nest"
        ),
    ],
)
@pytest.mark.parametrize("target", ["sm_90", "gfx90a"])
def test_invariant_reads_are_held_across_the_loop(loop: str, target: str) -> None:
    assert held(loop, target) >= 96


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"for (int t = 0; t < n; ++t) {{{_BODY} o[t] = s[0]; }}", id="writes"),  # 78, 100
        pytest.param(f"for (int t = 0; t < n; ++t) {{{_BODY} atomicAdd(&o[t], 1.0); }}", id="atomic"),  # 78, 133
        pytest.param(f"for (int t = 0; t < n; ++t) {{{_BODY} __syncthreads(); }}", id="barrier"),  # 78, 128
        pytest.param(
            f"for (int t = 0; t < n; ++t) {{{_BODY.replace('c[', '((volatile double*)c)[')} }}", id="volatile"
        ),
    ],
)
def test_changing_reads_stay_in_the_loop(loop: str) -> None:
    assert held(loop, "sm_90") <= 75


def test_igc_makes_no_difference() -> None:
    """IGC 1.0.12504 spills 28 and 24 registers of 128 without a write in the loop and with one."""
    with_write = held(f"for (int t = 0; t < n; ++t) {{{_BODY} o[t] = s[0]; }}", "pvc")
    assert abs(held(f"for (int t = 0; t < n; ++t) {{{_BODY} }}", "pvc") - with_write) <= 4


def test_only_clang_knows_that_an_int_is_no_double() -> None:
    """nvcc takes 78 registers where the loop writes an `int`, and clang 104."""
    loop = f"for (int t = 0; t < n; ++t) {{{_BODY} whole[t] = n; }}"
    assert held(loop, "sm_90") <= 75
    assert held(loop, "gfx90a") >= 96


@pytest.mark.parametrize("skips", ["if (t & m) ", "if (s[0] > m) break; ", "if (t & m) continue; "])
def test_conditional_reads_stay_in_the_loop(skips: str) -> None:
    """The address may be invalid."""
    file = testing.build(kernel(f"for (int t = 0; t < n; ++t) {{ {skips}s[0] += c[i]; }}"), "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",)))
    machine = scheduled_kernel(facts.input_for(habits("gfx90a"))).machine
    loads = [home for home, op in zip(machine.graph.homes, machine.graph.ops, strict=True) if op is LOAD_GLOBAL]
    assert len(loads) == 17
    assert sum(home is not None for home in loads) == 1
