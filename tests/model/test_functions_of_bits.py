"""Functions of the bits of a number: compilers fold them, so that indices made by them are constants in copies."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

from regpress_lint.targets.costs import folded

KERNEL = """
__global__ void reorder(const float2* x, float2* o, int n) {
  float2 v[16];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 16; ++i) v[i] = x[t + i * n];
  for (int i = 0; i < 16; ++i) {
    int r = __brev(i) >> 28;
    if (r > i) { float2 s = v[i]; v[i] = v[r]; v[r] = s; }
  }
  for (int i = 0; i < 16; ++i) o[t + i * n] = v[i];
}
"""


def test_an_array_that_is_permuted_by_reversed_indices_needs_no_memory() -> None:
    facts = facts_of(KERNEL)  # 65 VGPRs and no scratch with clang 19.1.7 for gfx90a
    assert [scratch_of(facts, target) for target in ("gfx90a", "sm_90", "pvc")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "argument", "result"),
    [
        ("__brev", 1, 1 << 31),
        ("__brevll", 2, 1 << 62),
        ("__clz", 0, 32),
        ("__clz", -1, 0),
        ("__clzll", 1, 63),
        ("__popc", -1, 32),
        ("__popcll", 255, 8),
        ("__ffs", 0, 0),
        ("__ffs", 12, 3),
        ("__ffsll", 1 << 40, 41),
        ("__popc", 1.5, None),
    ],
)
def test_numbers_match_the_device(name: str, argument: float, result: int | None) -> None:
    assert folded(name, (argument,)) == result
