"""Compile-time evaluation with C++'s semantics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontend_helpers import NAMES, body_of, build, variables
from hypothesis import given, strategies as st

from regpress_lint.cpp.constants import array_elements, evaluate, evaluate_int, extents
from regpress_lint.cpp.environment import Environment
from regpress_lint.cpp.names.project import Project
from regpress_lint.cpp.names.resolver import Resolver
from regpress_lint.cpp.preprocess.includes import IncludeResolver

if TYPE_CHECKING:
    from regpress_lint.cpp.environment import Number


def view_of(text: str = "") -> Resolver:
    """The view of a CUDA file that holds `text`."""
    data = (text + "\n__global__ void k(float *p) { }\n").encode()
    project = Project(IncludeResolver(".", lambda path: data if path == NAMES["cuda"] else None))
    unit = project.parsed(NAMES["cuda"], data)
    assert unit is not None
    return Resolver(project, unit, "cuda")


EMPTY = view_of()


def value(expression: str, view: Resolver = EMPTY) -> Number | None:
    return view.value_of_text(expression)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("7 / -2", -3),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("7.0 / 2", 3.5),
        ("1 / 2 * 8.0", 0.0),
        ("1 << 10", 1024),
        ("-8 >> 1", -4),
        ("1u << 31", 2147483648),
        ("6 & 3 | 8 ^ 1", 11),
        ("~0", -1),
        ("~0u", 4294967295),
        ("-1u", 4294967295),
        ("0u - 1", 4294967295),
        ("2u - 3u > 0", 1),
        ("-1 < 0u", 0),
        ("-1 / 2u", 2147483647),
        ("!3", 0),
        ("!0", 1),
        ("+5", 5),
        ("3 > 2 && 2 > 1", 1),
        ("1 == 1.0", 1),
        ("1, 2", 2),
        ("true ? 4 : unseen", 4),
        ("0 ? unseen : 5", 5),
        ("0 && unseen", 0),
        ("1 || unseen", 1),
        ("unseen && 0", 0),
        ("unseen || 7", 1),
        ("(unsigned char)300", 44),
        ("(signed char)200", -56),
        ("(short)40000", -25536),
        ("(unsigned)-1", 4294967295),
        ("(unsigned long)-1", 18446744073709551615),
        ("(bool)0.5", 1),
        ("(bool)4", 1),
        ("int(3.99)", 3),
        ("(int)-3.99", -3),
        ("static_cast<int>(7.5) / 2", 3),
        ("float(7) / 2", 3.5),
        ("'a' + 1", 98),
        ("0x1F + 010 + 0b11", 42),
        ("1'000'000", 1000000),
        ("1e3", 1000.0),
        ("0x1p4", 16.0),
        ("sizeof(double) * 4", 32),
        ("sizeof(float4)", 16),
        ("sizeof(float *)", 8),
        ("sizeof(unsigned long long int)", 8),
        ("min(3, 4)", 3),
        ("std::max(3, 4)", 4),
        ("ceil(5 / 2.0) / 2", 1.5),
        ("floor(5) / 2", 2.5),
        ("fmin(3, 4) / 2", 1.5),
        ("sqrt(16)", 4.0),
        ("((((7))))", 7),
    ],
)
def test_value(expression: str, expected: Number) -> None:
    found = value(expression)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    "expression",
    [
        "1 / 0",
        "1 % 0",
        "1.5 % 2",
        "1 << 64",
        "1 << -1",
        "2147483647 + 1",
        "-2147483647 - 2",
        "65536 * 65536",
        "9223372036854775807 + 1",
        "1e308 * 1e308",
        "(int)1e10",
        "(unsigned)-1.5",
        "unseen",
        "unseen + 1",
        "unseen && 1",
        "unseen ? 1 : 1 / 0",
        "unseen(3)",
        "min(1, 2, 3)",
        "log(8, 2)",
        "sqrt(-1)",
        "sizeof(Unseen)",
        '"text"',
        "a.b",
        "09",
        "x = 3",
        "i++",
        "",
    ],
)
def test_no_value(expression: str) -> None:
    assert value(expression) is None


@pytest.mark.parametrize(
    ("before", "expression", "expected"),
    [
        ("#define N 8", "N * 2", 16),
        ("#define N (4 + 4)", "N * 2", 16),
        ("#define N 4 + 4", "N * 2", None),
        ("#define N 4 + 4", "2 - N", None),
        ("#define N 4 + 4", "N + 2", 10),
        ("#define N 4 + 4", "N", 8),
        ("#define N 4 * 4", "N * 2", 32),
        ("#define N M\n#define M N", "N", None),
        ("#define N", "N", None),
        ("#define N(x) x", "N(3)", 3),
        ("const int N = 8;", "N + 1", 9),
        ("const int N = 7 / 2.0;", "N * 2", 6),
        ("const unsigned char N = 300;", "N", 44),
        ("int N = 8;", "N", None),
        ("constexpr int N = M * 2; constexpr int M = 4;", "N", 8),
        ("enum { A, B = 5, C };", "A + C", 6),
        ("enum { A = 1 << 3, B };", "A", 8),
        ("enum { A = 1 << 3, B };", "B", None),
        ("struct S { double a; int b; };", "sizeof(S)", 16),
        ("typedef struct { char c[5]; } S;", "sizeof(S) + 1", 6),
    ],
)
def test_names_of_the_file(before: str, expression: str, expected: Number | None) -> None:
    assert value(expression, view_of(before)) == expected


def test_sizeof_objects() -> None:
    function = body_of(
        "const int n = 4; float a[n][3]; double d; float *q; int s[] = {1, 2, 3}; P st[2]; float b[m];"
        "const size_t size_a = sizeof(a); const size_t size_d = sizeof d; const size_t size_q = sizeof(q);"
        "const size_t size_s = sizeof(s) / sizeof(s[0]); const size_t size_st = sizeof(st); "
        "const size_t size_b = sizeof(b);",
        "struct P { int a, b, c; };",
        "int m",
    )
    file = build("struct P { int a, b, c; };\n__global__ void k() { }\n")
    env = Environment(types=file.type_of)
    found = variables(function)
    sizes = [evaluate_int(found[f"size_{name}"].init, env) for name in ("a", "d", "q", "s", "st", "b")]
    assert sizes == [48, 8, 8, 3, 24, None]
    assert extents(found["a"], env) == (4, 3)
    assert array_elements(found["a"], env) == 12
    assert array_elements(found["b"], env) is None
    assert array_elements(found["s"], env) == 3


def test_locals_that_may_change_have_no_value() -> None:
    found = variables(body_of("int n = 4; const int c = 2 * 3; const int from = n + 1; float a[n], b[c], e[from];"))
    assert [array_elements(found[name], Environment()) for name in ("a", "b", "e")] == [None, 6, None]


def test_a_long_sum_does_not_recurse_out() -> None:
    assert value(" + ".join(["1"] * 100)) in (100, None)
    assert evaluate(None, Environment()) is None


OPERATORS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "==")


def python_value(op: str, left: int, right: int) -> int | None:
    """The value on a machine with 64-bit signed integers, None where C++ defines none."""
    if op in ("/", "%"):
        if right == 0:
            return None
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "/" else left - quotient * right
    if op in ("<<", ">>"):
        if not 0 <= right < 64:
            return None
        return left << right if op == "<<" else left >> right
    simple = {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "&": left & right,
        "|": left | right,
        "^": left ^ right,
        "<": int(left < right),
        "==": int(left == right),
    }
    return simple[op]


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> tuple[str, int | None]:
    """A C++ expression over `long` literals and its value."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        number = draw(st.integers(-100, 100))
        return (f"{number}L" if number >= 0 else f"(-{-number}L)"), number
    op = draw(st.sampled_from(OPERATORS))
    (left_text, left), (right_text, right) = draw(expressions(depth - 1)), draw(expressions(depth - 1))
    result = None if left is None or right is None else python_value(op, left, right)
    if result is not None and not -(1 << 63) <= result < 1 << 63:
        result = None
    # A comparison is an int, and a shift has the type of its left operand: kept long like everything else here.
    text = f"({left_text} {op} {right_text})"
    return (f"(long){text}" if op in ("<", "==") else text), result


@given(expressions())
def test_agrees_with_exact_arithmetic(case: tuple[str, int | None]) -> None:
    text, expected = case
    assert EMPTY.value_of_text(text) == expected or len(text) > 400


def test_a_bare_name_is_the_files_constant_and_not_a_classs() -> None:
    text = "static constexpr int kState = 8;\ntemplate <int S> struct Traits { static constexpr int kState = S; };"
    view = view_of(text)
    assert view.constant("kState") == 8
    assert view.constant("Traits::kState") is None
    assert view_of("struct A { static constexpr int kLanes = 4; };").constant("kLanes") == 4


CALLED_MACROS = """
#define WORDS(bits) ((bits + 31) / 32)
#define BYTES(n) n * 4
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define COUNT WORDS(200 - 20 + 4)
#define ENDLESS(n) (1 + ENDLESS(n))
static const int words = WORDS(40);
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("WORDS(184)", 6),
        ("COUNT", 6),
        ("MOST(COUNT, WORDS(33 * 32)) * 2", 66),
        ("words", 2),
        ("BYTES(8) + 1", 33),
        ("BYTES(6 + 2)", None),  # means 6 + 2 * 4
        ("64 / BYTES(8)", None),  # means 64 / 8 * 4
        ("ENDLESS(2)", None),
        ("WORDS(1, 2)", None),
    ],
)
def test_macro_with_parameters(expression: str, expected: int | None) -> None:
    assert value(expression, view_of(CALLED_MACROS)) == expected
