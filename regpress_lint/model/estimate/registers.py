"""Register estimate per target: what the executed kernel keeps alive, and the fit that turns it into a band."""

from __future__ import annotations

from functools import cache
from math import exp, log
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.uncertainty import ANY_NUMBER
from regpress_lint.model.estimate.fit import FITS, Fit
from regpress_lint.model.estimate.scratch import copied_words, spilled_bytes
from regpress_lint.model.estimate.stored_constants import with_constants
from regpress_lint.targets.compilers import compiler_of
from regpress_lint.targets.compilers.traits import ESTIMATED_BLOCK
from regpress_lint.targets.occupancy import architecture, compiler_waves_per_simd, register_steps

if TYPE_CHECKING:
    from regpress_lint.model.estimate.written import Written
    from regpress_lint.model.passes.regions import Region, Regions
    from regpress_lint.model.passes.trace import Trace
    from regpress_lint.targets.occupancy import Architecture, KernelUse


# Numbers of `features`: registers of reads that a scheduler keeps in flight at most; where a kernel is beyond the
# counts that ptxas aims at; and where more operations or a dearer call no longer say more.
_MOST_IN_FLIGHT = 64
_STEEP = 48
_MOST_OPERATIONS, _DEAREST_CALL = 400, 60
_HALF_FILE, _MOST_OPERATIONS_OF_IGC = 64, 2000  # 128 registers of 64 bytes are 64 of 32 bits in 32 lanes
_MOST_IN_FLIGHT_OF_IGC, _FEW_BYTES = 48, 8
_FULL, _NO_LONGER, _SQUEEZABLE = 32, 35, 38
# Architectures of which it was asked what becomes of single blocks. What clang's scheduler for AMD does of what a block
# can work on side by side, registers beside its reads and beside other blocks, and the waves to which a kernel bound by
# memory may fall (`test_reads_beside_scratch.py`).
_ASKED = frozenset(("gfx90a",))
_SIDE_BY_SIDE, _BESIDE_READS, _OTHERS, _WAVES_BOUND = 0.45, 6, 2, 4
_BEYOND_STEP = 0.4  # of what else it would start, where a kernel may lose waves (`test_waves_that_may_go.py`)
# The part of what an order works on side by side that a kernel does, in loops and elsewhere: where it is known how far
# addresses are ahead of their accesses, and where it is not.
_OF_ORDER, _OF_ANY_ORDER = (1.0, 0.35), (0.85, 0.5)
_HOPELESS = 1.7  # times the registers of a step, of an order that loses waves however it is changed
# Registers of values up to which ptxas works ahead (a kernel takes eight more, and an SM is full with 32), and clang
# for AMD works on divisions side by side.
_AHEAD = 24
# Three quotients of doubles that end in one sum take 35 VGPRs, five 42, eight 35; of floats three take 21, eight 22
# (`test_quotients_side_by_side.py`).
_AHEAD_IN_DOUBLES = 40
_MOST_COPIED, _BESIDE_COPY = 32, 4  # words on their way of an argument that nvcc copies, registers beside them
_OWN = 8
# Uniform registers of a warp since Turing, and registers that a thread spends at most on values that live there:
# `p[t + k * n]` for forty k, read in front of a loop and written behind it, takes 56 registers, for 64 k 80.
_UNIFORM_REGISTERS, _MOST_UNIFORM = 63, 16
# Registers up to which it does so where `__launch_bounds__` has a second argument, which settles how many warps there
# are: `testdata/golden/min_blocks.cu`.
_FREELY = 80
_MUCH, _MANY_READS = 40, 8
_SQUEEZED = 1.03  # times the registers of a step: of 1,045 kernels of HeCBench 52 take 40 and 5 take 41 to 43
_A_WARP_EACH = 128  # threads of a block with a warp for each scheduler: ptxas counts warps, whatever a block has
_BESIDE_CHANGED = 8  # registers of a kernel beside an array that it holds (`test_intel_arrays_twice.py`)
# Registers that ptxas needs beside what a loop holds all through it, and its reads: counter, bound, operands. Sums of
# 48, 64 and 96 values, each changed in every iteration, take 57, 74 and 109 (`testdata/sweep`).
_BESIDE_LOOP = 6
_BESIDE_TILE = 2  # the same of clang for AMD, which has the reads' addresses besides
_READS_FIRST = frozenset(("gfx908", "gfx90a", "gfx942", "gfx950"))  # gfx1100 was found to take less
# Registers beside elements of an array in local memory that ptxas reads before it writes them to their new places, and
# with them: 39 floats take 40 to 48, 126 words of pairs 47 to 80 (`test_shifted_arrays.py`).
_BESIDE_SHIFT, _MOST_SHIFTED = 8, 48
_BESIDE_CARRIED = 4  # registers that a loop needs besides what it carries
LEAST_REGISTERS = 1  # of a kernel that does anything: the fit is of a logarithm


class RegisterEstimate(NamedTuple):
    """32-bit vector registers per thread (Intel: GRF bytes per work-item / 4), bytes of private memory per thread."""

    low: int
    estimate: int
    high: int
    scratch_bytes: int


class Wanted(NamedTuple):
    """Registers that a thread's values want, whatever a thread can address and a budget leaves."""

    low: int
    estimate: int
    high: int


def features(
    trace: Trace, source: Written, scratch: int, arch: Architecture, free: int | None = None
) -> tuple[float, ...]:
    """Logarithms that the fit of a vendor is linear in; all of them grow with the registers that the kernel holds.
    free: see `estimate`.
    """
    if arch.vendor == "amd":
        return _amd(trace, source, scratch, arch)
    return _intel(trace, source, scratch) if arch.vendor == "intel" else _nvidia(trace, source, scratch, arch, free)


@cache
def steps(name: str, block: int = ESTIMATED_BLOCK) -> tuple[int, ...]:
    """Registers up to which a unit of an architecture holds as many waves; up to the next a scheduler is free."""
    return tuple(registers for registers, _ in register_steps(architecture(name), block))


def _amd(trace: Trace, source: Written, scratch: int, arch: Architecture) -> tuple[float, ...]:
    """Vector registers alive with all that can be worked on side by side, and some of a block's reads, as far as no
    wave is lost; what scratch adds, and scalar registers as far as there is vector work to feed.
    """
    vector = trace.held.vector
    return (
        log(3 + _side_by_side(trace, source, arch)),
        float(scratch > 0),
        log(4 + min(trace.held.scalar, 2 * vector)),
    )


def _side_by_side(trace: Trace, source: Written, arch: Architecture) -> float:
    """clang's scheduler for AMD starts early what it can while no wave is lost: in loops nearly all of it, with a
    quarter of a block's reads besides, elsewhere a part and a third; with half of the reads that only the source shows,
    and all divisions and roots of a loop, elsewhere those of a small kernel. Where an order like that would take far
    more than is left to the next step, it often fails and goes back to the order as written: 28 reads in a loop, 3
    registers each, take 64 registers, and 32 of them take 8.
    """
    if (blocks := _blocks(trace, arch)) is not None:
        early = max((block.early for block in blocks.blocks), default=0)
        widest = _block_by_block(blocks, arch, _allowed(early, source, arch), few_waves=trace.few_waves)
        return max(widest, _clustered(trace, source, arch))
    vector, eager = trace.held.vector, trace.eager.vector
    most = max(vector, _allowed(vector + trace.totals.reads, source, arch))
    most = next((step for step in steps(arch.name) if most <= step), most)
    all_fit = not compiler_of(arch).block_by_block
    together = _started(trace, source, most, all_fit=all_fit)
    few = _least_waves(arch) or most
    if trace.few_waves and most < few:
        together += _BEYOND_STEP * (_started(trace, source, few, all_fit=all_fit) - together)
        most = few
    return together - 0.3 * (together - trace.written) if eager > _HOPELESS * most else together


def _started(trace: Trace, source: Written, most: int, *, all_fit: bool) -> float:
    """Vector registers alive, at most `most`, if the scheduler starts values early. all_fit: as many divisions and
    roots outside of loops as have room (gfx1100: 51 registers for `normalised_row8` of `testdata/golden`; gfx90a: 33).
    """
    held, eager, loops = trace.held.vector, trace.eager.vector, trace.execution.loops > 0
    vector = held
    if trace.clusters is not None:
        vector = max(held, min(trace.clusters.held, most))
        eager = max(eager, trace.clusters.ahead, trace.clusters.ready)
    reads = min(trace.totals.reads, _MOST_IN_FLIGHT)
    in_flight = reads * (1 / 4 if loops else 1 / 3) + max(0, min(source.reads, _MOST_IN_FLIGHT) - reads) / 2
    in_flight = max(0.0, in_flight - (vector - held))
    share = _OF_ORDER if trace.clusters is not None else _OF_ANY_ORDER
    beside = max(0, min(eager, most) - vector) * share[not loops]
    if trace.beside_in_loops:
        beside += trace.beside_in_loops
    elif all_fit and max(vector, min(eager, most)) + trace.beside <= most:
        beside += trace.beside
    else:
        beside += min(trace.beside, max(0, (_AHEAD_IN_DOUBLES if _divides_doubles(trace) else _AHEAD) - vector))
    return vector + min(in_flight + beside, most - vector)


def _clustered(trace: Trace, source: Written, arch: Architecture) -> int:
    """Registers of reads that follow each other, as far as no wave is lost: clang does not keep them together then."""
    if trace.clusters is None:
        return 0
    if (blocks := _blocks(trace, arch)) is not None:
        early = max((block.early for block in blocks.blocks), default=0)
        most = _allowed(early, source, arch)
        if early + _BESIDE_READS > max(most, (_least_waves(arch) or most) if trace.few_waves else 0):
            return 0
    return min(trace.clusters.held, _allowed(trace.held.vector + trace.totals.reads, source, arch))


def _blocks(trace: Trace, arch: Architecture) -> Regions | None:
    """The blocks of a kernel that are looked at one by one, None for others."""
    return trace.regions if arch.name in _ASKED else None


def _allowed(reads_early: int, source: Written, arch: Architecture) -> int:
    """Registers that cost no wave: more than a full unit has only for reads, arithmetic does not fill the room."""
    return max(steps(arch.name)[0], min(reads_early, _beside_lds(source.group, arch)))


@cache
def _beside_lds(group: KernelUse, arch: Architecture) -> int:
    """Registers of the waves that a group's LDS leaves, which a scheduler is free to fill: 24 pairs of `float4` take 58
    beside 8 KiB, and 86, 118 and 206 beside 12, 16 and 24 KiB (`test_waves_beside_lds.py`).
    """
    waves = compiler_waves_per_simd(arch, group)
    counted = register_steps(arch, ESTIMATED_BLOCK)
    return max((most for most, fitting in counted if fitting >= waves), default=counted[-1][0])


def _block_by_block(regions: Regions, arch: Architecture, allowed: int, *, few_waves: bool) -> float:
    """The widest of a kernel's blocks in the orders that clang's scheduler for AMD keeps. allowed: registers that cost
    no wave. A block that loses waves leaves the others more: the second round knows how many.
    """
    few = (_least_waves(arch) or allowed) if few_waves else 0
    widest = 0.0
    for _ in range(2):
        widths = [_kept(block, allowed, max(few, allowed)) for block in regions.blocks]
        widest = max(widths, default=0.0)
        allowed = next((step for step in steps(arch.name) if step >= max(allowed, widest)), allowed)
    return widest


@cache
def _least_waves(arch: Architecture) -> int | None:
    """Registers of the fewest waves to which LLVM lets a kernel fall."""
    return next((most for most, waves in register_steps(arch, ESTIMATED_BLOCK) if waves <= _WAVES_BOUND), None)


def _kept(block: Region, allowed: int, few: int) -> float:
    """Registers of a block: with its reads early and about half of what can be side by side, down to its reads alone
    where that costs no wave, and else as written. few: registers up to which the kernel may fall.
    """
    early = max(block.early, block.written)
    wide = max(block.wide, early)
    least = early + _BESIDE_READS
    usual = early + _SIDE_BY_SIDE * (wide - early) + (_BESIDE_READS if wide > block.written else _OTHERS)
    if usual <= allowed:
        return usual
    if least <= allowed:
        return max(least, allowed - _OTHERS)
    return least if least <= few else block.written + _OTHERS


def _divides_doubles(trace: Trace) -> bool:
    return "/:d" in trace.execution.libraries


def _nvidia(trace: Trace, source: Written, scratch: int, arch: Architecture, free: int | None) -> tuple[float, ...]:
    """ptxas allocates the needed registers above 48; below it trades registers for reads in flight and loops, and up
    to 32, with which an SM is full, it works on side by side what it can.

    Arguments wait in a constant bank, and are copied from there where an instruction cannot name them. Values that are
    equal for all threads count half: integers live in uniform registers, and many are recomputed from the constants at
    each use (a box of 18 numbers that a loop over neighbours reads: none of them stays in a register).
    """
    together = trace.held.vector + _uniform(trace.held.together - trace.held.vector)
    ahead = _AHEAD
    if free is not None:  # it does not aim at a full SM: all that it held so far it may as well hold
        ahead = max(_AHEAD, min(free, _FREELY) - _OWN)
        together = max(together, min(trace.eager.together, ahead))
    if copied := copied_words(trace.execution, compiler_of(arch)):
        together = max(together, min(copied, _MOST_COPIED) + _BESIDE_COPY)
    held = log(4 + together)
    return (
        log(4 + max(together, min(max(trace.eager.together, together + trace.totals.again), ahead))),
        held,
        max(0.0, held - log(4 + _STEEP)),
        log(8 + min(trace.execution.operations, _MOST_OPERATIONS)),
        log(4 + min(trace.totals.call, _DEAREST_CALL)),
        log(2 + min(_MOST_IN_FLIGHT, max(source.reads, trace.totals.flight))),
        log(4 + source.arguments),
        log(4 + source.arrays),
        float(scratch > 0),
        float(trace.execution.unresolved > 0),
        log(1 + trace.execution.loops),
    )


def _uniform(held: int) -> float:
    """Registers that values cost which are equal for all threads: half of them, up to what uniform registers take."""
    return min(held / 2, _MOST_UNIFORM) + max(0, held - _UNIFORM_REGISTERS) / 2


def _intel(trace: Trace, source: Written, scratch: int) -> tuple[float, ...]:
    """Values alive in 32 lanes and arrays, with the reads that IGC keeps in flight; values that all lanes share, which
    IGC keeps in one lane; how much can be reordered; arrays, in registers and in memory.
    """
    together = max(0, trace.held.together - source.packed)
    in_flight = min(_MOST_IN_FLIGHT_OF_IGC, max(source.reads, trace.totals.flight))
    in_flight = max(in_flight, trace.totals.refilled)  # reads of an array in memory are all made as early as can be
    return (
        log(4 + _held(trace, source) + in_flight),
        log(3 + max(together, min(trace.eager.together, _HALF_FILE))),
        log(8 + min(trace.execution.operations, _MOST_OPERATIONS_OF_IGC)),
        log(4 + source.arrays - source.packed),
        float(scratch > _FEW_BYTES),
        float(trace.execution.unresolved > 0),
    )


def doubts(trace: Trace, source: Written, arch: Architecture) -> tuple[float, ...]:
    """How far off an estimate may be; the more, the wider the band. Much work on few registers leaves the compiler
    many orders, and where the source reads more at a time than the graph, it may make copies that the execution has not
    made. On NVIDIA and Intel nothing was found that tells good estimates from bad ones.
    """
    if not FITS[arch.vendor].spread:
        return ()
    reads = min(trace.totals.reads, _MOST_IN_FLIGHT)
    return (
        log((8 + trace.execution.operations) / (8 + trace.held.vector)),
        log((2 + max(reads, min(source.reads, _MOST_IN_FLIGHT))) / (2 + reads)),
    )


def _packed(trace: Trace, source: Written) -> int:
    """Vector registers alive, where a compiler that packs arrays keeps their narrow elements side by side."""
    return max(0, trace.held.vector - source.packed)


def _held(trace: Trace, source: Written) -> int:
    """The same, with arrays that are changed at run-time indices: of those that loops fill the graph has no values."""
    packed = _packed(trace, source)
    return max(packed, source.changed + _BESIDE_CHANGED) if source.changed else packed


def wanted(
    trace: Trace,
    source: Written,
    arch: Architecture,
    scratch: int,
    *,
    certain: bool,
    free: int | None,
    vgprs: int | None = None,
    room: int | None = None,
) -> tuple[float, float, float]:
    """The band for a kernel on an architecture without the registers that a thread can address; `certain` is false
    where types in it are unknown. free: registers that the blocks which have to fit on an SM leave a thread, where the
    source says how many. vgprs: those beyond which accumulation registers take what has no room. room: those that
    a thread may have, None if there is no limit. `fit` says where its numbers are from.
    """
    if free is not None and free <= _FULL:
        free = None
    fit: Fit = FITS[arch.vendor]
    values = features(trace, source, scratch, arch, free)
    line = fit.intercept + sum(a * b for a, b in zip(fit.weights, values, strict=True))
    least = max(
        fit.floor * _held(trace, source),
        _beyond(trace, arch),
        _over_loops(trace, arch, room),
        _over_frame(trace, arch),
        min(_clustered(trace, source, arch), room or ANY_NUMBER),
    )
    middle = max(line, log(least + 2))
    below, above = fit.band(middle, doubts(trace, source, arch), certain=certain and understood(trace))
    if _blocks(trace, arch) is not None:  # a block that is left as written may hold fewer
        below += line - middle
    low, best, high = (exp(middle + shift) - 2 for shift in (below, 0.0, above))
    if compiler_of(arch).aims_at_full_unit and free is None:
        best = _aimed(best)
    if trace.put_off:  # of 14 such kernels ptxas takes 32 registers for seven and 40 for seven
        high = max(high, 1.5 * trace.put_off + _OWN)
    if vgprs is not None:
        best, high = (end + _exchanged(end - vgprs, trace.carried - vgprs) for end in (best, high))
    return low, best, high


def _exchanged(beyond: float, carried: int) -> float:
    """Further accumulation registers of a kernel that wants so many registers beyond its VGPRs: what a loop changes is
    copied to a VGPR for that, and back, and so is the value that makes room for it. What it only reads or passes on
    takes one (clang 19.1.7, gfx908 and gfx90a, `tools/measure/agpr_truth.py`). carried: registers that a loop changes,
    beyond its VGPRs.
    """
    return max(0.0, min(beyond, carried + _BESIDE_CARRIED))


def _over_loops(trace: Trace, arch: Architecture, room: int | None) -> int:
    """The least that a loop takes: no order of its operations frees what it holds from its first to its last, and the
    reads that it begins with wait only where there is no room for them.
    """
    if trace.loops is None:
        return 0
    through, changed, begun = trace.loops
    if compiler_of(arch).aims_at_full_unit:
        least, first = through and through + _BESIDE_LOOP, max(changed and changed + _BESIDE_LOOP, begun)
    elif arch.name in _READS_FIRST:
        least, first = 0, begun and begun + _BESIDE_TILE
    else:
        return 0
    return max(least, first if room is None else min(first, room))


def _over_frame(trace: Trace, arch: Architecture) -> int:
    """The least where all elements of an array in local memory change their places, `a[j] = a[j + 1]`, where constants
    or copies fill one, and where all of it is read behind paths of which one leaves it known.
    """
    moved = min(trace.shifted + _BESIDE_SHIFT, _MOST_SHIFTED) if trace.shifted else 0
    if not compiler_of(arch).aims_at_full_unit:
        return moved
    words, copies = trace.frame or (0, 0)
    return max(moved, copies, trace.joined, with_constants(trace.execution.in_memory, words))


def _beyond(trace: Trace, arch: Architecture) -> int:
    """The registers of a kernel that holds more than a thread can address: ptxas then has no choice but to spill. Of
    twenty kernels that hold 213 to 265 values (sums of tiles, carried arrays, rows) those with 251 and more spill 8 to
    26 of them, and of those with 230 to 247 three.
    """
    needed = trace.held.vector + _OWN
    return needed if compiler_of(arch).aims_at_full_unit and needed > arch.max_regs_per_thread else 0


def _filled_by_reads(trace: Trace, arch: Architecture, room: int) -> int:
    """Registers of a kernel that holds much and reads much: ptxas fills with reads what costs no wave, as far as there
    is room. Sums of 64 or 96
    floats and of 64 doubles, a read for each, take 80, 128 and 166 registers, where 80, 128 and 168 are steps. Of 50
    such kernels of HeCBench that this moves 30 come closer to nvcc's number.
    """
    held, reads = trace.held.vector, trace.totals.flight
    if held < _MUCH or reads < _MANY_READS:
        return 0
    return min(held + reads, room, next((step for step in steps(arch.name, _A_WARP_EACH) if held <= step), held))


def _squeezed(registers: float, arch: Architecture) -> float:
    """ptxas fits into a step what wants one or two registers more."""
    below = (step for step in steps(arch.name, _A_WARP_EACH) if _FULL < step < registers <= step * _SQUEEZED)
    return next(below, registers)


def estimate(
    trace: Trace,
    source: Written,
    arch: Architecture,
    scratch: int,
    *,
    certain: bool,
    free: int | None,
    room: int,
    vgprs: int | None = None,
) -> RegisterEstimate:
    """The band of `wanted`, capped at the registers that the architecture can address. room: registers that a thread
    may have.
    """
    if compiler_of(arch).scalar_registers and certain and not scratch and _does_nothing(trace):
        return RegisterEstimate(0, 0, LEAST_REGISTERS, 0)
    lower, middle, upper = wanted(trace, source, arch, scratch, certain=certain, free=free, vgprs=vgprs, room=room)
    ends = (lower, middle, upper)
    if compiler_of(arch).aims_at_full_unit and (free is None or free <= _FULL):
        filled = _squeezed(max(middle, _filled_by_reads(trace, arch, room)), arch)
        ends = (lower, filled, max(upper, filled))
    most = arch.max_regs_per_thread
    low, best, high = (min(most, max(LEAST_REGISTERS, round(end))) for end in ends)
    # What no thread can address is spilled under any launch bounds, unless the compiler tries again before it spills.
    addressed = most * 2 if arch.acc_regs == "separate" else most  # accumulation registers take what else has no room
    spilled = 0 if compiler_of(arch).tries_again else spilled_bytes(round(ends[1]), addressed)
    return RegisterEstimate(low, best, high, scratch + spilled)


def _does_nothing(trace: Trace) -> bool:
    """True for a kernel without an effect, `{}`: clang gives it no vector register, ptxas its usual four."""
    return not trace.held.vector and not trace.execution.operations and not trace.totals.reads and understood(trace)


def _aimed(registers: float) -> float:
    """ptxas aims at 32 registers, with which an SM is full, and fits into them what wants a few more: of the kernels
    with 32 and more half have exactly 32. Of 100 kernels of HeCBench that want 32 to 35, 71 take no more, of 45 that
    want 35 to 38, 17.
    """
    return _FULL if _FULL <= registers < _NO_LONGER else registers


def within(registers: int, cap: int, arch: Architecture) -> int:
    """An estimate under a cap on the registers: what ptxas fits into 32 it fits into a cap of 32 as well."""
    aimed = compiler_of(arch).aims_at_full_unit and registers < _SQUEEZABLE
    return min(registers, cap) if aimed and cap >= _FULL else registers


def understood(trace: Trace) -> bool:
    """False for a kernel that calls an unknown function, prints or asserts, or is too large to be executed whole."""
    return trace.execution.complete and not trace.execution.unresolved and not trace.execution.services
