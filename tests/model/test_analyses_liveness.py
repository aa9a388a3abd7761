"""Values that loops carry through, and the register estimate's direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body, trace_of
from corpus import examples
from hypothesis import given, strategies as st

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts


def through(code: str, **more: str) -> dict[str, tuple[int, bool]]:
    """Variables live across the first loop but unused in it: registers, and whether the value was read from memory."""
    facts = body(code, **more)
    found = facts.peak("sm_90").through(facts.loops[0].loop)
    return {value.variable.name: (value.registers, value.loaded) for value in found if value.variable is not None}


def test_loads_that_a_loop_carries_through() -> None:
    before = "float w = a[tid]; double d = (double)a[n + tid]; float s = 0;"
    found = through(f"{before} for (int i = 0; i < n; i++) s += a[i * n]; b[tid] = s * w + d;")
    assert found["w"] == (1, True)
    assert found["d"] == (1, True)  # it is converted behind the loop
    assert "s" not in found
    assert found["tid"] == (1, False)


@pytest.mark.parametrize(
    ("definition", "loaded"),
    [
        ("a[tid]", True),
        ("*(a + tid)", True),
        ("__ldg(&a[tid])", True),
        ("(float)a[tid]", True),
        ("sqrtf(a[tid])", False),
        ("lds[tid]", False),
    ],
)
def test_definition_of_a_load(definition: str, loaded: bool) -> None:
    code = f"__shared__ float lds[64]; float w = {definition}; for (int i = 0; i < n; i++) b[i] = w; b[tid] = w;"
    facts = body(f"{code} for (int i = 0; i < n; i++) b[i] = 0; b[tid + 1] = w;")
    held = facts.peak("sm_90").through(facts.loops[1].loop)
    assert {one.variable.name: one.loaded for one in held if one.variable is not None}["w"] is loaded


def test_a_value_that_the_loop_uses_is_not_carried_through() -> None:
    assert "w" not in through("float w = a[tid]; for (int i = 0; i < n; i++) b[i] = w; b[0] = w;")


def test_values_live_through_a_loop() -> None:
    facts = body("double s = 0; float t = 1; for (int i = 0; i < n; i++) { s += a[i]; t *= s; } b[0] = s; b[1] = t;")
    found = {
        variable.name: registers for variable, registers in facts.peak("gfx90a").carried(facts.loops[0].loop).items()
    }
    assert (found["s"], found["t"]) == (2, 1)


def test_a_loop_that_is_gone_has_no_peak() -> None:
    facts = body(
        "float s = 0; for (int i = 0; i < 3; i++) s += a[tid + i]; for (int j = 0; j < n; j++) s *= a[j]; b[0] = s;"
    )
    peak = facts.peak("sm_90")
    assert peak.in_loop(facts.loops[0].loop) is None
    assert peak.in_loop(facts.loops[1].loop) == max(peak.alive)


def estimates(facts: KernelFacts) -> tuple[int, ...]:
    return tuple(facts.target(name).registers.estimate for name in facts.targets)


def accumulators(count: int, kind: str = "double", pragma: str = "") -> KernelFacts:
    declared = " ".join(f"{kind} s{k} = 0;" for k in range(count))
    added = " ".join(f"s{k} += a[i + {k}];" for k in range(count))
    stored = " ".join(f"b[{k}] = s{k};" for k in range(count))
    return body(f"{declared}{pragma} for (int i = tid; i < n; i++) {{ {added} }} {stored}")


@pytest.mark.slow
@examples(0.25)
@given(count=st.integers(0, 60), kind=st.sampled_from(("float", "double", "int")))
def test_one_more_live_value_never_lowers_the_estimate(count: int, kind: str) -> None:
    """In a loop that is not copied: nvcc copies a loop twice that has six sums of floats, and takes 32 registers, and
    one with seven sums once, and takes 28.
    """
    fewer, more = (accumulators(each, kind, "\n#pragma unroll 1\n") for each in (count, count + 1))
    assert all(a <= b for a, b in zip(estimates(fewer), estimates(more), strict=True))
    assert more.peak("gfx90a").registers > fewer.peak("gfx90a").registers


def test_a_double_takes_two_registers() -> None:
    double, single = accumulators(16).peak("gfx90a"), accumulators(16, "float").peak("gfx90a")
    assert double.registers - single.registers >= 16


@pytest.mark.parametrize("call", ["pow(x, 2.5)", "sin(x)", "exp(x)", "tgamma(x)"])
def test_fp64_math_in_a_loop_costs_more_on_gfx9(call: str) -> None:
    parameters = "const double *a, double *b, int n"
    code = "double x = a[tid], s = 0; for (int i = 0; i < n; i++) {{ x += a[i]; s += {}; }} b[tid] = s;"
    plain, heavy = body(code.format("x"), parameters), body(code.format(call), parameters)
    assert heavy.target("gfx90a").registers.estimate > plain.target("gfx90a").registers.estimate
    dearest = [trace_of(heavy, target).totals.call for target in ("gfx90a", "gfx1100", "sm_90")]
    assert dearest[0] > dearest[1] >= dearest[2]


def test_printf_costs_registers_and_scratch_on_amd() -> None:
    plain, printing = body("b[tid] = a[tid];"), body('b[tid] = a[tid]; if (n < 0) printf("%d", n);')
    assert printing.target("gfx90a").registers.estimate > 2 * plain.target("gfx90a").registers.estimate
    assert printing.target("gfx90a").registers.scratch_bytes == 160
    assert plain.target("gfx90a").registers.scratch_bytes == 0


def test_an_inlined_function_counts_at_its_call() -> None:
    values = (
        "".join(f"float t{k} = x * {k};" for k in range(20)) + "return " + "+".join(f"t{k} * t{k}" for k in range(20))
    )
    helper = f"__device__ float f(float x) {{ {values}; }}"
    called, plain = body("b[tid] = f(a[tid]);", before=helper), body("b[tid] = a[tid];", before=helper)
    assert called.peak("sm_90").registers >= plain.peak("sm_90").registers


def test_recursion_ends() -> None:
    helper = "__device__ int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }"
    assert body("b[tid] = f(n);", before=helper).target("gfx90a").registers.estimate > 0
