"""How many registers the values of an executed kernel take at the widest point of an order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.passes.orders import as_written
from regpress_lint.passes.schedule import MOST_MOVED, scheduled

if TYPE_CHECKING:
    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph
    from regpress_lint.passes.orders import Order
    from regpress_lint.passes.uniformity import Totals, ValueFacts

_EASY = 24  # registers up to which no other order is looked for


class Pressure(NamedTuple):
    """Registers alive at the widest point of a schedule.

    vector: AMD's vector registers, NVIDIA's registers that no uniform register can stand for. scalar: the others.
    together: both at the widest point of their sum.
    """

    vector: int
    scalar: int
    together: int


def pressure(machine: Machine, facts: ValueFacts, totals: Totals) -> Pressure:
    """Registers alive in the order of `schedule`, or in that of the execution, where that takes less.

    No scheduler keeps an order that is worse than the one it was given.
    """
    graph, registers = machine.graph, facts.registers
    found = alive(graph, scheduled(machine, facts), registers)
    if found.vector <= _EASY:
        return found
    written = alive(graph, as_written(machine, facts.needed), registers)
    if machine.compiler.moves_reads:
        moved = min(MOST_MOVED, totals.reads)
        written = written._replace(vector=written.vector + moved, together=written.together + moved)
    return written if written.vector < found.vector else found


def alive(graph: Graph, order: Order, registers: list[int]) -> Pressure:
    """The most registers that are alive at a time, from the place of each value to its last use."""
    sequence = order.sequence
    place = {number: position for position, number in enumerate(sequence)}
    last = _last_uses(graph, order, place)
    length = len(sequence)
    vector, scalar = [0] * (length + 2), [0] * (length + 2)
    for number, end in last.items():
        start = place.get(number)
        if start is None:
            continue
        width = registers[number]
        counts = vector if width else scalar
        width = width or graph.widths[number]
        counts[start] += width
        counts[end] -= width
    most = most_scalar = most_together = held = held_scalar = 0
    for position, number in enumerate(sequence):
        held += vector[position]
        held_scalar += scalar[position]
        most = max(most, held + graph.extra[number])
        most_scalar = max(most_scalar, held_scalar)
        most_together = max(most_together, held + held_scalar + graph.extra[number])
    return Pressure(most, most_scalar, most_together)


def _last_uses(graph: Graph, order: Order, place: dict[int, int]) -> dict[int, int]:
    args, ops = graph.args, graph.ops
    last: dict[int, int] = {}
    for position, number in enumerate(order.sequence):
        operands = args[number][:1] if ops[number] == "phi" else args[number]
        for arg in operands:
            last[arg] = position
    for _, end, region in order.loops:
        for phi in order.phis.get(region, ()):
            for arg in args[phi][1:]:
                last[arg] = max(last.get(arg, end), end)
    if order.loops:
        _extend(order, place, last)
    return last


def _extend(order: Order, place: dict[int, int], last: dict[int, int]) -> None:
    """What is made before a loop and used in it is alive in all of the loop."""
    loops = order.loops  # inner ones first
    around = [-1] * (len(order.sequence) + 1)
    outer = [-1] * len(loops)
    for number in range(len(loops) - 1, -1, -1):
        begin, end, region = loops[number]
        outer[number] = around[begin]
        # What a phi starts from is used in front of the loop.
        body = begin + len(order.phis.get(region, ()))
        around[body:end] = [number] * (end - body)
    for value, use in last.items():
        start = place.get(value)
        if start is None:
            continue
        loop = around[use]
        while loop >= 0 and start < loops[loop][0]:
            use = max(use, loops[loop][1])
            loop = outer[loop]
        last[value] = use
