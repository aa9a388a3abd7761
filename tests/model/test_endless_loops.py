"""Loops that only a `break` leaves: the code behind it runs in each iteration."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, trace_of

HEAD = "__global__ void k(float* o, const float* in, int n, int st) { int t = blockIdx.x * blockDim.x + threadIdx.x;"
WORK = "for (int j = 0; j < 6; ++j) s += in[i + j * n] * in[i * 2 + j];"


@pytest.mark.parametrize("target", ["gfx90a", "sm_90", "pvc"])
@pytest.mark.parametrize(
    "endless",
    [
        "for (int i = t;;) {{ i += st; if (i >= n) break; {} }}",
        "int i = t; while (1) {{ i += st; if (i >= n) break; {} }}",
    ],
)
def test_work_behind_a_break_counts_as_in_a_loop_with_a_test(endless: str, target: str) -> None:
    """clang 19.1.7 takes 34 registers for either, nvcc 13.0.88 32."""
    tested = f"for (int i = t + st; i < n; i += st) {{ {WORK} }}"
    held, own = (
        trace_of(facts_of(f"{HEAD} float s = 0; {loop} o[t] = s; }}"), target).held.vector
        for loop in (tested, endless.format(WORK))
    )
    assert own >= 0.7 * held
