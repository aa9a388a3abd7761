"""Which indices of arrays are constants: the execution says it, and an access that it never reached costs nothing."""

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
    ("head", "bound", "given"), [("template <int ROWS>", "ROWS", "<8>"), ("__device__ int rows;", "rows", "")]
)
def test_an_access_that_was_never_executed_keeps_nothing_in_memory(head: str, bound: str, given: str) -> None:
    facts = facts_of(STEPS.format(head=head, bound=bound, given=given), "cuda")
    (array,) = resolved(
        facts.source.arrays, Notes({}, {}), {each: facts.loops_of(each) for each in facts.source.functions}
    )
    in_callee = [access for access in array.accesses if access.function.name == "scale"]
    assert in_callee
    assert not any(access.dynamic for access in in_callee)


@pytest.mark.parametrize("target", ["gfx90a", "sm_90", "pvc"])
@pytest.mark.parametrize(("bound", "moving"), [("8", False), ("n", True)])
def test_execution_decides_an_index_in_a_callee(bound: str, moving: bool, target: str) -> None:
    text = """
__device__ void scale(float* part, float x, int n) {{
  for (int r = 0; r < {bound}; ++r) part[r] *= x;
}}
__global__ void k(const float* in, float* out, int n) {{
  float part[8];
  for (int r = 0; r < 8; ++r) part[r] = in[r];
  scale(part, in[n], n);
  for (int r = 0; r < 8; ++r) out[r] = part[r];
}}
"""
    (array,) = facts_of(text.format(bound=bound), "cuda").arrays_for(target)
    assert {access.dynamic for access in array.accesses if access.function.name == "scale"} == {moving}
