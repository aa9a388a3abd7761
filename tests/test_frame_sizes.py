"""Up to how many words ptxas is taken to select among, by what a kernel does with them and besides.

The numbers are those of the fit in `passes/nvidia_arrays.py`, where it changes its mind: a change of one shows here;
whether it is better says `benchmarks/measure_promotion.py`.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint.passes.nvidia_arrays import IN_LOOP, object_pays

FILL = "float v[SIZE]; for (int i = 0; i < SIZE; i++) v[i] = a[i * n + tid]; float s = 0, c = 1; "
WORK = " ".join(f"c = c * a[{k}] + {k}.5f;" for k in range(20))
LOOP = "for (int i = 0; i < n; i++) "


def frame(statements: str, size: int, last: str = "v[0]") -> int:
    """Bytes of local memory on sm_90."""
    text = f"int tid = threadIdx.x; {statements.replace('SIZE', str(size))} b[tid] = s + c + ({last});"
    return facts_of(f"__global__ void k(const float *a, float *b, int n) {{ {text} }}\n").scratch_bytes("sm_90")


@pytest.mark.parametrize(
    ("statements", "largest", "next_"),
    [
        (FILL + "s = v[n];", 84, 85),
        (FILL + "s = v[n] + v[tid];", 84, 85),
        (FILL + "s = v[n] * v[n];", 84, 85),
        (FILL + "s = v[n] + v[tid] + v[n + 1] + v[n + 2];", 12, 13),
        (FILL + "\n#pragma unroll\nfor (int i = 0; i < 8; i++) s += v[n + i];\n", 6, 7),
        # in a loop, which counts for many, with other work in it, under conditions, in another loop
        (FILL + LOOP + "s += v[(int)a[i]];", 5, 6),
        (FILL + LOOP + "{ s += v[(int)a[i]]; " + WORK + "}", 24, 25),
        (FILL + LOOP + "{ v[(int)a[i]] += 1; " + WORK + "}", 12, 13),
        (FILL + LOOP + "if (a[i] > 0) s += v[(int)a[i]];", 8, 9),
        (FILL + LOOP + "if (a[i] > 0 && a[i] < 3) s += v[(int)a[i]];", 12, 13),
        (FILL + "for (int j = 0; j < n; j++) for (int i = 0; i < j; i++) { s += v[(int)a[i]]; " + WORK + "}", 23, 24),
        # four at once
        (FILL + LOOP + "s += v[i];", 24, 28),
        (FILL + LOOP + "s += v[i];", 4, 5),
        (FILL + LOOP + "{ if (a[i] < 0) break; s += v[i]; }", 17, 18),
        (FILL + LOOP + "if (a[i] > 0) s += v[i];", 8, 9),
    ],
)
def test_a_frame_is_registers_up_to(statements: str, largest: int, next_: int) -> None:
    assert (frame(statements, largest), frame(statements, next_)) == (0, -(-4 * next_ // 8) * 8)


def test_an_array_that_is_filled_in_the_loop_that_reads_it_may_be_larger() -> None:
    text = "float c = 1, s = 0, v[1]; for (int j = 0; j < n; j++) { float w[SIZE]; "
    text += "for (int i = 0; i < SIZE; i++) w[i] = a[i * n + j]; s += w[(int)s]; }"
    assert (frame(text, 34), frame(text, 35)) == (0, 144)


def test_one_that_only_loops_fill_stays_in_memory() -> None:
    text = f"float v[2]; float s = 0; {LOOP} v[i] = a[i]; {LOOP} s += v[n - i]; b[0] = s;"
    assert facts_of(f"__global__ void k(const float *a, float *b, int n) {{ {text} }}\n").scratch_bytes("sm_90") == 8


def test_four_copies_that_fill_a_frame_cost_one_place_in_four() -> None:
    """nvcc 13 keeps none of these up to 64 words, and the frame of one that is filled word by word from 11 words on."""
    text = "float v[SIZE]; float s = 0, c = 1;\n#pragma unroll PRAGMA\n"
    text += "for (int i = 0; i < SIZE; i++) v[i] = a[i * n + tid];\n"
    text += "#pragma unroll\nfor (int i = 0; i < SIZE; i++) b[i * n] = v[i];"
    by_words, by_fours = text.replace("PRAGMA", "1"), text.replace("PRAGMA", "4")
    assert [frame(by_words, size) for size in (8, 16)] == [0, 64]
    assert [frame(by_fours, size) for size in (8, 16)] == [0, 0]


def test_rows_of_which_one_column_is_read_cost_a_place_a_row() -> None:
    """nvcc 13 keeps no frame of eight rows of four numbers, of which a loop reads one row, and one of four of eight."""
    fill = (
        "float v[ROWS][COLUMNS]; float s = 0, c = 1; for (int i = 0; i < ROWS; i++) for (int j = 0; j < COLUMNS; j++) "
    )
    fill += "v[i][j] = a[(i * COLUMNS + j) * n + tid];\n#pragma unroll 1\nfor (int k = 0; k < n; k++) s += "
    rows = fill.replace("ROWS", "8").replace("COLUMNS", "4") + "v[(int)a[k]][1];"
    columns = fill.replace("ROWS", "4").replace("COLUMNS", "8") + "v[1][(int)a[k]];"
    assert [frame(text, 0, "v[0][0]") for text in (rows, columns)] == [0, 128]


@pytest.mark.parametrize(
    ("reads", "writes", "largest"),
    [(1, 0, 88), (1, 1, 88), (2, 0, 68), (IN_LOOP, 0, 11), (0, IN_LOOP, 25), (IN_LOOP, IN_LOOP, 8), (30, 0, 5)],
)
def test_a_struct_is_registers_up_to(reads: int, writes: int, largest: int) -> None:
    assert [object_pays(words, reads, writes) for words in (1, largest, largest + 1)] == [True, True, False]
