"""Arrays whose size only the executed call settles: a parameter of the class template around the function."""

from __future__ import annotations

import pytest

from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.pipeline import lint_bytes

BINS = b"""
template <int M> struct Bins {
  __device__ void operator()(const int* in, int* out, int n) const {
    int best[M];
    for (int i = 0; i < M; ++i) best[i] = 0;
    for (int k = 0; k < n; ++k) best[in[k] % M] += k;
    int s = 0;
    for (int i = 0; i < M; ++i) s ^= best[i] * i;
    out[threadIdx.x] = s;
  }
};
__global__ void k(const int* in, int* out, int n) { Bins<32> bins; bins(in, out, n); }
"""


@pytest.mark.parametrize(("target", "scratch"), [("sm_90", 128), ("gfx90a", 144)])  # nvcc 13.0.88: 128 bytes
def test_the_array_is_in_memory_with_its_bytes(target: str, scratch: int) -> None:
    analysis = analyse(BINS, "k.cu", Settings(architectures=(target,)))
    assert isinstance(analysis, Analysis)
    (kernel,) = analysis.file.kernels
    facts = analysis.facts(kernel)
    found = facts.target(target).registers
    assert found.scratch_bytes == scratch
    assert found.low <= 30 <= found.high
    assert facts.unknowns(target) == ()


def test_the_index_is_a_finding() -> None:
    report = lint_bytes(BINS, "k.cu", Settings(architectures=("sm_90",)))
    (found,) = report.diagnostics
    assert (found.code, "32 x int (128 bytes per thread)" in found.message) == ("RP403", True)
