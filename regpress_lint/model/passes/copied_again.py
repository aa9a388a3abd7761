"""Small loops of which ptxas makes four copies of each one that nvcc has left, so that 16 reads are on their way.

It does so in loops of loops, behind branches and with branches inside, as far as nothing in the body has its place and
nothing branches to a slow path; it then takes 24 to 32 registers, which cost no wave.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import ADD, MULTIPLY, SUBTRACT, Kind
from regpress_lint.model.graph.values import FLOAT
from regpress_lint.targets.costs import slow_paths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.model.graph.values import Graph, Region
    from regpress_lint.model.interpreter.machine import Machine

COPIES = 4
# nvcc 13.0 for sm_90: loops with 45 instructions in four copies are copied again, with 49 not; with 12 reads, with 16
# not (`test_executed_loops.py`).
_MOST, _MOST_READS = 46, 12
_LOAD = Kind.LOAD
_COUNTED = frozenset(
    (Kind.ARITHMETIC, Kind.SELECT, Kind.BITS, Kind.CONVERSION, _LOAD, Kind.STORE, Kind.ROUTINE, Kind.BEGUN)
)
_STAYS = frozenset((Kind.BARRIER, Kind.ATOMIC, Kind.CALL, Kind.SERVICE, Kind.UNKNOWN, Kind.CONVERGENT))


class Again(NamedTuple):
    """blocks: those of the loops. registers: of the reads, and of addresses if they are several, that the copies add to
    the loop with most, if there is no write between them.
    """

    blocks: frozenset[int] = frozenset()
    registers: int = 0


_NOTHING = Again()


def copied_again(machine: Machine, reads: Mapping[int, int], addresses: Mapping[int, int]) -> Again:
    """What ptxas copies again; `reads` and `addresses` are registers by block."""
    if not machine.loops.again:
        return _NOTHING
    blocks, most = set[int](), 0
    for region, values in _values(machine).items():
        placed = [item for item in region.items if isinstance(item, int)]
        if len(placed) < len(region.items) or not _is_small(machine, placed, values):
            continue
        in_blocks = {machine.block_of[item] for item in placed}
        blocks |= in_blocks
        if _moves(machine.graph, region, placed) and not _is_in_order(machine, placed):
            most = max(most, sum(reads.get(block, 0) + addresses.get(block, 0) for block in in_blocks))
    return Again(frozenset(blocks), (COPIES - 1) * most)


def _values(machine: Machine) -> dict[Region, list[int]]:
    """What each of the loops computes itself."""
    values: dict[Region, list[int]] = {region: [] for region in machine.loops.again}
    for number, home in enumerate(machine.graph.homes):
        if home in values:
            values[home].append(number)
    return values


def _is_small(machine: Machine, placed: Sequence[int], values: Sequence[int]) -> bool:
    ops, routines = machine.graph.ops, machine.routines
    if any(ops[item].kind in _STAYS for item in placed):
        return False
    if slow_paths(machine.vendor, (routines[number][0] for number in values if number in routines)):
        return False
    return (
        sum(ops[item].kind is _LOAD for item in placed) <= _MOST_READS and instructions(machine.graph, values) <= _MOST
    )


def instructions(graph: Graph, values: Sequence[int]) -> int:
    """Instructions as ptxas counts them, about: a product that goes into one sum is part of it."""
    instructions, products = 0, dict[int, int]()
    for number in values:
        op = graph.ops[number]
        instructions += op.kind in _COUNTED
        for arg in graph.args[number]:
            if arg in products:
                products[arg] += 1 if op in (ADD, SUBTRACT) else 2
        if op == MULTIPLY and graph.kinds[number] == FLOAT:
            products[number] = 0
    return instructions - sum(uses == 1 for uses in products.values())


def _moves(graph: Graph, region: Region, placed: Sequence[int]) -> bool:
    """False for a loop that only reads what stays in place: that is read in front of it."""
    reached = (graph.args[item][0] for item in placed if graph.ops[item].kind in (_LOAD, Kind.STORE))
    return any(graph.homes[address] is region for address in reached)


def _is_in_order(machine: Machine, placed: Sequence[int]) -> bool:
    """True if a write of the loop may change what a read of it gives."""
    accesses, ops = machine.memory.accesses, machine.graph.ops
    accessing = [item for item in placed if item in accesses]
    writes = {accesses[item] for item in accessing if ops[item].kind is not _LOAD}
    return any(write.meets(accesses[item]) for item in accessing if ops[item].kind is _LOAD for write in writes)
