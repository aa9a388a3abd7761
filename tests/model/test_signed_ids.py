"""`int r = blockIdx.x` has a sign: a sum with it does not wrap around, and a constant goes into the access."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

ELEMENTS = 64


def held(type_: str) -> int:
    """Vector registers alive in a row's normalisation."""
    text = f"""#include <cuda_runtime.h>
__global__ void __launch_bounds__(128, 1) k(const float* x, float* y, int n) {{
  {type_} t = threadIdx.x;
  float v[{ELEMENTS}];
  for ({type_} r = blockIdx.x; r < n; r += gridDim.x) {{
    float m = 0;
#pragma unroll
    for (int i = 0; i < {ELEMENTS}; ++i) {{ v[i] = x[r * {ELEMENTS * 128} + i * 128 + t]; m += v[i]; }}
#pragma unroll
    for (int i = 0; i < {ELEMENTS}; ++i) y[r * {ELEMENTS * 128} + i * 128 + t] = v[i] - m;
  }}
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).trace("sm_90").held.vector


@pytest.mark.parametrize(("type_", "registers"), [("int", ELEMENTS), ("unsigned", 2 * ELEMENTS)])
def test_an_unsigned_row_has_an_index_for_each_element(type_: str, registers: int) -> None:
    """nvcc 13.0.88 takes 80 registers for the one and 156 for the other."""
    assert registers <= held(type_) <= registers + 12


@pytest.mark.parametrize("again", ["t", "threadIdx.x"])
def test_both_kinds_of_one_number_are_one_register(again: str) -> None:
    text = f"""__global__ void k(float* p, const float* q, int n) {{
  int t = threadIdx.x;
  float a = q[t * 3];
  for (int i = 0; i < n; ++i) a = a * q[i] + 1;
  p[t * 7] = a;
  p[{again} * 5] = a * a;
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    assert kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))).trace("sm_90").held.vector == 4
