"""Rounds of a hash ask for each word of the message's schedule when they come to it."""

from __future__ import annotations

from analysis_helpers import facts_of

SHA_1 = """
__device__ __forceinline__ unsigned rot(unsigned x, int n) { return (x >> n) | (x << (32 - n)); }
__global__ void k(unsigned* __restrict__ out, const unsigned* __restrict__ in) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned w[80];
#pragma unroll
  for (int i = 0; i < 16; ++i) w[i] = in[t * 16 + i];
#pragma unroll
  for (int i = 16; i < 80; ++i) w[i] = rot(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 31);
  unsigned a = 1, b = 2, c = 3, d = 4, e = 5;
#pragma unroll
  for (int i = 0; i < 80; ++i) {
    unsigned x = rot(a, 27) + ((b & c) | (~b & d)) + e + w[i] + 0x5A827999;
    e = d; d = c; c = rot(b, 2); b = a; a = x;
  }
  out[t] = a + b + c + d + e;
}
"""


def test_a_hash_holds_the_window_of_its_words() -> None:
    """nvcc 13.0.88 takes 28 registers, whose eighty words were said to live together: 80."""
    assert facts_of(SHA_1).target("sm_90").registers.estimate <= 40
