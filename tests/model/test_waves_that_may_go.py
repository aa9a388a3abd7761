"""Which kernels LLVM lets fall to four waves (`WaveLimiterHint`, `MemoryBound` of clang 19.1.7's assembly), and what
becomes of their registers.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, trace_of

HEAD = "__global__ void k(const float* a, const int* ix, float* o, int n) { int t = blockIdx.x * 256 + threadIdx.x; "
MAY = {
    "an address that is read": "o[t] = a[ix[t]] * 2 + t;",
    "reads 400 bytes apart": "o[t] = a[t] * a[t + 100] + t;",
    "thirty-two neighbours": "float v[32]; for (int i = 0; i < 32; ++i) v[i] = a[t * 32 + i]; "
    "for (int r = 0; r < n; ++r) for (int i = 0; i < 32; ++i) v[i] *= v[(i + 1) % 32]; "
    "for (int i = 0; i < 8; ++i) o[t * 8 + i] = v[i];",
}
MAY_NOT = {
    "reads 16 bytes apart": "o[t] = (a[t] * a[t + 4] + t) * (t & 7) - (t ^ 3);",
    "an address that a loop carries": "int j = t; for (int i = 0; i < n; ++i) j = ix[j] + t; o[t] = j * 2.0f + t;",
    "arithmetic": "float x = a[t]; for (int i = 0; i < 20; ++i) x = x * x + t * i; o[t] = x;",
}


@pytest.mark.parametrize(("case", "may"), [*((one, True) for one in MAY), *((one, False) for one in MAY_NOT)])
def test_llvm_is_followed(case: str, may: bool) -> None:
    trace = trace_of(facts_of(HEAD + (MAY | MAY_NOT)[case] + " }", "hip"), "gfx90a")
    assert trace.few_waves is may


def test_a_kernel_that_may_lose_waves_holds_more_than_the_next_step() -> None:
    """clang 19.1.7 gives the kernel 101 VGPRs: 67 are live, and from 72 on a wave is lost."""
    text = """__global__ void __launch_bounds__(256) k(const unsigned* t, unsigned* out, int n) {
  unsigned w[64];
  for (int i = 0; i < 64; i++) w[i] = out[threadIdx.x * 64 + i];
  for (int r = 0; r < n; r++)
    for (int i = 0; i < 64; i++) w[i] ^= t[w[i] & 255] ^ t[(w[i] >> 8) & 255] ^ w[(i + 1) & 63];
  for (int i = 0; i < 8; i++) out[threadIdx.x * 64 + i] = w[i];
}
"""
    found = facts_of(text, "hip").target("gfx90a").registers
    assert 72 < found.estimate <= 101
    assert found.high >= 101
