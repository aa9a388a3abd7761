"""How many registers the values of an executed kernel take at the widest point of an order."""

from __future__ import annotations

from itertools import accumulate, pairwise
from operator import add
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import LOAD_CONSTANT, MULTIPLY, PHI, Kind, store
from regpress_lint.model.graph.values import FLOAT
from regpress_lint.model.passes.address_order import begun_first, late_addresses, of_ready_stores
from regpress_lint.model.passes.basic_blocks import written_blocks
from regpress_lint.model.passes.joins import Uses, away, share_registers
from regpress_lint.model.passes.orders import as_written, products, rebuilt, updates
from regpress_lint.model.passes.routine_registers import lengths, side_by_side
from regpress_lint.model.passes.schedule import MOST_MOVED, scheduled
from regpress_lint.targets.costs import COSTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.model.graph.objects import Join
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.orders import Order, Phis
    from regpress_lint.model.passes.uniformity import Totals, ValueFacts


# The order of a scheduler that has registers to spare: what can be worked on side by side, is.


_LOAD, _STORE = Kind.LOAD, Kind.STORE
_PRIVATE = store("private")


def breadth_first(machine: Machine, facts: ValueFacts, order: Order) -> tuple[Order, dict[int, int]]:
    """The order with the values of each block by the longest chain of operations that leads to them, and what routines
    take that are worked on side by side.

    clang's scheduler for AMD follows latencies as long as no wave is lost: eight independent products are worked out
    before the first of their sums (a chain of eight `x ^= f(lds[k])` takes 46 registers and not 18). Constants are
    written at once, each by itself. ptxas only begins early what takes long (`begun_first`).
    """
    sequence = list(order.sequence)
    routines: dict[int, int] = {}
    looped = {place for start, end, _ in order.loops for place in range(start, end)}
    for start, end in blocks(machine, order):
        if end - start > 1:
            values = sequence[start:end]
            levels = _levels(machine.graph, values, machine.block_of, lengths(machine, values))
            waiting: dict[int, int] = {}
            if machine.compiler.keeps_addresses and start not in looped:
                waiting = late_addresses(machine.graph, facts, values)
            elif machine.compiler.steps_addresses:
                waiting = of_ready_stores(machine.graph, facts, values, levels)
            places = {number: place for place, number in enumerate(values)}
            keys = {number: (levels[number], places[number], 1, 0) for number in values}
            if machine.compiler.aims_at_full_unit:
                keys = begun_first(machine, facts, values, levels)
            keys |= {value: (levels[at], places[at], 0, levels[value]) for value, at in waiting.items()}
            sequence[start:end] = sorted(values, key=keys.__getitem__)
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
        of_block = block_of.get(number)
        if of_block is None or ops[number] is LOAD_CONSTANT:  # it stands where its address does, in front of loops
            continue
        if of_block != block:
            cuts.add(behind)
        block, behind = of_block, place + 1
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
            if (before := levels.get(arg)) is not None and before >= level:
                level = before + (long.get(arg, 1) if long else 1)
        if ops[number].kind is _LOAD:
            level = max(level, behind)
            latest = max(latest, level)
        elif number in effects:
            level = behind = latest = max(level, latest)
        levels[number] = level
    for number in values if graph.parts else ():
        levels.update((arg, levels[number]) for arg in args[number] if arg in graph.parts and arg in levels)
    return levels


_EASY = 24  # registers up to which no other order is looked for
_EASED = 0.75  # share of the registers that an order with sums begun early must come down to
_CROWDED = 28  # registers of values from which on a kernel cannot do with the 32 of a full SM
_FULL = 128  # registers: no unit is full of waves that hold more
_MOST_EASED = 8  # routines of a kernel that are thought of as moved
_ASSERTED = "assert"
_BESIDE_UPDATES = 4  # registers of a block beside its updates and what they add
# What an assertion needs beside values that nothing saves, and the part of those across it that one in a loop adds.
_UNSAVED, _SAVED = 6, 5


class Pressure(NamedTuple):
    """Registers alive at the widest point of a schedule.

    vector: AMD's vector registers, NVIDIA's registers that no uniform register can stand for. scalar: the others.
    together: both at the widest point of their sum.
    """

    vector: int
    scalar: int
    together: int


class Lifetimes(NamedTuple):
    """An order with the place where each value is made (`places`) and the place of its last use (`ends`). following: of
    values that share a register, each with the next one, at whose place it ends (`passes/joins.py`). fused: those that
    have no register, as the next operation computes them. away: where values have none, though they are used later.
    """

    order: Order
    places: dict[int, int]
    ends: dict[int, int]
    following: Mapping[int, int]
    fused: frozenset[int] = frozenset()
    away: Mapping[int, tuple[int, int]] = {}

    def is_away(self, number: int, place: int) -> bool:
        """Whether a value that is alive has no register at a place: in this side of a branch nothing uses it again."""
        start, end = self.away.get(number, (0, 0))
        return start <= place < end


class Live(NamedTuple):
    """The order that is kept, and its live values. moved: registers of reads that come on top of it everywhere, because
    the scheduler starts them early. eager: what is alive if all that can be is worked on side by side, for compilers
    that do so while it costs no wave; else as `held`. beside: what routines add to that which are worked on at the same
    time, beside_in_loops: those in loops. written: vector registers in the order of the execution, with no read on its
    way, where that is less than `held`: what a scheduler goes back to whose own order would lose waves. ahead: the
    order of `eager`, for compilers that keep addresses. put_off: vector registers with all reads where they are
    written, for a kernel whose reads of constant memory wait until they are needed.
    """

    held: Pressure
    lifetimes: Lifetimes
    moved: int
    eager: Pressure
    beside: int = 0
    written: int = 0
    beside_in_loops: int = 0
    ahead: Lifetimes | None = None
    put_off: int = 0


def live(machine: Machine, facts: ValueFacts, totals: Totals, *, schedule: bool = True) -> Live:
    """Registers alive in the order of `schedule`, or in that of the execution, where that takes less.

    No scheduler keeps an order that is worse than the one it was given. Without `schedule` it is the execution's.
    """
    graph, registers = machine.graph, facts.registers
    best: Live | None = None
    eager, beside, looped, put_off = Pressure(0, 0, 0), 0, 0, 0
    ahead: Lifetimes | None = None
    if schedule:
        order = scheduled(machine, facts)
        lifetimes = lifetimes_in(machine, order._replace(kept=rebuilt(machine, order.phis)))
        if machine.compiler.waves_of_updates and _has_updates_behind(graph, order.phis):
            lifetimes = _with_updates(machine, facts, lifetimes)
        _share_frames(machine, facts, lifetimes)
        held = alive(graph, lifetimes, registers)
        eases = machine.compiler.moves_reads and bool(machine.routines)
        if eases and _ease(machine, facts, lifetimes, held.vector):
            held = alive(graph, lifetimes, registers)
        if machine.compiler.keeps_blocks and held.vector > _CROWDED and LOAD_CONSTANT in graph.ops:
            held_then, lifetimes_then = _held_in(machine, facts, scheduled(machine, facts, late=True))
            if held_then.vector <= _EASY:
                put_off, held, lifetimes = held.vector, held_then, lifetimes_then
        if order.may_begin and held.vector > _CROWDED:
            least = min(held.vector, _written(machine, facts, totals)[0].vector)
            held_then, lifetimes_then = _held_in(machine, facts, scheduled(machine, facts, begins=True))
            if held_then.vector <= _EASED * least:
                held, lifetimes = held_then, lifetimes_then
        eager = held
        if machine.compiler.works_ahead and held.vector < _FULL:
            order, routines = breadth_first(machine, facts, lifetimes.order)
            lifetimes_then = lifetimes_in(machine, order)
            ahead = lifetimes_then if machine.compiler.keeps_addresses else None
            eager = alive(graph, lifetimes_then, registers)
            if routines:
                beside = alive(graph, lifetimes_then, registers, routines).vector - eager.vector
                inside = {number: most for number, most in routines.items() if graph.homes[number] is not None}
                looped = alive(graph, lifetimes_then, registers, inside).vector - eager.vector if inside else 0
        best = Live(held, lifetimes, 0, eager, beside, held.vector, looped, ahead, put_off)
        if best.held.vector <= _EASY or machine.begun:  # second parts of routines do not stand where they are written
            return best
    held, lifetimes, moved = _written(machine, facts, totals)
    least = held.vector - moved if best is None else min(held.vector - moved, best.held.vector)
    if best is None or held.vector < best.held.vector:
        return Live(held, lifetimes, moved, eager, beside, least, looped, ahead, put_off)
    return best._replace(written=least)


def _held_in(machine: Machine, facts: ValueFacts, order: Order) -> tuple[Pressure, Lifetimes]:
    """What is alive in an order, and from where to where."""
    lifetimes = lifetimes_in(machine, order)
    _share_frames(machine, facts, lifetimes)
    return alive(machine.graph, lifetimes, facts.registers), lifetimes


def _written(machine: Machine, facts: ValueFacts, totals: Totals) -> tuple[Pressure, Lifetimes, int]:
    """What is alive in the order of the execution, and the registers in it of reads that a scheduler moves up."""
    order = as_written(machine, facts.needed, facts.sunk)
    held, lifetimes = _held_in(machine, facts, order._replace(kept=rebuilt(machine, order.phis)))
    moved = 0
    if machine.compiler.moves_reads:
        moved = min(MOST_MOVED, totals.reads)
        held = held._replace(vector=held.vector + moved, together=held.together + moved)
    return held, lifetimes, moved


def _has_updates_behind(graph: Graph, phis: Phis) -> bool:
    """Whether a loop computes the summand of one carried value before it updates another."""
    for carried in phis.values():
        for (last, _), (_, operands) in pairwise(sorted(updates(graph, carried).items())):
            if any(operand < last for operand in operands):
                return True
    return False


def _with_updates(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes) -> Lifetimes:
    """An order with updates where they are written, or the one given.

    clang's scheduler for AMD leaves `s[q] += d[q]` behind all of a block's `d`, as long as the block's own values keep
    all waves. Where they do not it finds a better order; what goes through the loop and is not used in it costs waves
    all the same, and those that are left then have room for all `d` (`test_updates_in_order.py`).
    """
    order = scheduled(machine, facts, in_order=True)
    updated = lifetimes_in(machine, order._replace(kept=rebuilt(machine, order.phis)))
    graph, registers, steps = machine.graph, facts.registers, machine.compiler.waves_of_updates
    wide, narrow = (counts(graph, lives, registers)[0] for lives in (updated, lifetimes))
    before = {region: (start, end) for start, end, region in lifetimes.order.loops}
    most = (0, 0, 0)
    for start, end, region in order.loops:
        first, behind = before[region]
        through = _through(graph, updated, start, end, registers)
        most = max(most, (max(wide[start:end]), max(narrow[first:behind]), through))
    widest, least, through = most
    beside = widest - through
    fitting = widest if beside <= steps[0] - _BESIDE_UPDATES else least
    room = next((step for step in steps if fitting <= step), fitting)
    return updated if least < widest and beside <= room - _BESIDE_UPDATES else lifetimes


def _through(graph: Graph, lifetimes: Lifetimes, start: int, end: int, registers: list[int]) -> int:
    """Registers of values from in front of a loop that are used behind it and not in it."""
    sequence, places = lifetimes.order.sequence, lifetimes.places
    used = {arg for number in sequence[start:end] for arg in graph.args[number]}
    passing = (number for number, last in lifetimes.ends.items() if last >= end and places.get(number, end) < start)
    return sum(registers[number] for number in passing if number not in used)


def alive(
    graph: Graph, lifetimes: Lifetimes, registers: list[int], routines: Mapping[int, int] | None = None
) -> Pressure:
    """The most registers that are alive at a time, from the place of each value to its last use.

    routines: registers of some values, which replace the graph's.
    """
    vector, scalar = counts(graph, lifetimes, registers)
    sequence, extra = lifetimes.order.sequence, graph.extra
    if not sequence:
        return Pressure(0, 0, 0)
    if routines is None:
        extras = [extra[number] for number in sequence]
    else:
        extras = [routines.get(number, extra[number]) for number in sequence]
    held = [*map(add, vector, extras)]
    return Pressure(max(held), max(scalar), max(map(add, held, scalar)))


def counts(graph: Graph, lifetimes: Lifetimes, registers: list[int]) -> tuple[list[int], list[int]]:
    """Vector and scalar registers of the values that are alive at each place."""
    length = len(lifetimes.order.sequence)
    vector, scalar = [0] * (length + 1), [0] * (length + 1)
    places, widths, chained = lifetimes.places, graph.widths, graph.chained | lifetimes.fused
    for number, end in lifetimes.ends.items():
        start = places.get(number)
        if start is None or number in chained:
            continue
        width = registers[number]
        if width:
            vector[start] += width
            vector[end] -= width
        else:
            width = widths[number]
            scalar[start] += width
            scalar[end] -= width
    for number, (start, end) in lifetimes.away.items():
        if number not in chained and number in places:
            held, width = (vector, registers[number]) if registers[number] else (scalar, widths[number])
            held[start] -= width
            held[end] += width
    return [*accumulate(vector)], [*accumulate(scalar)]


def lifetimes_in(machine: Machine, order: Order) -> Lifetimes:
    """Where each value of an order is made and used last; one of several that share a register ends where the next
    one begins.
    """
    graph = machine.graph
    places = dict(zip(order.sequence, range(len(order.sequence)), strict=True))
    args, ops = graph.args, graph.ops
    ends: dict[int, int] = {}
    for position, number in enumerate(order.sequence):
        operands = args[number][:1] if ops[number] is PHI else args[number]
        for arg in operands:
            ends[arg] = position
    for _, end, region in order.loops:
        for phi in order.phis.get(region, ()):
            for arg in args[phi][1:]:
                ends[arg] = max(ends.get(arg, end), end)
            if phi in order.kept:
                ends[phi] = max(ends.get(phi, end), end)
    joins = {number: machine.joins[number] for number in order.sequence if number in machine.joins}
    elsewhere = _used_elsewhere(graph, order, joins) if joins else {}
    uses = Uses(elsewhere, {value: max(reads) for value, reads in elsewhere.items()})
    extend = _extending(order, places)
    for last in (ends, uses.last):
        extend(last)
    following = share_registers(joins, args, places, uses, ends) if joins else {}
    gone = {}
    if joins:
        written = written_blocks(machine) if machine.compiler.keeps_blocks else None
        gone = away(joins, args, places, ends, machine.block_of, extend, written)
    return Lifetimes(order, places, ends, following, _fused(machine, order, places, ends), gone)


def _fused(machine: Machine, order: Order, places: dict[int, int], ends: dict[int, int]) -> frozenset[int]:
    """Products of floats that are one instruction with the sum of two products behind them, for clang for AMD."""
    graph, ops, kinds = machine.graph, machine.graph.ops, machine.graph.kinds
    if not machine.compiler.adds_to_products:
        return frozenset()
    return frozenset(
        product
        for product, number in pairwise(order.sequence)
        if kinds[number] == FLOAT and ops[product] == MULTIPLY and ends.get(product) == places[number]
        if product in products(graph, number)
    )


def _used_elsewhere(graph: Graph, order: Order, joins: Mapping[int, Join]) -> dict[int, list[int]]:
    """The uses of the operands of some values by other values."""
    operands = {arg for number in joins for arg in graph.args[number][1:]}
    uses: dict[int, list[int]] = {}
    for place, number in enumerate(order.sequence):
        if number not in joins and graph.ops[number] is not PHI:
            for arg in graph.args[number]:
                if arg in operands:
                    uses.setdefault(arg, []).append(place)
    for _, end, region in order.loops:
        for phi in order.phis.get(region, ()):
            for arg in graph.args[phi][1:]:
                if arg in operands:
                    uses.setdefault(arg, []).append(end)
    return uses


def _extending(order: Order, places: dict[int, int]) -> Callable[[dict[int, int]], None]:
    """What changes last uses: a value that is defined before a loop and used in it is alive in all of the loop."""
    loops = order.loops  # inner ones first
    around = [-1] * (len(order.sequence) + 1)
    outer = [-1] * len(loops)
    for number in range(len(loops) - 1, -1, -1):
        begin, end, region = loops[number]
        outer[number] = around[begin]
        # What a phi starts from is used in front of the loop.
        body = begin + len(order.phis.get(region, ()))
        around[body:end] = [number] * (end - body)

    def extend(ends: dict[int, int]) -> None:
        for value, use in ends.items():
            start, loop = places.get(value), around[use]
            if start is None or loop < 0:
                continue
            while loop >= 0 and start < loops[loop][0]:
                use = max(use, loops[loop][1])
                loop = outer[loop]
            ends[value] = use

    return extend


def _share_frames(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes) -> None:
    """An assertion is a call that is not inlined: what it needs and what is alive across it are in the same registers
    of clang for AMD, in a loop a fifth more. It lowers `graph.extra`.

    clang 19 for gfx90a: 66 VGPRs with 4 to 32 values across it; 69, 81, 104, 132 and 160 in the loops of kernels that
    take 58, 66, 88, 106 and 132 without, and outside of loops 66, 66, 92, 106 and 134 with 60, 66, 92, 106 and 134.
    """
    graph = machine.graph
    if not machine.compiler.shares_assertions or not any(key == _ASSERTED for key, _ in machine.tally.services):
        return
    vector, once = counts(graph, lifetimes, facts.registers)[0], COSTS[machine.vendor][_ASSERTED].once
    for place, number in enumerate(lifetimes.order.sequence):
        if graph.ops[number].kind is Kind.SERVICE and graph.ops[number].about == _ASSERTED:
            across = vector[place] // _SAVED if graph.homes[number] is not None else 0
            graph.extra[number] = max(min(once, once + _UNSAVED - vector[place]), across)


def _ease(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes, before: int) -> bool:
    """Routines at the peak that could run where less is alive take half of the registers that a move would save; False
    where there are none. before: vector registers at the peak.

    clang for AMD inlines them and orders their operations among those around them: `pow` of a value that is known early
    costs sixteen reads 14 registers more and not its 39, whether it is called before them or behind them. It lowers
    `graph.extra` of them, so that it is done once for a graph.
    """
    graph, registers, trial = machine.graph, facts.registers, lifetimes
    moved: list[int] = []
    least = before
    while len(moved) < _MOST_EASED:
        step = _moved(machine, facts, trial)
        if step is None:
            break
        number, trial = step
        now = alive(graph, trial, registers).vector
        if now >= least:
            break
        least = now
        moved.append(number)
    if not moved:
        return False
    vector, most = counts(graph, lifetimes, registers)[0], (before + least + 1) // 2
    for number in moved:
        graph.extra[number] = min(graph.extra[number], most - vector[lifetimes.places[number]])
    return True


def _moved(machine: Machine, facts: ValueFacts, lifetimes: Lifetimes) -> tuple[int, Lifetimes] | None:
    """The routine at the peak, and the order with it where its block holds least behind its operands; None if no
    routine makes the peak, or it is there already.
    """
    graph, sequence, places = machine.graph, lifetimes.order.sequence, lifetimes.places
    vector, extra = counts(graph, lifetimes, facts.registers)[0], graph.extra
    peak = max(range(len(sequence)), key=lambda place: vector[place] + extra[sequence[place]], default=0)
    number = sequence[peak] if sequence else -1
    if number not in machine.routines or not facts.free[number]:
        return None
    start = next((start for start, end in blocks(machine, lifetimes.order) if start <= peak < end), peak)
    ready = max((places.get(arg, -1) + 1 for arg in graph.args[number]), default=0)
    place = min(range(max(start, ready), peak + 1), key=vector.__getitem__)
    if place == peak:
        return None
    order = [*sequence[:place], number, *sequence[place:peak], *sequence[peak + 1 :]]
    return number, lifetimes_in(machine, lifetimes.order._replace(sequence=order))
