"""Two 16-bit floats of a vector share a register."""

from __future__ import annotations

import pytest
from analysis_helpers import trace_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

TILE = """#include <cuda_fp16.h>
__global__ void k(const {type}* a, const {type}* b, {type}* c, int n) {{
  {type} acc[8][4], x[8], y[4];
  int i = threadIdx.x;
#pragma unroll
  for (int u = 0; u < 32; ++u) acc[u / 4][u % 4] = c[i + u];
  for (int k = 0; k < n; ++k) {{
#pragma unroll
    for (int u = 0; u < 8; ++u) x[u] = a[k * 8 + u + i];
#pragma unroll
    for (int v = 0; v < 4; ++v) y[v] = b[k * 4 + v + i];
#pragma unroll
    for (int u = 0; u < 32; ++u) acc[u / 4][u % 4] = {sum};
  }}
#pragma unroll
  for (int u = 0; u < 32; ++u) c[i * 32 + u] = acc[u / 4][u % 4];
}}
"""


@pytest.mark.parametrize(
    ("type_", "total", "registers"),
    [
        ("half2", "__hfma2(x[u / 4], y[u % 4], acc[u / 4][u % 4])", 44),  # nvcc 13.0.88 takes 56
        ("half2", "x[u / 4] * y[u % 4] + acc[u / 4][u % 4]", 44),
        ("float", "x[u / 4] * y[u % 4] + acc[u / 4][u % 4]", 44),
        (
            "float2",
            "make_float2(x[u / 4].x * y[u % 4].x + acc[u / 4][u % 4].x, x[u / 4].y * y[u % 4].y + acc[u / 4][u % 4].y)",
            88,
        ),
    ],
)
def test_a_tile_of_pairs_of_halves_takes_as_much_as_one_of_floats(type_: str, total: str, registers: int) -> None:
    file = testing.build(TILE.format(type=type_, sum=total), "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("sm_90", "gfx90a")))
    assert trace_of(facts, "sm_90").held.vector == pytest.approx(registers, abs=8)
    assert trace_of(facts, "gfx90a").held.vector == pytest.approx(registers, rel=0.35)
