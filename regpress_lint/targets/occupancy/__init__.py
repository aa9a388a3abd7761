"""Exact occupancy for AMD, NVIDIA and Intel GPUs: zero mismatches with the vendors' own arithmetic.

Three questions, three functions, because their answers differ: `occupancy` (whole work-groups that are resident),
`compiler_waves_per_simd` (what clang's remark prints) and `runtime_blocks` (what the run-time API answers).
"""

from .architectures import (
    answered_as as answered_as,
    architecture as architecture,
    architectures as architectures,
    is_known as is_known,
)
from .calculator import (
    compiler_waves_per_simd as compiler_waves_per_simd,
    occupancy as occupancy,
    runtime_blocks as runtime_blocks,
)
from .intel import grf_budget as grf_budget
from .quantities import (
    Architecture as Architecture,
    GrfMode as GrfMode,
    KernelUse as KernelUse,
    Mode as Mode,
    Occupancy as Occupancy,
    Resource as Resource,
    Step as Step,
    UnknownArchitectureError as UnknownArchitectureError,
    Vendor as Vendor,
)
from .steps import (
    headroom as headroom,
    next_step as next_step,
    register_cap as register_cap,
    register_steps as register_steps,
)
