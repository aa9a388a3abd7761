"""A loop, an index, an array: the execution decides about each, whatever else the kernel contains."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules.arrays.runtime_indexed_array import RuntimeIndexedArray
from regpress_rules.math.heavy_math_in_loop import HeavyMathInLoop

KERNEL = """
__global__ void k(const double* o, double* out, int n) {{
  {beside}
  double s = 0;
  {loop}
  out[threadIdx.x] = s;
}}
"""
LOOPS = (
    "for (int m = 4; m; m >>= 1) s += exp(o[m]);",
    "for (int m = 1; m <= 9; m = m * 2 + 1) s += exp(o[m]);",
    "int i = 0; while (true) { s += exp(o[i]) + sin(o[i]); if (++i == 40) break; }",
    "for (int i = 0; i < 40; ++i) { if (o[i] > 3) break; s += exp(o[i]); }",
    "for (int i = 0; i < n; ++i) s += exp(o[i]);",
)
STAYS = (False, False, True, True, True)  # a loop for clang 19
BESIDE = (
    "double u[2]; u[0] = o[0]; u[1] = o[1]; out[n + threadIdx.x] = u[0] * u[1];",
    "int spare = n; out[spare] = 1;",
)


def said(loop: str, beside: str) -> list[tuple[str, str]]:
    """Findings in the loop: code and severity."""
    text = KERNEL.format(beside=beside, loop=loop)
    line = text[: text.index(loop)].count("\n") + 1
    found = testing.run([HeavyMathInLoop], text, settings=Settings(architectures=("gfx90a",)))
    return [(one.code, one.severity.name) for one in found if one.line == line]


@pytest.mark.parametrize(("loop", "stays"), [*zip(LOOPS, STAYS, strict=True)])
def test_an_unrelated_private_array_changes_no_finding(loop: str, stays: bool) -> None:
    alone, *others = (said(loop, beside) for beside in ("", *BESIDE))
    assert bool(alone) is stays
    assert all(other == alone for other in others)


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("target", ["gfx90a", "sm_90", "pvc"])
def test_an_unrelated_private_array_changes_no_loop(loop: str, target: str) -> None:
    def loops(beside: str) -> list[tuple[int | None, bool]]:
        facts = facts_of(KERNEL.format(beside=beside, loop=loop))
        return [(one.trip_count, one.unrolled) for one in facts.loops_for(facts.kernel.function, target)]

    assert loops("") == loops(BESIDE[0])


@pytest.mark.parametrize("target", ["gfx90a", "sm_90"])
def test_an_array_in_a_counted_loop_is_where_copies_of_the_loop_leave_it(target: str) -> None:
    """Of the second loop the text shows no trip count."""
    for head in ("for (int m = 0; m < 8; ++m)", "for (int c = 1, m = 0; m < 8; c = c * 2 + 1, ++m)"):
        text = KERNEL.format(beside="float v[8];", loop=f"{head} v[m] = o[n]; s = v[3] + v[5];")
        (array,) = facts_of(text).arrays_for(target)
        assert not array.dynamic


DEAD = "float big[64]; for (int i = 0; i < 64; ++i) big[i] = o[i]; s = big[n];"


CALLED = f"__device__ double f(const double* o, int n, bool wide) {{ double s = 0; if (wide) {{ {DEAD} }} return s; }}"


@pytest.mark.parametrize(
    ("dead", "live"),
    [
        ("const bool wide = false; if (wide) {}", "const bool wide = n; if (wide) {}"),
        ("if constexpr (sizeof(int) == 8) {}", "if constexpr (sizeof(int) == 4) {}"),
        ("s = f(o, n, false);", "s = f(o, n, n);"),
    ],
)
def test_unreached_array_is_not_in_memory(dead: str, live: str) -> None:
    def findings(loop: str) -> int:
        text = CALLED + KERNEL.format(beside="", loop=loop.replace("{}", f"{{ {DEAD} }}"))
        return len(testing.run([RuntimeIndexedArray], text, settings=Settings(architectures=("gfx90a", "sm_90"))))

    assert (findings(dead), findings(live)) == (0, 1)
