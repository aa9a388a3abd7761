"""Upper halves of 64-bit integers: which take a register. Whole kernels: testdata/golden/wide_words.cu."""

from __future__ import annotations

import pytest
from ssa_helpers import run, trace

from regpress_lint.model.passes.uniformity import analysed

PARAMETERS = "unsigned *a, unsigned long long *q, long long *s, unsigned *out, int n"
BEFORE = "typedef unsigned long long Wide;"


def widths(statements: str, op: str, vendor: str = "amd") -> list[int]:
    """Registers of the values that an operation makes and that are needed."""
    found = run(statements, PARAMETERS, BEFORE, vendor)
    facts = analysed(found)
    return [
        facts.registers[number]
        for number, name in enumerate(found.graph.ops)
        if name == op and facts.needed[number] and facts.divergent[number] and found.graph.widths[number] == 2
    ]


@pytest.mark.parametrize("vendor", ["amd", "nvidia", "intel"])
@pytest.mark.parametrize(
    ("statements", "op", "expected"),
    [
        ("Wide x = q[tid]; out[tid] = (unsigned)(x ^ (x << 3));", "^", [1]),
        ("Wide x = q[tid]; q[tid] = x ^ (x << 3);", "^", [2]),
        ("Wide x = q[tid]; out[tid] = (unsigned)((x ^ (x << 3)) >> 5);", "^", [2]),
        ("Wide x = q[tid]; out[tid] = (unsigned)(((x ^ (x << 3)) & 0xFFFFFFFFull) >> 5);", "^", [1]),
        ("Wide x = q[tid]; q[tid] = (x ^ (x << 3)) & 0xFFFFFFFFull;", "&", [1]),
        ("Wide x = q[tid]; q[tid] = (x ^ q[tid + 1]) << 32;", "^", [1]),
        ("Wide x = q[tid]; q[tid] = (x ^ q[tid + 1]) << 31;", "^", [2]),
        ("Wide x = q[tid]; out[tid] = (x ^ q[tid + 1]) > 9;", "^", [2]),
        ("Wide x = q[tid]; a[x ^ q[tid + 1]] = 1;", "^", [2]),
        ("Wide x = q[tid]; q[tid] = (x ^ q[tid + 1]) >> 32;", ">>", [1]),
        ("long long x = s[tid]; s[tid] = (x ^ s[tid + 1]) >> 32;", ">>", [2]),
        ("Wide x = a[tid]; x ^= a[tid + 1]; q[tid] = x * 3;", "^", [1]),
        ("Wide x = a[tid]; x += a[tid + 1]; q[tid] = x;", "+", [2]),
        # who asks stands behind others that do not
        ("q[tid + 1] = q[tid] ^ q[tid + 2]; out[tid] = (unsigned)(q[tid + 3] * 5);", "^", [2]),
        ("q[tid + 1] = q[tid] ^ q[tid + 2]; q[tid + 5] = q[tid + 3] & 0xFFFFFFFFull;", "^", [2]),
        ("q[tid + 1] = q[tid] ^ q[tid + 2]; q[tid + 5] = q[tid + 3] << 40;", "^", [2]),
        ("q[tid + 1] = q[tid] << (q[tid + 1] ^ q[tid + 2]);", "^", [1]),  # by how many: the lower half says it
        ("Wide x = a[tid] > 3 ? (Wide)a[tid + 1] : 0; q[tid] = (x ^ a[tid + 2]) * 3;", "^", [1]),
        ("Wide x = a[tid] > 3 ? q[tid + 1] : 0; q[tid] = (x ^ a[tid + 2]) * 3;", "^", [2]),
    ],
)
def test_upper_half_counts_if_used(statements: str, op: str, expected: list[int], vendor: str) -> None:
    assert widths(statements, op, vendor) == expected


@pytest.mark.parametrize(("vendor", "registers"), [("amd", 2), ("nvidia", 1)])
@pytest.mark.parametrize(
    ("statements", "op"),
    [
        ("Wide x = a[tid]; q[tid] = x / q[tid + 1];", "/"),
        ("q[tid] = a[tid] > 3 ? (Wide)a[tid + 1] : (Wide)a[tid + 2];", "select"),
    ],
)
def test_an_upper_half_that_is_zero_is_a_register_on_amd(statements: str, op: str, vendor: str, registers: int) -> None:
    assert widths(statements, op, vendor) == [registers]


def test_quotient_is_as_wide_as_the_dividend() -> None:
    assert widths("q[tid] = q[tid] / (Wide)a[tid + 1];", "/", "nvidia") == [2]


def test_loop_carried_value_has_the_half_used_after_the_loop() -> None:
    """ptxas drops the other half; clang 19.1.7 for AMD keeps the pair (`test_sums_of_products.py`)."""
    loop = "Wide x = tid; for (int k = 0; k < n; k++) x = (x << 3) + a[k]; "
    assert set(widths(loop + "out[tid] = (unsigned)x;", "<<", "nvidia")) == {1}
    assert widths(loop + "out[tid] = (unsigned)x;", "<<", "amd") == [2]
    assert set(widths(loop + "q[tid] = x;", "<<", "nvidia")) == {2}


@pytest.mark.parametrize("vendor", ["amd", "nvidia"])
def test_a_hash_in_wide_words_takes_what_one_in_narrow_words_takes(vendor: str) -> None:
    text = (
        "T w[8], x = 1; for (int k = 0; k < 8; k++) w[k] = a[tid * 8 + k]; "
        "for (int r = 0; r < 4; r++) for (int k = 0; k < 8; k++) { "
        "x = ((x << 5) | ((x & 0xFFFFFFFFull) >> 27)) ^ w[k]; w[k] = x + w[(k + 3) & 7]; } "
        "for (int k = 0; k < 8; k++) out[tid * 8 + k] = (unsigned)w[k];"
    )
    wide, narrow = (
        trace(text.replace("T ", f"{kind} ", 1), PARAMETERS, BEFORE, vendor).held.together
        for kind in ("Wide", "unsigned")
    )
    assert narrow <= wide <= narrow + 3
