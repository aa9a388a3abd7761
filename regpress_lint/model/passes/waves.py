"""Whether LLVM lets a kernel for AMD fall to four waves before its scheduler goes back to the order as written.

It does for one that memory binds, and for one whose waves would drive each other's data out of the caches
(AMDGPUPerfHintAnalysis.cpp, `SIMachineFunctionInfo::getMinAllowedOccupancy`): accesses are more than half of all
instructions, each counted by its words; or a block is full of reads of global memory that it uses itself; or an address
is computed of a value that was read, or accesses to one array that follow each other are far apart. Addresses are free
there, but not in the size of a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import LOAD_CONSTANT, LOAD_GLOBAL, Kind
from regpress_lint.model.passes.liveness import blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.schedule import Order
    from regpress_lint.model.passes.uniformity import ValueFacts

_LOAD, _STORE, _ADDRESS, _ROUTINE = Kind.LOAD, Kind.STORE, Kind.ADDRESS, Kind.ROUTINE
_ACCESSES = frozenset((_LOAD, _STORE, Kind.ATOMIC))
_READS = (LOAD_GLOBAL, LOAD_CONSTANT)
_COMPUTED = frozenset((Kind.ARITHMETIC, Kind.CONVERSION, Kind.SELECT, _ADDRESS, Kind.BITS))
_LONG = 30  # instructions of a library's function, about
_SHORT = ("/:f", "/:d", "sqrt")  # what is one instruction until the back end
_WEIGHT, _NEAR = 1000, 64  # of an access that keeps others waiting; bytes between accesses that do not
_WIDEST = 16  # bytes of neighbours that are one access


class _Counted(NamedTuple):
    """Counts of one block: words of all accesses, instructions without addresses, words of accesses that keep others
    waiting, and whether most of it is reads of global memory that the block uses.
    """

    accessed: int
    instructions: int
    waiting: int
    dense: bool


def may_lose_waves(machine: Machine, facts: ValueFacts, order: Order) -> bool:
    """The answer for an executed kernel in an order."""
    indirect = _indirect(machine)
    parts = (order.sequence[start:end] for start, end in blocks(machine, order))
    counted = [_counted(machine, facts, part, indirect) for part in parts]
    accessed = sum(block.accessed + _WEIGHT * block.waiting for block in counted)
    return any(block.dense for block in counted) or 2 * accessed > sum(block.instructions for block in counted)


def _indirect(machine: Machine) -> bytearray:
    """The values that are computed from a read of global memory; a loop or a branch ends the chain."""
    graph = machine.graph
    found = bytearray(len(graph))
    for number, op in enumerate(graph.ops):
        found[number] = op in _READS or (op.kind in _COMPUTED and any(found[arg] for arg in graph.args[number]))
    return found


def _counted(machine: Machine, facts: ValueFacts, values: Sequence[int], indirect: bytearray) -> _Counted:
    graph, offsets, inside = machine.graph, machine.memory.offsets, frozenset(values)
    accessed = others = addresses = waiting = used = 0
    last = (-1, 0)
    merged: dict[tuple[int, Op, int], list[int]] = {}
    for number in values:
        op, args = graph.ops[number], graph.args[number]
        if op.kind not in _ACCESSES:
            addresses += op.kind is _ADDRESS
            others += 0 if op.kind is _ADDRESS else _LONG if _is_long(op) else 1
            continue
        words = max(1, graph.widths[number] if op.kind is _LOAD else graph.widths[args[-1]])
        accessed += words
        place = (args[0], offsets.get(number, 0))
        if number in offsets:
            far = last[0] == place[0] and abs(last[1] - place[1]) > _NEAR
            waiting += words * (far or indirect[args[0]])
            last = place
        merged.setdefault((place[0], op, place[1] // _WIDEST), []).append(number)
    size, parts = others + addresses, 0
    for (_, op, _), numbers in merged.items():
        together = len(numbers) > 1  # one access, whose parts are put together or taken apart
        parts += together * len(numbers)
        size += 2
        if op in _READS:
            used += sum(graph.widths[n] for n in numbers if together or not inside.isdisjoint(facts.users[n]))
    return _Counted(accessed, others + parts + accessed, waiting, 2 * used > size + parts)


def _is_long(op: Op) -> bool:
    return op.kind is _ROUTINE and not op.about.startswith(_SHORT)
