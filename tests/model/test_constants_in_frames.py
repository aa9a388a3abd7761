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


FILL = """
struct S3 {{ float x, y, z; }};
__global__ void k(float *out, const float *in, const int *ix, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  {type} a[32];
  {first}
  for (int j = 0; j < 32; ++j) {{ {fill} }}
  float s = 0;
  #pragma unroll 1
  for (int j = 0; j < 64; ++j) s += a[ix[t + j]]{member};
  out[t] = s;
}}
"""


@pytest.mark.parametrize(
    ("type_", "first", "fill", "registers"),
    [
        ("int", "", "a[j] = j;", 28),
        ("int", "", "a[j] = n;", 28),
        ("float", "float v = in[t];", "a[j] = v;", 30),
        ("double", "double v = in[t];", "a[j] = v;", 27),
        ("float2", "", "a[j].x = in[t + j * n]; a[j].y = in[t + j * n];", 46),
        ("S3", "", "a[j].x = in[t + j]; a[j].y = in[t + j]; a[j].z = in[t + j];", 66),
        ("float4", "", "float v = in[t + j * n]; a[j] = make_float4(v, v, v, v);", 90),
    ],
)
def test_values_that_fill_several_words_of_a_frame_are_copied(
    type_: str, first: str, fill: str, registers: int
) -> None:
    """registers: of nvcc 13.0.88 for sm_90."""
    member = ".x" if type_ in ("float2", "S3", "float4") else ""
    text = FILL.format(type=type_, first=first, fill=fill, member=member)
    assert facts_of(text).target("sm_90").registers.estimate == pytest.approx(registers, rel=0.1)


@pytest.mark.parametrize("fill", ["a[j] = 0;", "a[j] = 1.5f;"])
def test_one_constant_fills_a_frame_from_four_registers(fill: str) -> None:
    """12 and 14 registers of nvcc 13.0.88 for sm_90."""
    text = FILL.format(type="float", first="", fill=fill, member="")
    assert facts_of(text).target("sm_90").registers.estimate <= 16
