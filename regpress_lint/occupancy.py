"""Exact occupancy for AMD, NVIDIA and Intel GPUs: the calculator's names for programs that import them.

The implementation is in `regpress_lint.targets.occupancy`; nothing inside this package imports this module.
"""

from regpress_lint.targets.occupancy import (
    Architecture as Architecture,
    GrfMode as GrfMode,
    KernelUse as KernelUse,
    Mode as Mode,
    Occupancy as Occupancy,
    Resource as Resource,
    Step as Step,
    UnknownArchitectureError as UnknownArchitectureError,
    Vendor as Vendor,
    architecture as architecture,
    architectures as architectures,
    compiler_waves_per_simd as compiler_waves_per_simd,
    grf_budget as grf_budget,
    headroom as headroom,
    is_known as is_known,
    next_step as next_step,
    occupancy as occupancy,
    register_cap as register_cap,
    register_steps as register_steps,
    runtime_blocks as runtime_blocks,
)
