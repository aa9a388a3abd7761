"""Arrays of constants that are indexed at run time, compiled with clang 19.1.7 for gfx90a: VGPRs. Selects name a few
constants by themselves, and the others have registers, in a loop all through it; where all threads share the index, all
of a long array lies side by side.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

KERNEL = """__global__ void k(T* out, const T* in, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  T v[N];
  for (int j = 0; j < N; ++j) v[j] = j * 3 + 1;
  BODY
}
"""
ONCE = "out[t] = v[(unsigned)(INDEX) % Nu];"
LOOP = "T s = 0; for (int k = 0; k < n; ++k) s += v[(unsigned)(INDEX + k) % Nu] * in[t + k]; out[t] = s;"
READ = "(in[t] > 0 ? t : n)"


@pytest.mark.parametrize(
    ("body", "type_", "elements", "index", "registers"),
    [
        (ONCE, "float", 16, "t", 4),
        (ONCE, "float", 16, READ, 20),
        (ONCE, "float", 16, "n", 18),
        (ONCE, "double", 12, READ, 20),
        (ONCE, "double", 12, "n", 36),
        (ONCE, "int", 16, READ, 6),
        (LOOP, "float", 16, "t", 22),
        (LOOP, "float", 12, "n", 20),
        (LOOP, "double", 16, "t", 26),
        (LOOP, "double", 4, "n", 6),
        (LOOP, "int", 16, "t", 8),
    ],
)
def test_registers_of_constants(body: str, type_: str, elements: int, index: str, registers: int) -> None:
    code = KERNEL.replace("BODY", body).replace("INDEX", index).replace("T", type_).replace("N", str(elements))
    band = facts_of(code).target("gfx90a").registers
    assert band.low <= registers <= band.high
