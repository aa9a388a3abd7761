"""ptxas begins reads and addresses early, and computes the rest shortly before it is used."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

KERNEL = """
struct Values {{ float v[32]; }};
__constant__ float c[512];
__global__ void k(float *out, const float *in, int n, int m, Values a) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = in[t];
  #pragma unroll 1
  for (int i = 0; i < n; ++i) {{
    float x = in[t + i * n];
    #pragma unroll
    for (int j = 0; j < 32; ++j) {{ {body} }}
  }}
  out[t] = s;
}}
"""


def _estimate(body: str) -> int:
    return facts_of(KERNEL.format(body=body)).target("sm_90").registers.estimate


@pytest.mark.parametrize(
    ("body", "registers"),
    [
        ("s += x * a.v[j];", 10),
        ("s += x * (j + 0.5f);", 10),
        ("s += x * x * c[j];", 12),
        ("float d = x - c[j]; s += d * d;", 14),
        ("s = fmaxf(s, x * c[j]);", 12),
        ("s += (x + c[j]) * (x + c[j + 100]);", 14),
    ],
)
def test_operands_of_a_long_sum_are_computed_in_turn(body: str, registers: int) -> None:
    """registers: of nvcc 13.0.88 for sm_90."""
    assert _estimate(body) <= registers + 4


def test_reads_with_their_addresses_are_begun_before_their_sum() -> None:
    """32 registers of nvcc 13.0.88 for sm_90."""
    assert _estimate("s += in[t + (i + j) * n] * c[j];") == pytest.approx(32, rel=0.1)


@pytest.mark.parametrize(
    ("body", "registers"), [("s = s * x + c[j];", 12), ("s = (s + c[j]) * x;", 12), ("s = s * x + (c[j] * 2.5f);", 42)]
)
def test_results_of_values_in_the_constant_bank_are_held(body: str, registers: int) -> None:
    """registers: of nvcc 13.0.88 for sm_90."""
    assert _estimate(body) == pytest.approx(registers, abs=3)
