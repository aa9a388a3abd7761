"""The orders of a scheduler that works block by block, for each of them: as written, with its reads early, and wide.

clang's for AMD orders one block at a time. It keeps an order whose registers cost no wave, and goes back to the order
as written where they would; where more than half of a kernel's instructions are accesses to memory it may fall to four
waves first (`SIMachineFunctionInfo::getMinAllowedOccupancy`, `AMDGPUPerfHintAnalysis`). Reads of memory that threads
share are free to pass writes to private memory, so that a loop that fills an array there has all of its reads on their
way: forty doubles take 93 registers, and sixty-four, which no four waves hold, take 8 (`test_reads_beside_scratch.py`).

LLVM lets a kernel fall to four waves if memory binds it, or if its waves would drive each other's data out of the
caches: accesses are more than half of all instructions, each counted by its words; or a block is full of reads of
global memory that it uses itself; or an address is computed of a value that was read, or accesses to one array that
follow each other are far apart. Addresses are free there, but not in the size of a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import LOAD_CONSTANT, LOAD_GLOBAL, LOAD_PRIVATE, Kind, store
from regpress_lint.model.passes.liveness import blocks, counts, lifetimes_in
from regpress_lint.model.passes.schedule import scheduled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.model.graph.objects import Access
    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.orders import Order
    from regpress_lint.model.passes.uniformity import ValueFacts


_NO_LIMIT = 1 << 30
_STORE_PRIVATE = store("private")
_NOTHING = (-1,)  # in place of the operands of a store
_LOAD, _STORE = Kind.LOAD, Kind.STORE


class Region(NamedTuple):
    """A block's vector registers at its widest point. written: with each read where the source has it. early: with all
    reads that no write holds back at its start. wide: also with all values that can be computed side by side.
    """

    written: int
    early: int
    wide: int


class Regions(NamedTuple):
    """The blocks of a kernel in their order."""

    blocks: tuple[Region, ...]


def regions(machine: Machine, facts: ValueFacts) -> Regions:
    """The blocks of an executed kernel."""
    order = scheduled(machine, facts, _NO_LIMIT)
    written = _widest(machine, facts, scheduled(machine, facts, 0))
    for block, together in shifted(machine, facts).items():
        written[block] = max(written.get(block, 0), together)
    early, wide = _widest(machine, facts, order), _widest(machine, facts, _side_by_side(machine, facts, order))
    blocks = tuple(Region(written.get(block, 0), most, wide.get(block, most)) for block, most in early.items())
    return Regions(blocks)


def _widest(machine: Machine, facts: ValueFacts, order: Order) -> dict[int, int]:
    """Most vector registers by block, -1 for what belongs to none."""
    vector, extra = counts(machine.graph, lifetimes_in(machine, order), facts.registers)[0], machine.graph.extra
    widest: dict[int, int] = {}
    for start, end in blocks(machine, order):
        if inside := order.sequence[start:end]:
            block = next((machine.block_of[number] for number in inside if number in machine.block_of), -1)
            most = max(vector[start + at] + extra[number] for at, number in enumerate(inside))
            widest[block] = max(widest.get(block, 0), most)
    return widest


def _side_by_side(machine: Machine, facts: ValueFacts, order: Order) -> Order:
    """The order with each block's values by the longest chain that leads to them; addresses stand at their access."""
    sequence = list(order.sequence)
    for start, end in blocks(machine, order):
        if end - start > 1:
            sequence[start:end] = _by_level(machine, facts, sequence[start:end])
    return order._replace(sequence=sequence)


def _by_level(machine: Machine, facts: ValueFacts, values: Sequence[int]) -> list[int]:
    """The values of one block by level; the address of a single access has its level."""
    levels = _levels(machine, values)
    places = {number: place for place, number in enumerate(values)}
    keys = {number: (levels[number], place, 1, 0) for number, place in places.items()}
    ops, args, users = machine.graph.ops, machine.graph.args, facts.users
    for number in values:
        if ops[number].kind is not _LOAD and ops[number].kind is not _STORE:
            continue
        level = max((levels[arg] + 1 for arg in args[number] if arg in levels), default=0)
        pending, chain = list(args[number][:1]), {number}
        while pending:
            value = pending.pop()
            alone = len(users[value]) == 1 or (levels[number] == level and chain.issuperset(users[value]))
            if value in places and facts.free[value] | (ops[value].kind is Kind.ADDRESS) and alone:
                keys[value] = (levels[number], places[number], 0, levels[value])
                chain.add(value)
                pending.extend(args[value])
    return sorted(values, key=keys.__getitem__)


def _levels(machine: Machine, values: Sequence[int]) -> dict[int, int]:
    """The length of the chain that leads to each value of a block. An access waits for those before it that may touch
    the same memory, other effects for all of them.
    """
    graph, accesses, block_of = machine.graph, machine.memory.accesses, machine.block_of
    levels: dict[int, int] = {}
    reads: dict[Access | None, int] = {}
    writes: dict[Access | None, int] = {}
    for number in values:
        level = max((levels[arg] + 1 for arg in graph.args[number] if arg in levels), default=0)
        if number in block_of:
            access, reading = accesses.get(number), graph.ops[number].kind is _LOAD
            level = max(level, _behind(writes, access), 0 if reading else _behind(reads, access))
            seen = reads if reading else writes
            seen[access] = max(seen.get(access, 0), level)
        levels[number] = level
    return levels


def _behind(before: dict[Access | None, int], access: Access | None) -> int:
    met = (level for earlier, level in before.items() if earlier is None or access is None or earlier.meets(access))
    return max(met, default=0)


def shifted(machine: Machine, facts: ValueFacts) -> dict[int, int]:
    """Registers of elements that change their places in one array, `a[j] = a[j + 1]` for all j, by block: LLVM makes
    one `memmove` of the loop, which reads all of them before it writes the first, and ptxas reads many of them first.
    """
    graph, block_of = machine.graph, machine.block_of
    moved: dict[int, int] = {}
    run, last, loads = 0, -1, set[int]()
    for number, block in block_of.items():
        op = graph.ops[number]
        if not facts.needed[number]:
            continue
        if block != last:
            run, last = 0, block
            loads.clear()
        if op is LOAD_PRIVATE:
            loads.add(number)
            continue
        place, *parts = graph.args[number] if op is _STORE_PRIVATE else _NOTHING
        values = set(parts)  # none for a store that names its value alone and has no place
        if values and values <= loads and all(_is_moved(graph, facts, value, place) for value in values):
            run += sum(facts.registers[value] for value in parts)
            moved[block] = max(moved.get(block, 0), run)
        else:
            run = 0
        loads.clear()
    return moved


def _is_moved(graph: Graph, facts: ValueFacts, value: int, place: int) -> bool:
    return graph.args[value][0] == place and len(set(facts.users[value])) == 1


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
    indirect = bytearray(len(graph))
    for number, op in enumerate(graph.ops):
        indirect[number] = op in _READS or (op.kind in _COMPUTED and any(indirect[arg] for arg in graph.args[number]))
    return indirect


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
