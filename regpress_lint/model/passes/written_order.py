"""The order in which the values of a kernel were made when it was executed."""

from __future__ import annotations

from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import CONSTANT, PHI
from regpress_lint.model.graph.values import Region
from regpress_lint.model.passes.schedule import Order, flattened, phis_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.model.graph.values import Graph, Item
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.schedule import Phis, Placed

NOTHING: Mapping[int, int] = MappingProxyType({})


def as_written(machine: Machine, needed: bytearray, sunk: Mapping[int, int] = NOTHING) -> Order:
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
