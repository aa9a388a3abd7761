"""Registers that a kernel's source shows without execution, counted by hand."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import KernelFacts, kernel_facts

TARGETS = ("gfx90a", "sm_90", "pvc")
TYPES = "struct Pair { double x, y; }; struct Odd { float x; char c; }; struct Large { float v[9]; };\n"
SUM = "float s = 0; {} b[t] = s;"


def kernel(statements: str, parameters: str = "") -> KernelFacts:
    """It also has two pointers and a number as parameters, and one variable."""
    head = f"__global__ void k(const float *a, float *b, int n{parameters}) {{ int t = threadIdx.x;"
    file = testing.build(f"{TYPES}{head} {statements} }}\n", "k.hip", "hip")
    return kernel_facts(file, file.kernels[0], Settings(architectures=TARGETS))


def reads(statements: str) -> tuple[int, ...]:
    facts = kernel(statements)
    return tuple(facts.written(name).reads for name in TARGETS)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("b[t] = a[t] + a[t + 1];", (2, 2, 2)),
        ("if (a[t] > 0) b[t] = a[t + 1]; else b[t] = a[t + 2] * a[t + 3];", (2, 2, 2)),  # a block each
        ("b[t] = a[t] > 0 ? a[t + 1] : a[t + 2] + a[t + 3] + a[t + 4];", (4, 4, 4)),
        ("b[t] = n;", (0, 0, 0)),
        # what a condition guards is read by itself, what stands before it and behind it each together
        ("b[t] = a[t] + (n > 3 ? a[t + 1] + a[t + 2] + a[t + 3] : 0) + a[t + 4];", (3, 3, 3)),
        ("b[t] = a[t] + a[t + 5] + (n > 3 ? a[t + 1] : 0) + a[t + 4] + a[t + 6] + a[t + 7];", (5, 5, 5)),
        ("b[t] = (n > 3 ? a[t + 1] : 0) + (n > 4 ? a[t + 4] : 0) + a[t];", (2, 2, 2)),
    ],
)
def test_reads_of_a_block_are_on_their_way_together(statements: str, expected: tuple[int, ...]) -> None:
    assert reads(statements) == expected


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for (int i = 0; i < 8; i++) s += a[i * n];", (8, 8, 8)),
        ("for (int i = 0; i < 100; i++) s += a[i * n];", (16, 16, 16)),  # no more copies count
        ("for (int i = 0; i < 128; i++) s += a[i * n];", (16, 16, 16)),
        ("for (int i = 0; i < 129; i++) s += a[i * n];", (1, 4, 16)),  # IGC copies it whole
        ("for (int i = 0; i < n; i++) s += a[i];", (1, 4, 1)),  # nvcc makes four copies
        ("\n#pragma unroll 4\nfor (int i = 0; i < 8; i++) s += a[i * n];\n", (1, 4, 1)),
        ("\n#pragma unroll\nfor (int i = 0; i < 8; i++) s += a[i * n];\n", (8, 8, 8)),
        ("for (int j = 0; j < n; j++) for (int i = 0; i < 4; i++) s += a[i * n + j];", (4, 4, 4)),
        ("for (int i = 0; i < 4; i++) for (int j = 0; j < 2; j++) s += a[i * n + j];", (8, 8, 8)),
        # too much work in all of them, and a loop of many blocks, which only clang reads ahead in
        ("for (int i = 0; i < 100; i++) { float x = a[i * n]; " + "s = s * x + n; " * 24 + "}", (1, 4, 1)),
        ("for (int i = 0; i < 8; i++) { float x = a[i * n]; " + "if (x > s) s += b[i];" * 9 + "}", (8, 1, 1)),
        ("for (int i = 0; i < 0; i++) s += a[i]; s += a[t];", (1, 1, 1)),
        ("for (int i = 0; i < 8; i++) s += a[i * n] > 0 ? a[i + n] : b[i];", (2, 2, 2)),  # a condition parts them
    ],
)
def test_reads_of_a_loop_include_its_copies(loop: str, expected: tuple[int, ...]) -> None:
    assert reads(SUM.format(loop)) == expected


@pytest.mark.parametrize(
    ("parameters", "registers"),
    [
        ("", 0),
        (", double d", 2),
        (", char c", 1),
        (", Odd o", 2),
        (", Pair p", 4),
        (", Large l", 4),  # four of a large one
        (", float &r", 2),
        (", Unknown u", 1),
    ],
)
def test_arguments(parameters: str, registers: int) -> None:
    assert kernel("b[t] = 0;", parameters).written("sm_90").arguments == 2 + 2 + 1 + registers


@pytest.mark.parametrize(
    ("statements", "registers"),
    [
        ("b[t] = 0;", 0),
        ("double d = a[t]; long long q = t; b[t] = d + q;", 4),
        ("float *p = b + n; *p = 0;", 2),
        ("double4 &p = ((double4 *)b)[n]; b[t] = p.x;", 2),
        ("__shared__ float w; w = a[t]; b[t] = w;", 0),  # everybody's
        ("static int w; b[t] = w;", 0),
        ("constexpr int w = 5; b[t] = w;", 1),
        ("float4 f; f.x = t; b[t] = f.x;", 4),
        ("auto z = somewhere(); b[t] = 0;", 2),  # nobody knows
        ("float v[8]; for (int i = 0; i < 8; i++) v[i] = a[i * n + t]; b[t] = v[0] * v[7];", 9),
        ("double v[4]; for (int i = 0; i < 4; i++) v[i] = a[t + i]; b[t] = v[0] * v[3];", 9),
        ("const float w[3] = {1, 2, 3}; b[t] = w[n % 3];", 0),  # a table lies with the program
    ],
)
def test_variables(statements: str, registers: int) -> None:
    assert kernel(statements).written("sm_90").declared == 1 + registers


FILLED = "{} v[{}]; for (int i = 0; i < {}; i++) v[i] = i * t; "


@pytest.mark.parametrize(
    ("type_", "size", "use", "arrays", "packed", "changed"),
    [
        ("float", 8, "b[t] = v[n & 7];", (8, 8, 8), 0, 0),
        ("float", 8, "v[n & 7] += 1; b[t] = v[t & 7];", (8, 8, 8), 0, 8),
        ("double", 4, "b[t] = v[n & 3];", (8, 0, 8), 0, 0),  # ptxas selects among words alone
        ("unsigned char", 16, "b[t] = v[0] + v[15];", (16, 16, 16), 12, 0),
        ("unsigned short", 5, "v[n % 5] = 3; b[t] = v[t % 5];", (5, 0, 5), 2, 3),
    ],
)
def test_igc_packs_narrow_arrays_in_registers(
    type_: str, size: int, use: str, arrays: tuple[int, ...], packed: int, changed: int
) -> None:
    found = [kernel(FILLED.format(type_, size, size) + use).written(name) for name in TARGETS]
    assert tuple(each.arrays for each in found) == arrays
    assert [(each.packed, each.changed) for each in found] == [(0, 0), (0, 0), (packed, changed)]


def test_all_of_it_with_the_most_expensive_routine_and_at_most_64_reads() -> None:
    many = " + ".join(f"a[t + {k}]" for k in range(70))
    assert [kernel(f"b[t] = {many};").source_registers(name) for name in TARGETS] == [1 + 64] * 3
    routines = kernel("b[t] = sinf(a[t]) + pow((double)a[t + 1], (double)a[t + 2]);")
    assert [routines.written(name).routine for name in TARGETS] == [60, 18, 31]
    assert [routines.source_registers(name) for name in TARGETS] == [64, 22, 35]
    assert kernel('if (n < 0) printf("%d", n); b[t] = 1;').source_registers("gfx90a") == 1  # a call of its own


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("float v[3]; v[0] = a[t]; v[n % 3] = a[t + 1]; b[t] = v[t % 3] + a[t + 2];", 1 + 3 + 3),
        ("float v[3]; for (int i = 0; i < 3; i++) v[i] = a[i * n]; b[t] = v[n % 3];", 1 + 3 + 1 + 3),
        ("float v[3]; v[0] = 1; for (int i = 0; i < 40; i++) v[n % 3] += a[i]; b[t] = v[t % 3];", 1 + 3 + 1 + 16),
    ],
)
def test_bound_matches_an_execution_in_simple_cases(statements: str, expected: int) -> None:
    facts = kernel(statements)
    assert facts.source_bound("gfx90a") == facts.source_registers("gfx90a") == expected


def test_the_bound_reads_ahead_in_a_loop_of_many_blocks_where_clang_does() -> None:
    loop = "for (int i = 0; i < 8; i++) { float x = a[i * n]; " + "if (x > s) s += b[i];" * 9 + "}"
    facts = kernel(f"float v[2]; v[n & 1] = 0; {SUM.format(loop)}")
    assert [facts.source_bound(name) for name in TARGETS] == [1 + 2 + 3 + 8, 1 + 2 + 3 + 1, 1 + 2 + 3 + 1]
