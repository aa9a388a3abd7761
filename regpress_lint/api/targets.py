"""The targets that a finding is for: questions to a vendor's GPU, and the arithmetic of occupancy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.targets.compilers import habits as habits
from regpress_lint.targets.compilers.traits import Compiler as Compiler
from regpress_lint.targets.occupancy import (
    Architecture as Architecture,  # noqa: TC001 - rules import it from here
    KernelUse as KernelUse,
    Occupancy as Occupancy,
    Resource as Resource,
    Vendor as Vendor,  # noqa: TC001
    architecture as architecture,
    headroom as headroom,
    next_step as next_step,
    occupancy as occupancy,
    register_cap as register_cap,
)
from regpress_lint.targets.occupancy.blocks import (
    BetterBlock as BetterBlock,
    IdleLanes as IdleLanes,
    better_block as better_block,
    idle_lanes as idle_lanes,
    usual_block as usual_block,
    with_block as with_block,
)
from regpress_lint.targets.vocabulary import Gpu as Gpu, gpu as gpu

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts


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
