"""Registers that clang for AMD takes where LDS leaves fewer waves anyway."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

TILE = """__global__ void __launch_bounds__({threads}) k(float* out, const float* in, int n, int m) {{
  __shared__ float4 t[{size}];
  int i = threadIdx.x;
  for (n = 0; n < m; n += 256) {{
    t[i] = ((const float4*)in)[i + n];
    __syncthreads();
    float s[4] = {{0, 0, 0, 0}};
    #pragma unroll
    for (int k = 0; k < {reads}; ++k) {{
      float4 v = t[k * 8 + (i & 31)], w = t[k * 4 + (i >> 5)];
      s[0] += v.x * w.x; s[1] += v.y * w.y; s[2] += v.z * w.z; s[3] += v.w * w.w;
    }}
    __syncthreads();
    for (int j = 0; j < 4; ++j) out[i * 4 + j + n] = s[j];
    __syncthreads();
  }}
}}
"""


@pytest.mark.parametrize(
    ("reads", "size", "compiled"),
    [(24, 512, 58), (24, 768, 86), (24, 1024, 118), (24, 2048, 206), (12, 1024, 110), (40, 256, 60), (40, 2048, 244)],
)
def test_reads_fill_the_registers_of_waves_that_lds_takes(reads: int, size: int, compiled: int) -> None:
    """clang 19.1.7, gfx90a: 12 KiB leave five waves of eight, 32 KiB two."""
    found = facts_of(TILE.format(threads=256, size=size, reads=reads), "hip").target("gfx90a").registers
    assert found.low <= compiled <= found.high
    assert found.estimate == pytest.approx(compiled, rel=0.37)


def test_large_groups_leave_more_waves_beside_the_same_lds() -> None:
    """clang 19.1.7, gfx90a: 8 waves with 1,024 threads and 16 KiB, 4 with 256 threads."""
    small, large = (
        facts_of(TILE.format(threads=threads, size=1024, reads=24), "hip").target("gfx90a").registers
        for threads in (256, 1024)
    )
    assert large.estimate < small.estimate / 1.5
