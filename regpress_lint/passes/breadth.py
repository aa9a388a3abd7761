"""The order of a scheduler that has registers to spare: what can be worked on side by side, is."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.ir.ops import LOAD_CONSTANT, Kind
from regpress_lint.passes.routines import lengths, side_by_side

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph
    from regpress_lint.passes.orders import Order

_LOAD = Kind.LOAD


def breadth_first(machine: Machine, order: Order) -> tuple[Order, dict[int, int]]:
    """The order with the values of each block by the longest chain of operations that leads to them, and what routines
    take that are worked on side by side.

    clang's scheduler for AMD follows latencies as long as no wave is lost: eight independent products are worked out
    before the first of their sums (a chain of eight `x ^= f(lds[k])` takes 46 registers and not 18).
    """
    sequence = list(order.sequence)
    routines: dict[int, int] = {}
    for start, end in blocks(machine, order):
        if end - start > 1:
            values = sequence[start:end]
            levels = _levels(machine.graph, values, machine.block_of, lengths(machine, values))
            sequence[start:end] = sorted(values, key=levels.__getitem__)
            routines |= side_by_side(machine, levels)
    return order._replace(sequence=sequence), routines


def blocks(machine: Machine, order: Order) -> Iterator[tuple[int, int]]:
    """First place of each block and the place behind its last; the phis of a loop stay where they are."""
    cuts = {0, len(order.sequence)}
    for start, end, region in order.loops:
        cuts.update((start, start + len(order.phis.get(region, ())), end))
    ops, block_of = machine.graph.ops, machine.block_of
    block, behind = -1, 0
    for place, number in enumerate(order.sequence):
        own = block_of.get(number)
        if own is None or ops[number] is LOAD_CONSTANT:  # it stands where its address does, in front of loops
            continue
        if own != block:
            cuts.add(behind)
        block, behind = own, place + 1
    yield from pairwise(sorted(cuts))


def _levels(graph: Graph, values: Sequence[int], effects: dict[int, int], long: Mapping[int, int]) -> dict[int, int]:
    """Levels of the values of one block; effects stay in order, and no read passes one. long: values that take more
    than one level.
    """
    ops, args = graph.ops, graph.args
    levels: dict[int, int] = {}
    behind = latest = 0
    for number in values:
        level = 0
        for arg in args[number]:
            before = levels.get(arg)
            if before is not None and before >= level:
                level = before + (long.get(arg, 1) if long else 1)
        if ops[number].kind is _LOAD:
            level = max(level, behind)
            latest = max(latest, level)
        elif number in effects:
            level = behind = latest = max(level, latest)
        levels[number] = level
    return levels
