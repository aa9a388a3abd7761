"""Registers of reads that follow each other, with their addresses, and of the writes whose addresses fill their time.

clang's scheduler for AMD puts reads of one array beside each other, up to eight words of them, so that their addresses
are made in front of the first (`SIInstrInfo::shouldClusterMemOps`). Where the GPU may begin reads anew after a page
fault (XNACK), `SIFormMemoryClauses` then keeps the addresses until the last of them: no result takes the register of an
address. Eight elements `p[t + k * n]` take 26 registers of clang 19.1.7 for gfx90a, and 19 for gfx90a:xnack-.

While a block waits for its reads, the addresses of the writes behind them are made, eight of one array and thirteen
of several: `p[t + k * n] = s * k` takes 28 registers for eight k behind a read of `s`, 29 for sixteen, and six for any
number of them if nothing was read (`test_read_clusters.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import LOAD_CONSTANT, LOAD_GLOBAL, Kind, store
from regpress_lint.model.passes.liveness import blocks, counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.liveness import Lifetimes, Live
    from regpress_lint.model.passes.orders import Order
    from regpress_lint.model.passes.uniformity import ValueFacts


_READS, _WRITE = (LOAD_GLOBAL, LOAD_CONSTANT), store("global")
_FENCES = frozenset((Kind.STORE, Kind.ATOMIC, Kind.BARRIER, Kind.CALL, Kind.SERVICE))
_COMPUTED = frozenset((Kind.ARITHMETIC, Kind.CONVERSION, Kind.SELECT))
_WORDS = 8
_STEPS = 6  # of addresses made of addresses that LLVM goes back to find the array (`getUnderlyingObject`)
_FAR = 400  # values between two reads of a cluster: farther ones are not looked at
_OF_ONE, _OF_SEVERAL = 8, 13  # addresses of writes to one array, and to several, that fill the time of a read


class Clusters(NamedTuple):
    """Vector registers at the widest of such places. held: in the order that is kept, and ahead: with all that can be
    worked on side by side. ready: where the time is filled with addresses of writes that need not wait themselves.
    """

    held: int
    ahead: int
    ready: int


def clustered(machine: Machine, facts: ValueFacts, live: Live) -> Clusters:
    """The clusters of an executed kernel."""
    waiting, ready = _of_writes(machine, facts, live.lifetimes)
    held = max(_of_reads(machine, facts, live.lifetimes), waiting)
    ahead = _of_reads(machine, facts, live.ahead) if live.ahead is not None else 0
    return Clusters(held, max(held, ahead), ready)


# ------------------------------------------------------------------------------------------------------------ reads


def _of_reads(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes) -> int:
    """Vector registers of the widest cluster of reads in an order."""
    order, widest = lifetimes.order, 0
    vector = counts(machine.graph, lifetimes, facts.registers)[0]
    for start, end in blocks(machine, order):
        for cluster in _clusters(machine, facts, order.sequence[start:end]):
            widest = max(widest, _together(machine, facts, lifetimes, vector, cluster))
    return widest


def _clusters(machine: Machine, facts: ValueFacts, values: Sequence[int]) -> Iterator[list[int]]:
    """The reads of a block that are put beside each other, by cluster."""
    ops = machine.graph.ops
    reads: list[int] = []
    free: list[int] = []  # no write holds them back
    for number in values:
        if ops[number] in _READS and facts.registers[number]:
            (free if ops[number] is LOAD_CONSTANT else reads).append(number)
        elif ops[number].kind in _FENCES:
            yield from _neighbours(machine, reads)
            reads.clear()
    yield from _neighbours(machine, [*free, *reads])


def _neighbours(machine: Machine, reads: Sequence[int]) -> Iterator[list[int]]:
    """Reads in the order of their addresses, as long as one follows the other in one array."""
    graph, offsets = machine.graph, machine.memory.offsets
    cluster: list[int] = []
    words, last = 0, -1
    for number in sorted(reads, key=lambda read: (graph.args[read][0], offsets.get(read, 0))):
        array, width = _array(graph, graph.args[number][0]), max(1, graph.widths[number])
        if array != last or words + width > _WORDS or _needs(graph, number, cluster):
            if len(cluster) > 1:
                yield cluster
            cluster, words, last = [], 0, array
        cluster.append(number)
        words += width
    if len(cluster) > 1:
        yield cluster


def _array(graph: Graph, address: int) -> int:
    """What an address is made from."""
    for _ in range(_STEPS):
        if graph.ops[address].kind is not Kind.ADDRESS:
            break
        address = graph.args[address][0]
    return address


def _needs(graph: Graph, number: int, cluster: Sequence[int]) -> bool:
    """True if the address of a read is computed of a read in a cluster."""
    pending, first, seen = [number], min(cluster, default=number), set[int]()
    while pending:
        for arg in graph.args[pending.pop()]:
            if arg in cluster:
                return True
            if arg > first and arg not in seen:
                seen.add(arg)
                pending.append(arg)
    return False


def _together(
    machine: Machine, facts: ValueFacts, lifetimes: Lifetimes, vector: Sequence[int], cluster: Sequence[int]
) -> int:
    """Registers of a cluster with what is alive all through it."""
    graph, registers, ends = machine.graph, facts.registers, lifetimes.ends
    places, sequence = lifetimes.places, lifetimes.order.sequence
    first, last = min(map(places.__getitem__, cluster)), max(map(places.__getitem__, cluster))
    if last - first > _FAR:
        return 0
    addresses = {graph.args[number][0] for number in cluster}
    computed, used, others = set(addresses), set[int](), set[int]()
    for number in reversed(sequence[first : last + 1]):  # what the addresses are made of is made in front of all reads
        is_made = number in computed or number in cluster
        if is_made:
            computed.update(graph.args[number])
        (used if is_made else others).update(graph.args[number])
    chained = graph.chained | lifetimes.fused
    before = (arg for arg in (used - others) | addresses if places.get(arg, last) < first < ends[arg])
    replaced = sum(registers[arg] for arg in before if arg not in chained and (ends[arg] <= last or arg in addresses))
    held_by_all = sum(map(registers.__getitem__, {*cluster, *addresses}))
    return vector[first] - registers[sequence[first]] - replaced + held_by_all


# ----------------------------------------------------------------------------------------------------------- writes


def _of_writes(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes) -> tuple[int, int]:
    """Vector registers where the widest of the waits for reads is filled with the addresses of writes: of writes that
    wait as well, and of those that need not wait.
    """
    waiting = ready = 0
    vector = counts(machine.graph, lifetimes, facts.registers)[0]
    for values in _basic_blocks(machine, lifetimes.order):
        for run in filter(None, _waiting(machine, facts, values)):
            waiting = max(waiting, _behind_reads(machine, facts, lifetimes, vector, run))
        if run := _ready(machine, facts, values):
            ready = max(ready, _behind_reads(machine, facts, lifetimes, vector, run))
    return waiting, ready


def _basic_blocks(machine: Machine, order: Order) -> Iterator[Sequence[int]]:
    """The values of each basic block: a barrier ends none."""
    edges = {place for start, end, _ in order.loops for place in (start, end)}
    begin, last = 0, -1
    for start, end in blocks(machine, order):
        block = next((machine.block_of[each] for each in order.sequence[start:end] if each in machine.block_of), None)
        basic_block = last if block is None else machine.basic(block)
        if start in edges or (basic_block != last and last >= 0):
            yield order.sequence[begin:start]
            begin = start
        last = basic_block
    yield order.sequence[begin:]


def _waiting(machine: Machine, facts: ValueFacts, values: Sequence[int]) -> Iterator[Sequence[int]]:
    """Writes of a basic block that follow each other behind something that waits for a read of that block, as many as
    have their addresses made in that time: the reads behind that one take their share of it.
    """
    graph, ops = machine.graph, machine.graph.ops
    read_of: dict[int, int] = {}  # by value the last read that it needs, counted from the first
    run: list[int] = []
    reads, waits = 0, -1
    for number in values:
        needed = max((read_of.get(arg, -1) for arg in graph.args[number]), default=-1)
        if ops[number] in _READS and facts.registers[number]:
            needed, reads = reads, reads + 1
        if needed >= 0:
            read_of[number] = needed
        kind = ops[number].kind
        if ops[number] is _WRITE:
            waits = needed if waits < 0 else waits
            run += (number,) if waits >= 0 else ()
        elif kind in _FENCES or kind is Kind.LOAD:
            if run:
                yield run[: _filling(graph, run) + 1 + waits - reads]
            waits = max(waits, needed) if kind is not Kind.LOAD else -1 if run else waits
            run = []
    if run:
        yield run[: _filling(graph, run) + 1 + waits - reads]


def _ready(machine: Machine, facts: ValueFacts, values: Sequence[int]) -> Sequence[int]:
    """Writes of a basic block in front of anything that waits for a read of it, if they stand behind an operation that
    does in the source, or are few.
    """
    graph, ops = machine.graph, machine.graph.ops
    slow: set[int] = set()
    for number in values:
        if (ops[number] in _READS and facts.registers[number]) or not slow.isdisjoint(graph.args[number]):
            slow.add(number)
    first_computed = min((number for number in slow if ops[number].kind in _COMPUTED), default=-1)
    run: list[int] = []
    for number in values:
        if ops[number].kind in _FENCES:
            if ops[number] is not _WRITE or number in slow:
                break
            run.append(number)
    return run[:_OF_ONE] if first_computed >= 0 and run and (first_computed < run[0] or len(run) < _OF_ONE) else ()


def _filling(graph: Graph, writes: Sequence[int]) -> int:
    """How many addresses of some writes are made while a read is on its way."""
    arrays = {_array(graph, graph.args[number][0]) for number in writes}
    return _OF_SEVERAL if len(arrays) > _OF_ONE else _OF_ONE


def _behind_reads(
    machine: Machine, facts: ValueFacts, lifetimes: Lifetimes, vector: Sequence[int], writes: Sequence[int]
) -> int:
    """Registers in front of some writes with all of their addresses, and what one operation makes of what is there."""
    args, registers, places, ends = machine.graph.args, facts.registers, lifetimes.places, lifetimes.ends
    first = places[writes[0]]
    addresses = {args[number][0] for number in writes}
    values = {value for number in writes for value in args[number][1:]} - addresses
    late = {one for one in values if places.get(one, -1) > first and all(places.get(a, -1) < first for a in args[one])}
    counted = sum(registers[address] for address in addresses if places.get(address, first) < first < ends[address])
    ending = sum(registers[value] for value in {*args[writes[0]]} - addresses if ends.get(value) == first)
    return vector[first] - counted + ending + sum(registers[value] for value in addresses | late)
