"""Exact occupancy for AMD, NVIDIA and Intel GPUs: zero mismatches with the vendors' own arithmetic.

Three questions, three functions, because their answers differ: `occupancy` (whole work-groups that are resident),
`compiler_waves_per_simd` (what clang's remark prints) and `runtime_blocks` (what the run-time API answers).
"""

from .architectures import answered_as, architecture, architectures, is_known
from .calculator import compiler_waves_per_simd, occupancy, runtime_blocks
from .intel import grf_budget
from .quantities import (
    Architecture,
    GrfMode,
    KernelUse,
    Mode,
    Occupancy,
    Resource,
    Step,
    UnknownArchitectureError,
    Vendor,
)
from .steps import headroom, next_step, register_cap, register_steps

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
    "answered_as",
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
