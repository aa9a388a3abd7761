"""Small arrays that are indexed through a pointer: clang for AMD makes no vector of one if a constant is added there.

The last test runs clang.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of, scratch_of

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "__device__ inline void put(float* p, int s, float a) { p[%s] = a; }\n"
BY_REFERENCE = "__device__ inline void put(float (&p)[6], int s, float a) { p[%s] = a; }\n"
KERNEL = """
__global__ void k(const int* x, float* o) {
  int t = threadIdx.x, s = x[t];
  float v[6] = {0.0f};
  put(v, %s, 2.0f);
  for (int i = 0; i < 6; ++i) o[t * 6 + i] = v[i];
}
"""
MEMBER = """
struct Put { __device__ void operator()(float* p, int s, float a) const { p[%s] = a; } };
__global__ void k(const int* x, float* o) {
  int t = threadIdx.x, s = x[t];
  float v[6] = {0.0f};
  Put put;
  put(v, s, 2.0f);
  for (int i = 0; i < 6; ++i) o[t * 6 + i] = v[i];
}
"""
# A loop that stays and writes each element from the one before it: LLVM hands the last iteration's value on.
CARRIED = """
__device__ inline void fill(float* p, float a) {
#pragma unroll 1
  for (int q = 1; q < 6; ++q) %s
}
__global__ void k(const int* x, float* o) {
  int t = threadIdx.x, s = x[t];
  float v[6];
  for (int i = 0; i < 6; ++i) v[i] = o[t * 6 + i];
  fill(v, 2.0f);
  o[t] = v[s];
}
"""
# Programs, and whether clang 19.1.7 for gfx90a leaves the array in memory.
PROGRAMS = {
    "pointer": (HEAD % "1 + s" + KERNEL % "s", True),
    "pointer_less": (HEAD % "s - 1" + KERNEL % "s", True),
    "plain_index": (HEAD % "s" + KERNEL % "s", False),
    "sum_before": (HEAD % "s" + KERNEL % "s + 1", False),
    "array": (BY_REFERENCE % "1 + s" + KERNEL % "s", False),
    "member": (MEMBER % "1 + s", True),
    "member_plain": (MEMBER % "s", False),
    "carried": (CARRIED % "p[q] = p[q - 1] + a;", False),
    "carried_sometimes": (CARRIED % "if (p[q] > a) p[q] = p[q - 1];", True),
    "written_behind": (CARRIED % "p[q - 1] = a * q;", True),
}


@pytest.mark.parametrize(("text", "memory"), PROGRAMS.values(), ids=list(PROGRAMS))
def test_a_constant_in_an_index_through_a_pointer_keeps_an_array_in_memory(text: str, memory: bool) -> None:
    facts = facts_of(text)
    assert [array.variable.name for array in facts.arrays_for("gfx90a")] == ["v"]
    assert (scratch_of(facts, "gfx90a") > 0) is memory


@pytest.mark.compiler
def test_clang_agrees(tmp_path: Path) -> None:
    memory = compilers.keeps_in_memory(PROGRAMS, ".hip", tmp_path)
    assert memory == {name: expected for name, (_, expected) in PROGRAMS.items()}
