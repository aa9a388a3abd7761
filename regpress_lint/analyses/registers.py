"""Register estimate per target: the largest set of live registers, turned into a band that was fitted to compilers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regpress_lint.analyses.arrays import PrivateArray
from regpress_lint.analyses.flow import Flow, Op
from regpress_lint.analyses.library import COSTS, SERVICES
from regpress_lint.analyses.liveness import Liveness
from regpress_lint.analyses.loops import LoopFacts
from regpress_lint.syntax import Call, Function, LambdaExpr, Variable

if TYPE_CHECKING:
    from regpress_lint.occupancy import Architecture

_UNKNOWN_STRUCT = 2
_POINTER = 2
_MAX_BATCH = 16  # registers of loads that a scheduler keeps in flight over the copies of an unrolled body
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class RegisterEstimate:
    """32-bit vector registers per thread (Intel: GRF bytes per work-item / 4) and bytes of private memory per thread."""

    low: int
    estimate: int
    high: int
    scratch_bytes: int


@dataclass(frozen=True, slots=True)
class Peak:
    """What the fit is made of; all monotone in what the kernel holds.

    live: registers at the widest point, all values counted. divergent: the same without values that are the same for
    all threads. math: registers of the dearest library call at a point. loads: registers loaded per thread (once per
    op). ops: operations. calls: 1 if printf, assert or device malloc is reachable.
    """

    live: int
    divergent: int
    math: int
    loads: int
    ops: int
    services: int
    cluster: int
    scratch: int


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the estimate asks of the kernel's facts."""

    flow_of: Callable[[Function], Flow]
    live_of: Callable[[Function], Liveness]
    loops_of: Callable[[Function], tuple[LoopFacts, ...]]
    callee_of: Callable[[Call], Function | None]
    constant: Callable[[Variable], bool]
    arrays: dict[Variable, PrivateArray]


class Model:
    """Peaks of a kernel's function on one vendor; device functions are worked out once each."""

    def __init__(self, inputs: Inputs, vendor: str) -> None:
        self._inputs = inputs
        self._vendor = vendor
        self._peaks: dict[Function, Peak] = {}

    def peak(self, function: Function, depth: int = 0) -> Peak:
        """Peak of a function with everything that it calls inlined."""
        known = self._peaks.get(function)
        if known is not None:
            return known
        self._peaks[function] = Peak(0, 0, 0, 0, 0, 0, 0, 0)  # recursion ends here
        result = self._peaks[function] = self._work_out(function, depth)
        return result

    def widths(self, function: Function, *, kernel: bool = True) -> dict[Variable, int]:
        """Registers per variable of a function."""
        flow = self._inputs.flow_of(function)
        return {variable: self._width(variable, kernel) for variable in flow.bits}

    def _width(self, variable: Variable, kernel: bool) -> int:
        type_ = variable.type
        if variable.dims:
            array = self._inputs.arrays.get(variable)
            if array is None or array.elements is None or array.table:
                return 0
            return array.elements * (type_.registers or 1) if array.stays_in_registers(self._vendor) else 0
        if kernel and variable.storage in ("parameter", "capture"):
            return 0  # scalar registers or the constant bank
        if isinstance(variable.init, LambdaExpr) or self._inputs.constant(variable):
            return 0
        if type_.pointers or type_.reference:
            return _POINTER
        if type_.size is None:
            return _UNKNOWN_STRUCT if type_.struct else 1
        return type_.registers or 1

    def _work_out(self, function: Function, depth: int) -> Peak:
        flow, live = self._inputs.flow_of(function), self._inputs.live_of(function)
        loops = self._inputs.loops_of(function)
        widths = self.widths(function, kernel=depth == 0)
        classes: dict[int, int] = {}
        for variable, bit in flow.bits.items():
            width = widths[variable]
            if width:
                classes[width] = classes.get(width, 0) | bit
        weights = list(classes.items())
        divergent = divergent_variables(flow, kernel=depth == 0)
        batches = self._batches(flow, loops)
        copies = [_copies(loop) for loop in loops] + [1]
        clusters: dict[int, int] = {}
        costs = COSTS[self._vendor]
        most = most_divergent = most_math = loads = ops = services = scratch = most_cluster = 0
        for mask, op, number in live.points:
            loop = flow.blocks[number].loop
            held = op.temps + batches[loop]
            inner_live = inner_divergent = math = 0
            copied = min(copies[loop], 16)
            if op.loads:
                loads += op.loads * copied
                clusters[number] = clusters.get(number, 0) + op.loads * copied
            ops += op.cost
            for key in op.library:
                cost = costs[key]
                own = cost.in_loop if loop >= 0 and not loops[loop].unrolled else cost.once
                if key in SERVICES:
                    services = max(services, own)
                else:
                    math = max(math, own)
                scratch = max(scratch, cost.scratch)
            if op.calls and depth < _MAX_DEPTH:
                for record in op.calls:
                    target = self._inputs.callee_of(record.call)
                    if target is None:
                        continue
                    inner = self.peak(target, depth + 1)
                    inner_live = max(inner_live, inner.live)
                    inner_divergent = max(inner_divergent, inner.divergent)
                    most_math = max(most_math, inner.math)
                    services = max(services, inner.services)
                    scratch = max(scratch, inner.scratch)
                    most_cluster = max(most_cluster, inner.cluster)
                    loads += inner.loads
                    ops += inner.ops
            total = all_divergent = 0
            for width, members in weights:
                found = mask & members
                if found:
                    total += width * found.bit_count()
                    all_divergent += width * (found & divergent).bit_count()
            most = max(most, total + max(held, inner_live, math))
            if op.seed or (op.uses | op.control) & divergent:
                all_divergent += max(held, math)
            most_divergent = max(most_divergent, all_divergent + inner_divergent)
            most_math = max(most_math, math)
        most_cluster = max(most_cluster, max(clusters.values(), default=0))
        return Peak(most, most_divergent, most_math, loads, ops, services, most_cluster, scratch)

    def _batches(self, flow: Flow, loops: tuple[LoopFacts, ...]) -> list[int]:
        """Registers of loads in flight per loop; the last entry is for code in no loop (index -1)."""
        loads = [0] * (len(loops) + 1)
        for block in flow.blocks:
            for op in block.ops:
                loads[block.loop] += op.loads
        return [
            min((min(loop.trip_count or 1, 16) - 1) * loads[number], _MAX_BATCH) if loop.unrolled else 0
            for number, loop in enumerate(loops)
        ] + [0]


def _copies(loop: LoopFacts) -> int:
    """How often the code of a loop stands in a row after unrolling."""
    copies, around = 1, loop
    while around is not None and around.unrolled:
        copies *= max(around.trip_count or 1, 1)
        around = around.parent
    return copies


def divergent_variables(flow: Flow, *, kernel: bool) -> int:
    """Variables that may differ between the threads of a wave: those a thread's id, an atomic or LDS flows into."""
    found = 0
    for parameter in flow.function.parameters if not kernel else ():
        found |= flow.bits[parameter]
    pending: list[Op] = []
    for block in flow.blocks:
        for op in block.ops:
            if op.defs:
                if op.seed:
                    found |= op.defs
                else:
                    pending.append(op)
    changed = True
    while changed:
        changed = False
        for op in pending:
            if op.defs & ~found and (op.uses | op.control) & found:
                found |= op.defs
                changed = True
    return found


def scratch_bytes(arrays: tuple[PrivateArray, ...], vendor: str) -> int:
    """Bytes of the arrays that do not stay in registers."""
    return sum(array.bytes or 0 for array in arrays if not array.stays_in_registers(vendor))


def estimate(peak: Peak, arch: Architecture, scratch: int) -> RegisterEstimate:
    """The band that a peak stands for on an architecture."""
    raw = peak.live
    middle = max(2, min(arch.max_regs_per_thread, round(raw * 1.2 + 6)))
    return RegisterEstimate(
        max(1, round(middle / 1.6 - 2)), middle, min(arch.max_regs_per_thread, round(middle * 1.6 + 4)), scratch
    )
