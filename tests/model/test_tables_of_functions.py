"""Calls of functions that a table holds at a known index: clang 19.1.7 inlines them, 5 VGPRs in place of 41."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

TEXT = """typedef double (*Op)(double, double);
__device__ double add(double a, double b) { return a + b; }
__device__ double sub(double a, double b) { return a - b; }
__global__ void k(const double* x, double* o, int n) { int t = threadIdx.x; BODY }
"""


@pytest.mark.parametrize(
    ("body", "inlined"),
    [
        ("Op f[2] = {add, sub}; o[t] = f[1](x[t], x[t + 1]);", True),
        ("const Op f[] = {add, &sub}; for (int i = 0; i < 2; ++i) o[t + i] = f[i](x[t], x[t + 1]);", True),
        ("const Op f[] = {add, [](double a, double b) { return a * b; }}; o[t] = f[1](x[t], x[t + 1]);", True),
        ("Op f[2] = {add, sub}; if (n) f[1] = add; o[t] = f[1](x[t], x[t + 1]);", False),
        ("const Op f[] = {add, sub}; o[t] = f[n & 1](x[t], x[t + 1]);", False),
    ],
)
def test_a_function_of_a_table_is_inlined(body: str, inlined: bool) -> None:
    registers = facts_of(TEXT.replace("BODY", body), "hip").target("gfx90a").registers
    assert (registers.high < 24) is inlined


FILE = TEXT.replace("__global__", "TABLE\n__global__")


@pytest.mark.parametrize(
    ("table", "index", "inlined"),
    [
        ("__device__ static constexpr Op f[] = {add, sub};", "1", True),
        ("__device__ const Op f[] = {add, sub};", "1", True),
        ("__device__ Op f[] = {add, sub};", "1", False),
        ("__device__ const Op f[] = {add, sub};", "n & 1", False),
    ],
)
def test_of_a_table_of_the_file(table: str, index: str, inlined: bool) -> None:
    body = f"o[t] = f[{index}](x[t], x[t + 1]);"
    registers = facts_of(FILE.replace("TABLE", table).replace("BODY", body), "hip").target("gfx90a").registers
    assert (registers.high < 24) is inlined
