"""Sizes and arrays by the names that C++ has for them: what an alias in a class, a table, a fold, a default argument or
a trait says is known, and the estimate is that of the plain number (clang 19.1.7 for gfx90a: 42, also of those that
were said to have 18 and 25).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of

if TYPE_CHECKING:
    from regpress_lint.model.estimate.registers import RegisterEstimate

KERNEL = """
#include <type_traits>
HEAD
TEMPLATE __global__ void k(float *out, const float *in, int n) {
  int t = threadIdx.x;
  ARRAY
  for (int j = 0; j < COUNT; ++j) h[j] = in[t + j * n];
  for (int r = 0; r < n; ++r)
    for (int j = 0; j < 12; ++j) h[j] = h[j] * in[r] + h[(j + 3) % 12];
  for (int j = 0; j < 12; ++j) out[t + j * n] = h[j];
}
LAUNCH
"""

# What is in front of the kernel; the array; how many elements there are to read.
FORMS = r"""
// Default arguments alone.
template <int N = 12> using Row = float[N];
@ Row<> h;
@ 12

template <class T = float, int N = 12> struct Box { T v[N]; static constexpr int count = N; };
@ Box<> b; auto &h = b.v;
@ Box<>::count

// Arrays that a class names.
struct Tile { using Row = float[12]; };
@ Tile::Row h;
@ 12

struct Tile { static constexpr int width = 12; typedef float Row[width]; };
@ Tile::Row h;
@ 12

template <int N> struct Tile { static constexpr int width = 3 * N; using Row = float[width]; };
@ typename Tile<4>::Row h;
@ 12

// A fold over the arguments of a class.
template <int... D> struct Shape { static constexpr int rank = sizeof...(D), size = (D * ...), sum = (1 + ... + D); };
@ float h[Shape<2, 2, 3>::size];
@ Shape<4, 7>::sum

template <int... D> struct Shape { static constexpr int size = (D * ...); };
template <class S> struct Tensor { float v[S::size]; };
@ Tensor<Shape<2, 6>> q; auto &h = q.v;
@ 12

// Tables.
constexpr int sizes[] = {4, 12, 20};
@ float h[sizes[1]];
@ sizes[1]

constexpr int sizes[2][2] = {{1, 2}, {4, 12}};
@ float h[sizes[1][1]];
@ sizes[1][1]

struct Tile { static constexpr int sizes[2] = {3, 12}; };
@ float h[Tile::sizes[1]];
@ Tile::sizes[1]

template <int N> struct Tile { static constexpr int sizes[2] = {N, 3 * N}; };
@ float h[Tile<4>::sizes[1]];
@ Tile<4>::sizes[1]

constexpr int sizes[] = {4, 12, 20};
@ float h[std::integral_constant<int, sizes[1]>::value];
@ 12

// Functions that change what they test.
constexpr int bits(unsigned n) { int r = 0; while (n >>= 1) ++r; return r; }
@ float h[bits(4096)];
@ bits(4100)

constexpr int digits(int n) { int r = 0; do { r += n % 2; } while ((n /= 2) != 0); return r; }
@ float h[12];
@ digits(4095)

constexpr int half(int n) { int r = 0; while (n-- > 0) { int b = r = r + 1; if (n == b) break; } return r; }
@ float h[12];
@ half(25)

// A comparison that the grammar takes for a template.
template <int N> struct Row { static constexpr int width = N; };
@ float h[12];
@ Row<6>::width * 2

template <int N> struct Row { static constexpr int width = N; };
@ float h[12];
@ 2 * Row<6>::width

template <int N> struct Row { static constexpr int width = N; };
@ float h[12];
@ (int)Row<12>::width

template <int N> constexpr int width = N;
@ float h[12];
@ width<12>

template <int N> constexpr int width = N;
@ float h[12];
@ width<6> * 2

template <int N> struct Row { __device__ static constexpr int width() { return 3 * N; } };
@ float h[12];
@ Row<3>::width() + 3

// Traits of arrays, and specialisations for them.
typedef float Row[12];
@ Row h;
@ (int)std::extent<Row>::value

typedef float Rows[3][12];
@ float h[std::extent_v<Rows, 1>];
@ std::extent_v<Rows, 1>

template <class V> struct Count; template <class T, int N> struct Count<T[N]> { static constexpr int value = N; };
typedef float Row[12];
@ Row h;
@ Count<Row>::value
"""
PLAIN = ("", "float h[12];", "12")


def forms() -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in form.split("\n@")) for form in FORMS.strip().split("\n\n")]


@cache
def held(head: str, array: str, count: str, template: str = "", launch: str = "") -> RegisterEstimate:
    words = {"HEAD": head, "TEMPLATE": template, "ARRAY": array, "COUNT": count, "LAUNCH": launch}
    text = KERNEL
    for word, meant in words.items():
        text = text.replace(word, meant)
    facts = facts_of(text)
    assert not facts.unknowns("gfx90a")
    return facts.target("gfx90a").registers


@pytest.mark.parametrize(("head", "array", "count"), forms())
def test_a_size_has_many_names(head: str, array: str, count: str) -> None:
    assert abs(held(head, array, count).estimate - held(*PLAIN).estimate) <= 1


@pytest.mark.parametrize(
    ("head", "array", "count", "argument"),
    [
        ("typedef float Row[12];", "V h;", "std::extent<V>::value", "Row"),
        ("struct Tile { using Row = float[12]; };", "typename V::Row h;", "12", "Tile"),
        (
            "template <int N> struct Tile { using Row = float[N]; };",
            "using R = typename V::Row; R h;",
            "12",
            "Tile<12>",
        ),
        ("constexpr int sizes[] = {4, 12};", "float h[V::value];", "12", "std::integral_constant<int, sizes[1]>"),
        ("struct Tile { static constexpr int sizes[2] = {3, 12}; };", "float h[12];", "V::sizes[1]", "Tile"),
    ],
)
def test_a_size_is_known_through_an_argument(head: str, array: str, count: str, argument: str) -> None:
    launch = f"void go(float *o, float *i, int n) {{ k<{argument}><<<1, 64>>>(o, i, n); }}"
    assert abs(held(head, array, count, "template <class V>", launch).estimate - held(*PLAIN).estimate) <= 1


COUNT = "template <class V> struct Count; template <class T, int N> struct Count<T[N]> { static const int value = N; };"
CHANGE = COUNT + "template <class V> __device__ void change(HEAD, const float *in) { BODY }"


@pytest.mark.parametrize(
    "body",
    [
        "for (auto &x : v) x = x * in[0] + 1;",
        "for (int j = 0; j < Count<V>::value; ++j) v[j] = v[j] * in[0] + 1;",
        "V w; for (int j = 0; j < 12; ++j) w[j] = v[j]; for (int j = 0; j < 12; ++j) v[j] = w[j] * in[0] + 1;",
    ],
)
def test_a_template_takes_a_whole_array(body: str) -> None:
    plain = CHANGE.replace("HEAD", "float (&v)[12]").replace(
        "BODY", "for (int j = 0; j < 12; ++j) v[j] = v[j] * in[0] + 1;"
    )
    heads = (
        CHANGE.replace("HEAD", "V &v").replace("BODY", body),
        plain.replace("template <class V> __device__", "__device__"),
    )
    made = [held(head, "float h[12]; if (n > 3) change(h, in + n);", "12").estimate for head in heads]
    assert abs(made[0] - made[1]) <= 4  # elements behind a parameter that is a reference count as reads


@pytest.mark.parametrize(
    "array",
    [
        "float q[12]; auto &h = q;",
        "float q[12]; float *h = q;",
        "float q[16]; float *h = &q[3];",
        "struct B { float v[12]; } b; auto &h = b.v;",
    ],
)
def test_a_pointer_to_an_own_array_reads_no_memory(array: str) -> None:
    """Its elements counted as reads that are on their way together: 49 was said for 42, with a band to 80."""
    assert held("", array, "12").estimate == held(*PLAIN).estimate
