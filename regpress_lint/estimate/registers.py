"""Register estimate per target: what the executed kernel keeps alive, and the fit that turns it into registers."""

from __future__ import annotations

from collections import Counter
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.cpp.syntax import LambdaExpr
from regpress_lint.estimate.fit import FITS, Fit
from regpress_lint.targets.costs import COSTS, SERVICES

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.cpp.syntax import Call, Function, Variable
    from regpress_lint.passes.trace import Trace
    from regpress_lint.source_level.arrays import PrivateArray
    from regpress_lint.source_level.flow import Flow, Op
    from regpress_lint.source_level.live_variables import Liveness
    from regpress_lint.source_level.loop_facts import LoopFacts
    from regpress_lint.targets.codegen import Compiler
    from regpress_lint.targets.occupancy import Architecture

_UNKNOWN_STRUCT = 2
_POINTER = 2
_MAX_ARGUMENT = 4
_MAX_BATCH = 16  # registers of loads that a scheduler keeps in flight over the copies of an unrolled body (efficacy 15)
_MAX_COPIES = 16
_MAX_DEPTH = 6
# Numbers of `features`: registers of reads that a scheduler keeps in flight at most; where a kernel is beyond the
# counts that ptxas aims at; and where more operations or a dearer call no longer say more.
_MOST_IN_FLIGHT = 64
_STEEP = 48
_MOST_OPERATIONS, _DEAREST_CALL = 400, 60
_FULL, _NO_LONGER, _BEYOND = 32, 38, 0.3
_CROWDED = 60


class RegisterEstimate(NamedTuple):
    """32-bit vector registers per thread (Intel: GRF bytes per work-item / 4), bytes of private memory per thread."""

    low: int
    estimate: int
    high: int
    scratch_bytes: int


class Peak(NamedTuple):
    """What the source keeps alive, before any compiler; every number grows or stays when a kernel holds more.

    live: registers at the widest point, temporaries, arrays and inlined callees included, a kernel's arguments too.
    math: registers of the dearest math call or division. loads: registers filled from memory in the block with the
    most of them, unrolled copies counted. scratch: bytes that library calls need. slow_paths: argument reductions.
    """

    live: int = 0
    math: int = 0
    loads: int = 0
    scratch: int = 0
    slow_paths: int = 0


class Inputs(NamedTuple):
    """What the estimate asks of the kernel's facts."""

    flow_of: Callable[[Function], Flow]
    live_of: Callable[[Function], Liveness]
    loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    callee_of: Callable[[Call], Function | None]
    constant: Callable[[Variable], bool]
    arrays: dict[Variable, PrivateArray]


class _Tally:
    """Running maxima and sums over the points of a function."""

    __slots__ = ("by_block", "live", "loads", "math", "scratch", "slow_paths")

    def __init__(self) -> None:
        self.live = self.math = self.loads = self.scratch = self.slow_paths = 0
        self.by_block: dict[int, int] = {}

    def inline(self, inner: Peak) -> None:
        """Add what an inlined callee has, its live registers aside."""
        self.math = max(self.math, inner.math)
        self.loads = max(self.loads, inner.loads)
        self.scratch = max(self.scratch, inner.scratch)
        self.slow_paths += inner.slow_paths

    def peak(self) -> Peak:
        """The result."""
        loads = max(self.loads, max(self.by_block.values(), default=0))
        return Peak(self.live, self.math, loads, self.scratch, self.slow_paths)


class Model:
    """Peaks of a kernel's function for one kind of target; device functions are worked out once each."""

    def __init__(self, inputs: Inputs, compiler: Compiler) -> None:
        self._inputs = inputs
        self._vendor = compiler.vendor
        self._compiler = compiler
        self._peaks: dict[Function, Peak] = {}

    def peak(self, function: Function, depth: int = 0) -> Peak:
        """Peak of a function with everything that it calls inlined."""
        known = self._peaks.get(function)
        if known is None:
            self._peaks[function] = Peak()  # recursion ends here
            known = self._peaks[function] = self._work_out(function, depth)
        return known

    def widths(self, function: Function) -> dict[Variable, int]:
        """Registers per variable of a kernel's function; its arguments stay in scalar registers or a constant bank."""
        width, arguments = self._width, ("parameter", "capture")
        return {v: 0 if v.storage in arguments else width(v) for v in self._inputs.flow_of(function).bits}

    def _width(self, variable: Variable) -> int:
        type_ = variable.type
        if variable.dims:
            array = self._inputs.arrays.get(variable)
            if array is None or array.elements is None or array.table or not array.stays_in_registers(self._vendor):
                return 0
            return array.elements * (type_.registers or 1)
        if type_.pointers or type_.reference:
            return _POINTER
        if variable.storage in ("parameter", "capture"):
            return min(type_.registers or 1, _MAX_ARGUMENT)
        if variable.init.__class__ is LambdaExpr or self._inputs.constant(variable):
            return 0
        if type_.size is None:
            return _UNKNOWN_STRUCT if type_.struct else 1
        return type_.registers or 1

    def _work_out(self, function: Function, depth: int) -> Peak:
        inputs = self._inputs
        flow, loops, liveness = inputs.flow_of(function), inputs.loops_of(function), inputs.live_of(function)
        widths = self._classes(flow)
        batches, copies = _batches(flow, loops), self._copies(flow, loops)
        tally = _Tally()
        by_block, most = tally.by_block, 0
        blocks = flow.blocks
        for live, op, number in liveness.points:
            loop = blocks[number].loop
            held = op.temps + batches[loop]
            if op.loads:
                by_block[number] = by_block.get(number, 0) + op.loads * copies[loop]
            if op.library:
                held = max(held, self._library(op, loops[loop] if loop >= 0 else None, tally))
            if op.calls and depth < _MAX_DEPTH:
                held = max(held, self._calls(op, depth, tally))
            for width, members in widths:
                found = live & members
                if found:
                    held += width * found.bit_count()
            if held > most:
                most = held
        tally.live = most
        return tally.peak()

    def _classes(self, flow: Flow) -> list[tuple[int, int]]:
        """Registers a variable, and the variables that take so many."""
        classes: dict[int, int] = {}
        for variable, bit in flow.bits.items():
            width = self._width(variable)
            if width:
                classes[width] = classes.get(width, 0) | bit
        return list(classes.items())

    def _library(self, op: Op, loop: LoopFacts | None, tally: _Tally) -> int:
        """Registers of an op's math calls and divisions; notes scratch."""
        costs, most = COSTS[self._vendor], 0
        held_in_loop = self._compiler.one_scalar_operand and loop is not None and not loop.unrolled
        for key in op.library:
            cost = costs[key]
            own = cost.in_loop if held_in_loop else cost.once
            if key not in SERVICES:
                most = max(most, own)
                tally.slow_paths += cost.slow_path
            tally.scratch = max(tally.scratch, cost.scratch)
        tally.math = max(tally.math, most)
        return most

    def _calls(self, op: Op, depth: int, tally: _Tally) -> int:
        """Live registers of the widest callee of an op."""
        most = 0
        for record in op.calls:
            target = self._inputs.callee_of(record.call)
            if target is not None:
                inner = self.peak(target, depth + 1)
                most = max(most, inner.live)
                tally.inline(inner)
        return most

    def _copies(self, flow: Flow, loops: tuple[LoopFacts, ...]) -> list[int]:
        """How often a loop's code stands in a row after unrolling; the last entry is for code in no loop."""
        parents = {record.parent for record in flow.loops}
        blocks = Counter(block.loop for block in flow.blocks if block.ops)
        result = []
        for number, loop in enumerate(loops):
            copies = 1
            around: LoopFacts | None = loop
            while around is not None and around.unrolled:
                copies *= max(around.trip_count or 1, 1)
                around = around.parent
            if number not in parents and not loop.unrolled:
                copies = self._compiler.unrolling.runtime_copies
            together = blocks[number] <= self._compiler.batch_blocks
            result.append(min(copies, _MAX_COPIES) if together else 1)
        return [*result, 1]


def _batches(flow: Flow, loops: tuple[LoopFacts, ...]) -> list[int]:
    """Registers of loads in flight per loop; the last entry is for code in no loop (index -1)."""
    loads = [0] * (len(loops) + 1)
    for block in flow.blocks:
        for op in block.ops:
            loads[block.loop] += op.loads
    return [
        min((min(loop.trip_count or 1, _MAX_COPIES) - 1) * loads[number], _MAX_BATCH) if loop.unrolled else 0
        for number, loop in enumerate(loops)
    ] + [0]


def divergent_variables(flow: Flow, *, kernel: bool) -> int:
    """Variables that may differ between the threads of a wave: those a thread's id, an atomic or LDS flows into.

    The set is a bit mask as in `Flow.bits`. A device function's parameters count as divergent.
    """
    found = 0
    for parameter in flow.function.parameters if not kernel else ():
        found |= flow.bits[parameter]
    pending: list[Op] = []
    for block in flow.blocks:
        for op in block.ops:
            if op.defs and (op.seed or op.guarded):
                found |= op.defs
            elif op.defs:
                pending.append(op)
    changed = True
    while changed:
        changed = False
        for op in pending:
            if op.defs & ~found and (op.uses | op.control) & found:
                found |= op.defs
                changed = True
    return found


def features(peak: Peak, trace: Trace, scratch: int, vendor: str) -> tuple[float, ...]:
    """Logarithms that the fit of a vendor is linear in; all of them grow with what the kernel holds."""
    return _amd(peak, trace, scratch) if vendor == "amd" else _nvidia(peak, trace, scratch)


def _loads(peak: Peak, trace: Trace) -> int:
    """Registers that the block with most reads fills from memory, copies of unrolled loops counted."""
    return max(peak.loads, trace.totals.reads)


def _amd(peak: Peak, trace: Trace, scratch: int) -> tuple[float, ...]:
    """Vector registers alive with half of a block's reads in flight, what scratch adds, and scalar registers as far as
    there is vector work to feed.
    """
    vector = trace.held.vector
    in_flight = min(_loads(peak, trace), _MOST_IN_FLIGHT) / 2
    return log(3 + vector + in_flight), float(scratch > 0), log(4 + min(trace.held.scalar, 2 * vector))


def _nvidia(peak: Peak, trace: Trace, scratch: int) -> tuple[float, ...]:
    """ptxas gives what is asked for above 48 registers; below it trades registers for reads in flight and loops."""
    held = log(4 + trace.held.together)
    return (
        held,
        max(0.0, held - log(4 + _STEEP)),
        log(8 + min(trace.operations, _MOST_OPERATIONS)),
        log(4 + min(trace.totals.call, _DEAREST_CALL)),
        log(2 + min(_MOST_IN_FLIGHT, max(peak.loads, trace.totals.flight))),
        log(4 + peak.live),
        float(scratch > 0),
        float(trace.unresolved > 0),
        log(1 + trace.loops),
    )


def estimate(peak: Peak, trace: Trace, arch: Architecture, scratch: int, *, certain: bool = True) -> RegisterEstimate:
    """The band for a kernel on an architecture; `certain` is false where types in it are unknown.

    Capped at the registers that the architecture can address; `analyses.fit` says where its numbers are from.
    """
    fit: Fit = FITS[arch.vendor]
    found = features(peak, trace, scratch, arch.vendor)
    line = fit.intercept + sum(a * b for a, b in zip(fit.weights, found, strict=True))
    middle = max(line, log(fit.floor * trace.held.vector + 2))
    below, above = fit.band(middle, certain=certain and understood(trace))
    most = arch.max_regs_per_thread
    ends = [exp(middle + shift) - 2 for shift in (below, 0.0, above)]
    if arch.vendor == "nvidia":
        ends[1] = _aimed(ends[1])
    low, best, high = (min(most, max(1, round(end))) for end in ends)
    return RegisterEstimate(low, best, high, scratch)


def _aimed(registers: float) -> float:
    """ptxas aims at 32 registers, with which an SM is full, and fits into them what wants a few more: of the kernels
    with 32 and more half have exactly 32. The order of the estimates stays.
    """
    return _FULL + (registers - _FULL) * _BEYOND if _FULL <= registers < _NO_LONGER else registers


def is_crowded(peak: Peak) -> bool:
    """False for a kernel of which the source keeps so little alive that the estimate stays below 90 registers.

    Of 647 kernels with a known register count 32 are estimated at 90 and more for gfx90a: it holds for 31 of them, and
    for 167 of all.
    """
    return peak.live + peak.math + min(peak.loads, _MOST_IN_FLIGHT) >= _CROWDED


def understood(trace: Trace) -> bool:
    """False for a kernel that calls what is not in view, prints or asserts, or is too large to be executed whole."""
    return trace.complete and not trace.unresolved and not trace.services
