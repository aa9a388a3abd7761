"""`?:`, `&&` and `||` are branches where they guard a read, as `if` is: reads move across few of ptxas alone."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, trace_of

from regpress_lint.model.graph.ops import BRANCH

_KERNEL = """
__global__ void k(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int n) {
  const int i = threadIdx.x;
  float sum = 0.0f;
  BODY
  out[i] = sum;
}
"""


def _peak(body: str, target: str) -> tuple[int, int]:
    """Branches, and vector registers alive at the peak."""
    facts = facts_of(_KERNEL.replace("BODY", body))
    return facts.peak(target).graph.ops.count(BRANCH), trace_of(facts, target).held.vector


@pytest.mark.parametrize(
    ("body", "amd", "nvidia"),
    [
        ("sum = i < n ? a[i] : 0.0f;", 1, 0),
        ("sum = i < n ? a[i] : b[i];", 1, 0),
        ("sum = i < n ? a[i] * b[i] : a[i + 1];", 1, 1),  # three reads: more than ptxas puts under a predicate
        ("sum = i < n ? 2.0f * i : 3.0f * i;", 0, 0),
        ("if (i < n) sum = a[i];", 1, 0),
        ("sum = i < n && a[i] > 0.0f;", 1, 1),
        ("sum = i < n || a[i] > 0.0f;", 1, 1),
        ("sum = i < n && i > 3;", 0, 0),
        ("sum = true ? a[i] : b[i];", 0, 0),
    ],
)
def test_remaining_condition(body: str, amd: int, nvidia: int) -> None:
    assert _peak(body, "gfx90a")[0] == amd
    assert _peak(body, "sm_90")[0] == nvidia


_EIGHT = "for (int k = 0; k < 8; ++k) "


def test_conditional_reads_are_serial_and_their_values_wait() -> None:
    """clang 19.1.7 on gfx90a: 5 registers for `if`, 20 for `?:`, whose sums all sink behind the last branch
    (`conditions_padded<8>` of testdata/golden, 17 of them).
    """
    with_if = _peak(_EIGHT + "if (i + k < n) sum += a[i + k];", "gfx90a")[1]
    with_value = _peak(_EIGHT + "sum += i + k < n ? a[i + k] : 0.0f;", "gfx90a")[1]
    assert with_if <= 6
    assert with_value >= with_if + 6


def test_reads_stay_after_their_condition() -> None:
    """Three of them one in the other, eight times: 20 registers by clang 19.1.7 for twelve (48 were said)."""
    nested = _EIGHT + "sum += i < n && a[i + k] > 0.0f && b[i + k] > 1.0f ? a[i + 9 * k] : b[i + 9 * k];"
    assert _peak(nested, "gfx90a")[1] <= 16


# Registers of nvcc 13.0.88: what few guards let through is on its way together, as without them.
@pytest.mark.parametrize(
    ("body", "registers"),
    [
        ("float s = 0; for (int j = 0; j < 8; ++j) if (i + j * w < n) s += p[i + j * w]; o[i] = s;", 30),
        ("for (int j = 0; j < 4; ++j) if (i + j * w < n) o[i + j * w] = p[i + j * w];", 24),
        ("for (int j = 0; j < 16; ++j) if (i + j * w < n) o[i + j * w] = p[i + j * w];", 32),
    ],
)
def test_reads_and_writes_under_an_if_of_their_own_move_as_others_do(body: str, registers: int) -> None:
    head = "__global__ void k(float* o, const float* __restrict__ p, int w, int n) {"
    text = f"{head} int i = blockIdx.x * blockDim.x + threadIdx.x; {body} }}"
    found = facts_of(text, "cuda").target("sm_90").registers
    assert found.low <= registers <= found.high
