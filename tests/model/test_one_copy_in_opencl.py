"""`#pragma unroll 1` in OpenCL C: IGC 1.0.12504 keeps the loop, and an array of structs in it needs memory."""

from __future__ import annotations

from analysis_helpers import facts_of, scratch_of

KERNEL = """
typedef struct { float x; float y; } R;
__kernel void k(__global float* out, __global const float* in, int n) {
  int t = get_local_id(0);
  R w[9];
  for (int j = 0; j < 9; ++j) { w[j].x = in[j * n]; w[j].y = in[t + j]; }
%s
  for (int j = 0; j < 9; ++j) out[t + j * n] = w[j].y;
}
"""


def test_a_loop_with_one_copy_indexes_at_run_time() -> None:
    assert scratch_of(facts_of(KERNEL % "#pragma unroll 1", "opencl"), "pvc") == 72  # as ocloc says
    assert scratch_of(facts_of(KERNEL % "", "opencl"), "pvc") == 0
