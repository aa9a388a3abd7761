"""Threads and blocks are known by every name that programs give their places; a macro that begins a loop is one."""

from __future__ import annotations

import pytest
from frontend_helpers import build
from ssa_helpers import constants, named, run, run_text, stored

from regpress_lint.cpp.syntax_tree import Block, Loop
from regpress_lint.targets.builtins import COORDINATES, SPELLED


def divergent(statements: str, before: str = "") -> bool:
    """Whether a value that is stored differs between the threads of a wave."""
    machine = run_text(f"{before}\n__global__ void k(int *out) {{ {statements} }}")
    return machine.graph.divergent[stored(machine)[0]]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("hipThreadIdx_x", True),
        ("hipThreadIdx_z", True),
        ("hipBlockIdx_x", False),
        ("hipBlockDim_y", False),
        ("hipGridDim_x", False),
        ("hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x", True),
        ("__lane_id()", True),
        ("__builtin_amdgcn_workitem_id_x()", True),
        ("__builtin_amdgcn_mbcnt_lo(~0u, 0)", True),
    ],
)
def test_a_thread_is_divergent_under_every_name(expression: str, expected: bool) -> None:
    assert divergent(f"out[0] = {expression};") is expected


@pytest.mark.parametrize("name", sorted(SPELLED))
def test_alias_resolves_to_its_name(name: str) -> None:
    base, axis = SPELLED[name]
    machine = run(f"out[0] = {name} - {base}.{axis};")
    assert constants(machine) == [0]


def test_alias_may_also_name_a_variable() -> None:
    assert not divergent("int hipThreadIdx_x = 3; out[0] = hipThreadIdx_x;")


@pytest.mark.parametrize("name", sorted(COORDINATES))
def test_all_axes_together_are_a_value(name: str) -> None:
    machine = run(f"dim3 d = {name}; out[0] = d.y - {name}.y;")
    assert constants(machine) == [0]


LOOP = "#define EACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)\n"
TWO = "#define EACH_2(i, j, n) for (int i = 0; i < (n); i++) for (int j = 0; j < 2; ++j)\n"
BEFORE = "#define FROM(i, n) int first_ = threadIdx.x; for (int i = first_; i < (n); i += 32)\n"


@pytest.mark.parametrize(
    ("before", "text"),
    [(LOOP, "EACH(i, n) { out[i] = 1; }"), (LOOP, "EACH(i, n) out[i] = 1;"), (BEFORE, "FROM(i, n) { out[i] = 1; }")],
)
def test_the_counter_of_a_macros_loop_is_its_own(before: str, text: str) -> None:
    machine = run_text(f"{before}__global__ void k(int *out, int n) {{ {text} }}")
    store = named(machine, "store")[0]
    assert machine.tally.loops_kept == 1
    assert machine.graph.divergent[machine.graph.args[store][0]]


BODY = '#define BODY(i, n, ...) _Pragma("unroll") for (int i = 0; i < n; ++i) { __VA_ARGS__ }\n'
UNROLLED = '#define UNROLLED(i, n) _Pragma("unroll 1") for (int i = 0; i < n; ++i)\n'
WHEN = "#define WHEN(c, S) do { if (c) { S; } } while (0)\n"


@pytest.mark.parametrize(
    ("before", "text", "loops", "stores"),
    [
        (BODY, "BODY(i, 4, { int x = i; out[x] = n; })", 0, 4),
        (BODY, "BODY(i, 4, int x = i; out[x] = n;)", 0, 4),
        (BODY, "BODY(i, 4, int x = i; out[x] = n;);", 0, 4),
        (BODY, "BODY(i, 4, int x = i, y = n; out[x] = y;)", 0, 4),
        (UNROLLED, "UNROLLED(i, 4) out[i] = n;", 1, 1),
        (WHEN, "for (int i = 0; i < 4; ++i) { WHEN(i > 1, out[i] = n; out[i + 8] = 1;) }", 0, 4),
    ],
)
def test_a_loop_that_a_macro_writes_around_statements_is_executed(
    before: str, text: str, loops: int, stores: int
) -> None:
    machine = run_text(f"{before}__global__ void k(int *out, int n) {{ {text} }}")
    assert (machine.tally.loops_kept, len(named(machine, "store"))) == (loops, stores)


def test_a_macro_of_two_loops_is_two() -> None:
    file = build(f"{TWO}__global__ void k(int *out, int n) {{ EACH_2(i, j, n) {{ out[i * 2 + j] = j; }} }}")
    outer = file.kernels[0].function.body.statements[0]
    assert isinstance(outer, Loop)
    assert isinstance(outer.body, Loop)
    assert isinstance(outer.body.body, Block)
    assert outer.body.body.statements


def test_macro_expansion_has_the_place_of_its_invocation() -> None:
    text = f"{LOOP}__global__ void k(int *out, int n) {{ EACH(i, n) {{ out[i] = 1; }} }}"
    loop = build(text).kernels[0].function.body.statements[0]
    assert isinstance(loop, Loop)
    assert loop.test is not None
    assert text[loop.test.span.start : loop.test.span.end] == "EACH(i, n)"
