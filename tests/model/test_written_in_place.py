"""An array in registers, written at a run-time index in one branch: the other branch leaves it where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from analysis_helpers import body, scratch_of, trace_of

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.passes import placement

if TYPE_CHECKING:
    from regpress_lint.model.graph.objects import Placement
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.placement import KernelInput
    from regpress_lint.targets.compilers.traits import Compiler


def test_a_stack_of_a_walk_through_a_tree_is_held_once() -> None:
    """IGC 1.0.12504 holds 50 registers at its first try and needs no private memory; held twice it would spill."""
    text = """#include <cuda_runtime.h>
__global__ void walk(const int4* nodes, int* found, float radius, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stack[32];
  int top = 0, count = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int4 node = nodes[stack[--top]];
    if (node.x < 0) {
      count += node.y;
    } else {
      stack[top++] = node.z;
      stack[top++] = node.w;
    }
  }
  found[i] = count;
}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("pvc",)))
    assert scratch_of(facts, "pvc") == 0
    assert trace_of(facts, "pvc").held.vector < 2 * 32


@pytest.mark.parametrize(
    ("before", "executions"), [("for (int j = 0; j < 8; j++) v[j] = a[j];", 1), ("v[0] = a[0];", 2), ("", 2)]
)
def test_an_array_that_has_all_its_values_first_takes_one_execution(
    before: str, executions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it is alive from the first write at a run-time index on, in registers that the execution has seen."""
    found: list[object] = []
    execute = placement._executed

    def noted(kernel: KernelInput, compiler: Compiler, arrays: Placement, *others: Any) -> Machine:
        found.append(arrays)
        return execute(kernel, compiler, arrays, *others)

    monkeypatch.setattr(placement, "_executed", noted)
    after = "for (int j = 0; j < n; j++) v[j & 7] += a[j]; for (int j = 0; j < 8; j++) b[j] = v[j];"
    facts = body(f"float v[8]; {before} {after}")
    assert trace_of(facts, "gfx90a").held.vector >= 8
    assert len(found) == executions
