"""A call selects the function, member or operator overload that fits the types of its arguments."""

from __future__ import annotations

import pytest
from ssa_helpers import constants, run

FUNCTIONS = """
template <class T> __device__ int which(T v) { return 1; }
__device__ int which(double v) { return 2; }
__device__ int which(float v) { return 3; }
__device__ int which(const int *p) { return 4; }
__device__ int which(const double *p) { return 5; }
__device__ int which(float4 v) { return 6; }
__device__ int which(float3 v) { return 7; }
__device__ int number(double v) { return 10; }
__device__ int number(int v) { return 11; }
__device__ int bound(double &v) { return 20; }
__device__ int bound(float &v) { return 21; }
__device__ int bound(const long &v) { return 22; }
template <int N> __device__ int sized(int v) { return N; }
__device__ int sized(int v) { return -1; }
struct Near { float x; };
struct Far { double x; };
__device__ int of_class(const Near &n) { return 30; }
__device__ int of_class(const Far &f) { return 31; }
"""
CLASSES = """
struct Complex {
  int re, im;
  __device__ Complex operator*(const Complex &o) const { return Complex{re * o.re - im * o.im, re * o.im + im * o.re}; }
  __device__ Complex operator*(int s) const { return Complex{re * s, im * s}; }
  __device__ Complex &operator+=(const Complex &o) { re += o.re; im += o.im; return *this; }
  __device__ bool operator<(const Complex &o) const { return im < o.im; }
  __device__ int pick(int v) const { return 1; }
  __device__ int pick(double v) const { return 2; }
};
__device__ Complex operator - (const Complex &a, const Complex &b) { return Complex{a.re - 2 * b.re, a.im}; }
__device__ Complex operator-(const Complex &a) { return Complex{-a.im, -a.re}; }
template <class T> struct Two { T a, b; };
template <class T> __device__ T both(const Two<T> &v) { return sizeof(T) * (v.a + v.b); }
template <class T>
__device__ Two<T> operator+(const Two<T> &v, const Two<T> &w) { return Two<T>{v.a + w.b, v.b + w.a}; }
"""


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("which(2.0)", 2),
        ("which(2.0f)", 3),
        ("which(2)", 1),
        ("which(&n)", 4),
        ("which(&d)", 5),
        ("which(make_float4(1, 2, 3, 4))", 6),
        ("which(make_float3(1, 2, 3))", 7),
        ("number(2.0f)", 10),
        ("number((short)2)", 11),
        ("bound(d)", 20),
        ("bound(f)", 21),
        ("bound(n)", 22),
        ("sized<7>(1)", 7),
        ("sized(1)", -1),
        ("of_class(near)", 30),
        ("of_class(far)", 31),
    ],
)
def test_functions(call: str, value: int) -> None:
    statements = f"int n = 1; double d = 1; float f = 1; Near near; Far far; out[0] = {call};"
    assert constants(run(statements, before=FUNCTIONS)) == [value]


def test_invisible_code_decides_nothing() -> None:
    assert constants(run("out[0] = number(elsewhere());", before=FUNCTIONS)) == [10], "the first, as without overloads"


@pytest.mark.parametrize(
    ("statements", "values"),
    [
        ("Complex c = x * y; out[0] = c.re; out[1] = c.im;", [-5, 10]),
        ("Complex c = x * 3; out[0] = c.re; out[1] = c.im;", [3, 6]),
        ("Complex c = x - y; out[0] = c.re; out[1] = c.im;", [-5, 2]),
        ("Complex c = -x; out[0] = c.re; out[1] = c.im;", [-2, -1]),
        ("x += y; out[0] = x.re; out[1] = x.im;", [4, 6]),
        ("Complex c = x * y * x; out[0] = c.re; out[1] = c.im;", [-25, 0]),
        ("Complex c = x * y - x * 2; out[0] = c.re; out[1] = c.im;", [-9, 10]),
        ("out[0] = x < y; out[1] = y < x;", [1, 0]),
        ("out[0] = x.pick(1); out[1] = x.pick(1.0);", [1, 2]),
    ],
)
def test_operators_and_members_of_classes(statements: str, values: list[int]) -> None:
    assert constants(run(f"Complex x = {{1, 2}}, y = {{3, 4}}; {statements}", before=CLASSES)) == values


def test_template_arguments_are_deduced_from_class_templates() -> None:
    statements = "Two<double> v = {1.0, 2.0}; Two<int> w = {1, 2}; out[0] = both(v); out[1] = both(w);"
    assert constants(run(statements, before=CLASSES)) == [24, 12]
    statements = "Two<int> v = {1, 2}, w = {10, 20}; Two<int> s = v + w; out[0] = s.a; out[1] = s.b;"
    assert constants(run(statements, before=CLASSES)) == [21, 12]


def test_a_root_of_a_vector_calls_the_project() -> None:
    """The device libraries have one of a number."""
    own = "__device__ float4 sqrtf(float4 v) { return make_float4(sqrtf(v.x), sqrtf(v.y), sqrtf(v.z), sqrtf(v.w)); }"
    graph = run("float4 v = p[tid]; p[tid] = sqrtf(v * v);", "float4 *p", own).graph
    assert [len(graph.args[value]) for value, op in enumerate(graph.ops) if op == "call sqrtf"] == [1, 1, 1, 1]
