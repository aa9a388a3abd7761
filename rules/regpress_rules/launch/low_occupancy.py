"""RP105 low-occupancy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Launch, NamedTuple, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.targets import Resource, better_block, gpu, next_step, occupancy, wave_sizes
from regpress_lint.api.text import count, limiter_names, listing, sub_group
from regpress_lint.api.worth import small_grid, small_work, with_spare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import TargetFacts

# Nothing is tried that would admit more waves. Three kernels of HeCBench with a register cap that admits them took 9 to
# 20 % longer (tools/measure/results/changes.csv).
_MOST = Severity.INFO
_HELPER_BLOCK = 32  # blocks up to this size belong to set-up and reduction kernels that are not worth a warning
_COMMON_BLOCKS = (64, 128, 256, 512, 1024)  # what a block may well have where no launch is in view
_BARRIERS = frozenset(("__syncthreads", "group_barrier", "barrier", "work_group_barrier", "sync", "__barrier_sync"))


class _Verdict(NamedTuple):
    severity: Severity  # how sure it is; the report has `_MOST` at most
    cause: str  # "launch": LDS or block size alone; "registers": the whole band; "band": a part of it
    upto: int | None = None  # without a launch in view: the largest block size for which it holds, None for any


class LowOccupancy(Rule):
    """A launch that leaves most of the GPU's wave slots empty."""

    code = "RP105"
    name = "low-occupancy"
    severity = Severity.INFO
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding, at the kernel's name, for the worst target; the others are in its severities."""
        if small_work(facts):
            return
        verdicts = {target: verdict for target in facts.targets if (verdict := _verdict(facts, target)) is not None}
        if not verdicts:
            return
        worst = max(verdicts, key=lambda target: verdicts[target].severity)
        where = place(facts, facts.kernel.name_span, facts.kernel.path, "the kernel")
        severities = {target: min(verdict.severity, _MOST) for target, verdict in verdicts.items()}
        target = facts.target(worst)
        message = _message(facts, target, verdicts[worst])
        yield Finding(where.span, message, severities, _help(facts, target, verdicts[worst]), where.notes)


def _verdict(facts: KernelFacts, name: str) -> _Verdict | None:
    target, low, below = facts.target(name), facts.settings.is_low, facts.settings.low_occupancy
    if target.begins is not None:
        return None  # warp groups with roles of their own: few warps with many registers are what it is made of
    if facts.launch.block_size_from == "assumed":
        return _any_block(facts, target)
    most = (facts.source_bound, facts.source_registers)
    known = target.measured is not None
    if not (known or facts.wants_hints) and any(not low(_fraction(target, registers(name))) for registers in most):
        return None  # not even with all that it declares: there is no need to execute it, which all below may do
    if target.without_registers.groups == 0 or target.best.groups == 0:
        return None  # RP108 says that
    if not low(target.worst.fraction):
        return None
    by_launch = low(target.without_registers.fraction)
    if not (by_launch or low(target.best.fraction)) and facts.is_open_upwards(target.architecture.name):
        return None
    # Compilers order work that hangs on nothing as they like: more than a hint only if as much is alive by itself.
    source = (
        target.best if known else occupancy(target.architecture, target.use(facts.typical(name).peak(name).registers))
    )
    if by_launch:
        # Exactly the threshold is what a tile of a quarter of the LDS is made for.
        meant = target.without_registers.fraction >= below or _is_pipelined(facts, target)
        severity, cause = Severity.INFO if meant else Severity.WARNING, "launch"
        if max(target.best.fraction, source.fraction) < below <= target.without_registers.fraction:
            severity, cause = Severity.WARNING, "registers"
    elif low(target.best.fraction):
        sure = max(target.best.fraction, source.fraction) < below
        severity, cause = Severity.WARNING if sure else Severity.HINT, "registers"
    else:
        # Only the high end says so: the estimate's own word is worth more than its margin.
        severity = Severity.INFO if max(target.occupancy.fraction, source.fraction) < below else Severity.HINT
        cause = "band"
    if facts.launch.block_size <= _HELPER_BLOCK or not _every_launch(facts, target, cause):
        severity = min(severity, Severity.INFO)
    if facts.kernel.launches and all(small_grid(launch) for launch in facts.kernel.launches):
        severity = Severity.HINT
    return _Verdict(severity, cause)


def _is_pipelined(facts: KernelFacts, target: TargetFacts) -> bool:
    """True where LDS limits the waves as a tile that a loop fills again and again, and each SIMD has one wave at least.

    Such a kernel buys reuse with its waves, on purpose: its tile is loaded once for many reads, and the reads of one
    wave hide each other.
    """
    shown = target.without_registers
    if "lds" not in shown.limiters or shown.waves < shown.simds:
        return False
    barriers = (site for site in facts.calls if site.call.name in _BARRIERS)
    return any(not loop.unrolled for site in barriers for loop in site.loops)


def _fraction(target: TargetFacts, registers: int) -> float:
    return float(occupancy(target.architecture, target.use(registers)).fraction)


def _every_launch(facts: KernelFacts, target: TargetFacts, cause: str) -> bool:
    """Whether no known launch, or the bound if there is none, can fill a unit better than the threshold."""
    registers = 1 if cause == "launch" else target.registers.low
    if not facts.kernel.launches:
        return _low_with(facts, target, facts.launch.block_size, registers, None)
    return all(
        launch.block_size is not None and _low_with(facts, target, launch.block_size, registers, launch)
        for launch in facts.kernel.launches
    )


def _low_with(facts: KernelFacts, target: TargetFacts, block: int, registers: int, launch: Launch | None) -> bool:
    """True if the kernel fills too little of a unit with blocks of that size and the LDS of that launch, at every
    sub-group size that the compiler may pick.
    """
    arch, use = target.architecture, target.launched(registers, block, facts.launch.lds_of(launch)[0])
    filled = [occupancy(arch, use._replace(wave_size=size)) for size in wave_sizes(facts, arch)]
    return all(filling.groups > 0 and facts.settings.is_low(filling.fraction) for filling in filled)


def _any_block(facts: KernelFacts, target: TargetFacts) -> _Verdict | None:
    """Without a known launch: low at any block size, or at all up to one that is at least the usual one."""
    least = _COMMON_BLOCKS[0]
    name, most = target.architecture.name, (facts.source_bound, facts.source_registers)
    if (
        target.measured is None
        and not facts.wants_hints
        and any(not _low_with(facts, target, least, max(1, registers(name)), None) for registers in most)
    ):
        return None
    if not _low_with(facts, target, least, target.registers.estimate, None):
        return None
    for cause, registers in (("launch", 1), ("registers", target.registers.low), ("band", target.registers.estimate)):
        low = tuple(b for b in _COMMON_BLOCKS if _low_with(facts, target, b, registers, None))
        if low == _COMMON_BLOCKS[: len(low)] and low and low[-1] >= facts.launch.block_size:
            severity = Severity.HINT if cause == "band" else Severity.INFO
            return _Verdict(severity, cause, None if low == _COMMON_BLOCKS else low[-1])
    return None


def _message(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> str:
    arch = target.architecture
    shown = {"launch": target.without_registers, "registers": target.best, "band": target.worst}[verdict.cause]
    lanes = sub_group(facts, arch)
    if facts.launch.block_size_from == "assumed":
        little = f"{facts.settings.low_occupancy:.0%} of the wave slots of {gpu(arch.name).unit} on {arch.name}"
        size = "any block size" if verdict.upto is None else f"blocks of up to {count(verdict.upto, 'thread')}"
        may = "may fill" if _is_open(facts, target, verdict) else "fills"
        text = f"`{facts.kernel.name}` {may} no more than {little} with {size}{lanes} (no visible launch)"
        return f"{text}: {_limit(facts, target, verdict)}"
    may = "may fill only" if _is_open(facts, target, verdict) else "fills at most"
    filled = f"{may} {shown.waves} of {shown.max_waves} wave slots of {gpu(arch.name).unit} on {arch.name}"
    text = (
        f"`{facts.kernel.name}` {filled} ({shown.fraction:.0%}) with {count(facts.launch.block_size, 'thread')} per "
        f"block{lanes}"
        if shown.groups
        else f"a launch of `{facts.kernel.name}` with {count(facts.launch.block_size, 'thread')} per block{lanes} may "
        f"fail on {arch.name}"
    )
    if facts.launch.chosen is not None and facts.launch.launches_differ:
        text += f", as launched at line {facts.launch.chosen.line} (other launches differ)"
    text += f": {_limit(facts, target, verdict)}"
    return text if verdict.cause == "band" else text + _next(facts, target, verdict)


def _is_open(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> bool:
    """Whether the kernel may take fewer registers than that: the band has such an end, or its lower end is none."""
    if verdict.cause == "band":
        return True
    open_ends = (unknown.opens for unknown in facts.unknowns(target.architecture.name))
    return verdict.cause == "registers" and any(end in ("down", "both") for end in open_ends)


def _next(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> str:
    """The next step of what limits, at the registers that the band admits at best."""
    arch, use = target.architecture, target.use(target.registers.low)
    if verdict.cause == "registers" or "lds" in target.without_registers.limiters:
        resource: Resource = "registers" if verdict.cause == "registers" else "lds_bytes"
        unit = "registers" if verdict.cause == "registers" else "bytes of LDS"
        step = next_step(arch, use, resource)
        if step is None:
            return ""
        fitting = count(float(step.waves_per_simd), "wave")
        return f"; with at most {step.value:,} {unit} {fitting} per SIMD would fit"
    better = better_block(arch, use, facts.settings.block_size_gain)
    return f"; blocks of {better.block_size:,} would fill {better.waves}" if better else ""


def _limit(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> str:
    registers = target.registers
    if verdict.cause != "launch":
        reach = f"{registers.low} to {registers.high}" if verdict.cause == "registers" else f"up to {registers.high}"
        if registers.low == registers.high:
            reach = str(registers.high)
        estimated = f"estimated at {reach} per thread" if target.measured is None else target.measured.words
        return f"limited by registers ({estimated})"
    names = limiter_names(target.without_registers, without="registers")
    total, exact = facts.launch.lds_of(facts.launch.chosen)
    arrays = target.arrays_in_lds
    least = "" if exact else "at least "
    of_arrays = f", {arrays:,} of them for private arrays" if arrays else ""
    lds = f" ({least}{total + arrays:,} bytes per block{of_arrays})" if total + arrays and "LDS" in names else ""
    return f"limited by {listing(names or ['the block size'])}{lds}"


def _help(facts: KernelFacts, target: TargetFacts, verdict: _Verdict) -> str:
    if verdict.cause != "launch":
        if verdict.cause == "band" and not target.worst.groups:
            threads = facts.launch.block_size
            return f"launch smaller blocks, or declare `__launch_bounds__({threads})`: the compiler then stays below"
        return "fewer live values would admit more waves; measure first, fewer waves without spills often win"
    names = (target.architecture.name,)
    if facts.launch.block_size <= _HELPER_BLOCK:
        larger = "larger blocks would share a unit's slots better, if there is work for more threads"
        return with_spare(facts, names, larger)
    if "lds" in target.without_registers.limiters:
        less = "use less LDS per block, or share it in larger blocks"
        if target.arrays_in_lds > facts.launch.lds_of(facts.launch.chosen)[0]:
            less = (
                "index the private arrays with constants, or bound the block: clang puts them into LDS for all threads "
                "that it may have"
            )
        if _is_pipelined(facts, target):
            less += "; a tile that a loop fills again may be worth its waves: measure"
        return with_spare(facts, names, less)
    return with_spare(facts, names, "choose a block size that divides the wave slots better")
