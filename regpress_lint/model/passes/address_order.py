"""Which values wait until shortly before they are used, in an order that follows latencies: those that only addresses
need, and for ptxas all that is not begun early.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import LOAD_CONSTANT, LOAD_GLOBAL, Kind, store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.uniformity import ValueFacts


_LOAD, _STORE = Kind.LOAD, Kind.STORE
_PRIVATE = store("private")
_GLOBAL = (LOAD_GLOBAL, LOAD_CONSTANT, store("global"))
_MADE_EARLY = frozenset((Kind.ADDRESS, Kind.BITS))
_FILLING = 8  # accesses whose addresses fill the time that reads take


def late_addresses(graph: Graph, facts: ValueFacts, values: Sequence[int]) -> dict[int, int]:
    """Values that only addresses of global memory need, each with the first access that needs it, except for the
    addresses that fill the time of a block's reads: those of the first accesses behind them.
    """
    early = _behind_reads(graph, facts, values)
    places = {number: place for place, number in enumerate(values) if number not in early}
    late: dict[int, int] = {}
    for number in reversed(values):
        users = facts.users[number]
        if not users or not (facts.free[number] or graph.ops[number].kind is Kind.ADDRESS):
            continue
        if all(user in late or (user in places and _leads(graph, number, user)) for user in users):
            late[number] = min((late.get(user, user) for user in users), key=places.__getitem__)
    return late


def _behind_reads(graph: Graph, facts: ValueFacts, values: Sequence[int]) -> frozenset[int]:
    """The first accesses to global memory of a block from the first write on that waits for a read of it."""
    slow: set[int] = set()
    behind: list[int] = []
    for number in values:
        op = graph.ops[number]
        if not slow.isdisjoint(graph.args[number]) or (op.kind is _LOAD and op in _GLOBAL and facts.registers[number]):
            slow.add(number)
        if op in _GLOBAL and (behind or (op.kind is _STORE and number in slow)):
            behind.append(number)
    return frozenset(behind[:_FILLING])


def _leads(graph: Graph, number: int, user: int) -> bool:
    """True for the address of an access to global memory that is no part of what is written."""
    op, args = graph.ops[user], graph.args[user]
    return op in _GLOBAL and args[0] == number and number not in args[1:]


def of_ready_stores(
    graph: Graph, facts: ValueFacts, values: Sequence[int], levels: Mapping[int, int]
) -> dict[int, int]:
    """Values that only addresses of written constants need, with the write of each. Behind a write that waits for a
    read they are made early, as for a few writes beside several reads: in front of the sum of two reads four constants
    take 19 registers, and eight take 10. Behind so many no write has to wait (`test_constants_written.py`).
    """
    stores = [number for number in values if graph.ops[number].kind is _STORE and graph.ops[number] is not _PRIVATE]
    constants = graph.constants
    ready = list(takewhile(lambda number: all(constants[arg] is not None for arg in graph.args[number][1:]), stores))
    if len(ready) >= _FILLING:
        ready = stores
    elif sum(graph.ops[number].kind is _LOAD for number in values) > 1:
        return {}
    write_of: dict[int, int] = {}
    for number in ready:
        pending = list(graph.args[number][:1])
        while pending:
            value = pending.pop()
            is_free = value in levels and value not in write_of
            if is_free and all(user == number or write_of.get(user) == number for user in facts.users[value]):
                write_of[value] = number
                pending += graph.args[value]
    return write_of


def begun_first(
    machine: Machine, facts: ValueFacts, values: Sequence[int], levels: Mapping[int, int]
) -> dict[int, tuple[int, int, int, int]]:
    """Places of a block's values for ptxas, which begins reads, routines, addresses and parts of words as early as
    nothing holds them back. The rest stays where it is written: thirty-two products of one value that go into a sum
    take 12 registers, and not one each (`test_begun_first.py`).
    """
    graph, ops, block_of = machine.graph, machine.graph.ops, machine.block_of
    phases: dict[int, int] = {}
    phase = 0
    for number in values:
        phases[number] = phase
        phase += number in block_of and ops[number].kind is not _LOAD
    early: dict[int, int] = {}
    for number in reversed(values):
        kind = ops[number].kind
        if kind is _LOAD and facts.registers[number]:
            early[number] = phases[number]
        elif kind in _MADE_EARLY or (kind is Kind.ROUTINE and graph.extra[number]):
            early[number] = 0
        if number in early:
            moved = (arg for arg in graph.args[number] if arg in phases and arg not in block_of)
            early.update((arg, 0) for arg in moved if arg not in early)
    for number in values:
        if number in early:
            behind = (early.get(arg, phases[arg] + 1) for arg in graph.args[number] if arg in phases)
            early[number] = max(early[number], max(behind, default=0))
    return {
        number: (early[number], 0, levels[number], place) if number in early else (phases[number], 1, place, 0)
        for place, number in enumerate(values)
    }
