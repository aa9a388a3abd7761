"""From where to where integers go, and which arrays have the same uses with 32 bits."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint.api.rewrite import WIDE_INTEGER
from regpress_rules.arrays._value_ranges import Ranges
from regpress_rules.arrays.oversized_element_type import reads_alike, truncated

WORD, INT = (0, 2**32 - 1), (-(2**31), 2**31 - 1)
PARAMETERS = "const int* a, const unsigned char* c, const long long* w, float* b, int m, unsigned u, long long v"


# What else stands in the file, of which no word but the kernel's parameters is a parameter here as well.
BESIDE = """#define BUMP x[0] += v;
#define TWICE(x) ((x) * 2)
__device__ long get_group_id(int k) { return 1L << 40; }
template <class... A> __device__ void set(A&... r) {}
struct R { long& r; };
"""


def ranges_of(body: str, name: str = "x", *, promised: bool = False, beside: str = "") -> tuple[int, int] | None:
    facts = facts_of(f"{beside}__global__ void k({PARAMETERS}) {{ {body} }}")
    variable = next(each for each in facts.source.variables if each.name == name)
    return Ranges(facts, facts.kernel.function, promised=promised).of_variable(variable)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("long x = 5;", (5, 5)),
        ("long x = a[0];", INT),
        ("size_t x = u;", WORD),
        ("long x = c[3];", (0, 255)),
        ("long x = w[0] & 1023;", (0, 1023)),
        ("long x = w[0] % 10;", (-9, 9)),
        ("size_t x = (size_t)w[0] % 10;", (0, 9)),
        ("size_t x = (size_t)w[0] >> 60;", (0, 15)),
        ("long x = a[0] > 3;", (0, 1)),
        ("long x = m > 3 ? 7 : -7;", (-7, 7)),
        ("size_t x = threadIdx.x;", (0, 1023)),
        ("long x = (unsigned char)w[0];", (0, 255)),
        ("long x = 3; x = c[0];", (0, 255)),
        ("long x = 0; if (m) x += 4;", (0, 4)),
        ("long x = 0; for (int i = 0; i < 10; ++i) x += c[i];", (0, 2550)),
        ("long x = 0; for (int i = 0; i < m; ++i) x -= 1;", (-(2**31) + 1, 0)),
        ("long x = 0; for (int i = 9; i >= 0; --i) x++;", (0, 10)),
        ("long x = 0; for (int t = 64; t; t >>= 1) x += c[t];", (0, 7 * 255)),
        ("long x = 0; int i = 0; while (true) { x += c[i]; if (++i == 40) break; }", (0, 40 * 255)),
        ("long x = 1; x |= c[0]; x ^= 256;", (0, 511)),
        ("size_t x[4]; for (int e = 0; e < 4; ++e) x[e] = e;", (0, 3)),
        ("size_t x[4] = {7, 9}; size_t t = x[0]; x[0] = x[m & 3]; x[m & 3] = t;", (0, 9)),
        ("long x[4]; for (int i = 0; i < m; ++i) for (int e = 0; e < 4; ++e) x[e] += 1;", (0, 2**31 - 1)),
        ("for (int i = 0; i < m; ++i) { long x = 0; x += 3; }", (0, 3)),
        ("long x = 0; for (int i = 0; !a[i] && i < m; ++i) x = i;", (0, 2**31 - 2)),
        ("long x[2] = {0, 1}; long y = x[m & 1]; x[0] = y; y = c[0] * 2;", (0, 510)),
    ],
)
def test_ranges_settled_by_the_source(body: str, expected: tuple[int, int]) -> None:
    assert ranges_of(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("long x = 0; for (size_t j = 0; j < m; ++j) if (a[j]) x = j;", (0, 2**31 - 2)),  # m is not negative
        ("size_t x = 0; for (int i = u; i < m; ++i) x = i;", (0, 2**31 - 2)),  # u is no larger than an int
    ],
)
def test_ranges_settled_in_real_programs(body: str, expected: tuple[int, int]) -> None:
    assert ranges_of(body, promised=True) == expected
    assert ranges_of(body) is None


@pytest.mark.parametrize(
    "body",
    [
        "long x = 0; for (int i = 0; i < m; ++i) { long y = x; x = y + 1; }",  # around by another variable
        "long x = 0, y = 0; for (int i = 0; i < m; ++i) { x = y * 2; y = x + 1; }",
        "long x = -1; x = (unsigned)x;",
        "long x = 4000000000; int y = x; x = y;",
        "long x = 0; again: x += 1; if (a[0]) goto again;",
        "long x = 0; for (unsigned i = 5; i != u; ++i) x = i - 5l;",  # u below 5: i wraps around
        "long x = 0; for (unsigned i = 9; i >= 0; --i) { if (a[i]) break; x = i - 10l; }",
        "long x = 0; for (int i = 0; i < m; i += 2) { if (a[i]) i = 0; x += 1; }",
        "long x = 0; auto f = [&](int k) { x += k; }; for (int i = 0; i < m; ++i) f(3);",
        "long x[2] = {0}; BUMP",
        "long x[2] = {0, 1}; reinterpret_cast<int&>(x[0]) = -1;",
        "long x[2] = {0, 1}; R r{x[0]}; r.r = v;",
        "long x = 0; set(m, x);",
        "long x = get_group_id(0);",  # of this name, but the program's own
        "long x = max(-1, u & 3) - 4l;",  # an unsigned number
        "long x = 0; for (int i = 0; (x = w[i]) && i < 4; ++i) ;",
        "long x[2] = {0}; for (auto& e : x) e = v;",
    ],
)
@pytest.mark.parametrize("promised", [False, True])
def test_ranges_that_only_look_settled(body: str, promised: bool) -> None:
    found = ranges_of(body, promised=promised, beside=BESIDE)
    assert found is None or not found.fits  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "body",
    [
        "long x = w[0];",
        "long x = v;",
        "size_t x = a[0];",  # may be negative
        "size_t x = m - 1;",
        "long x = (long)u * u;",
        "long x = 0; x = x + 1;",
        "long x = 1; for (int i = 0; i < m; ++i) x *= 2;",
        "long x = 0; while (a[0]) x += 1;",
        "long x = 0; for (int i = 0; i < m; ++i) for (int j = 0; j < m; ++j) x += 1;",
        "long x = 0; fill(x);",
        "long x = 0; long* p = &x; *p = v;",
        "long x = 0; long& r = x; r = v;",
        "long x[2] = {0}; long* p = x; p[0] = v;",
        "long x[2] = {0}; fill(x);",
        "long x[2][2]; fill(x[1]);",
        "long x = b[0];",
        "long x = 0; for (long j = 0; j < v; ++j) x = j;",
        "long x = 0; for (int j = 0; j < m; ++j) { x = w[j]; }",
        "size_t x = 0; --x;",
        'long x = 0; asm("mov %0, 1;" : "=l"(x));',
    ],
)
def test_ranges_left_open(body: str) -> None:
    found = ranges_of(body)
    assert found is None or not found.fits  # type: ignore[attr-defined]


def alike(use: str, type_: str = "size_t", new: str = "unsigned") -> bool:
    text = f"{type_} x[4]; for (int e = 0; e < 4; ++e) x[e] = threadIdx.x; {use}"
    facts = facts_of(f"template <typename T> __device__ void take(T t); __global__ void k({PARAMETERS}) {{ {text} }}")
    variable = next(each for each in facts.source.variables if each.name == "x")
    function = facts.kernel.function
    return reads_alike(function, variable, Ranges(facts, function), facts.file, new)


@pytest.mark.parametrize(
    "use",
    [
        "b[x[1]] = 1.0f;",
        "b[0] = x[1];",
        "b[0] = x[1] * 0.5f;",
        "int y = x[0];",
        "size_t y = x[0] + (size_t)u;",
        "x[0] = x[m & 3];",
        "x[1] += 3;",
        "if (x[0] < 7) b[0] = 0;",
        "if (x[0]) b[0] = 0;",
        "b[x[1] * 4 + 3] = 1.0f;",
        "b[0] = (float)x[0];",
        "b[m ? x[0] : x[1]] = 1.0f;",
    ],
)
def test_uses_with_the_same_result(use: str) -> None:
    assert alike(use)


@pytest.mark.parametrize(
    "use",
    [
        "b[x[1] * u] = 1.0f;",  # the product may need more than 32 bits
        "b[x[1] - 1] = 1.0f;",  # 0 - 1
        "if (x[0] < m) b[0] = 0;",  # m may be negative
        "take(x[0]);",
        "auto y = x[0];",
        "b[0] = x[1] << u;",
        "b[0] = sizeof(x[0]);",
        "b[~x[0]] = 1.0f;",
        "b[0] = m ? x[0] : -1;",  # an unsigned -1
        "b[0] = x[0] * x[1] * x[2] * x[3];",  # all of them become narrower
        "decltype(x[0] + m) y = x[0];",
    ],
)
def test_uses_that_would_change(use: str) -> None:
    assert not alike(use)


def test_signed_array_becomes_int_if_used_only_with_ints() -> None:
    assert alike("if (x[0] < m) b[x[0] - 1] = 0;", "long", "int")
    assert not alike("if (x[0] < u) b[0] = 0;", "long", "int")


@pytest.mark.parametrize("use", ["b[0] = x[0] + (u & 7);", "b[0] = x[0] < (u & 7);", "b[0] = m ? x[0] : (u & 7);"])
def test_an_unsigned_number_beside_an_int_that_may_be_negative(use: str) -> None:
    text = f"long x[4]; for (int e = 0; e < 4; ++e) x[e] = e - 3; {use}"
    facts = facts_of(f"__global__ void k({PARAMETERS}) {{ {text} }}")
    variable = next(each for each in facts.source.variables if each.name == "x")
    function = facts.kernel.function
    assert not reads_alike(function, variable, Ranges(facts, function), facts.file, "int")


@pytest.mark.parametrize(
    ("use", "expected"), [("int y = x[0];", True), ("b[0] = (int)x[0];", True), ("b[x[0]] = 0;", False)]
)
def test_values_truncated_to_32_bits_by_every_use(use: str, expected: bool) -> None:
    facts = facts_of(f"__global__ void k({PARAMETERS}) {{ long x[4]; x[m] = v; x[0] += 1; {use} }}")
    variable = next(each for each in facts.source.variables if each.name == "x")
    assert truncated(facts.kernel.function, variable, facts.file.type_of) is expected


@pytest.mark.parametrize(
    ("spelled", "unsigned"),
    [
        ("long", False),
        ("long long int", False),
        ("int64_t", False),
        ("std::ptrdiff_t", False),
        ("unsigned long long", True),
        ("long unsigned int", True),
        ("std::size_t", True),
        ("uint64_t", True),
    ],
)
def test_spellings_of_64_bits(spelled: str, unsigned: bool) -> None:
    match = WIDE_INTEGER.fullmatch(spelled)
    assert match is not None
    assert bool(match["unsigned"]) is unsigned


@pytest.mark.parametrize("spelled", ["int", "unsigned int", "alignas(8) long", "long double", "uint64"])
def test_types_that_are_not_64_bits(spelled: str) -> None:
    assert WIDE_INTEGER.fullmatch(spelled) is None
