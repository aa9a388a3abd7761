"""Loops that call functions of the math library, which clang for AMD copies as far as their length allows.

The last test runs clang.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of, scratch_of, trace_of

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """
__global__ void __launch_bounds__(256) k(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s%s;
  for (int j = 0; j < %d; ++j)
    for (int k = 0; k < %d; ++k) %s = a[(j * 32 + k) * n + i];
  for (int j = 0; j < %d; ++j)
    for (int k = 0; k < %d; ++k) %s = %s;
  float r = 0.0f;
  for (int j = 0; j < %d; ++j)
    for (int k = 0; k < %d; ++k) r = r * %s + 1.0f;
  b[i] = r;
}
"""


def _over(rows: int, columns: int, value: str) -> str:
    dims, element = (f"[{rows}][{columns}]", "s[j][k]") if rows > 1 else (f"[{columns}]", "s[k]")
    sizes = (rows, columns, element)
    return KERNEL % (dims, *sizes, *sizes, value.replace("X", element), *sizes)


# Programs, loops that stay, and whether clang 19.1.7 for gfx90a leaves the array in memory.
PROGRAMS = {
    "sixteen": (_over(1, 16, "sinf(X)"), 1, False),
    "products": (_over(1, 16, "X * X + 2.0f"), 0, False),
    "rows": (_over(4, 3, "erfcf(X)"), 0, False),
    "longer": (_over(1, 24, "sinf(X)"), 1, True),
    "exponentials": (_over(1, 24, "expf(X)"), 0, False),
}


@pytest.mark.parametrize(("text", "kept", "memory"), PROGRAMS.values(), ids=list(PROGRAMS))
def test_a_loop_of_long_calls_stays_one(text: str, kept: int, memory: bool) -> None:
    facts = facts_of(text)
    assert trace_of(facts, "gfx90a").execution.loops == kept
    assert (scratch_of(facts, "gfx90a") > 0) is memory


@pytest.mark.compiler
@pytest.mark.parametrize(("text", "kept", "memory"), PROGRAMS.values(), ids=list(PROGRAMS))
def test_clang_takes_as_many_registers_as_estimated(text: str, kept: int, memory: bool, tmp_path: Path) -> None:
    (found,) = compilers.allocations(text, ".hip", tmp_path).values()
    assert (found.scratch_bytes > 0) is memory
    registers = facts_of(text).target("gfx90a").registers
    assert registers.low <= found.registers <= registers.high
    assert found.registers < 48 or not kept
