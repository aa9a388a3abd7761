"""Sides of a branch take their registers one after the other: what the first gives does not wait for the second, and
what both give has one register. A chain of six takes what its widest side does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest
from analysis_helpers import facts_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

KERNEL = """__global__ void k(float* o, const float* __restrict__ a, int n, int m) {{
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  {body}
}}
"""


def _chain(sides: Sequence[str], condition: str) -> str:
    """An `if` with an `else if` for each further side, the last under `else`."""
    conditions = [f"if ({condition.format(k=k)}) " for k in range(len(sides) - 1)]
    return " else ".join(head + "{ " + side + " }" for head, side in zip([*conditions, ""], sides, strict=True))


def _many(k: int) -> str:
    """Sixteen results of sixteen reads."""
    return " ".join(f"v{j} = __expf(a[t + {j * 700 + k * 7777}]) * {k + 1};" for j in range(16))


def _one(k: int) -> str:
    """One result of six reads that are all needed at its end."""
    reads = "".join(f"float x{j} = a[(t + {k * 100 + j * 7}) * n + {j}]; " for j in range(6))
    products = "+".join(f"x{j}*x{(j + 3) % 6}" for j in range(6))
    return reads + f"v0 = ({products}) / (" + "*".join(f"(x{j}+{k + 1}.f)" for j in range(6)) + ");"


def _source(sides: int, condition: str, *, many: bool) -> str:
    names = [f"v{j}" for j in range(16 if many else 1)]
    chain = _chain([(_many if many else _one)(k) for k in range(sides)], condition)
    total = "+".join(f"{a}*{b}" for a, b in zip(names, [*names[1:], names[0]], strict=True))
    return KERNEL.format(body=f"float {', '.join(names)}; {chain} o[t] = {total};")


CHAINS = {
    (sides, condition, many): _source(sides, condition, many=many)
    for sides in (2, 6)
    for condition in ("m == {k}", "t < 16 * {k} + 16")
    for many in (True, False)
}
REPLACED = KERNEL.format(
    body="float "
    + ", ".join(f"v{j} = a[t + {j} * n]" for j in range(16))
    + "; if (t < m) { "
    + " ".join(f"v{j} = a[(t + {j}) * n + 7];" for j in range(16))
    + " } o[t] = "
    + " + ".join(f"v{j} * v{(j + 1) % 16}" for j in range(16))
    + ";"
)
# Registers of nvcc 13.0.88 for sm_90, of two and of six sides, whatever threads decide; clang 19.1.7 for gfx90a has 30
# and 22. With all sides alive together six of the first kind were 98 registers alive at their widest point.
COMPILED = {True: 26, False: 22}


def _held(source: str) -> int:
    return int(facts_of(source).peak("sm_90").registers)


@pytest.mark.parametrize("many", [True, False])
@pytest.mark.parametrize("condition", ["m == {k}", "t < 16 * {k} + 16"])
def test_a_chain_holds_as_much_as_its_widest_side(condition: str, many: bool) -> None:
    two, six = (CHAINS[sides, condition, many] for sides in (2, 6))
    assert abs(_held(six) - _held(two)) <= 3
    real = COMPILED[many]
    for source in (two, six):
        registers = facts_of(source).target("sm_90").registers
        assert registers.low <= real <= registers.high
        assert abs(registers.estimate - real) <= 8


def test_a_value_that_a_branch_replaces_does_not_wait_behind_it() -> None:
    alone = REPLACED.replace("if (t < m) {", "{")
    assert _held(REPLACED) <= _held(alone) + 16 + 4


SUMS = """__global__ void k(const float* a, float* o, int n, int q) {{
  float s[64] = {{0}};
  __shared__ float x[2048];
  for (int t = 0; t < n; t += 2) {{
    x[threadIdx.x] = a[t];
    __syncthreads();
    {body}
    __syncthreads();
  }}
  for (int i = 0; i < 64; ++i) o[i * n + threadIdx.x] = s[i];
}}
"""


def _products(begin: int) -> str:
    inner = "for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) s[i * 8 + j] += m[i] * c[j];"
    reads = f"m[i] = x[{begin} + k * 64 + i]; c[i] = x[{begin} + k * 32 + i];"
    return f"for (int k = 0; k < 16; ++k) {{ float m[8], c[8]; for (int i = 0; i < 8; ++i) {{ {reads} }} {inner} }}"


# nvcc 13.0.88 for sm_90: 80, 96 and 96 registers, and 80 without a branch.
UPDATED = {
    "if": f"if (t + q < n) {{ {_products(0)} }}",
    "else": f"if (threadIdx.x > 128) {{ {_products(0)} }} else {{ {_products(1024)} }}",
    "nested": f"if (threadIdx.x > 128) {{ {_products(0)} __syncthreads(); if (t + q < n) {{ {_products(512)} }} }} "
    f"else {{ {_products(1024)} }}",
}


@pytest.mark.parametrize("body", UPDATED.values(), ids=list(UPDATED))
def test_sums_are_updated_in_place_in_each_side(body: str) -> None:
    assert abs(_held(SUMS.format(body=body)) - _held(SUMS.format(body=_products(0)))) <= 4


@pytest.mark.compiler
@pytest.mark.parametrize("many", [True, False])
def test_compilers_take_as_many_for_six_sides_as_for_two(many: bool, tmp_path: Path) -> None:
    compilers.need(".cu")
    for condition in ("m == {k}", "t < 16 * {k} + 16"):
        for sides in (2, 6):
            (found,) = compilers.allocations(CHAINS[sides, condition, many], ".cu", tmp_path).values()
            assert abs(found.registers - COMPILED[many]) <= 2
