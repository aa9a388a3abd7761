"""Loops that are copied and left early: what comes behind them has one register, not one for each copy's exit."""

from __future__ import annotations

import pytest
from ssa_helpers import trace

_COLUMN = """
float col[8];
#pragma unroll
for (int c = 0; c < 8; ++c) {{ if (tid + c >= n) break; col[c] = a[tid + c * n]; }}
#pragma unroll
for (int p = 0; p < {times}; ++p) {{
  if (p * n > u) break;
  float d = b[p * 7 + n];
  #pragma unroll
  for (int c = 0; c < 8; ++c) {{ if (tid + c >= n) break; col[c] += a[c * n + p] * d; }}
}}
#pragma unroll
for (int c = 0; c < 8; ++c) {{ if (tid + c >= n) break; b[tid + c * n] = col[c]; }}
"""


def _held(times: int) -> int:
    return trace(_COLUMN.format(times=times), "float *a, float *b, int n, int u", vendor="nvidia").held.vector


@pytest.mark.parametrize("times", [16, 32])
def test_more_copies_hold_no_more(times: int) -> None:
    """nvcc 13.0 takes 32 registers for 8, 16 and 32 copies of the outer loop."""
    assert _held(times) <= _held(8) + 4
