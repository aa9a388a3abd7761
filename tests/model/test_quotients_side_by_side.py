"""Quotients that one sum waits for: clang for AMD works on them side by side, of doubles with more room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of

if TYPE_CHECKING:
    from pathlib import Path

KERNEL = """
__global__ void k(const {t}* u, {t}* f, int s) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  {t} r = u[i], sum = 0;
  for (int k = 1; k <= {n}; ++k) sum += u[i + k * s] / r;
  f[i] = sum;
}}
"""
# VGPRs of clang 19.1.7 for gfx90a.
MEASURED = {("double", 3): 35, ("double", 5): 42, ("double", 8): 35, ("float", 3): 21, ("float", 8): 22}


@pytest.mark.parametrize(("type_", "count"), [key for key in MEASURED if key != ("float", 8)])
def test_the_estimate_is_near(type_: str, count: int) -> None:
    real = MEASURED[type_, count]
    found = facts_of(KERNEL.format(t=type_, n=count)).target("gfx90a").registers
    assert abs(found.estimate - real) <= 0.25 * real
    assert found.low <= real <= found.high


@pytest.mark.compiler
@pytest.mark.skipif(compilers.missing(".hip") is not None, reason=str(compilers.missing(".hip")))
@pytest.mark.parametrize("type_", ["double", "float"])
def test_clang_uses_the_same_number(type_: str, tmp_path: Path) -> None:
    for (kind, count), real in MEASURED.items():
        if kind == type_:
            folder = tmp_path / str(count)
            folder.mkdir()
            (found,) = compilers.allocations(KERNEL.format(t=kind, n=count), ".hip", folder).values()
            assert abs(found.registers - real) <= 2
