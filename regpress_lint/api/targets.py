"""The targets that a finding is for: questions to a vendor's GPU, and the arithmetic of occupancy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.targets.compilers import habits
from regpress_lint.targets.compilers.traits import Compiler
from regpress_lint.targets.occupancy import (
    Architecture,
    KernelUse,
    Occupancy,
    Resource,
    Vendor,
    architecture,
    headroom,
    next_step,
    occupancy,
    register_cap,
)
from regpress_lint.targets.occupancy.blocks import (
    BetterBlock,
    IdleLanes,
    better_block,
    idle_lanes,
    usual_block,
    with_block,
)
from regpress_lint.targets.vocabulary import Gpu, gpu

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts

__all__ = [
    "Architecture",
    "BetterBlock",
    "Compiler",
    "Gpu",
    "IdleLanes",
    "KernelUse",
    "Occupancy",
    "Resource",
    "Vendor",
    "amd_and_nvidia_targets",
    "amd_targets",
    "architecture",
    "better_block",
    "gpu",
    "habits",
    "headroom",
    "idle_lanes",
    "intel_targets",
    "is_gfx9",
    "lds_bytes",
    "next_step",
    "nvidia_targets",
    "occupancy",
    "register_cap",
    "targets_of",
    "usual_block",
    "vendor_of",
    "wave_sizes",
    "with_block",
]


def amd_targets(facts: KernelFacts) -> tuple[str, ...]:
    """AMD's among the targets, in the user's order."""
    return targets_of(facts, "amd")


def nvidia_targets(facts: KernelFacts) -> tuple[str, ...]:
    """NVIDIA's among the targets, in the user's order."""
    return targets_of(facts, "nvidia")


def amd_and_nvidia_targets(facts: KernelFacts) -> tuple[str, ...]:
    """The targets on which a register fewer may be a wave more, in the user's order."""
    return targets_of(facts, "amd", "nvidia")


def intel_targets(facts: KernelFacts) -> tuple[str, ...]:
    """Intel's among the targets, in the user's order."""
    return targets_of(facts, "intel")


def targets_of(facts: KernelFacts, *vendors: Vendor) -> tuple[str, ...]:
    """The targets of these vendors, in the user's order."""
    return tuple(target for target in facts.targets if vendor_of(target) in vendors)


def vendor_of(target: str) -> Vendor:
    """Vendor of an architecture name."""
    return gpu(target).vendor


def is_gfx9(target: str) -> bool:
    """See `Gpu.is_gfx9`."""
    return gpu(target).is_gfx9


def lds_bytes(target: str) -> int:
    """Bytes up to which clang moves a private object that is no short vector to LDS on a target."""
    return habits(target).promoted_bytes()


def wave_sizes(facts: KernelFacts, arch: Architecture) -> tuple[int, ...]:
    """Possible wave sizes: IGC picks one unless the kernel sets it, clang and nvcc have a fixed one."""
    wanted = facts.kernel.sub_group_size
    if wanted in arch.wave_sizes:
        return (wanted,)
    return arch.wave_sizes if arch.chooses_wave else (arch.default_wave_size,)
