"""When registers cost something: steps of occupancy, limits by other resources, grids too small to matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import architecture, headroom, occupancy
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.target import TargetFacts
    from regpress_lint.program.model import Launch
    from regpress_lint.source.loop_facts import LoopFacts


# Units of a data-centre GPU: 104 CUs (MI250X), 132 SMs (H200), 128 Xe-cores (Max 1550).
_UNITS = 100


def small_grid(launch: Launch | None, resident: int = 1) -> bool:
    """True for a launch of so few blocks that no unit of a large GPU gets more than `resident` of them."""
    return launch is not None and launch.blocks is not None and launch.blocks <= _UNITS * resident


def small_work(facts: KernelFacts) -> bool:
    """Launches of one thread or one block: nothing there depends on how many waves would fit."""
    launches = facts.kernel.launches
    if facts.launch.block_size == 1 or facts.kernel.form == "single_task":
        return True
    return bool(launches) and all(launch.blocks == 1 for launch in launches)


class Spare(NamedTuple):
    """Registers a thread may take without losing a wave, because something else holds the waves down."""

    registers: int
    limiter: str

    def note(self, target: TargetFacts, budget: int | None = None) -> str:
        """The remark about a target; beyond the budget (under launch bounds to come, if given) it would spill."""
        free = min(self.registers, budget or target.budget)
        return f"registers up to {free} are free on {target.architecture.name}: {self.limiter} limits"


def spare_registers(facts: KernelFacts, name: str) -> Spare | None:
    """Registers that are free on a target because LDS or the block size limits; None if neither does, or if the known
    launches do not settle it (none, or several that differ), or registers have no steps at all.

    Unknown LDS can only free more of them.
    """
    target = facts.target(name)
    bare = target.without_registers
    launch = facts.launch
    if not target.architecture.has_register_steps or launch.block_size_from == "assumed" or launch.launches_differ:
        return None
    if bare.groups == 0 or bare.waves == bare.max_waves:
        return None
    lds = "lds" in bare.limiters
    # A bound is the most threads that a block may have: smaller blocks need not divide the slots as badly.
    if facts.launch.block_size_from == "launch_bounds" and not lds:
        return None
    free = 1 + headroom(target.architecture, target.use(1), "registers")
    return Spare(free, "LDS" if lds else "the block size")


def unless_spare(facts: KernelFacts, name: str, registers: float, severity: Severity) -> Severity:
    """The severity of a finding that costs registers and nothing else: a hint while `registers`, with those that the
    finding adds, stay below the step that would bind and within the budget.
    """
    spare = spare_registers(facts, name)
    free = spare is not None and registers <= min(spare.registers, facts.target(name).budget)
    return Severity.HINT if free else severity


def with_spare(facts: KernelFacts, names: Iterable[str], text: str) -> str:
    """A help text, and on which of the targets registers are free up to which number."""
    spares = ((name, spare_registers(facts, name)) for name in names)
    return "; ".join((text, *(spare.note(facts.target(name)) for name, spare in spares if spare is not None)))


# ------------------------------------------------------------------------------------------- what registers are worth


def step_severity(facts: KernelFacts, name: str, saved: float, *, whole: bool = False) -> Severity:
    """The severity of saving `saved` registers on a target: a warning if the estimate then leaves a spill behind or
    fits one more wave, and one end of its band as well (`whole`: both); info if only a part of the band does;
    else a hint.

    LDS and the block size count: where they limit, nothing is gained.
    """
    target = facts.target(name)
    registers = target.registers
    estimate, *ends = (_gains(target, value, saved) for value in (registers.estimate, registers.low, registers.high))
    if estimate and (all(ends) if whole else any(ends)):
        return Severity.WARNING
    return Severity.INFO if estimate or any(ends) else Severity.HINT


def _gains(target: TargetFacts, registers: float, saved: float) -> bool:
    if registers > target.budget:  # what is beyond the budget spills
        return True
    before, after = (target.use(round(value)) for value in (registers, max(registers - saved, 1)))
    return occupancy(target.architecture, after).waves > occupancy(target.architecture, before).waves


# Kernels of HeCBench without bounds, compiled under caps of 64 to 128 (gfx90a) and 32 to 64 (sm_90): of those whose
# estimate is above these shares of the cap 16 of 20 and 63 of 66 spill more than under `(256)`; between the cap and
# these 30 of 78 do, and within a tenth below it 13 of 137.
SURELY = {"amd": 1.1, "nvidia": 1.25, "intel": 1.25}


def surely_beyond(target: str, registers: float, budget: int) -> bool:
    """Whether an estimate is so far beyond a budget that most such kernels spill."""
    return registers >= SURELY[architecture(target).vendor] * budget


# Of the waves that an array in private memory leaves: from which share on a column of LDS is known to be faster. On an
# H100 columns of 200 floats, with 8 of 64 warps, were 3.6 and 60 times as fast (`tools/measure/private_columns.cu`); on
# AMD nobody has timed any, and what leaves fewer than a quarter is not advised.
_COLUMN_SHARE = {"nvidia": 1 / 8, "amd": 1 / 4, "intel": 0.0}


def column_pays(target: str, before: float, after: float) -> bool:
    """True if an array out of private memory is worth the waves that its column of LDS takes: `before` and `after` it,
    per SIMD. `check` and `--advise` ask here alone.
    """
    return after > 0 and after >= _COLUMN_SHARE[architecture(target).vendor] * before


def column_in_doubt(target: str, left: int) -> bool:
    """True for a column of shared memory that leaves other arrays of the kernel (`left`) in local memory of an NVIDIA
    GPU, where shared memory is a part of L1: on an H200 it gained nothing in eight of ten kernels and took up to 1.8
    times as long. For the only array it gained in seven of ten (tools/measure/results/changes.csv).
    """
    return left > 0 and gpu(target).is_nvidia


def waves_without(target: TargetFacts, saved: int) -> float:
    """Waves a SIMD at the estimate, less some registers."""
    waves = occupancy(target.architecture, target.use(max(target.registers.estimate - saved, 1)))
    return waves.waves / waves.simds


def waves_with_lds(target: TargetFacts, registers: int, bytes_: int) -> tuple[float, float]:
    """Waves per SIMD with this number of registers and the LDS of the source, and with these bytes of it more for a
    block: they stand for private arrays that clang moves there, or take their place.
    """
    use = target.use(registers)
    at_launch = use._replace(lds_bytes=use.lds_bytes - target.arrays_in_lds)
    more = at_launch._replace(lds_bytes=at_launch.lds_bytes + bytes_)
    before, after = (occupancy(target.architecture, kernel) for kernel in (at_launch, more))
    return before.waves / before.simds, after.waves / after.simds


# When a loop counts as the place where the kernel's registers are alive.


AT_THE_PEAK = 0.9  # share of the kernel's most registers that a loop holds at its own widest place


def at_peak(facts: KernelFacts, target: str, loop: LoopFacts) -> bool:
    """True if a loop's own peak is the kernel's, or nearly."""
    peak = facts.peak(target)
    return (peak.in_loop(loop.loop) or 0) >= AT_THE_PEAK * max(peak.alive, default=0)
