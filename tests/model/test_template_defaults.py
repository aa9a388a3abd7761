"""Omitted template arguments: a call deduces them from its arguments or else uses the defaults."""

from __future__ import annotations

import pytest
from ssa_helpers import run

_SUM = "__device__ float f(const float* x) { float s = 0; for (int i = 0; i < %s; ++i) s += x[i]; return s; }"


def _loops(before: str, call: str) -> int:
    return run(f"b[tid] = {call};", before=before, vendor="nvidia").tally.loops_kept


@pytest.mark.parametrize(
    ("head", "bound", "call"),
    [
        ("template <int N, int M = N / 2>", "M", "f<16>(a)"),
        ("template <int N = 8>", "N", "f(a)"),
        ("template <int N, int M = 0, int S = M == 0 ? N : M>", "N / S * 4", "f<16>(a)"),
        ("template <typename T = float, int N = 4>", "N", "f(a)"),
        ("template <int N, typename T = float, int W = sizeof(T)>", "W", "f<3>(a)"),
    ],
)
def test_a_default_bounds_a_loop(head: str, bound: str, call: str) -> None:
    assert _loops(f"{head} {_SUM % bound}", call) == 0


def test_explicit_argument_overrides_the_default() -> None:
    before = "template <int N = 100000> " + _SUM % "N"
    assert _loops(before, "f<4>(a)") == 0
    assert _loops(before, "f(a)") == 1


def test_deduced_argument_overrides_the_default() -> None:
    before = (
        "template <int N = 4> __device__ float f(const float (&x)[N]) "
        "{ float s = 0; for (int i = 0; i < N; ++i) s += x[i]; return s; }"
    )
    statements = "float v[100000]; for (int i = 0; i < n; ++i) v[i] = a[i];"
    assert run(f"{statements} b[tid] = f(v);", before=before, vendor="nvidia").tally.loops_kept == 2


def test_a_function_object_by_default_is_followed() -> None:
    before = (
        "struct Add { __device__ float operator()(float x, float y) const { return x + y; } };\n"
        "template <class Op = Add> __device__ float f(const float* x, Op op = Op()) { return op(x[0], x[1]); }"
    )
    graph = run("b[tid] = f(a);", before=before, vendor="nvidia").graph
    assert not any(str(op).startswith("call") for op in graph.ops)
