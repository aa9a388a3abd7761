"""Elements of an array in local memory that are known on one of two paths are in registers where the two meet."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

KERNEL = """
__global__ void k(float *out, const float *in, const int *ix, int n, int m) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  {type} a[{size}];
  #pragma unroll
  for (int j = 0; j < {size}; ++j) a[j] = {first};
  float s = in[t];
  {between}
  #pragma unroll
  for (int j = 0; j < {size}; ++j) {read};
  out[t] = s;
}}
"""
COUNT = "a[(unsigned)ix[t + i] % 40u] += 1;"
LOOP = "\n#pragma unroll 1\nfor (int i = 0; i < n; ++i) "


def _registers(between: str, type_: str = "int", size: int = 64, first: str = "0", read: str = "s += a[j]") -> int:
    text = KERNEL.format(type=type_, size=size, first=first, between=between, read=read)
    found = facts_of(text).target("sm_90").registers
    assert found.scratch_bytes >= size
    return found.estimate


@pytest.mark.parametrize(
    ("between", "type_", "size", "registers"),
    [
        (LOOP + COUNT, "int", 40, 46),
        (LOOP + COUNT, "int", 64, 70),
        (LOOP + COUNT, "int", 100, 110),
        (LOOP + COUNT, "double", 40, 90),
        (LOOP + COUNT, "unsigned char", 64, 71),
        ("for (int i = threadIdx.x; i < n; i += blockDim.x) " + COUNT, "int", 64, 70),
        (LOOP + "{ if (ix[i] < 0) continue; " + COUNT + "}", "int", 64, 70),
        ("if (m > 3) {" + LOOP.replace("< n", "< 32") + COUNT + "}", "int", 64, 70),
    ],
)
def test_counters_behind_a_loop_that_may_not_run(between: str, type_: str, size: int, registers: int) -> None:
    """registers: of nvcc 13.0.88 for sm_90."""
    assert _registers(between, type_, size) == pytest.approx(registers, rel=0.1)


@pytest.mark.parametrize(
    "between",
    [
        LOOP.replace("< n", "< 32") + COUNT,  # it runs
        LOOP + "{ if (ix[i] < 0) break; " + COUNT + "}",  # two ways lead out
        "int i = 0; do { " + COUNT + " ++i; } while (ix[i] > 0);",
        "for (int i = 0; i < n; ++i) " + COUNT,  # copies, and what is left of them
        LOOP + "{ a[ix[i] & 63] += pow(in[i], 1.5f); }",
        LOOP + COUNT + LOOP + "s += in[i];",  # no path leads from the first loop to the reads alone
    ],
)
def test_elements_are_read_in_turn_elsewhere(between: str) -> None:
    """30 to 40 registers of nvcc 13.0.88 for sm_90."""
    assert _registers(between) < 40


def test_elements_that_a_loop_reads_last_are_known_behind_it() -> None:
    """80 registers of nvcc 13.0.88 for sm_90."""
    between = LOOP + "{ " + COUNT + "\n#pragma unroll\nfor (int j = 0; j < 64; ++j) s += a[j]; }"
    assert _registers(between, "float", first="in[t + j * n]") == pytest.approx(80, rel=0.12)
