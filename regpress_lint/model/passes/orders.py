"""Orders of the values of an executed kernel, and the one in which it was executed."""

from __future__ import annotations

from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import ADD, CONSTANT, MULTIPLY, PHI, SUBTRACT, Kind
from regpress_lint.model.graph.values import FLOAT, SIGNED, UNSIGNED, Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from regpress_lint.model.graph.values import Graph, Item
    from regpress_lint.model.interpreter.machine import Machine


_LONG = 2  # registers of an integer of 64 bits

Placed: TypeAlias = "list[int | tuple[Region, Placed]]"
Phis: TypeAlias = "Mapping[Region, list[int]]"


class Order(NamedTuple):
    """One order of all values that are needed.

    sequence: a value's number where it is made. loops: first place, place behind the last, and region of each loop that
    stays one, inner ones first. phis: those of a loop, which are at its start. kept: those of which the next value has
    a register of its own beside them (`rebuilt`). may_begin: whether sums of reads could begin earlier.
    """

    sequence: list[int]
    loops: list[tuple[int, int, Region]]
    phis: Phis
    kept: frozenset[int] = frozenset()
    may_begin: bool = False


def phis_of(graph: Graph, needed: bytearray) -> Phis:
    """The needed values that a loop carries, by loop."""
    phis: dict[Region, list[int]] = {}
    for number, op in enumerate(graph.ops):
        home = graph.homes[number]
        if op is PHI and needed[number] and home is not None:
            phis.setdefault(home, []).append(number)
    return phis


def flattened(placed: Placed, phis: Phis) -> Order:
    """Values in loops in loops, one after the other."""
    order = Order([], [], phis)
    _flatten(placed, order)
    return order


def _flatten(placed: Placed, order: Order) -> None:
    for item in placed:
        if isinstance(item, tuple):
            region, inner = item
            start = len(order.sequence)
            order.sequence.extend(order.phis.get(region, ()))
            _flatten(inner, order)
            order.loops.append((start, len(order.sequence), region))
        else:
            order.sequence.append(item)


def rebuilt(machine: Machine, phis: Phis) -> frozenset[int]:
    """Values that a loop carries of which the next begins in a register of its own. clang for AMD begins a sum of two
    products in the register of one (`v_fmac`), all products of a block first, and `v_mad_u64_u32` writes no register
    that it reads: old and new values are there side by side.
    """
    if not machine.compiler.adds_to_products:
        return frozenset()
    graph, values = machine.graph, set[int]()
    for carried in phis.values():
        for phi in carried:
            if any(phi in graph.args[product] for product in products(graph, graph.args[phi][-1])):
                values.add(phi)
    return frozenset(values)


def products(graph: Graph, number: int) -> tuple[int, ...]:
    """The operands of a sum of two products of floats, the product in an integer of 64 bits; none of other values."""
    is_sum, kind = graph.ops[number] in (ADD, SUBTRACT), graph.kinds[number]
    parts = graph.args[number] if is_sum else (number,)
    products = tuple(part for part in parts if graph.ops[part] == MULTIPLY)
    if kind == FLOAT:
        return products if is_sum and len(products) == len(parts) else ()
    return products if kind in (SIGNED, UNSIGNED) and graph.widths[number] == _LONG else ()


def updates(graph: Graph, carried: Iterable[int]) -> dict[int, list[int]]:
    """A loop's next values that update the last ones, `s[q] += d[q]`, with their operands from the loop."""
    nexts = {graph.args[phi][-1]: phi for phi in carried}
    return {number: list(_added(graph, number)) for number, phi in nexts.items() if _is_updated(graph, number, phi)}


def _is_updated(graph: Graph, number: int, phi: int) -> bool:
    inside = graph.homes[number] is graph.homes[phi] and graph.ops[number].kind is Kind.ARITHMETIC
    return inside and phi in graph.args[number]


def _added(graph: Graph, number: int) -> Iterator[int]:
    """The operands of an update from its loop, those of a product in place of it: both are one instruction."""
    home, is_sum = graph.homes[number], graph.ops[number] in (ADD, SUBTRACT)
    for arg in graph.args[number]:
        operands = graph.args[arg] if is_sum and graph.ops[arg] == MULTIPLY else (arg,)
        yield from (operand for operand in operands if graph.homes[operand] is home and graph.ops[operand] is not PHI)


# The order of the execution.


_NOTHING: Mapping[int, int] = MappingProxyType({})


def as_written(machine: Machine, needed: bytearray, sunk: Mapping[int, int] = _NOTHING) -> Order:
    """The order in which the values were made when the kernel was executed. sunk: those of a later block."""
    graph = machine.graph
    by_home: dict[Region | None, list[int]] = {}
    for number, op in enumerate(graph.ops):
        if needed[number] and op is not CONSTANT and op is not PHI:
            by_home.setdefault(graph.homes[number], []).append(number)
    phis = phis_of(graph, needed)
    places = {number: machine.first[place] if place >= 0 else ~place + 1 for number, place in sunk.items()}
    return flattened(_kept(machine.top, by_home, _carried(graph, phis), len(graph), places)[0], phis)


def _carried(graph: Graph, phis: Phis) -> dict[Region, int]:
    """The last value that a loop carries into its next iteration, by loop: it is computed in the loop, even if none of
    its operands changes there.
    """
    return {
        region: max((arg for phi in carried for arg in graph.args[phi][1:]), default=-1)
        for region, carried in phis.items()
    }


def _first(item: Item) -> int | None:
    """The first number in an item of a region."""
    if isinstance(item, int):
        return item
    return next((number for number in map(_first, item.items) if number is not None), None)


def _kept(
    region: Region,
    by_home: Mapping[Region | None, list[int]],
    carried: Mapping[Region, int],
    stop: int,
    sunk: Mapping[int, int],
) -> tuple[Placed, int, list[int]]:
    """The values of a region, the last number in it, and the values after it although they depend on changes in it:
    those from `stop` on, the number of the first thing behind the region.
    """
    key = region if region.parent is not None else None
    mine = by_home.get(key, ())
    values: list[tuple[int, int | tuple[Region, Placed]]] = [
        (max(number, sunk.get(number, 0)), number) for number in mine if number < stop
    ]
    late = [number for number in mine if number >= stop]
    behind = stop
    for item in reversed(region.items):
        if isinstance(item, Region):
            inner, last, leaving = _kept(item, by_home, carried, min(behind, stop), sunk)
            values.append((max(last, carried.get(item, -1)), (item, inner)))
            values += [(number, number) for number in leaving if number < stop]
            late += [number for number in leaving if number >= stop]
        first = _first(item)
        behind = behind if first is None else first
    values.sort(key=itemgetter(0))
    return [value for _, value in values], values[-1][0] if values else -1, late
