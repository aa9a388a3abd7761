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
    assert said == pytest.approx(MEASURED[call], rel=0.25)


@pytest.mark.parametrize(("call", "compiled"), [("u / x", (37, 60, 57)), ("sqrtf(x)", (38, 61, 63))])
def test_too_many_fill_a_step(call: str, compiled: tuple[int, int, int]) -> None:
    """clang 19.1.7 with at most 256 threads, for four, eight and twelve; of 35 such kernels one falls back (32 for
    eight of `n / x`, 61 for seven and 59 for ten).
    """
    said = [facts_of(kernel(call, count), "hip").target("gfx90a").registers.estimate for count in (4, 8, 12)]
    assert said == pytest.approx(compiled, rel=0.2)
