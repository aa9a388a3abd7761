"""`int r = blockIdx.x` has a sign: a sum with it does not wrap around, and a constant goes into the access."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import trace_of

from regpress_lint import testing
from regpress_lint.__main__ import main
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

if TYPE_CHECKING:
    from pathlib import Path

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
    return trace_of(kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))), "sm_90").held.vector


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
    assert trace_of(kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90",))), "sm_90").held.vector == 4


def test_stores_of_a_signed_sum_share_an_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`int col = w + 2 * (tid % 4)` is computed without a sign and held with one: all stores have one address, and a
    constant each. nvcc 13.0.88 takes 31 registers.
    """
    text = """#include <cuda_runtime.h>
__global__ void k(float* in) {
  __shared__ float s[8192];
  int tid = threadIdx.x % 128, lane = tid % 32, warp = tid / 32;
  int row = warp * 16 + lane / 4;
  float d[16][4];
  for (int w = 0; w < 16; ++w) for (int q = 0; q < 4; ++q) d[w][q] = in[(w * 4 + q) * 128 + tid];
#pragma unroll
  for (int w = 0; w < 128; w += 16) {
    int col = w + 2 * (tid % 4);
    s[col * 64 + row] = d[w / 16][0];
    s[(col + 1) * 64 + row] = d[w / 16][1];
    s[(col + 8) * 64 + row] = d[w / 16][2];
    s[(col + 9) * 64 + row] = d[w / 16][3];
  }
  __syncthreads();
  in[threadIdx.x] = s[threadIdx.x];
}
"""
    (tmp_path / "k.cu").write_text(text)
    assert main(["ir", "--isolated", "--arch", "sm_90", "--after", "build", str(tmp_path / "k.cu")]) == 0
    addresses = re.findall(r"store shared\((%\d+),", capsys.readouterr().out)
    assert len(addresses) == 32
    assert len(set(addresses)) == 1
