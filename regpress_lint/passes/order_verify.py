"""Invariants of every order of a kernel's values, and of their live ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.ir.ops import CONSTANT, PHI

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.ir.graph import Graph
    from regpress_lint.passes.liveness import Lifetimes
    from regpress_lint.passes.orders import Order


def order_problems(graph: Graph, needed: bytearray, order: Order) -> Iterator[str]:
    """Sentences about values that are missing, repeated or before an operand, and about loops that overlap."""
    places: dict[int, int] = {}
    for position, number in enumerate(order.sequence):
        if number in places:
            yield f"%{number} = {graph.ops[number]} stands twice"
        if graph.ops[number] is not PHI:
            missing = [arg for arg in graph.args[number] if arg not in places and graph.ops[arg] is not CONSTANT]
            yield from (f"%{number} = {graph.ops[number]} stands in front of %{arg}" for arg in missing)
        places[number] = position
    for number, op in enumerate(graph.ops):
        if op is CONSTANT and number in places:
            yield f"%{number}: a constant has a place"
        elif needed[number] and op is not CONSTANT and number not in places:
            yield f"%{number} = {op} stands nowhere"
    for number, (begin, end, region) in enumerate(order.loops):
        phis = order.phis.get(region, ())
        if order.sequence[begin : begin + len(phis)] != list(phis):
            yield f"loop {number} does not begin with its phis"
        for start, stop, _ in order.loops[number + 1 :]:
            if not (stop <= begin or end <= start or (start <= begin and end <= stop)):
                yield f"loop {number} overlaps one around it"


def lifetime_problems(graph: Graph, lifetimes: Lifetimes) -> Iterator[str]:
    """Sentences about values that die in front of a use, or live beyond the end."""
    order, places, ends = lifetimes
    length = len(order.sequence)
    for number, end in ends.items():
        if number in places and not places[number] <= end <= length:
            yield f"%{number} = {graph.ops[number]} is made at {places[number]} and dies at {end}"
    for position, number in enumerate(order.sequence):
        for arg in graph.args[number][: 1 if graph.ops[number] is PHI else None]:
            if arg in places and ends[arg] < position:
                yield f"%{arg} = {graph.ops[arg]} dies in front of %{number}"
    for begin, end, region in order.loops:
        for arg in (arg for phi in order.phis.get(region, ()) for arg in graph.args[phi][1:]):
            if arg in places and ends[arg] < end:
                yield f"%{arg} = {graph.ops[arg]} is carried by a loop and dies in it, at {ends[arg]}"
        body = begin + len(order.phis.get(region, ()))
        for number in order.sequence[body:end]:
            for arg in graph.args[number]:
                if places.get(arg, begin) < begin and ends[arg] < end and graph.ops[number] is not PHI:
                    yield f"%{arg} = {graph.ops[arg]} is used in a loop and dies in it"
