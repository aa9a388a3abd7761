"""Unrolled reads in a loop on AMD: one index that moves on for all of them, as many on their way as there is room for.

The numbers in the comments are clang 19.1.7's for gfx90a at -O3.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

if TYPE_CHECKING:
    from regpress_lint.model.estimate.registers import RegisterEstimate


@cache
def estimated(reads: int, statement: str, target: str = "gfx90a") -> RegisterEstimate:
    text = f"""__global__ void k(const float* __restrict__ a, float* o, int n, int m) {{
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  float v[{reads}] = {{}}, s = 0;
  for (int r = 0; r < n; ++r)
#pragma unroll
    for (int k = 0; k < {reads}; ++k) {statement}
#pragma unroll
  for (int k = 0; k < {reads}; ++k) s = s * v[k] + 1;
  o[g] = s;
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    return kernel_facts(file, file.kernels[0], Settings(architectures=(target,))).target(target).registers


@pytest.mark.parametrize(
    ("reads", "statement", "registers"),
    [
        (8, "v[k] += a[g + (r * 8 + k) * m];", 36),
        (12, "v[k] += a[g + (r * 12 + k) * m];", 52),
        (16, "v[k] += a[g + (r * 16 + k) * m];", 66),
        (12, "v[k] += a[g + (long)(r * 12 + k) * m];", 32),
        (48, "v[k] += a[g + (r * 48 + k) * m];", 56),  # with all indices held there were 101
        (48, "v[k] += a[g + (long)(r * 48 + k) * m];", 56),  # and 148
    ],
)
def test_indices_with_a_uniform_difference_share_a_register(reads: int, statement: str, registers: int) -> None:
    found = estimated(reads, statement)
    assert found.low <= registers <= found.high
    assert abs(found.estimate - registers) <= registers / 4


def test_on_nvidia_nothing_moves_on() -> None:
    """nvcc 13.0.88 takes 32 registers: an address is one instruction."""
    found = estimated(16, "v[k] += a[g + (r * 16 + k) * m];", "sm_90")
    assert found.low <= 32 <= found.high
