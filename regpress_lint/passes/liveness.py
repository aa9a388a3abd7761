"""How many registers the values of an executed kernel take at the widest point of an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.ir.ops import PHI
from regpress_lint.passes.breadth import blocks, breadth_first
from regpress_lint.passes.orders import as_written
from regpress_lint.passes.schedule import MOST_MOVED, scheduled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph
    from regpress_lint.passes.orders import Order
    from regpress_lint.passes.uniformity import Totals, ValueFacts

_EASY = 24  # registers up to which no other order is looked for
_FULL = 128  # registers: no unit is full of waves that hold more
_MOST_EASED = 8  # routines of a kernel that are thought of as moved


class Pressure(NamedTuple):
    """Registers alive at the widest point of a schedule.

    vector: AMD's vector registers, NVIDIA's registers that no uniform register can stand for. scalar: the others.
    together: both at the widest point of their sum.
    """

    vector: int
    scalar: int
    together: int


class Lifetimes(NamedTuple):
    """An order with the place where each value is made (`places`) and the place of its last use (`ends`)."""

    order: Order
    places: dict[int, int]
    ends: dict[int, int]


class Live(NamedTuple):
    """The order that is kept, and its live values. moved: registers of reads that come on top of it everywhere,
    because the scheduler starts them early. eager: what is alive if all that can be is worked on side by side, for
    compilers that do so while it costs no wave; else as `held`. beside: what routines add to that which are worked on
    at the same time. written: vector registers in the order of the execution, with no read on its way, where that is
    less than `held`: what a scheduler goes back to whose own order would lose waves.
    """

    held: Pressure
    lifetimes: Lifetimes
    moved: int
    eager: Pressure
    beside: int = 0
    written: int = 0


def live(machine: Machine, facts: ValueFacts, totals: Totals, *, schedule: bool = True) -> Live:
    """Registers alive in the order of `schedule`, or in that of the execution, where that takes less.

    No scheduler keeps an order that is worse than the one it was given. Without `schedule` it is the execution's.
    """
    graph, registers = machine.graph, facts.registers
    found: Live | None = None
    eager, beside = Pressure(0, 0, 0), 0
    if schedule:
        lifetimes = lifetimes_in(graph, scheduled(machine, facts))
        held = alive(graph, lifetimes, registers)
        eases = machine.compiler.moves_reads and bool(machine.routines)
        if eases and _ease(machine, facts, lifetimes, held.vector):
            held = alive(graph, lifetimes, registers)
        eager = held
        if machine.compiler.works_ahead and held.vector < _FULL:
            order, routines = breadth_first(machine, lifetimes.order)
            lifetimes_then = lifetimes_in(graph, order)
            eager = alive(graph, lifetimes_then, registers)
            if routines:
                beside = alive(graph, lifetimes_then, registers, routines).vector - eager.vector
        found = Live(held, lifetimes, 0, eager, beside, held.vector)
        if found.held.vector <= _EASY or machine.begun:  # second parts of routines do not stand where they are written
            return found
    lifetimes = lifetimes_in(graph, as_written(machine, facts.needed))
    held, moved = alive(graph, lifetimes, registers), 0
    least = held.vector if found is None else min(held.vector, found.held.vector)
    if machine.compiler.moves_reads:
        moved = min(MOST_MOVED, totals.reads)
        held = held._replace(vector=held.vector + moved, together=held.together + moved)
    if found is None or held.vector < found.held.vector:
        return Live(held, lifetimes, moved, eager, beside, least)
    return found._replace(written=least)


def alive(
    graph: Graph, lifetimes: Lifetimes, registers: list[int], routines: Mapping[int, int] | None = None
) -> Pressure:
    """The most registers that are alive at a time, from the place of each value to its last use.

    routines: registers of some values, which replace the graph's.
    """
    vector, scalar = counts(graph, lifetimes, registers)
    most = most_scalar = most_together = 0
    extra = graph.extra
    for position, number in enumerate(lifetimes.order.sequence):
        held, held_scalar, own = vector[position], scalar[position], extra[number]
        if routines is not None:
            own = routines.get(number, own)
        if held + own > most:
            most = held + own
        if held_scalar > most_scalar:
            most_scalar = held_scalar
        if held + held_scalar + own > most_together:
            most_together = held + held_scalar + own
    return Pressure(most, most_scalar, most_together)


def counts(graph: Graph, lifetimes: Lifetimes, registers: list[int]) -> tuple[list[int], list[int]]:
    """Vector and scalar registers of the values that are alive at each place."""
    length = len(lifetimes.order.sequence)
    vector, scalar = [0] * (length + 1), [0] * (length + 1)
    places, widths = lifetimes.places, graph.widths
    for number, end in lifetimes.ends.items():
        start = places.get(number)
        if start is None:
            continue
        width = registers[number]
        if width:
            vector[start] += width
            vector[end] -= width
        else:
            width = widths[number]
            scalar[start] += width
            scalar[end] -= width
    for column in (vector, scalar):
        held = 0
        for position, change in enumerate(column):
            held += change
            column[position] = held
    return vector, scalar


def lifetimes_in(graph: Graph, order: Order) -> Lifetimes:
    """Where each value of an order is made and used last."""
    places = {number: position for position, number in enumerate(order.sequence)}
    args, ops = graph.args, graph.ops
    ends: dict[int, int] = {}
    for position, number in enumerate(order.sequence):
        operands = args[number][:1] if ops[number] is PHI else args[number]
        for arg in operands:
            ends[arg] = position
    for _, end, region in order.loops:
        for phi in order.phis.get(region, ()):
            for arg in args[phi][1:]:
                ends[arg] = max(ends.get(arg, end), end)
    if order.loops:
        _extend(order, places, ends)
    return Lifetimes(order, places, ends)


def _extend(order: Order, places: dict[int, int], ends: dict[int, int]) -> None:
    """A value that is defined before a loop and used in it is alive in all of the loop."""
    loops = order.loops  # inner ones first
    around = [-1] * (len(order.sequence) + 1)
    outer = [-1] * len(loops)
    for number in range(len(loops) - 1, -1, -1):
        begin, end, region = loops[number]
        outer[number] = around[begin]
        # What a phi starts from is used in front of the loop.
        body = begin + len(order.phis.get(region, ()))
        around[body:end] = [number] * (end - body)
    for value, use in ends.items():
        start = places.get(value)
        if start is None:
            continue
        loop = around[use]
        while loop >= 0 and start < loops[loop][0]:
            use = max(use, loops[loop][1])
            loop = outer[loop]
        ends[value] = use


def _ease(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes, before: int) -> bool:
    """Routines at the peak that could run where less is alive take half of the registers that a move would save; False
    where there are none. before: vector registers at the peak.

    clang for AMD inlines them and orders their operations among those around them: `pow` of a value that is known early
    costs sixteen reads 14 registers more and not its 39, whether it is called before them or behind them. It lowers
    `graph.extra` of them, so that it is done once for a graph.
    """
    graph, registers, trial = machine.graph, facts.registers, lifetimes
    moved: list[int] = []
    least = before
    while len(moved) < _MOST_EASED:
        step = _moved(machine, facts, trial)
        if step is None:
            break
        number, trial = step
        now = alive(graph, trial, registers).vector
        if now >= least:
            break
        least = now
        moved.append(number)
    if not moved:
        return False
    vector, most = counts(graph, lifetimes, registers)[0], (before + least + 1) // 2
    for number in moved:
        graph.extra[number] = min(graph.extra[number], most - vector[lifetimes.places[number]])
    return True


def _moved(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes) -> tuple[int, Lifetimes] | None:
    """The routine at the peak, and the order with it where its block holds least behind its operands; None if no
    routine makes the peak, or it is there already.
    """
    graph, sequence, places = machine.graph, lifetimes.order.sequence, lifetimes.places
    vector, extra = counts(graph, lifetimes, facts.registers)[0], graph.extra
    peak = max(range(len(sequence)), key=lambda place: vector[place] + extra[sequence[place]], default=0)
    number = sequence[peak] if sequence else -1
    if number not in machine.routines or not facts.free[number]:
        return None
    start = next((start for start, end in blocks(machine, lifetimes.order) if start <= peak < end), peak)
    ready = max((places.get(arg, -1) + 1 for arg in graph.args[number]), default=0)
    place = min(range(max(start, ready), peak + 1), key=vector.__getitem__)
    if place == peak:
        return None
    order = [*sequence[:place], number, *sequence[place:peak], *sequence[peak + 1 :]]
    return number, lifetimes_in(graph, lifetimes.order._replace(sequence=order))
