"""An array in registers, written at a run-time index in one branch: the other branch leaves it where it is."""

from __future__ import annotations

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts


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
    assert facts.scratch_bytes("pvc") == 0
    assert facts.trace("pvc").held.vector < 2 * 32
