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
    """log(registers + 2) = intercept + weights x `registers.features`, no weight negative; at least `registers.floor`.

    small, large: bands that held 90 % of the kernels with a small or large estimate, of benchmarks that the fit had not
    seen, with as many of the others above as below; between `SMALL` and `LARGE` registers one turns into the other.
    loose: the same for kernels with values whose type is not in view (template parameters); it only ever widens.
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


# What surrounds the pinned values (addresses, operands, loads on their way): as a share of them, and at most in
# registers. The share lies between the best for AMD (1.75) and for NVIDIA (1.25), which calibrate_registers.py prints.
# There the most makes hardly a difference; it is from the kernels of testdata/kernels with 60 to 130 pinned registers.
AROUND_SHARE, AROUND_MOST = 1.5, 30

SMALL, LARGE = 16, 40
_LOG_SMALL, _LOG_LARGE = log(SMALL + 2), log(LARGE + 2)

# clang 19 for gfx90a with room for 256 threads a block (VGPRs and AGPRs), 647 kernels; nvcc 13.0 for sm_90, 701:
#   python benchmarks/calibrate_registers.py HECBENCH/src kernels.csv
_AMD = Fit(
    -0.301,
    (0.226, 0.267, 0.110, 0.444, 0.468, 0.285, 0.112),
    Band(-0.719, 0.781),
    Band(-0.983, 0.790),
    Band(-1.061, 0.696),
)
_NVIDIA = Fit(
    1.556,
    (0.222, 0.136, 0.077, 0.046, 0.197, 0.119, 0.075),
    Band(-0.430, 0.458),
    Band(-0.482, 0.379),
    Band(-0.515, 0.369),
)
# No compiler of Intel's was measured on whole kernels: NVIDIA's line, because IGC too keeps uniform values in its only
# register file, with the width of AMD's band.
_INTEL = Fit(_NVIDIA.intercept, _NVIDIA.weights, _AMD.small, _AMD.large, _AMD.loose)

FITS: Mapping[str, Fit] = {"amd": _AMD, "nvidia": _NVIDIA, "intel": _INTEL}
