"""What clang for AMD has on its way of the reads that fill an array in private memory: all of them, or one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

if TYPE_CHECKING:
    from regpress_lint.model.estimate.registers import RegisterEstimate


def estimate(kind: str, elements: int) -> RegisterEstimate:
    text = f"""#include <hip/hip_runtime.h>
__global__ __launch_bounds__(256) void k({kind}* o, const {kind}* in, const int* ix, int n) {{
  int t = blockIdx.x * 256 + threadIdx.x;
  {kind} a[{elements}];
  for (int j = 0; j < {elements}; ++j) a[j] = in[t + j * n];
  o[t] = a[ix[t] % {elements}];
}}
"""
    file = testing.build(text, "k.hip", "hip")
    return kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",))).target("gfx90a").registers


@pytest.mark.parametrize(
    ("kind", "elements", "compiled"),
    [
        ("float", 18, 36),
        ("float", 24, 42),
        ("float", 40, 58),
        ("double", 18, 46),
        ("double", 24, 60),
        ("double", 40, 93),
    ],
)
def test_all_reads_are_in_flight_while_affordable(kind: str, elements: int, compiled: int) -> None:
    """clang 19.1.7. Forty doubles leave five waves: the kernel does little but access memory, and may fall to four."""
    assert estimate(kind, elements).estimate == pytest.approx(compiled, rel=0.15)


@pytest.mark.parametrize(("kind", "compiled"), [("float", 7), ("double", 8)])
def test_where_they_would_cost_waves_each_read_is_stored_before_the_next(kind: str, compiled: int) -> None:
    """clang 19.1.7: 64 floats would leave seven waves of eight, 64 doubles three, which no kernel is allowed."""
    assert estimate(kind, 64).low <= compiled


@pytest.mark.parametrize(("elements", "compiled"), [(40, 92), (64, 142)])
def test_elements_that_all_move_by_one_place_are_read_before_the_first_is_written(elements: int, compiled: int) -> None:
    """clang 19.1.7: the loop becomes one `memmove`, which holds all that it moves whatever that costs."""
    text = f"""#include <hip/hip_runtime.h>
__global__ __launch_bounds__(256) void k(double* o, const double* in, const int* ix, int n) {{
  int t = blockIdx.x * 256 + threadIdx.x;
  double a[{elements}], s = 0;
  for (int j = 0; j < {elements}; ++j) a[j] = in[t + j * n];
  for (int r = 0; r < n; ++r) {{
    for (int j = 0; j < {elements} - 1; ++j) a[j] = a[j + 1];
    a[{elements} - 1] = ix[r];
    s += a[ix[t + r] % {elements}];
  }}
  o[t] = s;
}}
"""
    file = testing.build(text, "k.hip", "hip")
    band = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",))).target("gfx90a").registers
    assert band.estimate == pytest.approx(compiled, rel=0.2)
