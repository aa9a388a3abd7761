"""64-bit integers of which only the lower halves matter, on the way from memory."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

TEXT = """__global__ void k(const unsigned long long* p, {result}* o, int n, int m) {{
  unsigned long long v[40];
#pragma unroll
  for (int j = 0; j < 40; ++j) v[j] = p[j * n + threadIdx.x];
  for (int r = 0; r < m; ++r)
#pragma unroll
    for (int j = 0; j < 40; ++j) v[j] ^= v[(j + 7) % 40] + r;
  unsigned long long s = 0;
#pragma unroll
  for (int j = 0; j < 40; ++j) s ^= v[j];
  o[threadIdx.x] = ({result})s;
}}
"""


@pytest.mark.parametrize(
    ("target", "result", "least", "most"),
    [("sm_90", "unsigned", 40, 60), ("sm_90", "unsigned long long", 80, 110), ("gfx90a", "unsigned", 70, 120)],
)
def test_nvcc_reads_only_the_requested_half(target: str, result: str, least: int, most: int) -> None:
    """nvcc 13.0.88 takes 48 registers for a result of 32 bits; clang 19.1.7 for gfx90a 118, it reads all."""
    file = testing.build(TEXT.format(result=result), "k.cu", "cuda")
    found = kernel_facts(file, file.kernels[0], Settings(architectures=(target,))).target(target).registers
    assert least <= found.estimate <= most
