"""Numbers of the register estimate per vendor, fitted to compilers by `tools/measure/calibrate_registers.py`."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Band(NamedTuple):
    """Ends of a band around the fitted logarithm."""

    low: float
    high: float


class Fit(NamedTuple):
    """log(registers + 2) = intercept + weights x `registers.features`, no weight negative; at least the logarithm of
    `floor` times `registers.held`, + 2.

    small, large: bands that held nine of ten kernels with a small or large estimate, of benchmarks that the fit had not
    seen, with as many of the others above as below; between `SMALL` and `LARGE` registers one turns into the other.
    Where there are doubts both are one, the narrowest.
    loose: the same for kernels with an unknown (a type, a callee) or that print or assert; it only
    ever widens.
    spread: how much wider or narrower each of `registers.doubts` makes a band, and their sum in the usual kernel; empty
    where one width fits all.
    """

    intercept: float
    weights: tuple[float, ...]
    small: Band
    large: Band
    loose: Band
    floor: float
    spread: tuple[float, ...] = ()
    usual: float = 0.0

    def band(self, middle: float, doubts: Sequence[float] = (), *, certain: bool) -> Band:
        """Band for an estimate given as log(registers + 2)."""
        scale = self.scale(doubts)
        band = self._unscaled(middle, certain=certain)
        return Band(scale * band.low, scale * band.high)

    def scale(self, doubts: Sequence[float]) -> float:
        """Width of a band beside that of the usual kernel."""
        if not self.spread or not doubts:
            return 1.0
        off = sum(a * b for a, b in zip(self.spread, doubts, strict=True)) - self.usual
        return min(_WIDEST, max(1 / _WIDEST, exp(off)))

    def _unscaled(self, middle: float, *, certain: bool) -> Band:
        share = min(1.0, max(0.0, (middle - _LOG_SMALL) / (_LOG_LARGE - _LOG_SMALL)))
        low = self.small.low + share * (self.large.low - self.small.low)
        high = self.small.high + share * (self.large.high - self.small.high)
        return Band(low, high) if certain else Band(min(low, self.loose.low), max(high, self.loose.high))


SMALL, LARGE = 16, 40
_WIDEST = 3.0  # times the usual width; so many times narrower, too
_LOG_SMALL, _LOG_LARGE = log(SMALL + 2), log(LARGE + 2)

# The floors are the shares of what is held that kernels with 64 and more registers take least, to a tenth:
# calibrate_registers.py prints the errors under others. ptxas keeps some of it in uniform registers.
# clang 19 for gfx90a with room for 256 threads per block (VGPRs and AGPRs), 647 kernels; nvcc 13.0 for sm_90, 701:
#   python -m tools.measure.calibrate_registers HECBENCH/src kernels.csv
_AMD = Fit(
    -0.107,
    (0.934, 0.242, 0.086),
    Band(-0.607, 0.408),
    Band(-0.607, 0.408),
    Band(-0.776, 0.551),
    1.0,
    (0.227, 0.301),
    0.315,
)
_NVIDIA = Fit(
    1.139,
    (0.466, 0.094, 0.361, 0.026, 0.004, 0.061, 0.043, 0.033, 0.030, 0.055, 0.037),
    Band(-0.280, 0.363),
    Band(-0.292, 0.273),
    Band(-0.333, 0.580),
    0.9,
)
# IGC 1.0.12504 for pvc, 385 kernels: what is alive when it first tries, in 32 bits a work-item of 32 lanes (`--intel`
# of the same command). The weights are older than the bands, which are moved by as much as a new fit is higher: that is
# no better on these kernels, and takes one array of the golden series for memory that is none.
_INTEL = Fit(
    -0.014,
    (0.428, 0.386, 0.094, 0.038, 0.362, 0.139),
    Band(-0.774, 0.523),
    Band(-0.665, 0.559),
    Band(-1.846, 1.121),
    1.0,
)

FITS: Mapping[str, Fit] = {"amd": _AMD, "nvidia": _NVIDIA, "intel": _INTEL}
