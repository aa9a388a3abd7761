"""ptxas does not select among elements if the index is computed by a routine with a call in it (nvcc 13.0, sm_90)."""

from __future__ import annotations

import pytest
from ssa_helpers import run

_KERNEL = """
float v[9]; float s = 0; for (int j = 0; j < 9; ++j) v[j] = 0;
for (int i = 0; i < n; ++i) {{
  float g = a[i * 64 + tid], h = a[i * 64 + tid + 32], c = a[i * 64 + tid + 99]; double d = c; long long q = out[i];
  {work}
  {code} v[{index}] += g; s += c;
}}
for (int i = 0; i < 9; ++i) b[tid * 10 + i] = v[i]; b[tid * 10 + 9] = s;
"""
_WORK = " ".join(f"c = c * g + {step}.5f; c = c * c + g;" for step in range(20))
_BEHIND = ["h = sqrtf(h);", "h = g / h;", "h = 1.0f / h;", "h = h / 3.0f;", "h = sinf(h);", "h = atan2f(h, g);"]
_FREE = [
    "",
    "h = rsqrtf(h);",
    "h = h / 4.0f;",
    "h = h / -4.0f;",
    "h = expf(h);",
    "h = atanf(h);",
    "h = __fdividef(g, h);",
]


def _is_in_memory(code: str, index: str = "(int)h & 7") -> bool:
    machine = run(_KERNEL.format(work=_WORK, code=code, index=index), vendor="nvidia")
    return bool(machine.arrays.in_memory)


@pytest.mark.parametrize("code", _BEHIND)
def test_an_index_behind_a_call_keeps_the_array_in_memory(code: str) -> None:
    assert _is_in_memory(code)


@pytest.mark.parametrize("code", _FREE)
def test_another_index_does_not(code: str) -> None:
    assert not _is_in_memory(code)


@pytest.mark.parametrize(
    ("code", "index", "memory"),
    [
        ("d = sqrt(d);", "(int)d & 7", True),
        ("d = exp(d);", "(int)d & 7", False),
        ("q = q / (n + q);", "(int)q & 7", True),
        ("q = q / 7;", "(int)q & 7", False),
        ("int f = sqrtf(h) > g ? 3 : (int)g & 7;", "f", False),  # a condition carries nothing
        ("h = sqrtf(h);", "out[(int)h & 1023] & 7", True),
        ("g = sqrtf(g);", "(int)h & 7", False),  # what is added, and not where
    ],
)
def test_expressions_that_carry_the_index(code: str, index: str, memory: bool) -> None:
    assert _is_in_memory(code, index) == memory
