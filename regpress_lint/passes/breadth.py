"""The order of a scheduler that has registers to spare: what can be worked on side by side, is."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph
    from regpress_lint.passes.orders import Order


def breadth_first(machine: Machine, order: Order) -> Order:
    """The order with the values of each block by the longest chain of operations that leads to them.

    clang's scheduler for AMD follows latencies as long as no wave is lost: eight independent products are worked out
    before the first of their sums (a chain of eight `x ^= f(lds[k])` takes 46 registers and not 18).
    """
    sequence = list(order.sequence)
    for start, end in _blocks(machine, order):
        if end - start > 1:
            sequence[start:end] = _by_level(machine.graph, sequence[start:end], machine.block_of)
    return order._replace(sequence=sequence)


def _blocks(machine: Machine, order: Order) -> Iterator[tuple[int, int]]:
    """First place of each block and the place behind its last; the phis of a loop stay where they are."""
    cuts = {0, len(order.sequence)}
    for start, end, region in order.loops:
        cuts.update((start, start + len(order.phis.get(region, ())), end))
    ops, block_of = machine.graph.ops, machine.block_of
    block, behind = -1, 0
    for place, number in enumerate(order.sequence):
        own = block_of.get(number)
        if own is None or ops[number] == "load constant":  # it stands where its address does, in front of loops
            continue
        if own != block:
            cuts.add(behind)
        block, behind = own, place + 1
    yield from pairwise(sorted(cuts))


def _by_level(graph: Graph, values: Sequence[int], effects: dict[int, int]) -> list[int]:
    """Values of one block by level; effects stay in order, and no read passes one."""
    ops, args = graph.ops, graph.args
    levels: dict[int, int] = {}
    behind = latest = 0
    for number in values:
        level = 0
        for arg in args[number]:
            before = levels.get(arg)
            if before is not None and before >= level:
                level = before + 1
        if ops[number].startswith("load"):
            level = max(level, behind)
            latest = max(latest, level)
        elif number in effects:
            level = behind = latest = max(level, latest)
        levels[number] = level
    return sorted(values, key=levels.__getitem__)
