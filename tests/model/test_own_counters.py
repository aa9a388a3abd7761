"""Whether clang for AMD copies a loop in which another one goes through an array."""

from __future__ import annotations

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_lint.facts.kernel import kernel_facts


def estimate(body: str) -> int:
    text = f"""#include <hip/hip_runtime.h>
__global__ __launch_bounds__(256) void k(float* out, const float* in, const int* ix, int n) {{
  int t = blockIdx.x * 256 + threadIdx.x;
  float a[8], s = in[t];
  for (int j = 0; j < 8; ++j) a[j] = in[t + j * n];
  {body}
  for (int j = 0; j < 8; ++j) s += a[j] * in[j];
  out[t] = s;
}}
"""
    file = testing.build(text, "k.hip", "hip")
    facts = kernel_facts(file, file.kernels[0], Settings(architectures=("gfx90a",)))
    return facts.target("gfx90a").registers.estimate


def test_a_loop_stays_one_if_only_the_loop_inside_picks_elements() -> None:
    """clang 19.1.7 takes 32 registers; fifty copies of the loop over `j` would make it 115."""
    inner = "for (int k = 0; k < 8; ++k) s += a[k] * in[t + j]; out[t + j * n] = s;"
    assert (
        estimate(f"for (int r = 0; r < 30; ++r) {{ for (int j = 0; j < 50; ++j) {{ {inner} }} s += a[r & 7]; }}") < 40
    )


def test_loop_is_unrolled_if_the_folded_body_is_small() -> None:
    """clang 19.1.7 copies it thirty times, the array being in registers by then, and reads ahead: 80 registers."""
    assert estimate("for (int r = 0; r < 30; ++r) for (int j = 0; j < 8; ++j) a[j] = a[j] * s + in[r * n + t];") > 32
