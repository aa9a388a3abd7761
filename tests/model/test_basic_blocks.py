"""Registers of kernels whose slow paths and branches end blocks, as nvcc 13.0.88 allocates them for sm_90."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

HEAD = (
    "__global__ void k(const float* p, float* o, int* w, int n, int m, float x, float y) {{ int t = threadIdx.x; {} }}"
)
READ = "__global__ void k(const float* __restrict__ p, float* o, int n, float x, float y) {{ int t = threadIdx.x; {} }}"


def reads(count: int) -> str:
    """Values from memory, far from each other."""
    return " ".join(f"float v{j} = p[t + {j} * n];" for j in range(count))


def chain(count: int) -> str:
    """All of them summed up, one after the other."""
    return "float s = x; " + " ".join(f"s = s * y + v{j};" for j in range(count)) + " o[t + n] = s;"


def pairs(*parts: str, count: int = 16) -> str:
    """Statements for each of sixteen pairs."""
    return " ".join(part.format(j) for j in range(count) for part in parts)


def estimate(source: str) -> tuple[int, int, int]:
    """Registers on sm_90: the band's ends around the estimate."""
    registers = facts_of(source).target("sm_90").registers
    return registers.low, registers.estimate, registers.high


@pytest.mark.parametrize(
    ("between", "registers"),
    [
        ("o[n - 1] = expf(x);", 32),
        ("o[n - 1] = rsqrtf(x);", 32),
        ("o[n - 1] = x / y;", 64),
        ("o[n - 1] = sqrtf(x);", 64),
        ("o[n - 1] = powf(x, y);", 64),
        ("o[n - 1] = exp((double)x);", 64),
        ("if (t > m) { w[t] = n; w[t + 64] = m; }", 32),
        ("if (t > m) w[t] = n; else w[t + 64] = m;", 32),
        ("if (t > m) { " + " ".join(f"w[t + {j * 64}] = n * {j + 3} + m;" for j in range(12)) + " }", 63),
        ("if (t > m) atomicAdd(w, n);", 56),
        ("if (t > m) { if (n > m) w[t] = n; else w[t + 1] = m; }", 63),
        ("float z = x; if (t > m) { " + "z = z * x + z; " * 12 + "} w[t] = z;", 32),
        ("float z = x; if (t > m) { " + "z = z * x + z; " * 40 + "} w[t] = z;", 64),
    ],
)
def test_sums_do_not_begin_in_front_of_a_branch(between: str, registers: int) -> None:
    """48 reads in front of it, their sum behind it."""
    low, _, high = estimate(HEAD.format(reads(48) + between + chain(48)))
    assert low <= registers <= high


READ_PAIR, FIRST, LAST = (
    "float a{0} = p[t + {0} * n], b{0} = p[t + {0} * m];",
    "float d{0} = a{0} - b{0} * x;",
    "o[t + {0}] = q{0} * d{0};",
)
DIVIDED, MULTIPLIED = "float q{0} = (a{0} * x + b{0}) / y;", "float q{0} = (a{0} * x + b{0}) * y;"


@pytest.mark.parametrize(
    ("statements", "registers"),
    [((READ_PAIR, DIVIDED, FIRST), 64), ((READ_PAIR, FIRST, DIVIDED), 48), ((READ_PAIR, MULTIPLIED, FIRST), 32)],
)
def test_arithmetic_on_values_of_other_blocks_sinks(statements: tuple[str, ...], registers: int) -> None:
    """A difference of two reads, behind the division that uses them or in front of it."""
    low, _, high = estimate(HEAD.format(pairs(*statements) + pairs(LAST)))
    assert low <= registers <= high


@pytest.mark.parametrize(("source", "registers"), [(READ, 40), (HEAD, 80)])
def test_read_only_memory_is_read_late(source: str, registers: int) -> None:
    """64 reads, each written elsewhere behind all of them."""
    writes = " ".join(f"o[t + {j} * n] = v{j} + x;" for j in range(64))
    low, _, high = estimate(source.format(reads(64) + writes))
    assert low <= registers <= high


def test_no_read_moves_behind_a_division() -> None:
    """The same summed up behind a division also take 80 registers with `__restrict__`."""
    low, _, high = estimate(READ.format(reads(64) + "float q = y / (x / y * p[n]);" + chain(64).replace("= x", "= q")))
    assert low <= 80 <= high


@pytest.mark.parametrize(("written", "registers"), [("v{0}", 40), ("v{1}", 56)])
def test_late_reads_keep_their_order(written: str, registers: int) -> None:
    """32 reads of `const __restrict__`, written in their order or the last one first."""
    writes = " ".join(f"o[t + {j} * n] = {written.format(j, 31 - j)};" for j in range(32))
    low, _, high = estimate(READ.format(reads(32) + writes))
    assert low <= registers <= high
