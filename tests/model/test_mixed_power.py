"""`pow` of a float with an int exponent is that of doubles for nvcc, and one of its own in HIP and SYCL."""

from __future__ import annotations

import pytest

from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse

_POWER = b"""__global__ void k(const float* x, float* y, int e) {{
  int t = threadIdx.x;
  y[t] = pow(x[t], {});
}}
"""


def estimate(exponent: str, target: str) -> tuple[int, int, int]:
    source = _POWER.decode().format(exponent).encode()
    analysis = analyse(source, "k.cu", Settings(architectures=(target,)))
    assert isinstance(analysis, Analysis)
    (kernel,) = analysis.file.kernels
    band = analysis.facts(kernel).target(target).registers
    return band.low, band.estimate, band.high


@pytest.mark.parametrize(
    ("exponent", "target", "compiled"), [("e", "sm_90", 29), ("17", "sm_90", 29), ("e", "gfx90a", 26)]
)
def test_band_contains_the_compilers_numbers(exponent: str, target: str, compiled: int) -> None:
    low, middle, high = estimate(exponent, target)
    assert low <= compiled <= high
    assert abs(middle - compiled) <= 6


def test_a_float_exponent_stays_float() -> None:
    assert estimate("2.5f", "sm_90")[1] < estimate("e", "sm_90")[1]
