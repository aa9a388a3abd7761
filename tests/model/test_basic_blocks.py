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


@pytest.mark.parametrize(
    ("write", "registers"),
    [
        ("o[t] = v0;", 56),
        ("o[t] = v12;", 47),
        ("o[t] = v24;", 40),
        ("o[t] = v47;", 32),
        ("o[t] = x;", 56),  # the sum begins with it
        ("o[t] = y;", 32),  # each step of the sum uses it
        ("((int*)o)[t] = m;", 32),
        ("if (n > m) o[t] = v0;", 63),
        ("if (n > m) o[t] = x;", 32),
        ("atomicAdd(o + t, v0);", 62),
        ("__shared__ float kept[64]; kept[t] = v0; w[t] = kept[t ^ 1];", 32),  # no read waits for it
    ],
)
def test_a_write_stays_in_front_of_the_last_use_of_the_value_written(write: str, registers: int) -> None:
    """Between 48 reads that it may change and their sum."""
    low, _, high = estimate(HEAD.format(reads(48) + write + chain(48)))
    assert low <= registers <= high


def sums(*steps: str) -> str:
    """Sums of 48 reads side by side. steps: what is added to each, with a brace pair for the read's number."""
    added = (f"s{i} += {step.format(j)};" for j in range(48) for i, step in enumerate(steps))
    written = (f"o[t + {i} * m] = s{i};" for i in range(len(steps)))
    return " ".join((*(f"float s{i} = x;" for i in range(len(steps))), *added, *written))


@pytest.mark.parametrize(
    ("statements", "registers"),
    [
        (sums("v{0}", "v{0} * v{0}"), 32),
        (sums("v{0} * x", "v{0} * y", "v{0} * (x + y)", "v{0} * (x - y)"), 32),
        ("o[t] = v0 + v1; " + chain(48), 32),
        (sums("v{0}") + "o[t + n] = v0;", 32),
        (chain(48) + "float r = 0; " + " ".join(f"r += (v{j} - s) * (v{j} - s);" for j in range(48)) + "o[t] = r;", 56),
    ],
)
def test_sums_of_the_same_reads_begin_together(statements: str, registers: int) -> None:
    """The last one needs the first sum before its second begins."""
    low, _, high = estimate(HEAD.format(reads(48) + statements))
    assert low <= registers <= high
