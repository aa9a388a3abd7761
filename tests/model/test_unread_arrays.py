"""Arrays that are indexed at run time, while nothing that is read there matters: clang for AMD drops them.

The last test runs clang.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of, scratch_of

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """
__global__ void k(float* o, const float* in, const int* ix, int n) {
  int t = threadIdx.x;
  float a[%s]%s;
  %s
}
"""
ROWS = "for (int i = 0; i < 40; ++i) for (int j = 0; j < 3; ++j) a[i][j] = in[t + (i * 3 + j) * n];"
ONE = "for (int i = 0; i < 40; ++i) a[i] = in[t + i * n];"
AT = "(unsigned)ix[t] % 40u"

# Programs, and whether clang 19.1.7 for gfx90a leaves the array in memory.
PROGRAMS = {
    "other_column": (KERNEL % ("40][3", "", f"{ROWS} a[{AT}][1] = 3; o[t] = a[5][2] + a[3][0];"), False),
    "same_column": (KERNEL % ("40][3", "", f"{ROWS} a[{AT}][1] = 3; o[t] = a[5][1] + a[3][0];"), True),
    "read_for_a_write": (
        KERNEL % ("40][3", "", f"{ROWS} float q = a[{AT}][0]; a[ix[t + n]][1] = q; o[t] = a[5][2];"),
        False,
    ),
    "other_row": (KERNEL % ("3][16", "= {0}", "a[0][ix[t] & 15] = 3; o[t] = a[2][2] + in[t];"), False),
    "any_row": (KERNEL % ("3][16", "= {0}", "a[0][ix[t]] = 3; o[t] = a[2][2] + in[t];"), True),
    "never_used": (KERNEL % ("40", "", f"{ONE} a[0] += a[{AT}]; o[t] = a[3];"), False),
    "used": (KERNEL % ("40", "", f"{ONE} a[0] += a[{AT}]; o[t] = a[0];"), True),
    "used_by_a_branch": (KERNEL % ("40", "", f"{ONE} if (a[{AT}] > 2) o[n] = 1; o[t] = a[3];"), True),
    "used_by_another_array": (
        KERNEL % ("40", "", f"{ONE} float b[40]; {ONE.replace('a[', 'b[')} b[ix[t + n]] = a[{AT}]; o[t] = b[{AT}];"),
        True,
    ),
    "begun": (KERNEL % ("40", " = {in[0], in[1], in[2]}", f"o[t] = a[{AT}];"), True),
}


@pytest.mark.parametrize(("text", "memory"), PROGRAMS.values(), ids=list(PROGRAMS))
def test_only_arrays_that_are_read_need_a_frame(text: str, memory: bool) -> None:
    facts = facts_of(text)
    assert (scratch_of(facts, "gfx90a") > 0) is memory
    assert [not array.stays_in_registers("amd") for array in facts.arrays_for("gfx90a")][:1] == [memory]


@pytest.mark.compiler
def test_clang_agrees(tmp_path: Path) -> None:
    memory = compilers.keeps_in_memory(PROGRAMS, ".hip", tmp_path)
    assert memory == {name: expected for name, (_, expected) in PROGRAMS.items()}
