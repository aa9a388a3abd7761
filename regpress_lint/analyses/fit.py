"""Numbers of the register estimate per vendor, fitted to compilers by `benchmarks/calibrate_registers.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Fit(NamedTuple):
    """log(registers + 2) = intercept + weights x `registers.features`; no weight is negative.

    low, high: the band around it, in the same logarithm, that held 90 % of the kernels of benchmarks that the fit had
    not seen; loose_low, loose_high: for kernels with values whose type is not in view (template parameters).
    """

    intercept: float
    weights: tuple[float, ...]
    low: float
    high: float
    loose_low: float
    loose_high: float


# clang 19 for gfx90a with room for 256 threads a block (VGPRs and AGPRs), 647 kernels; nvcc 13.0 for sm_90, 701 kernels:
#   python benchmarks/calibrate_registers.py HECBENCH/src kernels.csv
_AMD = Fit(-0.208, (0.116, 0.279, 0.139, 0.480, 0.361, 0.300, 0.168), -0.702, 0.944, -1.107, 1.017)
_NVIDIA = Fit(1.649, (0.183, 0.135, 0.084, 0.035, 0.270, 0.131, 0.084), -0.495, 0.456, -0.495, 0.632)
# No compiler of Intel's was measured on whole kernels: NVIDIA's line, because IGC too keeps uniform values in the vector
# file, with the width of AMD's band.
_INTEL = Fit(1.649, _NVIDIA.weights, -0.702, 0.944, -1.107, 1.017)

FITS: Mapping[str, Fit] = {"amd": _AMD, "nvidia": _NVIDIA, "intel": _INTEL}
