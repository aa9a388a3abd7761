"""Registers that a loop holds all through it, with the reads that it begins with.

A loop that adds products to a tile of sums reads both factors in front of the first product, however few registers it
would take to read each beside its use: nvcc 13.0.88 and clang 19.1.7 for gfx90a do so in forty such kernels, and clang
has worked out the addresses by then (`tests/model/test_tiles.py`).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import Kind
from regpress_lint.model.passes.liveness import counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.liveness import Live
    from regpress_lint.model.passes.uniformity import ValueFacts


_ON_THEIR_WAY = 8  # registers of reads that ptxas has on their way in a loop, whatever else it holds
_TILE = 8  # registers of such reads, of which fewer are no tile: a kernel has room for them beside its peak
_MOST_FIRST = 32  # registers of reads that a loop begins with
_FEW = 25  # registers of a kernel that may leave what it begins with for later, so that waves are many
_WRITES = frozenset((Kind.STORE, Kind.ATOMIC))


class Loops(NamedTuple):
    """Vector registers of the loop with most. through: alive all through it, with some of its reads. changed: what it
    changes, with the reads that it begins with; begun: what is alive all through it, with these.
    """

    through: int = 0
    changed: int = 0
    begun: int = 0


def in_loops(machine: Machine, facts: ValueFacts, live: Live) -> Loops:
    """The registers of the loops of an executed kernel."""
    order, ops, registers = live.lifetimes.order, machine.graph.ops, facts.registers
    many = live.held.vector > _FEW
    if not order.loops or not (many or machine.compiler.aims_at_full_unit):
        return Loops()
    through = changed = begun = 0
    vector = counts(machine.graph, live.lifetimes, registers)[0]
    for start, end, region in order.loops:
        phis = order.phis.get(region, ())
        values = order.sequence[start + len(phis) : end]
        alive = min(vector[end - len(values) : end], default=0)
        reads = sum(registers[value] for value in values if ops[value].kind is Kind.LOAD)
        through = max(through, alive + min(reads, _ON_THEIR_WAY))
        first = min(_first(machine, facts, values) // region.copies, _MOST_FIRST) if reads and many else 0
        if first >= _TILE:
            changed = max(changed, sum(registers[phi] for phi in phis) + first)
            begun = max(begun, alive + first)
    return Loops(through, changed, begun)


def _first(machine: Machine, facts: ValueFacts, values: Sequence[int]) -> int:
    """Registers of a loop's reads that several values use and that wait neither for a write nor for another read, in
    the block with most of them. clang for AMD has worked out their addresses before it reads.
    """
    graph, registers, block_of = machine.graph, facts.registers, machine.block_of
    ops, args = graph.ops, graph.args
    write = min((value for value in values if ops[value].kind in _WRITES), default=len(graph))
    waiting: set[int] = set()
    by_block: Counter[int | None] = Counter()
    addresses: set[int] = set() if machine.compiler.aims_at_full_unit else set(values)
    for value in sorted(values):
        is_read = ops[value].kind is Kind.LOAD
        if is_read and value < write and len(facts.users[value]) > 1 and waiting.isdisjoint(args[value]):
            by_block[block_of.get(value)] += registers[value]
            address = args[value][0]
            if address in addresses:
                addresses.remove(address)
                by_block[block_of.get(value)] += registers[address]
        if is_read or not waiting.isdisjoint(args[value]):
            waiting.add(value)
    return max(by_block.values(), default=0)
