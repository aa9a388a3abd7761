"""A write through a pointer to another type: C++ lets a compiler take what was read before it, and NVVM reads again."""

from __future__ import annotations

import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.model.graph.ops import LOAD_GLOBAL
from regpress_lint.model.passes.trace import scheduled_kernel
from regpress_lint.targets.compilers import habits


@pytest.mark.parametrize(
    ("written", "target", "reads"),
    [("int", "sm_90", 2), ("int", "gfx90a", 1), ("double", "sm_90", 2), ("double", "gfx90a", 2)],
)
def test_a_write_of_another_type_changes_no_read_for_clang(written: str, target: str, reads: int) -> None:
    """Of nvcc 13.0.88 the PTX has two reads, of clang 19.1.7 the assembly one where an `int` is written."""
    text = f"""__global__ void k(const double* c, double* o, {written}* w, int n) {{
  double first = c[n];
  w[n] = n;
  o[n] = first + c[n];
}}
"""
    file = testing.build(text, "k.cu", "cuda")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=(target,)))
    graph = scheduled_kernel(facts.input_for(habits(target))).machine.graph
    assert graph.ops.count(LOAD_GLOBAL) == reads
