"""A read of a private array that meets one of something else behind a branch: clang for AMD makes one read of both.

It goes through a pointer that leads into the array or out of it, so that the array is no vector. The last test runs
clang.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of, scratch_of

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """
__global__ void k(float* o, const float* in, const int* ix, int n, int m) {
  int t = threadIdx.x;
  __shared__ float tile[256];
  tile[t] = in[t];
  __syncthreads();
  float a[%d];
  for (int j = 0; j < %d; ++j) a[j] = in[t + j * n];
  float s = in[t + 77], r = 0, q = 0;
  int i = (unsigned)ix[t] %% %du;
  %s
  for (int j = 0; j < %d; ++j) r += a[j] * in[t + j * n * m];
  o[t] = r + q + s;
}
"""


def kernel(statement: str, size: int = 12) -> str:
    return KERNEL % (size, size, size, statement, size)


TWO = "float b[12]; for (int j = 0; j < 12; ++j) b[j] = in[t + j * m]; %s for (int j = 0; j < 12; ++j) r += b[j];"

# Programs, and whether clang 19.1.7 for gfx90a leaves an array in memory.
PROGRAMS = {
    "shared": (kernel("r += s > 2 ? tile[(t + 3) & 255] : a[i];"), True),
    "global": (kernel("r += s > 2 ? a[i] : in[t + 50 * n];"), True),
    "uniform": (kernel("r += n > 2 ? tile[(t + 3) & 255] : a[i];"), True),
    "constant_element": (kernel("r += s > 2 ? tile[(t + 3) & 255] : a[2]; r += a[i];"), True),
    "two_arrays": (kernel(TWO % "r += s > 2 ? b[(i + 3) % 12] : a[i];"), True),
    "statement": (kernel("if (s > 2) q = tile[(t + 3) & 255]; else q = a[i];"), True),
    "sums": (kernel("if (s > 2) r += tile[(t + 3) & 255]; else r += a[i];"), True),
    "small": (kernel("r += s > 2 ? tile[(t + 3) & 255] : a[i];", 7), False),  # LDS takes it
    "value": (kernel("r += s > 2 ? s + 1 : a[i];"), False),
    "variable": (kernel("r += s > 2 ? s : a[i];"), False),
    "same_array": (kernel("r += s > 2 ? a[(i + 3) % 12] : a[i];"), False),
    "no_index": (kernel("r += s > 2 ? tile[(t + 3) & 255] : a[2];"), False),
    "split_array": (kernel(TWO % "r += s > 2 ? b[2] : a[i];"), False),
    "value_known": (kernel("r += a[i]; r += s > 2 ? tile[(t + 3) & 255] : a[i];"), False),
    "written_between": (kernel("r += a[i]; o[t + n] = r; r += s > 2 ? tile[(t + 3) & 255] : a[i];"), True),
    "more_work": (kernel("if (s > 2) q = tile[(t + 3) & 255]; else q = a[i] + 1;"), False),
}


@pytest.mark.parametrize(("text", "memory"), PROGRAMS.values(), ids=list(PROGRAMS))
def test_merged_reads_keep_memory(text: str, memory: bool) -> None:
    assert (scratch_of(facts_of(text), "gfx90a") > 0) is memory


@pytest.mark.compiler
def test_clang_agrees(tmp_path: Path) -> None:
    memory = compilers.keeps_in_memory(PROGRAMS, ".hip", tmp_path)
    assert memory == {name: expected for name, (_, expected) in PROGRAMS.items()}
