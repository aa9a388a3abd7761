"""Loop-invariant code motion: reads of places that a loop does not write are made in front of it, and what is computed
from them alone goes there, too.

LLVM does so for NVIDIA and AMD, however many registers the loop then holds: an explicit Euler step of sixteen doubles
that reads `k[q]` in its loop takes 116 registers for sm_90, of which 32 are the `k[q]` (`test_hoisted_reads.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import PHI
from regpress_lint.model.graph.values import innermost

if TYPE_CHECKING:
    from regpress_lint.model.graph.values import Region
    from regpress_lint.model.interpreter.machine import Machine


_SPACES = ("global", "shared")


def hoist_reads(machine: Machine, region: Region, first: int, block: int) -> None:
    """Move what an executed loop reads and computes anew in each iteration, with the same result, in front of it.

    first: a value that is not behind the first of the loop. block: the one in front of the loop.
    """
    graph, memory, outer = machine.graph, machine.memory, region.parent
    assert outer is not None
    home = outer if outer.parent is not None else None
    moved, outside = set[int](), set[int]()
    for number in range(first, len(graph)):
        if graph.homes[number] is not region:
            continue
        if number not in machine.block_of:
            if graph.ops[number] is not PHI and not outside.isdisjoint(graph.args[number]):
                graph.homes[number] = innermost(graph.homes[arg] for arg in graph.args[number])
                if graph.homes[number] is not region:
                    outside.add(number)
        elif _is_same(machine, number, region):
            graph.homes[number] = home
            memory.guards[number] = region.guards
            machine.block_of[number] = block
            moved.add(number)
            outside.add(number)
    if moved:
        region.items = [item for item in region.items if item not in moved]
        outer.items += sorted(moved)


def _is_same(machine: Machine, number: int, region: Region) -> bool:
    """Whether each iteration makes this read, and reads the same: no compiler reads in front of a loop what the loop
    may never read.
    """
    memory = machine.memory
    access = memory.accesses.get(number)
    if access is None or access.space not in _SPACES or memory.guards.get(number) != region.guards:
        return False
    if any(machine.graph.homes[arg] is region for arg in machine.graph.args[number]):
        return False
    return memory.last_change(access) <= region.epoch
