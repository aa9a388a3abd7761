"""Exact occupancy for AMD, NVIDIA and Intel GPUs: the calculator's names for programs that import them.

The implementation is in `regpress_lint.targets.occupancy`; nothing inside this package imports this module.
"""

from regpress_lint.targets.occupancy import (
    Architecture,
    GrfMode,
    KernelUse,
    Mode,
    Occupancy,
    Resource,
    Step,
    UnknownArchitectureError,
    Vendor,
    architecture,
    architectures,
    compiler_waves_per_simd,
    grf_budget,
    headroom,
    is_known,
    next_step,
    occupancy,
    register_cap,
    register_steps,
    runtime_blocks,
)

__all__ = [
    "Architecture",
    "GrfMode",
    "KernelUse",
    "Mode",
    "Occupancy",
    "Resource",
    "Step",
    "UnknownArchitectureError",
    "Vendor",
    "architecture",
    "architectures",
    "compiler_waves_per_simd",
    "grf_budget",
    "headroom",
    "is_known",
    "next_step",
    "occupancy",
    "register_cap",
    "register_steps",
    "runtime_blocks",
]
