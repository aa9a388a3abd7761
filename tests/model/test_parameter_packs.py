"""Parameter packs are executed for as many arguments as a call gives, or the ledger says that they are not.

Registers of nvcc 13.0.88 for sm_90 of kernels with these forms beside sixteen values: 32 each.
"""

from __future__ import annotations

from collections import Counter

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.graph.ops import ADD, MULTIPLY, Kind
from regpress_lint.model.passes.placement import executed

BEFORE = """
__device__ float four(float a, float b, float c, float d) { return a * b - c * d; }
template <class... T> __device__ float forwarded(T&&... t) { return four(std::forward<T>(t)...); }
template <class... T> __device__ float halves(T... t) { return four((t / 2)...); }
template <class F, class... T> __device__ void called(F f, T... t) { f(t...); }
template <class... T> __device__ float sum(T... t) { return (t + ...); }
template <class... T> __device__ float squares(T... t) { return (1.0f + ... + (t * t)); }
template <class... T> __device__ void written(float* b, float v, T... t) { ((b[t] = v * t), ...); }
template <class... T> __device__ void scaled(float v, T&... t) { ((t *= v), ...); }
__device__ float largest(float a) { return a; }
template <class... R> __device__ float largest(float a, R... r) { return fmaxf(a * a, largest(r...)); }
template <int... N> __device__ float picked(const float* a) { return ((a[N] * N) + ...); }
template <class... T> __device__ int count(T... t) { return sizeof...(T) * 2 + sizeof...(t); }
template <int... N, class F> __device__ void each(F f) { (f(N), ...); }
template <int... N> __device__ int numbers() { return sizeof...(N); }
template <int... N> struct Row { static constexpr int size = sizeof...(N);
  __device__ static float dot(const float* a) { return ((a[N] * N) + ...); } };
struct One { __device__ static float of(float x) { return x * x; } };
struct Two { __device__ static float of(float x) { return x + x; } };
template <class... F> __device__ float through(float x) { return (F::of(x) + ...); }
template <class... F> struct All { __device__ static float run(float x) { return (F::of(x) + ...); } };
"""
SAME = {
    "forwarded": ("b[0] = forwarded(a[0], a[1], a[2], a[3]);", "b[0] = a[0] * a[1] - a[2] * a[3];"),
    "a pattern": ("b[0] = halves(a[0], a[1], a[2], a[3]);", "b[0] = a[0] / 2 * (a[1] / 2) - a[2] / 2 * (a[3] / 2);"),
    "to a lambda": (
        "called([&](float x, float y, float z) { b[0] = x * y + z; }, a[0], a[1], a[2]);",
        "b[0] = a[0] * a[1] + a[2];",
    ),
    "a fold": ("b[0] = sum(a[0], a[1], a[2]);", "b[0] = a[0] + a[1] + a[2];"),
    "a fold of one": ("b[0] = sum(a[5]);", "b[0] = a[5];"),
    "a fold with a start": ("b[0] = squares(a[0], a[1]);", "b[0] = 1.0f + a[0] * a[0] + a[1] * a[1];"),
    "effects": ("written(b, a[0], n, n + 1);", "float v = a[0]; b[n] = v * n; b[n + 1] = v * (n + 1);"),
    "references": ("float x = a[0], y = a[1]; scaled(a[2], x, y); b[0] = x + y;", "b[0] = a[0] * a[2] + a[1] * a[2];"),
    "numbers": ("b[0] = picked<1, 7>(a);", "b[0] = a[1] * 1 + a[7] * 7;"),
    "numbers in front of what is deduced": (
        "each<1, 7>([&](int i) { b[i] = a[i] * i; });",
        "b[1] = a[1] * 1; b[7] = a[7] * 7;",
    ),
    "numbers of a class": ("b[0] = Row<1, 7>::dot(a);", "b[0] = a[1] * 1 + a[7] * 7;"),
    "their number": ("b[count(n, a, 2.0)] = a[numbers<4, 5>() + Row<1, 2, 3, 4>::size];", "b[9] = a[6];"),
    "types of a class": ("b[0] = All<One, Two>::run(a[0]);", "b[0] = a[0] * a[0] + (a[0] + a[0]);"),
    "types of a function": ("b[0] = through<One, Two>(a[0]);", "b[0] = a[0] * a[0] + (a[0] + a[0]);"),
    "one type": ("b[0] = through<One>(a[0]);", "b[0] = a[0] * a[0];"),
    "a recursion": ("b[0] = largest(a[0], a[1], a[2]);", "b[0] = fmaxf(a[0] * a[0], fmaxf(a[1] * a[1], a[2]));"),
}
SEEN = (Kind.LOAD, Kind.STORE, Kind.CALL, Kind.UNKNOWN)


def _effects(statements: str) -> Counter[object]:
    facts = facts_of(f"{BEFORE}__global__ void k(const float* a, float* b, int n) {{ {statements} }}", "cuda")
    assert not facts.unknowns("sm_90")
    ops = executed(facts.input_for(facts.compiler("sm_90"))).graph.ops
    return Counter([op.kind for op in ops if op.kind in SEEN] + [op for op in ops if op in (ADD, MULTIPLY)])


@pytest.mark.parametrize("form", SAME)
def test_a_pack_is_executed_for_each_of_its_elements(form: str) -> None:
    packed, plain = map(_effects, SAME[form])
    assert packed == plain
    assert plain[Kind.STORE]
    assert plain[Kind.LOAD]
