"""Up to how many words ptxas is taken to select among, by what a kernel does with them and besides.

The numbers are those of the fit in `model/passes/nvidia_arrays.py`, where it changes its mind: a change of one shows
here; whether it is better says `benchmarks/measure_promotion.py`.
"""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.passes.nvidia_arrays import IN_LOOP, object_pays

FILL = "float v[SIZE]; for (int i = 0; i < SIZE; i++) v[i] = a[i * n + tid]; float s = 0, c = 1; "
WORK = " ".join(f"c = c * a[{k}] + {k}.5f;" for k in range(20))
LOOP = "for (int i = 0; i < n; i++) "


def frame(statements: str, size: int) -> int:
    """Bytes of local memory on sm_90."""
    text = f"int tid = threadIdx.x; {statements.replace('SIZE', str(size))} b[tid] = s + c + v[0];"
    return facts_of(f"__global__ void k(const float *a, float *b, int n) {{ {text} }}\n").scratch_bytes("sm_90")


@pytest.mark.parametrize(
    ("statements", "largest", "next_"),
    [
        (FILL + "s = v[n];", 88, 89),
        (FILL + "s = v[n] + v[tid];", 88, 89),
        (FILL + "s = v[n] * v[n];", 88, 89),
        (FILL + "s = v[n] + v[tid] + v[n + 1] + v[n + 2];", 18, 19),
        (FILL + "\n#pragma unroll\nfor (int i = 0; i < 8; i++) s += v[n + i];\n", 7, 8),
        # in a loop, which counts for many, with other work in it, under conditions, in another loop
        (FILL + LOOP + "s += v[(int)a[i]];", 6, 7),
        (FILL + LOOP + "{ s += v[(int)a[i]]; " + WORK + "}", 24, 25),
        (FILL + LOOP + "{ v[(int)a[i]] += 1; " + WORK + "}", 11, 12),
        (FILL + LOOP + "if (a[i] > 0) s += v[(int)a[i]];", 8, 9),
        (FILL + LOOP + "if (a[i] > 0 && a[i] < 3) s += v[(int)a[i]];", 10, 11),
        (FILL + "for (int j = 0; j < n; j++) for (int i = 0; i < j; i++) { s += v[(int)a[i]]; " + WORK + "}", 25, 26),
        # four at once
        (FILL + LOOP + "s += v[i];", 20, 24),
        (FILL + LOOP + "s += v[i];", 8, 9),
        (FILL + LOOP + "{ if (a[i] < 0) break; s += v[i]; }", 12, 13),
        (FILL + LOOP + "if (a[i] > 0) s += v[i];", 7, 8),
    ],
)
def test_a_frame_is_registers_up_to(statements: str, largest: int, next_: int) -> None:
    assert (frame(statements, largest), frame(statements, next_)) == (0, -(-4 * next_ // 8) * 8)


def test_an_array_that_is_filled_in_the_loop_that_reads_it_may_be_larger() -> None:
    text = "float c = 1, s = 0, v[1]; for (int j = 0; j < n; j++) { float w[SIZE]; "
    text += "for (int i = 0; i < SIZE; i++) w[i] = a[i * n + j]; s += w[(int)s]; }"
    assert (frame(text, 40), frame(text, 41)) == (0, 168)


def test_one_that_only_loops_fill_stays_in_memory() -> None:
    text = f"float v[SIZE]; float s = 0, c = 1; {LOOP} v[i] = a[i]; {LOOP} s += v[n - i];"
    assert frame(text.replace("v[0]", "c"), 2) == 8


@pytest.mark.parametrize(
    ("reads", "writes", "largest"),
    [(1, 0, 88), (1, 1, 88), (2, 0, 68), (IN_LOOP, 0, 11), (0, IN_LOOP, 25), (IN_LOOP, IN_LOOP, 8), (30, 0, 5)],
)
def test_a_struct_is_registers_up_to(reads: int, writes: int, largest: int) -> None:
    assert [object_pays(words, reads, writes) for words in (1, largest, largest + 1)] == [True, True, False]
