"""Branches: which of them stay, and the reads on one side of those, which do not move across."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.ir.graph import BOOL
from regpress_lint.ir.ops import BRANCH, SELECT, Kind

if TYPE_CHECKING:
    from regpress_lint.ir.build.machine import Machine

_SPECULATED = 8  # operations without effect that compilers execute on both sides of a condition


class Fork(NamedTuple):
    """Where the sides of a condition begin: the block, the place in the region's order, the operations until then."""

    block: int
    position: int
    operations: int


def fork_here(machine: Machine) -> Fork:
    """The place in front of both sides."""
    return Fork(machine.block, len(machine.region.items), machine.tally.operations)


def is_speculated(machine: Machine, fork: Fork, predicated_reads: int = 0) -> bool:
    """True if compilers execute both sides: little arithmetic, and nothing that has to stand where it is but so many
    reads.
    """
    items = machine.region.items[fork.position :]
    if len(items) > predicated_reads or machine.tally.operations - fork.operations > _SPECULATED:
        return False
    return all(isinstance(item, int) and machine.graph.ops[item].kind is Kind.LOAD for item in items)


def met(machine: Machine, condition: int, fork: Fork, predicated_reads: int = 0) -> bool:
    """Behind both sides of a condition within an expression: True if a branch is left of it. To LLVM `?:` and `&&` are
    branches as `if` is, because it reads no memory that may not be there.
    """
    if is_speculated(machine, fork, predicated_reads):
        machine.block = fork.block
        for item in machine.region.items[fork.position :]:
            if isinstance(item, int):
                machine.block_of[item] = fork.block
        return False
    branch_at(machine, condition, fork)
    return True


def branch_at(machine: Machine, condition: int, fork: Fork) -> None:
    """The branch itself, in front of what its sides left behind."""
    number = machine.graph.add(BRANCH, (condition,), BOOL, machine.loop_region())
    machine.block_of[number] = fork.block
    machine.region.items.insert(fork.position, number)
    machine.new_block()


def stay_here(machine: Machine, first: int) -> None:
    """Where two sides of a real branch meet, values are phis: what goes into them does not sink behind the branch."""
    graph = machine.graph
    for number in range(first, len(graph)):
        if graph.ops[number] is SELECT:
            machine.block_of[number] = machine.block
            machine.region.items.append(number)
