"""Numbers in members of an object whose arrays a loop writes: an index computed from them is a constant, and
the array is in registers (clang 19.1.7, gfx90a: 42 registers and no scratch; nvcc 13.0.88, sm_90: 32).
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

KERNEL = """
struct Values { float v[12]; };
struct Count { int n; __device__ int next(int j) const { return (j + n) % 12; } };
struct Both : Values, Count {};
struct Plain { float v[12]; int n; };
__global__ void k(float *out, const float *in, int n) {
  int t = threadIdx.x;
  SETUP
  for (int j = 0; j < 12; ++j) m.v[j] = in[t + j * n];
  for (int r = 0; r < n; ++r)
    for (int j = 0; j < 12; ++j) { STEP }
  for (int j = 0; j < 12; ++j) out[t + j * n] = m.v[j];
}
"""


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        ("Plain m; m.n = 3;", "m.v[j] = m.v[j] * in[r] + m.v[(j + m.n) % 12];"),
        ("Plain m{{}, 3};", "float &x = m.v[j]; x = x * in[r] + m.v[(j + m.n) % 12];"),
        (
            "Both m; m.n = 3;",
            "m.v[j] = m.v[j] * in[r] + m.v[(j + m.n) % 12];",
        ),  # two base classes, one behind the other
        ("Both m; m.n = 3;", "m.v[j] = m.v[j] * in[r] + m.v[m.next(j)];"),
    ],
)
def test_a_number_that_the_loop_does_not_write_stays_known(setup: str, step: str) -> None:
    facts = facts_of(KERNEL.replace("SETUP", setup).replace("STEP", step))
    band = facts.target("gfx90a").registers
    assert (scratch_of(facts, "gfx90a"), scratch_of(facts, "sm_90")) == (0, 0)
    assert band.low <= 42 <= band.high
    assert abs(band.estimate - 42) <= 4


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        ("Plain m; m.n = 3;", "m.v[(j + m.n) % 12] *= in[r]; ++m.n;"),
        ("Plain m; m.n = 3; int &c = m.n;", "m.v[(j + m.n) % 12] *= in[r]; c += t;"),
        ("Plain m; m.n = 3; Plain *p = &m;", "m.v[(j + m.n) % 12] *= in[r]; p->n += t;"),
        ("Plain m; m.n = 3;", "m.v[(j + m.n) % 12] *= in[r]; m = Plain{{}, t};"),
        ("Plain m; m.n = 3; auto f = [&] { m.n += t; };", "m.v[(j + m.n) % 12] *= in[r]; f();"),
    ],
)
def test_a_number_that_the_loop_may_write_is_none(setup: str, step: str) -> None:
    assert scratch_of(facts_of(KERNEL.replace("SETUP", setup).replace("STEP", step)), "gfx90a")
