"""Values of a loop that are updated behind everything that is added to them: clang for AMD leaves them there."""

from __future__ import annotations

import pytest
from analysis_helpers import facts_of

KERNEL = """__global__ void __launch_bounds__(256) k(double* y, const double* c, int n, double h) {
  const int N = SIZE;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[N];
#pragma unroll
  for (int q = 0; q < N; ++q) s[q] = y[q * STRIDE + i];
  for (int t = 0; t < n; ++t) {
    double d[N];
    BODY
  }
#pragma unroll
  for (int q = 0; q < N; ++q) y[q * STRIDE + i] = s[q];
}
"""
EACH = "\n#pragma unroll\nfor (int q = 0; q < N; ++q) "
APART = f"{EACH}d[q] = c[q] * s[(q + 1) % N] - s[q];{EACH}s[q] += h * d[q];"
AT_ONCE = f"{EACH}s[q] += h * (c[q] * s[(q + 1) % N] - s[q]);"
REPLACED = f"{EACH}d[q] = h * s[(q + 1) % N] + s[q];{EACH}s[q] = d[q];"
OF_PRODUCTS = f"{EACH}d[q] = c[q] * s[(q + 1) % N] - s[q] * s[(q + N - 1) % N];{EACH}s[q] += h * d[q];"


def _estimate(body: str, size: int, stride: str) -> int:
    text = KERNEL.replace("BODY", body).replace("SIZE", str(size)).replace("STRIDE", stride)
    return facts_of(text, "hip").target("gfx90a").registers.estimate


@pytest.mark.parametrize(
    ("body", "size", "compiled"),
    [
        (APART, 12, 72),
        (APART, 16, 92),
        (APART, 24, 140),
        (OF_PRODUCTS, 16, 92),
        (OF_PRODUCTS, 24, 140),
        (AT_ONCE, 24, 98),
        (REPLACED, 24, 100),
    ],
)
def test_additions_of_a_second_loop_exist_at_once(body: str, size: int, compiled: int) -> None:
    """clang 19.1.7 for gfx90a; 24 doubles are 48 registers, and their addresses as many."""
    assert _estimate(body, size, "n") == pytest.approx(compiled, rel=0.1)


def test_no_wave_is_lost_for_it_where_a_better_order_keeps_them() -> None:
    """clang 19.1.7 takes 60 VGPRs where the addresses are one, for 24 doubles."""
    assert _estimate(APART, 24, "256") < 100
