"""Arrays in local memory that begin with constants: ptxas has these in registers, four for each store."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

KERNEL = """
__global__ void k({type} *out, const {type} *in) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  {type} s = in[t], a[{size}] = {{{values}}};
  #pragma unroll 1
  for (int j = 0; j < {size}; ++j) s += a[j];
  out[t] = s;
}}
"""


def _text(type_: str, size: int, kinds: int) -> str:
    values = ", ".join(f"{number * 7 % kinds}.5" for number in range(size))
    return KERNEL.format(type=type_, size=size, values=values)


@pytest.mark.parametrize(
    ("type_", "size", "registers"),
    [("float", 10, 20), ("float", 12, 22), ("float", 16, 26), ("float", 24, 28), ("double", 8, 26), ("double", 16, 29)],
)
def test_constants_of_a_frame_are_in_registers(type_: str, size: int, registers: int) -> None:
    """registers: of nvcc 13.0.88 for sm_90."""
    found = facts_of(_text(type_, size, 11)).target("sm_90").registers
    assert found.scratch_bytes > 0
    assert found.estimate == pytest.approx(registers, rel=0.1)


def test_stores_of_equal_constants_share_them() -> None:
    assert facts_of(_text("double", 16, 2)).target("sm_90").registers.estimate <= 16
    assert facts_of(_text("float", 32, 4)).target("sm_90").registers.estimate <= 16
