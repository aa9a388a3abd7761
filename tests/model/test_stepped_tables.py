"""Tables on nvcc: four words are read at once where a loop steps through one from a multiple of four on."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of, scratch_of

STEPS = "for (int i = {0}; i < m; i++) s += a[i] * w[{1}];"


def frame(elements: int, statements: str, qualifier: str = "const") -> int:
    """Bytes of local memory on sm_90."""
    values = ", ".join(f"{number}.5f" for number in range(elements))
    text = f"{qualifier} float w[{elements}] = {{{values}}}; float s = 0; {statements} b[threadIdx.x] = s;"
    return scratch_of(facts_of(f"__global__ void k(const float *a, float *b, int n, int m) {{ {text} }}\n"), "sm_90")


@pytest.mark.parametrize(
    ("start", "index", "in_memory"),
    [
        ("0", "i", False),
        ("4", "i", False),
        ("1", "i", True),
        ("1", "i - 1", False),
        ("1", "i + 3", False),
        ("2", "i + 1", True),
        ("3", "i - 1", True),
        ("2", "i + 2", False),
        ("3", "i - 3", False),
        ("n", "i", True),
        ("0", "n", False),  # read once in front of the loop
        ("0", "i * 2", True),
        ("0", "i + n", True),
    ],
)
def test_a_loop_begins_at_a_multiple_of_four(start: str, index: str, in_memory: bool) -> None:
    """nvcc 13.0.88 also uses 64 B, but none for `w[i * 2]` and from the third element on."""
    assert frame(16, STEPS.format(start, index)) == 64 * in_memory


@pytest.mark.parametrize(
    "loop",
    [
        "for (int i = 0; i < m; i += 2) s += a[i] * w[i];",
        "for (int i = 4; i >= m; i--) s += a[i] * w[i];",
        "for (int i = 0; i < m; i++) s += a[i] * w[i]; for (int i = 0; i < n; i++) s += a[i] * w[i + 1];",
    ],
)
def test_every_loop_counts_up_by_one(loop: str) -> None:
    """80 B of nvcc 13.0.88 for twenty elements, and none for eight or twelve."""
    assert [frame(elements, loop) for elements in (8, 12, 20)] == [0, 0, 80]


@pytest.mark.parametrize(("start", "index"), [("1", "i"), ("2", "i + 1"), ("3", "i - 1")])
def test_a_small_table_is_read_from_anywhere_known(start: str, index: str) -> None:
    """0 B of nvcc 13.0.88 for eight and for twelve elements; 40 B for nine, which are no fours."""
    assert [frame(elements, STEPS.format(start, index)) for elements in (8, 12, 9)] == [0, 0, 40]


@pytest.mark.parametrize(("elements", "in_memory"), [(4, False), (10, True), (32, False), (36, True)])
def test_a_table_is_small_and_made_of_fours(elements: int, in_memory: bool) -> None:
    assert frame(elements, STEPS.format("0", "i")) == 4 * elements * in_memory


def test_a_volatile_table_stays_where_it_is() -> None:
    assert frame(8, STEPS.format("0", "i"), "volatile") == 32


@pytest.mark.parametrize(("rows", "frame_bytes"), [(4, 0), (8, 64)])
def test_table_of_rows_is_not_a_table_of_words(rows: int, frame_bytes: int) -> None:
    """nvcc keeps eight words in registers, and eight rows of two in memory."""
    pairs = ((1, 2), (3, 4), (5, 6), (7, 9), (1, 12), (3, 14), (5, 16), (7, 19))[:rows]
    table = ", ".join(f"{{{first}, {second}}}" for first, second in pairs)
    text = f"const float w[{rows}][2] = {{{table}}}; float s = 0;"
    text += " for (int i = 0; i < m; i++) s += a[i] * w[i][1]; b[threadIdx.x] = s;"
    facts = facts_of(f"__global__ void k(const float *a, float *b, int m) {{ {text} }}\n")
    assert scratch_of(facts, "sm_90") == frame_bytes


FOUR = "\n#pragma unroll 4\n"
FILLED = "for (int j = 0; j < {n}; ++j) {{ {body} }}"
# Kernels of nvcc 13.0.88, of 1,900 with elements of eight types and 4 to 40 of them.
WHOLE = "v[j].x = a[t + j * n]; v[j].y = a[t + j * n + m];"
BOTH, ONE = "s += v[j].x + v[j].y;", "s += v[j].x;"


def copied(type_: str, count: int, *parts: tuple[str, str]) -> bool:
    """Whether an array has a frame that the parts use; each is a pragma with the body of a loop, or a statement."""
    loops = "".join(one + FILLED.format(n=count, body=body) if body else one for one, body in parts)
    text = f"int t = threadIdx.x; float s = 0; {type_} v[{count}]; {loops} b[t] = s;"
    kernel = f"__global__ void k(const float *a, float *b, int n, int m) {{ {text} }}\n"
    return scratch_of(facts_of(kernel), "sm_90") > 0


@pytest.mark.parametrize(("type_", "registers", "memory"), [("float2", 20, 0), ("float2", 8, 0), ("float3", 8, 20)])
def test_members_that_a_loop_all_reaches_are_one_access(type_: str, registers: int, memory: int) -> None:
    fill, read = WHOLE, BOTH
    if type_ == "float3":
        fill, read = fill + "v[j].z = a[t + j * n + 2 * m];", read.replace(";", " + v[j].z;")
    whole = "\n#pragma unroll\n"
    assert not copied(type_, registers, (FOUR, fill), (whole, read))
    assert not memory or copied(type_, memory, (FOUR, fill), (whole, read))


def test_one_member_steps_by_the_copies_of_its_loop() -> None:
    assert not copied("float2", 8, ("\n#pragma unroll\n", WHOLE), (FOUR, ONE))
    assert copied("float2", 12, ("\n#pragma unroll\n", WHOLE), (FOUR, ONE))


@pytest.mark.parametrize(
    ("use", "memory"),
    [
        ("s += v[9];", True),
        ("s += v[4] + v[5];", False),
        ("v[3] = s; for (int j = 0; j < 16; ++j) s += v[j];", True),
        ("for (int j = 0; j < 16; ++j) s += v[j];", False),
        ("for (int j = 0; j < 8; ++j) s += v[j];", False),
    ],
)
def test_part_of_a_word_that_a_loop_has_filled_is_in_memory(use: str, memory: bool) -> None:
    assert copied("short", 16, (FOUR, "v[j] = a[t + j * n];"), (use, "")) == memory
    assert not copied("float", 16, (FOUR, "v[j] = a[t + j * n];"), (use, ""))


def test_reads_of_copies_with_some_left_over_are_not_joined() -> None:
    for count, memory in ((6, True), (8, False), (10, True), (12, False)):
        assert copied("short", count, ("\n#pragma unroll\n", "v[j] = a[t + j * n];"), (FOUR, "s += v[j];")) == memory
