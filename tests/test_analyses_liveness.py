"""Live sets, what loops carry through, and the register estimate's direction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import body
from hypothesis import given, settings
from hypothesis import strategies as st

from regpress_lint.estimate.registers import divergent_variables

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts


def live_at(facts: KernelFacts, text: str) -> set[str]:
    """Names live at the op whose source text starts with `text`."""
    function = facts.kernel.function
    bits = facts.flow_of(function).bits
    for point in facts.liveness_of(function).points:
        if facts.file.source.text(point.op.span).startswith(text):
            return {variable.name for variable, bit in bits.items() if point.live & bit}
    raise AssertionError(text)


def carried(code: str, **more: str) -> dict[str, tuple[int, bool]]:
    facts = body(code, **more)
    return {value.variable.name: (value.registers, value.from_load) for value in facts.live_through(facts.loops[0])}


def test_a_value_dies_at_its_last_use() -> None:
    facts = body("float x = a[tid]; float y = x * 2; float z = y + 1; b[tid] = z;")
    assert "x" in live_at(facts, "x * 2")
    assert "x" not in live_at(facts, "y + 1")
    assert live_at(facts, "b[tid]") == {"b", "tid", "z"}


def test_an_overwritten_value_is_dead_before() -> None:
    facts = body("float x = a[tid]; b[0] = 1; x = 3; b[tid] = x;")
    assert "x" not in live_at(facts, "b[0]")


def test_both_branches_count() -> None:
    facts = body("float x = a[tid], y = a[n]; b[0] = 1; if (n) b[tid] = x; else b[tid] = y;")
    assert {"x", "y"} <= live_at(facts, "b[0]")
    assert "y" not in live_at(facts, "b[tid] = x")


def test_a_loop_keeps_what_its_next_iteration_needs() -> None:
    facts = body("float x = a[tid], s = 0; for (int i = 0; i < n; i++) { s += x; b[1] = 1; } b[tid] = s;")
    assert {"x", "s", "i"} <= live_at(facts, "b[1]")


def test_break_and_continue() -> None:
    facts = body(
        "float x = a[tid]; while (1) { if (n) break; b[0] = 0; x = 1; if (tid) continue; b[1] = x; } b[2] = x;"
    )
    assert "x" not in live_at(facts, "b[0]")
    assert "x" in live_at(facts, "b[1]")


def test_return_ends_a_path() -> None:
    facts = body("float x = a[tid]; if (n) { b[0] = 0; return; } b[tid] = x;")
    assert "x" not in live_at(facts, "b[0]")


def test_switch_falls_through() -> None:
    facts = body(
        "float x = a[0], y = a[1]; switch (n) { case 0: b[0] = 0; case 1: b[1] = x; break; case 2: b[2] = y; }"
    )
    assert "x" in live_at(facts, "b[0]")
    assert "y" not in live_at(facts, "b[0]")
    assert "y" not in live_at(facts, "b[1]")


def test_a_conditional_assignment_keeps_the_old_value() -> None:
    facts = body("float x = a[tid]; b[0] = 0; (n && (x = 1)); b[tid] = x;")
    assert "x" in live_at(facts, "b[0]")


def test_goto_is_an_edge() -> None:
    facts = body("float x = a[tid]; again: b[0] = x; b[1] = 0; if (n) goto again;")
    assert "x" in live_at(facts, "b[1]")


def test_loads_that_a_loop_carries_through() -> None:
    before = "float w = a[tid]; double d = (double)a[n]; float s = 0;"
    found = carried(f"{before} for (int i = 0; i < n; i++) s += a[i]; b[tid] = s * w + d;")
    assert found["w"] == (1, True)
    assert found["d"] == (2, True)
    assert "s" not in found
    assert found["tid"] == (1, False)


@pytest.mark.parametrize(
    ("definition", "from_load"),
    [
        ("a[tid]", True),
        ("*(a + tid)", True),
        ("__ldg(&a[tid])", True),
        ("(float)a[tid]", True),
        ("a[tid] * 2", False),
        ("sqrtf(a[tid])", False),
        ("1.0f * tid", False),
        ("v[1]", False),
    ],
)
def test_what_counts_as_a_load(definition: str, from_load: bool) -> None:
    code = f"float v[2]; v[1] = tid; float w = {definition}; for (int i = 0; i < n; i++) b[i] = 0; b[tid] = w;"
    assert carried(code)["w"][1] is from_load


@pytest.mark.parametrize(
    ("before", "from_load"),
    [
        ("float w; w = a[tid];", True),
        ("float w = 0; if (n) w = a[tid];", False),
        ("float w = a[tid]; if (n) w = 1;", False),
        ("float w = a[tid]; if (tid > 3) w = 1;", False),
        ("float w = 0; while (n > 7) { w = a[tid]; n--; }", False),
        ("float w = a[tid]; w += 1;", False),
    ],
)
def test_only_a_definition_that_surely_reaches_the_loop_counts(before: str, from_load: bool) -> None:
    facts = body(f"{before} for (int i = 0; i < n; i++) b[i] = 0; b[tid] = w;")
    values = {value.variable.name: value for value in facts.live_through(facts.loops[-1])}
    assert values["w"].from_load is from_load


def test_first_use_is_behind_the_loop() -> None:
    facts = body("float w = a[tid]; for (int i = 0; i < n; i++) b[i] = 0; b[0] = w; b[1] = w;")
    value = next(found for found in facts.live_through(facts.loops[0]) if found.variable.name == "w")
    assert value.first_use is not None
    assert facts.file.source.data[: value.first_use.start].endswith(b"b[0] = ")


def test_a_value_that_the_loop_uses_is_not_carried_through() -> None:
    assert "w" not in carried("float w = a[tid]; for (int i = 0; i < n; i++) b[i] = w; b[0] = w;")


def test_a_loop_without_an_end_carries_nothing_out() -> None:
    assert carried("float w = a[tid]; for (;;) { b[0] = 0; } b[1] = w;") == {}


def test_divergence_follows_the_thread() -> None:
    facts = body("int u = blockIdx.x * n; int d = tid + u; float x = a[u]; int c = 0; if (d > 3) c = 1; b[d] = x + c;")
    flow = facts.flow_of(facts.kernel.function)
    divergent = divergent_variables(flow, kernel=True)
    names = {variable.name for variable, bit in flow.bits.items() if divergent & bit}
    assert names == {"tid", "d", "c"}


def estimates(facts: KernelFacts) -> tuple[int, ...]:
    return tuple(facts.target(name).registers.estimate for name in facts.targets)


def accumulators(count: int, kind: str = "double") -> KernelFacts:
    declared = " ".join(f"{kind} s{k} = 0;" for k in range(count))
    added = " ".join(f"s{k} += a[i + {k}];" for k in range(count))
    stored = " ".join(f"b[{k}] = s{k};" for k in range(count))
    return body(f"{declared} for (int i = tid; i < n; i++) {{ {added} }} {stored}")


@settings(deadline=None, max_examples=25)
@given(count=st.integers(0, 60), kind=st.sampled_from(("float", "double", "int")))
def test_one_more_live_value_never_lowers_the_estimate(count: int, kind: str) -> None:
    fewer, more = accumulators(count, kind), accumulators(count + 1, kind)
    assert all(a <= b for a, b in zip(estimates(fewer), estimates(more), strict=True))
    assert more.peak("gfx90a").live > fewer.peak("gfx90a").live


def test_a_double_takes_two_registers() -> None:
    assert accumulators(16).peak("gfx90a").live - accumulators(16, "float").peak("gfx90a").live >= 16


@pytest.mark.parametrize("call", ["pow(x, 2.5)", "sin(x)", "exp(x)", "tgamma(x)"])
def test_fp64_math_in_a_loop_costs_more_on_gfx9(call: str) -> None:
    parameters = "const double *a, double *b, int n"
    code = "double x = a[tid], s = 0; for (int i = 0; i < n; i++) {{ x += a[i]; s += {}; }} b[tid] = s;"
    plain, heavy = body(code.format("x"), parameters), body(code.format(call), parameters)
    assert heavy.target("gfx90a").registers.estimate > plain.target("gfx90a").registers.estimate
    assert heavy.peak("gfx90a").math > heavy.peak("gfx1100").math >= heavy.peak("sm_90").math


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
    assert called.peak("sm_90").live >= plain.peak("sm_90").live + 15


def test_recursion_ends() -> None:
    helper = "__device__ int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); }"
    assert body("b[tid] = f(n);", before=helper).target("gfx90a").registers.estimate > 0
