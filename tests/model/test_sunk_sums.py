"""Registers of kernels of which clang for AMD moves arithmetic over a branch to where its result is used."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

HEAD = "__global__ void __launch_bounds__(256) k(float* out, const float* in, const int* ix, int n, int m) { int t = "
TILE = """threadIdx.x; __shared__ float4 l[{size}]; float4 s = {{0, 0, 0, 0}};
  for (int j = 0; j < m; ++j) {{
    l[t] = ((const float4*)in)[t + j * 512];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < {reads}; ++k) {{
      float4 v = l[k * 8 + (t & 31)], w = l[k * 4 + (t >> 5)];
      s.x += v.x * w.x; s.y += v.y * w.y; s.z += v.z * w.z; s.w += v.w * w.w;
    }}
    __syncthreads();
    {guard} out[t + j * 64] = 3;
  }}
  ((float4*)out)[t] = s;
}}
"""
SUM = """threadIdx.x; float s = 0;
  #pragma unroll
  for (int k = 0; k < 24; ++k) s += in[t + k * 512] * in[t + k * 512 + 99];
  {guard}
  out[t] = s;
}}
"""
PIXELS = (
    """__device__ bool near(unsigned a, unsigned b) {
  return !(abs((int)(a & 255) - (int)(b & 255)) > 48 || abs((int)(a >> 8 & 255) - (int)(b >> 8 & 255)) > 7
           || abs((int)(a >> 16 & 255) - (int)(b >> 16 & 255)) > 6);
}
__device__ unsigned packed(const float* p) {
  return (unsigned)(p[0] * 0.3f + p[1] * 0.6f) | (unsigned)(p[1] * 255.f + p[0]) << 8
         | (unsigned)(p[2] * 255.f + p[1]) << 16;
}
"""
    + HEAD
    + """threadIdx.x; unsigned v = packed(in + t), c = 0;
  #pragma unroll
  for (int k = 1; k < 17; ++k) {
    unsigned w = packed(in + t + k * 512);
    c += (unsigned)(t % (k + 3) > m && near(v, w)) << k;
  }
  out[t] = c;
}
"""
)
SCANS = """threadIdx.x; __shared__ typename hipcub::BlockScan<float, 256>::TempStorage storage; float s = 0;
  for (int j = 0; j < 64; ++j) {
    float v = in[t + j * 512];
    hipcub::BlockScan<float, 256>(storage).InclusiveSum(v, v);
    __syncthreads();
    s += v * in[t + j * 512 + 99];
    if (ix[t + j] > n) out[t + j * 64] = 3;
  }
  out[t] = s;
}
"""


def vgprs(body: str) -> int:
    return facts_of(body if HEAD in body else HEAD + body, "hip").target("gfx90a").registers.estimate


def test_sums_of_a_loop_wait_for_its_end_behind_a_branch() -> None:
    """clang 19.1.7: 148 VGPRs, 62 without the branch."""
    assert vgprs(TILE.format(size=512, reads=16, guard="if (ix[t + j] > n)")) == pytest.approx(148, rel=0.1)
    assert vgprs(TILE.format(size=512, reads=16, guard="")) < 74


def test_a_sum_that_is_used_behind_a_branch_is_made_there() -> None:
    """clang 19.1.7: 57 VGPRs."""
    assert vgprs(SUM.format(guard="if (ix[t] > n) out[t + 7] = 2;")) == pytest.approx(57, rel=0.12)


def test_a_sum_that_a_side_uses_too_is_made_in_front_of_the_branch() -> None:
    behind, both = (vgprs(SUM.format(guard=f"if (ix[t] > n) out[t + 7] = {used};")) for used in ("2", "s * 3"))
    assert both < behind


def test_values_for_one_side_of_a_condition_stay_in_it() -> None:
    """clang 19.1.7: 20 VGPRs; with all comparisons at the end it would be 54."""
    assert vgprs(PIXELS) < 40


def test_a_loop_around_a_scan_of_a_block_stays() -> None:
    """nvcc 13.0.88 makes two copies of such a loop, not four."""
    assert vgprs(SCANS) == vgprs(SCANS.replace("j < 64", "j < m"))
