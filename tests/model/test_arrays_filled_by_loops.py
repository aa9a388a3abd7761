"""Arrays without an initialiser that a loop fills at run-time indices: all of their registers are alive.

VGPRs of clang 19.1.7 for gfx90a; registers that are alive at most with IGC 1.0.12504 for pvc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "__global__ void k(const float* a, float* o, int n, int m) { int t = blockIdx.x * blockDim.x + threadIdx.x; "
PUSHED = (
    HEAD + "float b[12]; int c = 0;"
    " for (int j = 0; j < m; ++j) { float v = a[t + j * n]; if (v > 0 && c < 12) b[c++] = v; }"
    " float s = 0; for (int j = 0; j < c; ++j) s = s * 0.5f + b[j]; o[t] = s; }"
)
REVERSED = (
    HEAD + "float b[16]; for (int j = 0; j < m; ++j) b[j] = a[t + j * n];"
    " float s = 0; for (int j = m - 1; j >= 0; --j) s = s * 0.5f + b[j]; o[t] = s; }"
)
CHAINED = (
    HEAD + "float b[10]; b[0] = 1; for (int j = 1; j < m; ++j) b[j] = b[j - 1] * a[t + j * n];"
    " float s = 0; for (int j = 0; j < m; ++j) s += b[j] * a[j]; o[t] = s; }"
)
MEASURED = {PUSHED: {"gfx90a": 20, "pvc": 20}, REVERSED: {"gfx90a": 22, "pvc": 23}, CHAINED: {"gfx90a": 17, "pvc": 18}}


@pytest.mark.parametrize("text", MEASURED, ids=["pushed", "reversed", "chained"])
def test_the_estimate_has_the_whole_array(text: str) -> None:
    facts = facts_of(text)
    for target, real in MEASURED[text].items():
        found = facts.target(target).registers
        assert abs(found.estimate - real) <= 0.25 * real
        assert found.low <= real <= found.high


@pytest.mark.parametrize(("target", "elements", "compiled"), [("sm_90", 32, 48), ("sm_90", 64, 80), ("gfx90a", 16, 27)])
def test_a_loop_that_a_pragma_unrolls_in_part_fills_the_whole_array(target: str, elements: int, compiled: int) -> None:
    """nvcc 13.0.88 and clang 19.1.7; without the pragma ptxas reads each element beside its use: 32 registers."""
    text = (
        f"{HEAD}float b[{elements}], s = 0;\n#pragma unroll 4\nfor (int j = 0; j < {elements}; ++j)"
        f" b[j] = a[t + j * n]; for (int j = 0; j < {elements}; ++j) s += b[j]; o[t] = s; }}"
    )
    found = facts_of(text, "hip" if target == "gfx90a" else "cuda").target(target).registers
    assert found.estimate == pytest.approx(compiled, rel=0.15)


def test_constants_in_all_elements_take_no_register() -> None:
    """nvcc 13.0.88: 32 registers with such an array and without."""
    text = (
        f"{HEAD}float b[40], s = 0;\n#pragma unroll 4\nfor (int j = 0; j < 40; ++j) b[j] = 0;"
        " for (int j = 0; j < 16; ++j) s += a[t + j * n] + b[j + 20]; o[t] = s; }"
    )
    assert facts_of(text, "cuda").target("sm_90").registers.estimate <= 32


def test_an_array_that_constants_index_holds_what_was_written() -> None:
    one = HEAD + "float b[12]; b[3] = a[t]; for (int j = 0; j < m; ++j) b[3] += a[j]; o[t] = b[3]; }"
    assert facts_of(one).target("gfx90a").registers.estimate < 10


@pytest.mark.compiler
@pytest.mark.parametrize("text", MEASURED, ids=["pushed", "reversed", "chained"])
def test_clang_uses_the_same_number(text: str, tmp_path: Path) -> None:
    compilers.need(".hip")
    (found,) = compilers.allocations(text, ".hip", tmp_path).values()
    assert abs(found.registers - MEASURED[text]["gfx90a"]) <= 2
