"""Constants in many rows, `out[t + j * n] = 0`, as clang 19.1.7 for gfx90a orders them: the address of each write is
made just in front of it, unless a write that waits for a read is in front of all of them.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

ROWS = "for (int j = 0; j < {}; ++j) out[t + (j + 100) * n] = {};"
KERNEL = """__global__ void k(float* out, const float* in, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  BODY
}
"""


@pytest.mark.parametrize(
    ("body", "registers"),
    [
        (ROWS.format(10, 0), 6),
        ("float s = in[t + 30 * n]; " + ROWS.format(24, "j") + " out[t] = s;", 8),
        ("float a = in[t], b = in[t + 7 * n]; " + ROWS.format(20, "j") + " out[t] = a + b;", 10),
        ("float s = in[t + 30 * n]; " + ROWS.format(24, "s") + " out[t] = s;", 23),
        ("float s = in[t + 30 * n]; out[t] = s; " + ROWS.format(12, "j"), 27),
        ("float s = in[t]; " + ROWS.format(12, "j") + " out[t + n] = s + 1; out[t] = s;", 10),
    ],
)
def test_addresses_of_constants_wait_for_no_read(body: str, registers: int) -> None:
    band = facts_of(KERNEL.replace("BODY", body)).target("gfx90a").registers
    assert band.low <= registers <= band.high


@pytest.mark.parametrize(("value", "registers"), [("0", 3), ("j", 19)])
def test_elements_that_are_all_the_same_constant_are_that_one(value: str, registers: int) -> None:
    body = f"double v[16]; for (int j = 0; j < 16; ++j) v[j] = {value}; out[t] = v[int(in[t]) & 15];"
    band = facts_of(KERNEL.replace("BODY", body)).target("gfx90a").registers
    assert band.low <= registers <= band.high
