"""Elements of a private array in memory that nvcc holds in registers as well."""

from __future__ import annotations

from typing import Any

import pytest
from analysis_helpers import body

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.interpreter import loops

ELEMENTS = 64
SUMS = "for (int i = 0; i < n; ++i) { for (int j = 0; j < 64; ++j) s += a[j] * s2; s2 = in[i]; } "
PICKS = "for (int i = 0; i < n; ++i) s += a[ix[i] & 63]; "
CHANGES = "for (int i = 0; i < n; ++i) a[ix[i] & 63] += s2; "


def held(code: str, target: str = "sm_90") -> tuple[int, int]:
    """Vector registers alive in a kernel that fills an array and goes on with a body, and its private memory."""
    text = f"""#include <cuda_runtime.h>
__global__ void k(float* out, const float* in, const int* ix, int n, int m) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0, s2 = in[t], a[{ELEMENTS}];
  for (int j = 0; j < {ELEMENTS}; ++j) a[j] = in[t + j * m];
  {code}
  out[t] = s + s2;
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    return facts.trace(target).held.vector, facts.target(target).registers.scratch_bytes


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(SUMS + PICKS, id="read by a loop that writes no element"),  # nvcc 13.0.88: 72 registers
        pytest.param(PICKS + "for (int j = 0; j < 64; ++j) out[t + j * m] = a[j];", id="stored behind such a loop"),
        pytest.param(CHANGES + SUMS, id="read in front of a loop"),  # nvcc 13.0.88: 80 and 72
    ],
)
def test_a_loop_holds_the_elements_that_it_does_not_write(body: str) -> None:
    elements, bytes_ = held(body)
    assert elements == pytest.approx(ELEMENTS, abs=12)
    assert bytes_ == 4 * ELEMENTS


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(CHANGES + "for (int j = 0; j < 64; ++j) s += a[j];", id="written at run-time indices between"),
        pytest.param(
            "for (int i = 0; i < n; ++i) { a[ix[i] & 63] += s; for (int j = 0; j < 64; ++j) s += a[j] * s2; }",
            id="written in the same loop",
        ),
        pytest.param(
            "for (int i = 0; i < n; ++i) { for (int j = 0; j < 64; ++j) s += a[j]; if (s > 1) a[ix[i] & 63] *= s; }",
            id="written under a condition in the same loop",
        ),
    ],
)
def test_what_is_written_at_a_run_time_index_is_read_again(body: str) -> None:
    vector, scratch = held(body)
    assert vector < ELEMENTS // 2
    assert scratch == 4 * ELEMENTS


def test_a_write_to_another_array_changes_nothing() -> None:
    """nvcc 13.0.88 takes 167 registers, with the reads of the other array on their way."""
    other = f"float b[{ELEMENTS}] = {{}}; for (int i = 0; i < n; ++i) {{ b[ix[i] & 63] += s2; "
    vector, _ = held(other + "for (int j = 0; j < 64; ++j) s += a[j] * b[ix[j] & 63]; }" + PICKS)
    assert vector >= ELEMENTS


def test_an_execution_with_registers_shows_which_arrays_a_loop_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next one, with the array in memory, knows them as it enters each loop, and executes none of them twice."""
    entered: list[int] = []
    kept = loops._kept

    def noted(machine: Any, loop: Any, shape: Any) -> None:
        entered.append(len(machine.in_memory))
        kept(machine, loop, shape)

    monkeypatch.setattr(loops, "_kept", noted)
    inner = "for (int k = 0; k < n; k++) { v[(k * 7 + j) % 40] = a[k]; v[3] += v[(k + j) % 40]; }"
    filled = "float v[40]; for (int i = 0; i < 40; i++) v[i] = a[i];"
    facts = body(f"{filled} for (int j = 0; j < n; j++) {{ {inner} }} b[0] = v[n];")
    assert [variable.name for variable in facts.execution("sm_90").in_memory] == ["v"]
    assert entered.count(1) == entered.count(0)
