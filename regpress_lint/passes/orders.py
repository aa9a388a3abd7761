"""Orders of the values of an executed kernel, and the one in which it was executed."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.ir.graph import Region
from regpress_lint.ir.ops import CONSTANT, PHI

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph, Item

Placed: TypeAlias = "list[int | tuple[Region, Placed]]"
Phis: TypeAlias = "Mapping[Region, list[int]]"


class Order(NamedTuple):
    """One order of all values that are needed.

    sequence: a value's number where it is made. loops: first place, place behind the last, and region of each loop that
    stays one, inner ones first. phis: those of a loop, which are at its start.
    """

    sequence: list[int]
    loops: list[tuple[int, int, Region]]
    phis: Phis


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


def as_written(machine: Machine, needed: bytearray) -> Order:
    """The order in which the values were made when the kernel was executed."""
    graph = machine.graph
    own: dict[Region | None, list[int]] = {}
    for number, op in enumerate(graph.ops):
        if needed[number] and op is not CONSTANT and op is not PHI:
            own.setdefault(graph.homes[number], []).append(number)
    phis = phis_of(graph, needed)
    return flattened(_kept(machine.top, own, _carried(graph, phis), len(graph))[0], phis)


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
    return next((found for found in map(_first, item.items) if found is not None), None)


def _kept(
    region: Region, own: Mapping[Region | None, list[int]], carried: Mapping[Region, int], stop: int
) -> tuple[Placed, int, list[int]]:
    """The values of a region, the last number in it, and the values after it although they depend on changes in it:
    those from `stop` on, the number of the first thing behind the region.
    """
    key = region if region.parent is not None else None
    mine = own.get(key, ())
    values: list[tuple[int, int | tuple[Region, Placed]]] = [(number, number) for number in mine if number < stop]
    late = [number for number in mine if number >= stop]
    behind = stop
    for item in reversed(region.items):
        if isinstance(item, Region):
            inner, last, left = _kept(item, own, carried, min(behind, stop))
            values.append((max(last, carried.get(item, -1)), (item, inner)))
            values += [(number, number) for number in left if number < stop]
            late += [number for number in left if number >= stop]
        first = _first(item)
        behind = behind if first is None else first
    values.sort(key=itemgetter(0))
    return [value for _, value in values], values[-1][0] if values else -1, late
