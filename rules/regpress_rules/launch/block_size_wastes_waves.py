"""RP106 block-size-wastes-waves."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Launch, NamedTuple, Note, Rule, Severity, Span
from regpress_lint.api.report import place
from regpress_lint.api.syntax import Binary, Member, Name, evaluate, nodes_of
from regpress_lint.api.targets import (
    BetterBlock,
    IdleLanes,
    architecture,
    better_block,
    gpu,
    idle_lanes,
    occupancy,
    usual_block,
    wave_sizes,
    with_block,
)
from regpress_lint.api.text import count, limiter_names, listing
from regpress_lint.api.worth import small_grid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.api.facts import TargetFacts
    from regpress_lint.api.syntax import Expr, Stmt
    from regpress_lint.api.targets import Architecture, KernelUse


# Chosen on the times of the page's table: with 48 of 64 warps 1.0 to 1.3 x, with 32 of 64 up to 1.4 x and more.
_HALF = 0.5
_ROUNDED = 0.1  # 384 threads on GCN: six waves a block leave 4 of 40 slots empty, whatever the kernel takes
_USUAL_GAIN = 0.25  # who asks for more than the usual gain does not want to hear of a tenth
_FEW_LANES = 0.05  # 250 threads took 1.00 to 1.06 x the time of 256
_STRIDE = 8  # registers: the finest step of any architecture but GCN and RDNA in wave64, where it is 4
_LEAST_BAND = (0.75, 1.3)  # every band is wider (analyses.fit)
_BARRIERS = frozenset(("barrier", "group_barrier"))


class _Size(NamedTuple):
    """A block size that the source gives, with where it stands. `launch` is None for launch bounds."""

    threads: int
    dims: tuple[int, ...]
    launch: Launch | None


class _Verdict(NamedTuple):
    """The waste of one size on one target: idle lanes, or else slots that another size would fill."""

    severity: Severity
    idle: IdleLanes | None = None
    better: BetterBlock | None = None

    @property
    def waste(self) -> float:
        """The gain in work per wave, or in the number of waves."""
        if self.idle is not None:
            return self.idle.cost
        return self.better.gain if self.better is not None else 0.0


class BlockSizeWastesWaves(Rule):
    """A block size that leaves lanes of its last wave empty, or wave slots that a neighbouring size would fill."""

    code = "RP106"
    name = "block-size-wastes-waves"
    needs = ("kernel.launches", "kernel.launch_bounds")
    many_blocks = True

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding for a launch or the bounds, with a part of the message for every target: of several launches the
        one that wastes least counts, which may be another on the next GPU.
        """
        sizes = _sizes(facts)
        if not sizes:
            return
        cap = _cap(facts)
        verdicts: dict[str, tuple[_Size, _Verdict]] = {}
        for name in facts.targets:
            if (worst := _mildest(facts, facts.target(name), sizes)) is not None:
                size, verdict = worst
                verdicts[name] = size, verdict._replace(severity=min(verdict.severity, cap))
        # One block size is launched on all GPUs of a fat binary: what suits one of them may be wrong for the next.
        if verdicts and not (facts.settings.one_binary and len(verdicts) < len(facts.targets)):
            for size in dict.fromkeys(size for size, _ in verdicts.values()):
                yield _finding(facts, size, {name: verdict for name, (its, verdict) in verdicts.items() if its is size})


def _sizes(facts: KernelFacts) -> list[_Size]:
    """Sizes of launches that can fill a unit; without any known launch that of the launch bounds."""
    kernel = facts.kernel
    if kernel.form == "single_task":
        return []
    if kernel.launches:
        return [
            _Size(launch.block_size, launch.block_dims or (), launch)
            for launch in kernel.launches
            if launch.block_size is not None and launch.block_size > 1 and launch.blocks != 1
        ]
    threads = kernel.launch_bounds.max_threads if kernel.launch_bounds is not None else None
    return [_Size(threads, (), None)] if threads is not None and threads > 1 else []


def _cap(facts: KernelFacts) -> Severity:
    """A bound is only an upper limit, and a launch of unknown size may be the one that counts."""
    kernel = facts.kernel
    exact = bool(kernel.launches) and all(launch.block_size is not None for launch in kernel.launches)
    required = not kernel.launches and kernel.launch_bounds is not None and kernel.launch_bounds.required
    return Severity.WARNING if exact or required else Severity.INFO


def _mildest(facts: KernelFacts, target: TargetFacts, sizes: Sequence[_Size]) -> tuple[_Size, _Verdict] | None:
    """The size that wastes least; None if one of them wastes nothing worth a word."""
    verdicts: list[tuple[_Size, _Verdict]] = []
    for size in sizes:
        verdict = _verdict(facts, target, size)
        if verdict is None:
            return None
        verdicts.append((size, verdict))
    return min(verdicts, key=lambda judged: (judged[1].severity, judged[1].waste))


def _verdict(facts: KernelFacts, target: TargetFacts, size: _Size) -> _Verdict | None:
    arch = target.architecture
    if size.threads > arch.max_threads_per_group:
        return None  # the launch cannot work: there are no waves to gain
    idle = min((idle_lanes(size.threads, lanes) for lanes in wave_sizes(facts, arch)), key=lambda lanes: lanes.share)
    return _lanes(facts, target, size, idle) if idle.idle else _slots(facts, target, size)


def _lanes(facts: KernelFacts, target: TargetFacts, size: _Size, idle: IdleLanes) -> _Verdict:
    gain = facts.settings.block_size_gain
    # On an idle SIMD an idle lane costs nothing.
    if small_grid(size.launch, target.without_registers.simds) or idle.share < _FEW_LANES:
        return _Verdict(Severity.HINT, idle=idle)
    if _lds_first(facts, target, size, idle):
        return _Verdict(Severity.HINT, idle=idle)
    lds_known = facts.launch.lds_of(size.launch)[1]
    meant = _is_slight(facts, size, idle.wave_size) or overlaps(facts, size.dims) or is_fixed_tile(facts, size.dims)
    worth = idle.cost >= gain and lds_known and not meant
    return _Verdict(Severity.WARNING if worth else Severity.INFO, idle=idle)


def _is_slight(facts: KernelFacts, size: _Size, lanes: int) -> bool:
    """True for blocks of one wave, which a kernel is made around, and for a kernel that sets something up: it has no
    loop and reads nothing. The waste of such launches is rarely worth another size.
    """
    if size.threads <= lanes:
        return True
    if any(facts.flow_of(function).loops for function in facts.source.functions):
        return False
    return all(
        access.kind == "write" for function in facts.source.functions for access in facts.memory_of(function).accesses
    )


def _lds_first(facts: KernelFacts, target: TargetFacts, size: _Size, idle: IdleLanes) -> bool:
    """True where LDS is what is missing: RP105 says so, or full waves would not be more threads on a unit."""
    use = target.launched(1, size.threads, facts.launch.lds_of(size.launch)[0])
    now = occupancy(target.architecture, use)
    if "lds" not in now.limiters:
        return False
    full = occupancy(target.architecture, with_block(use, idle.lanes))
    more = full.groups * idle.lanes > now.groups * size.threads
    return not more or facts.settings.is_low(now.fraction)


# ------------------------------------------------------------------------------------------------------- wave slots


def _slots(facts: KernelFacts, target: TargetFacts, size: _Size) -> _Verdict | None:
    arch, gain = target.architecture, facts.settings.block_size_gain
    lds, lds_known = facts.launch.lds_of(size.launch)
    if gpu(arch.name).is_intel and not (lds or not lds_known or _has_barrier(facts)):
        return None  # work-groups that share nothing need not stay on one Xe-core
    use = target.launched(1, size.threads, lds)
    lanes_of = wave_sizes(facts, arch)
    rounds = lds_known and gain <= _USUAL_GAIN and _rounds(arch, use)
    if not facts.wants_hints and not (lds_known and (rounds or _may_gain(arch.name, use, lanes_of, gain))):
        return None
    registers = target.registers
    uses = [
        target.launched(number, size.threads, lds)._replace(wave_size=lanes)
        for number in (registers.estimate, registers.low, registers.high)
        for lanes in lanes_of
    ]
    better = better_block(arch, uses[0], gain)
    groups = occupancy(arch, uses[0]).groups
    if better is None and rounds and not small_grid(size.launch, groups) and all(_rounds(arch, use) for use in uses):
        return _Verdict(Severity.INFO, better=better_block(arch, uses[0], _ROUNDED))
    if better is None or _low(facts, target, uses):
        return None
    if (
        not lds_known
        or not better.usual
        or small_grid(size.launch, groups)
        or not all(_gains(arch, use, better.block_size, gain) for use in uses)
    ):
        return _Verdict(Severity.HINT, better=better)
    filled = max(occupancy(arch, use).fraction for use in uses)
    # A block size that LDS has a say in was chosen together with the layout of the LDS.
    then = occupancy(arch, with_block(uses[0], better.block_size))
    free = not any("lds" in now.limiters for now in (occupancy(arch, uses[0]), then))
    lanes = max(wave_sizes(facts, arch))
    worth = filled <= _HALF and free and not _is_slight(facts, size, lanes)
    return _Verdict(Severity.WARNING if worth else Severity.INFO, better=better)


def _rounds(arch: Architecture, use: KernelUse) -> bool:
    """True where nothing but the slots limits, and whole blocks of a usual size would fill a tenth more of them."""
    if occupancy(arch, use).limiters != ("waves",):
        return False
    return usual_block(arch, use, _ROUNDED) is not None


@lru_cache(maxsize=256)
def _may_gain(name: str, use: KernelUse, lanes: tuple[int, ...], gain: float) -> bool:
    """True if there is an estimate, with a band around it, for which `_slots` gives more than a hint.

    To work out the estimate takes much longer than to try all of them.
    """
    arch = architecture(name)
    for registers in range(_STRIDE, arch.max_regs_per_thread + 1, _STRIDE):
        for size in lanes:
            at = use._replace(vgprs=registers, wave_size=size)
            better = usual_block(arch, at, gain)
            if better is None:
                continue
            ends = (max(1, round(registers * end)) for end in _LEAST_BAND)
            if all(_gains(arch, at._replace(vgprs=end), better.block_size, gain) for end in ends):
                return True
    return False


def _has_barrier(facts: KernelFacts) -> bool:
    return any(site.call.name in _BARRIERS for site in facts.calls)


def _low(facts: KernelFacts, target: TargetFacts, uses: Sequence[KernelUse]) -> bool:
    """True where RP105 speaks about the kernel: one finding for one reason."""
    return any(facts.settings.is_low(occupancy(target.architecture, use).fraction) for use in uses)


def _gains(arch: Architecture, use: KernelUse, block_size: int, gain: float) -> bool:
    now = occupancy(arch, use).waves
    return now > 0 and occupancy(arch, with_block(use, block_size)).waves >= now * (1 + gain)


# ----------------------------------------------------------------------------------------------------------- report


def _finding(facts: KernelFacts, size: _Size, wasted: Mapping[str, _Verdict]) -> Finding:
    reasons = [_reason(facts, facts.target(name), size, verdict) for name, verdict in wasted.items()]
    verb = "launched with" if size.launch is not None else "bound to"
    message = f"`{facts.kernel.name}` is {verb} {_threads(size)} per block: {'; '.join(reasons)}"
    where = _place(facts, size)
    severities = {name: verdict.severity for name, verdict in wasted.items()}
    notes = (*where.notes, *_others(facts, size)) if where.here else where.notes
    return Finding(where.span, message, severities, _help(facts, size, wasted), notes)


def _threads(size: _Size) -> str:
    dims = [str(length) for length in size.dims if length > 1]
    return count(size.threads, "thread") + (f" ({' x '.join(dims)})" if len(dims) > 1 else "")


def _reason(facts: KernelFacts, target: TargetFacts, size: _Size, verdict: _Verdict) -> str:
    arch = target.architecture
    if verdict.idle is not None:
        idle = verdict.idle
        waves = idle.lanes // idle.wave_size
        word = "wave" if waves == 1 else f"{waves} waves"
        most = " or more" if len(wave_sizes(facts, arch)) > 1 else ""
        return (
            f"{idle.idle}{most} of the {idle.lanes} lanes of its {word} of {idle.wave_size} are idle on {arch.name} "
            f"({idle.share:.0%})"
        )
    better = verdict.better
    assert better is not None
    use = target.launched(target.registers.estimate, size.threads, facts.launch.lds_of(size.launch)[0])
    now = occupancy(arch, use)
    words = limiter_names(now)
    held = f" at an estimated {target.registers.estimate} registers per thread" if "registers" in words else ""
    may = "may fill" if verdict.severity is Severity.HINT else "fills" if now.groups == 1 else "fill"
    return (
        f"{count(now.groups, 'block')} {may} {now.waves} of {now.max_waves} wave slots of {gpu(arch.name).unit} on "
        f"{arch.name}{held} (limited by {listing(words)}), blocks of {better.block_size:,} would fill {better.waves}"
    )


class _Where(NamedTuple):
    span: Span
    notes: tuple[Note, ...]
    here: bool


def _place(facts: KernelFacts, size: _Size) -> _Where:
    """The block size where it can be found in the launch, else the launch's first line; else the bounds."""
    kernel = facts.kernel
    if size.launch is None:
        assert kernel.launch_bounds is not None
        where = place(facts, kernel.launch_bounds.span, kernel.path, "the launch bounds")
        return _Where(where.span, where.notes, where.here)
    where = place(facts, size.launch.span, size.launch.path, "launched here")
    if not where.here:
        return _Where(where.span, where.notes, False)
    return _Where(_block_span(facts, size.launch), (), True)


def _block_span(facts: KernelFacts, launch: Launch) -> Span:
    """The block size in the launch; the launch's first line if it is in a structure."""
    if launch.block_span is not None:
        return launch.block_span
    data = facts.file.source.data
    end = data.find(b"\n", launch.span.start, launch.span.end)
    text = data[launch.span.start : end if end >= 0 else launch.span.end].rstrip()
    return Span(launch.span.start, launch.span.start + len(text))


def _others(facts: KernelFacts, size: _Size) -> Iterator[Note]:
    for launch in facts.kernel.launches:
        if launch is not size.launch and launch.path == facts.file.path and launch.block_size == size.threads:
            yield Note(_block_span(facts, launch), "launched with the same size here")


def _help(facts: KernelFacts, size: _Size, verdicts: Mapping[str, _Verdict]) -> str:
    """The size to launch, by target where that differs; whole waves of the widest are whole waves of all."""
    if idle := [name for name, verdict in verdicts.items() if verdict.idle is not None]:
        lanes = max(max(wave_sizes(facts, facts.target(name).architecture)) for name in idle)
        lower, upper = size.threads // lanes * lanes, -(-size.threads // lanes) * lanes
        choice = f" ({lower:,} or {upper:,})" if lower else ""  # below one wave the multiple is the wave itself
        return f"launch a multiple of {lanes}{choice} and let threads beyond the data return or loop"
    blocks: dict[int, list[str]] = {}
    for name, verdict in verdicts.items():
        if verdict.better is not None:
            blocks.setdefault(verdict.better.block_size, []).append(name)
    sizes = listing(
        f"{block:,}" + (f" on {listing(names)}" if len(blocks) > 1 else "") for block, names in blocks.items()
    )
    lds = " (LDS is counted in proportion to the block)" if facts.launch.lds_at_least else ""
    return f"launch blocks of {sizes} and adapt the grid{lds}"


# Blocks whose size a tile determines: it has a halo around it, or the kernel is written for its shape.

_AXES = "xyz"


def overlaps(facts: KernelFacts, dims: Sequence[int]) -> bool:
    """True if a block begins less than its own width behind the one before it (`blockIdx.x * 60` of 64 threads), and
    more than half of it: its other lanes read what lies around the tile.
    """
    return any(_is_step(facts, node, dims) for function in facts.source.functions for node in nodes_of(function))


def is_fixed_tile(facts: KernelFacts, dims: Sequence[int]) -> bool:
    """True for a block of two dimensions of a kernel that never asks for its size: the code is written for that shape.

    More threads of such a block would have nothing to do. Two kernels of HeCBench with 6 x 6 threads took 1.00 and
    1.02 times as long with 8 x 8 (tools/measure/results/changes.csv).
    """
    if sum(length > 1 for length in dims) < 2 or facts.kernel.has_work_items:
        return False
    return not any(
        isinstance(node, Name) and node.name == "blockDim"
        for function in facts.source.functions
        for node in nodes_of(function)
    )


def _is_step(facts: KernelFacts, node: Expr | Stmt, dims: Sequence[int]) -> bool:
    if not isinstance(node, Binary) or node.op != "*":
        return False
    for block, factor in ((node.left, node.right), (node.right, node.left)):
        if (axis := _axis(block)) is not None and axis < len(dims):
            step = evaluate(factor, facts.source.environment)
            if isinstance(step, int) and dims[axis] < 2 * step < 2 * dims[axis]:
                return True
    return False


def _axis(expr: Expr) -> int | None:
    """Of `blockIdx.x` and its like."""
    if not isinstance(expr, Member) or not isinstance(expr.base, Name) or expr.base.name != "blockIdx":
        return None
    return _AXES.index(expr.field) if expr.field in _AXES else None
