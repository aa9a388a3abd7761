"""Which values that only addresses need wait until shortly before their access, in an order that follows latencies."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import LOAD_CONSTANT, LOAD_GLOBAL, Kind, store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.passes.uniformity import ValueFacts


_LOAD, _STORE = Kind.LOAD, Kind.STORE
_PRIVATE = store("private")
_GLOBAL = (LOAD_GLOBAL, LOAD_CONSTANT, store("global"))
_FILLING = 8  # accesses whose addresses fill the time that reads take


def late_addresses(graph: Graph, facts: ValueFacts, values: Sequence[int]) -> dict[int, int]:
    """Values that only addresses of global memory need, each with the first access that needs it, except for the
    addresses that fill the time of a block's reads: those of the first accesses behind them.
    """
    early = _behind_reads(graph, facts, values)
    places = {number: place for place, number in enumerate(values) if number not in early}
    found: dict[int, int] = {}
    for number in reversed(values):
        users = facts.users[number]
        if not users or not (facts.free[number] or graph.ops[number].kind is Kind.ADDRESS):
            continue
        if all(user in found or (user in places and _leads(graph, number, user)) for user in users):
            found[number] = min((found.get(user, user) for user in users), key=places.__getitem__)
    return found


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
    known = graph.constants
    ready = list(takewhile(lambda number: all(known[one] is not None for one in graph.args[number][1:]), stores))
    if len(ready) >= _FILLING:
        ready = stores
    elif sum(graph.ops[number].kind is _LOAD for number in values) > 1:
        return {}
    found: dict[int, int] = {}
    for number in ready:
        pending = list(graph.args[number][:1])
        while pending:
            one = pending.pop()
            own = one in levels and one not in found
            if own and all(user == number or found.get(user) == number for user in facts.users[one]):
                found[one] = number
                pending += graph.args[one]
    return found
