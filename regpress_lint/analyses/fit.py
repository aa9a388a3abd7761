"""Numbers of the register estimate per vendor, fitted to compilers by `benchmarks/calibrate_registers.py`."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Band(NamedTuple):
    """Ends of a band around the fitted logarithm."""

    low: float
    high: float


class Fit(NamedTuple):
    """log(registers + 2) = intercept + weights x `registers.features`; no weight is negative.

    small, large: bands that held 90 % of the kernels with a small or large estimate, of benchmarks that the fit had not
    seen; between `SMALL` and `LARGE` registers one turns into the other. loose: the same for kernels with values whose
    type is not in view (template parameters); it only ever widens.
    """

    intercept: float
    weights: tuple[float, ...]
    small: Band
    large: Band
    loose: Band

    def band(self, middle: float, *, certain: bool) -> Band:
        """Band for an estimate given as log(registers + 2)."""
        share = min(1.0, max(0.0, (middle - _LOG_SMALL) / (_LOG_LARGE - _LOG_SMALL)))
        low = self.small.low + share * (self.large.low - self.small.low)
        high = self.small.high + share * (self.large.high - self.small.high)
        return Band(low, high) if certain else Band(min(low, self.loose.low), max(high, self.loose.high))


SMALL, LARGE = 16, 40
_LOG_SMALL, _LOG_LARGE = log(SMALL + 2), log(LARGE + 2)

# clang 19 for gfx90a with room for 256 threads a block (VGPRs and AGPRs), 647 kernels; nvcc 13.0 for sm_90, 701:
#   python benchmarks/calibrate_registers.py HECBENCH/src kernels.csv
_AMD = Fit(
    -0.212,
    (0.118, 0.277, 0.140, 0.482, 0.343, 0.296, 0.168),
    Band(-0.701, 0.836),
    Band(-0.796, 0.977),
    Band(-1.104, 1.027),
)
_NVIDIA = Fit(
    1.632,
    (0.184, 0.136, 0.084, 0.040, 0.242, 0.131, 0.088),
    Band(-0.384, 0.496),
    Band(-0.547, 0.493),
    Band(-0.303, 0.626),
)
# No compiler of Intel's was measured on whole kernels: NVIDIA's line, because IGC too keeps uniform values in its only
# register file, with the width of AMD's band.
_INTEL = Fit(_NVIDIA.intercept, _NVIDIA.weights, _AMD.small, _AMD.large, _AMD.loose)

FITS: Mapping[str, Fit] = {"amd": _AMD, "nvidia": _NVIDIA, "intel": _INTEL}
