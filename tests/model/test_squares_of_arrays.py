"""Nests of loops that combine each element of a private array with each other one.

176 kernels (four nests, N from 4 to 40, with and without a pragma, sm_90 and gfx90a): 2 are out of the band and 2 have
the wrong memory, 34 and 17 before products became parts of sums.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from analysis_helpers import facts_of

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language

EACH = "for (int i = 0; i < N; ++i) for (int j = 0; j < N; ++j)"
NESTS = {
    "products": f"float s = 0; {EACH} s += r[i] * r[j]; o[t] = s;",
    "updates": f"{EACH} r[j] += r[i]; for (int i = 0; i < N; ++i) o[t + i * n] = r[i];",
    "chain": f"float s = 0; {EACH} s = (s + r[i] * r[j]) * r[j]; o[t] = s;",
}


def _kernel(work: str, size: int, type_: str = "float") -> str:
    fill = "for (int i = 0; i < N; ++i) r[i] = a[t + i * n];"
    body = f"const int N = {size}; int t = threadIdx.x; {type_} r[N]; {fill} {NESTS[work].replace('float', type_)}"
    return f"__global__ void k({type_}* o, const {type_}* a, int n) {{ {body} }}"


@pytest.mark.parametrize(
    ("work", "size", "memory"),  # nvcc 13.0.88 for sm_90
    [
        *[("products", 33, 0), ("products", 36, 144)],
        *[("updates", 47, 0), ("updates", 48, 192)],
        *[("chain", 27, 0), ("chain", 28, 112)],
    ],
)
def test_only_arithmetic_counts_around_loops_that_copies_have_replaced(work: str, size: int, memory: int) -> None:
    assert facts_of(_kernel(work, size), "cuda").target("sm_90").registers.scratch_bytes == memory


@pytest.mark.parametrize(
    ("type_", "size", "target", "registers"),  # nvcc 13.0.88, clang 19.1.7
    [
        *[("float", 24, "sm_90", 32), ("double", 24, "sm_90", 56), ("int", 24, "sm_90", 32)],
        *[("float", 24, "gfx90a", 42), ("float", 40, "gfx90a", 58), ("double", 32, "gfx90a", 96)],
    ],
)
def test_no_register_holds_a_product_for_its_second_sum(type_: str, size: int, target: str, registers: int) -> None:
    language: Language = "cuda" if target == "sm_90" else "hip"
    found = facts_of(_kernel("products", size, type_), language).target(target).registers
    assert found.low <= registers <= found.high
    assert found.high < 4 * size + 50
