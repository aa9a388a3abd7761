"""Calls in a loop that do not wait for one another: clang for AMD works on them side by side, up to a step of waves."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

# VGPRs of clang 19.1.7 for gfx90a with one, two and three of each, a sum for each.
MEASURED = {
    "expf(x)": (10, 16, 23),
    "sqrtf(x)": (12, 20, 29),
    "logf(x)": (13, 20, 27),
    "n / x": (11, 19, 28),
    "rsqrtf(x)": (10, 14, 19),
}


def kernel(call: str, count: int) -> str:
    return (
        "__global__ void k(const float* p, const float* w, float* o, int m, float n) {"
        f" int t = blockIdx.x * 256 + threadIdx.x; float s[{count}] = {{0}};"
        " for (int i = 0; i < m; ++i) { float u = w[i];"
        + "".join(f" {{ float x = u * {j + 3} + p[t + {j}]; s[{j}] += {call}; }}" for j in range(count))
        + " }"
        + "".join(f" o[t * {count} + {j}] = s[{j}];" for j in range(count))
        + " }"
    )


@pytest.mark.parametrize("call", MEASURED)
def test_each_takes_registers_of_its_own(call: str) -> None:
    said = [facts_of(kernel(call, count), "hip").target("gfx90a").registers.estimate for count in (1, 2, 3)]
    assert said == pytest.approx(MEASURED[call], rel=0.2)


def test_too_many_are_worked_on_one_after_the_other() -> None:
    """clang 19.1.7 takes 37 VGPRs for four quotients and 32 for eight."""
    four, eight = (facts_of(kernel("n / x", count), "hip").target("gfx90a").registers.estimate for count in (4, 8))
    assert four == pytest.approx(37, rel=0.2)
    assert eight < 40
