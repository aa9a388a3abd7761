"""What ptxas may put in local memory or not, and the estimate cannot tell: an entry in the ledger says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts

if TYPE_CHECKING:
    from regpress_lint.core.uncertainty import Unknown


def ledger(body: str, target: str = "sm_90") -> tuple[int, list[Unknown]]:
    """Private memory of a kernel, and what its ledger says of memory."""
    text = f"""#include <cuda_runtime.h>
__global__ void k(float* out, const float* in, const int* ix, int n) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  {body}
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    found = [one for one in facts.unknowns(target) if one.kind == "memory"]
    return facts.target(target).registers.scratch_bytes, found


def table(elements: int, work: str = "") -> str:
    fill = f"float a[{elements}]; for (int j = 0; j < {elements}; ++j) a[j] = in[t + j * n];"
    return f"{fill} float s = in[t]; for (int i = 0; i < n; ++i) {{ s += a[ix[i] % {elements}]; {work} }} out[t] = s;"


@pytest.mark.parametrize(
    ("body", "opens"),
    [
        pytest.param(table(9), "down", id="a table too large by a little"),
        pytest.param(table(7), "up", id="a table small enough by a little"),
        pytest.param(table(4), None, id="far smaller"),
        pytest.param(table(60), None, id="far larger"),
        pytest.param("float a[9]; for (int j = 0; j < 9; ++j) a[j] = in[j]; out[t] = a[3];", None, id="no such index"),
    ],
)
def test_a_frame_that_costs_about_as_much_as_it_may_is_an_entry(body: str, opens: str | None) -> None:
    scratch, found = ledger(body)
    assert [one.opens for one in found] == ([] if opens is None else [opens])
    assert all(one.name == "a" and "close call" in one.text for one in found)
    if opens is not None:
        assert (scratch > 0) is (opens == "down")


def test_only_ptxas_weighs_selects() -> None:
    assert ledger(table(9), "gfx90a")[1] == []


def beside(values: int, elements: int) -> str:
    """A loop of eighty sums that reads one of so many elements, beside values that wait for its end: nvcc 13.0.88 has
    28 elements in memory beside 9 to 19, in registers beside fewer and more; 12 are in registers beside 1 to 40.
    """
    waiting = f"float v[{values}]; for (int j = 0; j < {values}; ++j) v[j] = in[t + j * n];"
    fill = f"float a[{elements}]; for (int j = 0; j < {elements}; ++j) a[j] = in[t + j * n + 7]; float s = 0.f;"
    sums = "s = s * in[j] + 1.f; s = s * s + 2.f; " * 40
    loop = f"\n#pragma unroll 1\nfor (int j = 0; j < n; ++j) {{ {sums} s += a[ix[j] % {elements}]; }}"
    return f"{waiting} {fill} {loop} for (int j = 0; j < {values}; ++j) out[t + j * n + 9] = v[j]; out[t] = s;"


@pytest.mark.parametrize(("values", "elements", "open_"), [(16, 28, True), (1, 12, False), (16, 12, False)])
def test_array_that_costs_waves_beside_much_else_is_an_entry(values: int, elements: int, open_: bool) -> None:
    scratch, found = ledger(beside(values, elements))
    assert scratch == 0
    assert [(one.name, one.opens, "waves" in one.text) for one in found] == ([("a", "up", True)] if open_ else [])


def with_sine(products: int) -> str:
    """nvcc 13.0.88 has 32 bytes for three and four products, and none for fewer or more."""
    reads = "".join(f"float v{i} = in[t + {i + 1} * n]; " for i in range(products))
    return (
        f"float x = in[t]; {reads} float s = sinf(x); out[t] = s"
        + "".join(f" + v{i} * s" for i in range(products))
        + ";"
    )


def test_single_slow_path_is_an_entry() -> None:
    scratch, found = ledger(with_sine(4))
    assert scratch == 0
    assert [(one.name, one.opens) for one in found] == [("sinf", "up")]
    ((_, of_cosine),) = [(each.name, each.text) for each in ledger(with_sine(4).replace("sinf", "cosf"))[1]]
    assert "the slow path of `cosf`" in of_cosine


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("out[t] = sinf(in[t]) + cosf(in[t + n]);", id="two have a frame"),
        pytest.param("out[t] = __sinf(in[t]);", id="no slow path"),
        pytest.param(
            "float v[32]; for (int j = 0; j < 32; ++j) v[j] = in[t + j * n]; float s = sinf(in[t]); "
            "for (int j = 0; j < 32; ++j) out[t + j * n] = v[j] * s;",
            id="far more registers than a frame saves",
        ),
    ],
)
def test_settled_comparison_is_no_close_call(body: str) -> None:
    assert ledger(body)[1] == []
