"""Reads that move in front of writes to other elements, which are a constant number of bytes on from one address."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of


def estimated(loop: str, target: str, parameters: str = "float* a, const float* b, int n") -> int:
    text = f"__global__ void k({parameters}) {{ int k = threadIdx.x + blockIdx.x * blockDim.x; {loop} }}\n"
    return facts_of(text, "hip" if target == "gfx90a" else "cuda").target(target).registers.estimate


@pytest.mark.parametrize(
    ("target", "elements", "compiled"), [("sm_90", 16, 29), ("sm_90", 32, 32), ("gfx90a", 16, 18), ("gfx90a", 32, 34)]
)
def test_each_element_is_read_before_any_is_written(target: str, elements: int, compiled: int) -> None:
    """Registers of nvcc 13.0.88 and clang 19.1.7."""
    loop = f"for (int i = 0; i < {elements}; ++i) a[k * {elements} + i] *= 2.f;"
    assert estimated(loop, target) == pytest.approx(compiled, rel=0.2)


def test_reads_wait_where_another_array_may_be_the_written_one() -> None:
    """16 registers of nvcc 13.0.88; with `__restrict__` 30."""
    loop = "for (int i = 0; i < 128; ++i) a[k * 128 + i] += b[i];"
    assert estimated(loop, "sm_90") < 22
    assert estimated(loop, "sm_90", "float* a, const float* __restrict__ b, int n") > 26
