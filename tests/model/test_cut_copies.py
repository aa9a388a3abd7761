"""Loops whose copies are more values than a graph may have: the compiler makes them all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_helpers import facts_of

if TYPE_CHECKING:
    import pytest

BODY = " ".join(f"s = s * x + a[{number} * n];" for number in range(25))
KERNEL = f"""__global__ void k(const float* a, float* o, int n) {{
  double v[24], x = a[n], s = 0;
  for (int k = 0; k < 24; ++k) {{ {BODY} v[k] = s; }}
  for (int k = 0; k < 24; ++k) o[k] = v[k] * v[23 - k];
}}
"""


def test_array_is_no_more_in_memory_than_with_all_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    assert facts_of(KERNEL).target("sm_90").registers.scratch_bytes == 0
    monkeypatch.setattr("regpress_lint.model.interpreter.loops.MAX_VALUES", 500)
    assert facts_of(KERNEL).target("sm_90").registers.scratch_bytes == 0
