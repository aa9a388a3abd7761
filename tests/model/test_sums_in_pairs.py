"""`x = a * b + c` of 32-bit integers in a loop: AMD's v_mad_u64_u32 writes a pair of registers, ptxas one."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

KERNEL = """__global__ void __launch_bounds__(256) k(unsigned* out, const unsigned* in, const unsigned char* u, int n) {
  unsigned h[N];
  for (int k = 0; k < N; ++k) h[k] = 0x9e3779b9u * (k + 1);
  for (int j = threadIdx.x; j < n; j += 256) {
    unsigned v = in[j], b = u[j];
    for (int k = 0; k < N; ++k) h[k] = STEP;
  }
  for (int k = 0; k < N; ++k) atomicAdd(&out[k], h[k]);
}
"""
PAIRS = "(h[k] ^ v) * 16777619u + (h[k] >> 13)"


def _text(step: str, elements: int) -> str:
    return KERNEL.replace("STEP", step).replace("N", str(elements))


@pytest.mark.parametrize(
    ("step", "elements", "compiled"),
    [
        (PAIRS, 48, 100),
        (PAIRS, 64, 132),
        ("(h[k] ^ v) * v + (h[k] >> 13)", 48, 100),
        ("(h[k] ^ v) * 1664525u + 1013904223u", 48, 52),  # two literals are one more than an instruction reads
        ("(h[k] & 0xff) * b + (h[k] >> 13)", 48, 60),  # factors of 24 bits: v_mad_u32_u24
        ("((h[k] ^ v) << 4) + (h[k] >> 13)", 48, 60),
    ],
)
def test_a_sum_of_a_product_takes_a_pair_of_registers_on_amd(step: str, elements: int, compiled: int) -> None:
    """clang 19.1.7 for gfx90a."""
    found = facts_of(_text(step, elements), "hip").target("gfx90a").registers
    assert found.estimate == pytest.approx(compiled, rel=0.15)


def test_ptxas_takes_one_register_for_it() -> None:
    found = facts_of(_text(PAIRS, 48), "cuda").target("sm_90").registers  # nvcc 13.0: 57
    assert found.estimate == pytest.approx(57, rel=0.2)


TILE = """__global__ void __launch_bounds__(256) k(T* o, const T* a, const T* b, int n) {
  int t = threadIdx.x;
  T c[4][8] = {};
  for (int k = 0; k < n; ++k) {
    T x[4], y[8];
    for (int i = 0; i < 4; ++i) x[i] = a[k * 4 + i + t];
    for (int j = 0; j < 8; ++j) y[j] = b[k * 8 + j - t];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 8; ++j) c[i][j] += x[i] * y[j];
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j) o[(i * 8 + j) * n + t] = c[i][j];
}
"""


@pytest.mark.parametrize(("kind", "compiled"), [("int", 152), ("float", 56)])
def test_a_tile_of_integers_takes_more_than_one_of_floats(kind: str, compiled: int) -> None:
    """clang 19.1.7 for gfx90a; LLVM makes two of each sum of integers (`test_vector_loops.py`), 84 without."""
    found = facts_of(TILE.replace("T", kind), "hip").target("gfx90a").registers
    assert found.estimate == pytest.approx(compiled, rel=0.15)
