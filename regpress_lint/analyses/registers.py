"""Register estimate per target: the largest set of live registers and what surrounds it, fitted to real compilers."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.analyses.fit import AROUND_MOST, AROUND_SHARE, FITS, Fit
from regpress_lint.analyses.library import COSTS, SERVICES, SLOW_PATH_BYTES
from regpress_lint.syntax import LambdaExpr

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.analyses.arrays import PrivateArray
    from regpress_lint.analyses.flow import Flow, Op
    from regpress_lint.analyses.liveness import Liveness
    from regpress_lint.analyses.loops import LoopFacts
    from regpress_lint.occupancy import Architecture
    from regpress_lint.syntax import Call, Function, Variable

_UNKNOWN_STRUCT = 2
_POINTER = 2
_MAX_ARGUMENT = 4
_MAX_BATCH = 16  # registers of loads that a scheduler keeps in flight over the copies of an unrolled body (efficacy 15)
_MAX_COPIES = 16
_DEFAULT_UNROLL = 4  # nvcc unrolls an innermost loop of unknown trip count so often (efficacy 6)
_MAX_DEPTH = 6
# Below that a compiler moves the operation to its use: a sum with a constant, a negation, a copy. Where all arithmetic
# is pinned, the estimates of HeCBench's kernels get worse; from 3 operations on they are as good.
_MIN_OPERATIONS = 2
_WIDEST_STRUCT = 64  # registers; the members of a struct wider than that are arrays, which nobody splits into registers


@dataclass(frozen=True, slots=True)
class RegisterEstimate:
    """32-bit vector registers per thread (Intel: GRF bytes per work-item / 4), bytes of private memory per thread."""

    low: int
    estimate: int
    high: int
    scratch_bytes: int


class Peak(NamedTuple):
    """What the fit is made of; every number grows or stays when a kernel holds more.

    live: registers at the widest point, temporaries, arrays and inlined callees included, a kernel's arguments too.
    math: registers of the dearest math call or division. services: of printf, assert or malloc. loads: registers
    filled from memory in the block with the most of them, unrolled copies counted. ops: operations. loops: number of
    them. scratch: bytes that library calls need. pinned: registers, at the point with the most of them, of the values
    that no compiler can do without holding (`_pinned`).
    """

    live: int = 0
    math: int = 0
    services: int = 0
    loads: int = 0
    ops: int = 0
    loops: int = 0
    scratch: int = 0
    slow_paths: int = 0
    pinned: int = 0


class Inputs(NamedTuple):
    """What the estimate asks of the kernel's facts."""

    flow_of: Callable[[Function], Flow]
    live_of: Callable[[Function], Liveness]
    loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    callee_of: Callable[[Call], Function | None]
    constant: Callable[[Variable], bool]
    arrays: dict[Variable, PrivateArray]


@dataclass(slots=True)
class _Tally:
    """Running maxima and sums over the points of a function."""

    live: int = 0
    math: int = 0
    services: int = 0
    ops: int = 0
    loops: int = 0
    loads: int = 0
    scratch: int = 0
    slow_paths: int = 0
    pinned: int = 0
    by_block: dict[int, int] = field(default_factory=dict)

    def inline(self, inner: Peak) -> None:
        """Add what an inlined callee has, its live registers aside."""
        self.math = max(self.math, inner.math)
        self.services = max(self.services, inner.services)
        self.loads = max(self.loads, inner.loads)
        self.scratch = max(self.scratch, inner.scratch)
        self.ops += inner.ops
        self.loops += inner.loops
        self.slow_paths += inner.slow_paths

    def peak(self) -> Peak:
        """The result."""
        loads = max(self.loads, max(self.by_block.values(), default=0))
        return Peak(
            self.live, self.math, self.services, loads, self.ops, self.loops, self.scratch, self.slow_paths, self.pinned
        )


class Model:
    """Peaks of a kernel's function for one kind of target; device functions are worked out once each."""

    def __init__(self, inputs: Inputs, vendor: str, *, hoists_constants: bool = False) -> None:
        self._inputs = inputs
        self._vendor = vendor
        self._hoists = hoists_constants
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
        weights = self._weights(flow, liveness, kernel=depth == 0)
        batches, copies = _batches(flow, loops), self._copies(flow, loops)
        tally = _Tally(loops=len(loops))
        by_block, ops, most, most_pinned = tally.by_block, 0, 0, 0
        blocks = flow.blocks
        for live, op, number in liveness.points:
            loop = blocks[number].loop
            held, pinned = op.temps + batches[loop], 0
            ops += op.cost
            if op.loads:
                by_block[number] = by_block.get(number, 0) + op.loads * copies[loop]
            if op.library:
                held = max(held, self._library(op, loops[loop] if loop >= 0 else None, tally))
            if op.calls and depth < _MAX_DEPTH:
                inner, pinned = self._calls(op, depth, tally)
                held = max(held, inner)
            total = held
            for width, members, fixed in weights:
                found = live & members
                if found:
                    total += width * found.bit_count()
                    if fixed:
                        pinned += width * (found & fixed).bit_count()
            if total > most:
                most = total
            if pinned > most_pinned:
                most_pinned = pinned
        tally.live, tally.pinned = most, most_pinned
        tally.ops += ops
        return tally.peak()

    def _weights(self, flow: Flow, live: Liveness, *, kernel: bool) -> list[tuple[int, int, int]]:
        """Registers a variable, the variables that take so many, and which of these are pinned where they are live."""
        classes: dict[int, int] = {}
        wide = 0
        for variable, bit in flow.bits.items():
            width = self._width(variable)
            if width:
                classes[width] = classes.get(width, 0) | bit
                if width > _WIDEST_STRUCT and not variable.dims:
                    wide |= bit
        pinned = _pinned(flow, live) & ~wide
        if pinned and self._vendor == "amd":  # what a whole wave shares is in scalar registers there
            pinned &= divergent_variables(flow, kernel=kernel)
        return [(width, members, members & pinned) for width, members in classes.items()]

    def _library(self, op: Op, loop: LoopFacts | None, tally: _Tally) -> int:
        """Registers of an op's math calls and divisions; notes services and scratch."""
        costs, most = COSTS[self._vendor], 0
        held_in_loop = self._hoists and loop is not None and not loop.unrolled
        for key in op.library:
            cost = costs[key]
            own = cost.in_loop if held_in_loop else cost.once
            if key in SERVICES:
                tally.services = max(tally.services, own)
            else:
                most = max(most, own)
                tally.slow_paths += cost.slow_path
            tally.scratch = max(tally.scratch, cost.scratch)
        tally.math = max(tally.math, most)
        return most

    def _calls(self, op: Op, depth: int, tally: _Tally) -> tuple[int, int]:
        """Live and pinned registers of the widest callees of an op."""
        most = pinned = 0
        for record in op.calls:
            target = self._inputs.callee_of(record.call)
            if target is not None:
                inner = self.peak(target, depth + 1)
                most, pinned = max(most, inner.live), max(pinned, inner.pinned)
                tally.inline(inner)
        return most, pinned

    def _copies(self, flow: Flow, loops: tuple[LoopFacts, ...]) -> list[int]:
        """How often a loop's code stands in a row after unrolling; the last entry is for code in no loop."""
        parents = {record.parent for record in flow.loops}
        result = []
        for number, loop in enumerate(loops):
            copies = 1
            around: LoopFacts | None = loop
            while around is not None and around.unrolled:
                copies *= max(around.trip_count or 1, 1)
                around = around.parent
            if self._vendor == "nvidia" and number not in parents and not loop.unrolled:
                copies = _DEFAULT_UNROLL
            result.append(min(copies, _MAX_COPIES))
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


def _pinned(flow: Flow, live: Liveness) -> int:
    """Variables that a compiler has to keep in registers while they are live, as a bit mask like `Flow.bits`.

    They hold what memory or a call gave, what a loop carries from one iteration to the next, or what took several
    operations. Anything else is as cheap to work out again where it is used, so that its live range in the source
    says nothing.
    """
    found = 0
    for block in flow.blocks:
        for op in block.ops:
            if op.defs and (op.loads or op.calls or op.cost >= _MIN_OPERATIONS):
                found |= op.defs
    for record in flow.loops:
        carried = live.live_in[record.first] & ~found
        if carried:
            for block in flow.blocks[record.first : record.last]:
                for op in block.ops:
                    found |= op.defs & carried
    return found


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


def scratch_bytes(arrays: tuple[PrivateArray, ...], peak: Peak, vendor: str) -> int:
    """Bytes per thread of arrays that do not stay in registers and of library calls with a stack frame."""
    total = sum(array.bytes or 0 for array in arrays if not array.stays_in_registers(vendor))
    slow = SLOW_PATH_BYTES if vendor == "nvidia" and peak.slow_paths > 1 and not peak.scratch else 0
    return total + peak.scratch + slow


def features(peak: Peak, scratch: int) -> tuple[float, ...]:
    """Logarithms that the fit is linear in; all of them grow with the peak's numbers."""
    return (
        log(peak.live + 4),
        log(peak.math + 4),
        log(peak.ops + 8),
        log(peak.services + 8),
        log(1 + (scratch > 0)),
        log(peak.loads + 2),
        log(peak.loops + 1),
    )


def floor(peak: Peak) -> float:
    """Registers below which no estimate goes: a peak's pinned values and what surrounds them.

    The fit cannot say it: few kernels hold much, so that its line, fitted to the others, is far too low for them.
    """
    return min(AROUND_SHARE * peak.pinned, peak.pinned + AROUND_MOST)


def estimate(peak: Peak, arch: Architecture, scratch: int, *, certain: bool = True) -> RegisterEstimate:
    """The band that a peak stands for on an architecture; `certain` is false where types in it are unknown.

    Capped at the registers that the architecture can address; `analyses.fit` says where its numbers are from.
    """
    fit: Fit = FITS[arch.vendor]
    line = fit.intercept + sum(a * b for a, b in zip(fit.weights, features(peak, scratch), strict=True))
    middle = max(line, log(floor(peak) + 2))
    below, above = fit.band(middle, certain=certain)
    most = arch.max_regs_per_thread
    low, best, high = (min(most, max(1, round(exp(middle + shift) - 2))) for shift in (below, 0.0, above))
    return RegisterEstimate(low, best, high, scratch)
