"""The cost of the routines of portability layers that run after the bodies of reductions and scans.

Registers in addition to each thread's value, chosen so that the smallest kernels of each kind have the number that
their compiler gives them: with Kokkos 4.6 and clang 19.1.7 on gfx90a sums of int, float and double take 12, 12 and 14
VGPRs, scans of int and double 63 and 64; with nvcc 13.0.88 on sm_90 sums of double take 24 to 29, a scan 48.
"""

from __future__ import annotations

REDUCTION, SCAN = "reduction over the threads of a block", "scan over the threads of a block"
LEAGUE = "team of a league"  # which one the block works on from now on
LAYER_COSTS = {
    "amd": {REDUCTION: 12, SCAN: 62},
    "nvidia": {REDUCTION: 17, SCAN: 48},
    "intel": {REDUCTION: 8, SCAN: 32},
}
