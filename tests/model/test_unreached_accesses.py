"""Accesses of arrays that an execution did not come by: what the source alone shows of their indices is little."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

from regpress_lint.model.passes.scalar_replacement import Notes, resolved

STEPS = """
{head}
__device__ void scale(float* part, float x) {{
  for (int r = 0; r < {bound}; ++r) part[r] *= x;
}}
__global__ void k(const float* in, float* out, int n) {{
  float part[8];
  for (int r = 0; r < 8; ++r) part[r] = in[r];
  scale{given}(part, in[n]);
  for (int r = 0; r < 8; ++r) out[r] = part[r];
}}
"""


@pytest.mark.parametrize(
    ("head", "bound", "given", "moving"),
    [("template <int ROWS>", "ROWS", "<8>", False), ("__device__ int rows;", "rows", "", True)],
)
def test_in_a_function_template_an_index_may_be_a_constant_of_its_arguments(
    head: str, bound: str, given: str, moving: bool
) -> None:
    facts = facts_of(STEPS.format(head=head, bound=bound, given=given), "cuda")
    (array,) = resolved(facts.described_arrays, Notes({}, {}), {each: facts.loops_of(each) for each in facts.functions})
    in_callee = [access for access in array.accesses if access.function.name == "scale"]
    assert in_callee
    assert [access.dynamic for access in in_callee] == [moving] * len(in_callee)
