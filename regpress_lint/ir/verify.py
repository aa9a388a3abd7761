"""Invariants of every graph that an execution builds; `problems` and `losses` name violations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.ir.conservation import vanished
from regpress_lint.ir.graph import POINTER, Region
from regpress_lint.ir.ops import CONSTANT, PHI, SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph

WIDEST = 64  # registers of one value: a struct that is passed as one, never an array


def problems(graph: Graph, top: Region) -> Iterator[str]:
    """Sentences about values and regions that cannot be, none for a sound graph."""
    yield from _columns(graph)
    for number in range(len(graph)):
        yield from _value(graph, number)
    yield from _region(graph, top, None, set())


def losses(machine: Machine) -> Iterator[str]:
    """Sentences about effects that are neither in the graph nor in the ledger, none for a sound execution."""
    for path, span, name in vanished(machine):
        yield f"{path}, bytes {span.start} to {span.end}: nothing is left of `{name}`"


def _columns(graph: Graph) -> Iterator[str]:
    for name in ("args", "forms", "widths", "kinds", "constants", "homes", "extra", "divergent", "nodes", "sites"):
        if len(getattr(graph, name)) != len(graph):
            yield f"{name} has {len(getattr(graph, name))} entries for {len(graph)} values"
    for value in (*graph.holders, *graph.limits):
        if value >= len(graph):
            yield f"%{value} is named and does not exist"


def _value(graph: Graph, number: int) -> Iterator[str]:
    op, args, width = graph.ops[number], graph.args[number], graph.widths[number]
    for position, arg in enumerate(args):
        if not 0 <= arg < len(graph):
            yield f"%{number} = {op}: operand %{arg} does not exist"
        elif arg >= number and not (op is PHI and position):
            yield f"%{number} = {op}: operand %{arg} is made behind it"
    if not 0 <= width <= WIDEST or graph.extra[number] < 0:
        yield f"%{number} = {op}: {width} registers and {graph.extra[number]} besides"
    form = graph.forms[number]
    unheld = op is SOURCE and width == 0
    if form.kind != graph.kinds[number] or (form.width != width and not unheld) or not 0 <= form.kind <= POINTER:
        yield f"%{number} = {op}: its form is not its width and kind"
    if op is PHI and (graph.homes[number] is None or not 1 <= len(args) <= 2):
        yield f"%{number}: a phi of {len(args)} values {'in no loop' if graph.homes[number] is None else ''}"
    if (op is CONSTANT) != (graph.constants[number] is not None):
        yield f"%{number} = {op}: {graph.constants[number]}"


def _region(graph: Graph, region: Region, parent: Region | None, seen: set[int]) -> Iterator[str]:
    if region.parent is not parent or region.depth != (parent.depth + 1 if parent is not None else 0):
        yield f"a loop at depth {region.depth} stands in another than its own"
    for item in region.items:
        if isinstance(item, Region):
            yield from _region(graph, item, region, seen)
        elif item >= len(graph) or item in seen:
            yield f"%{item} stands in a loop {'twice' if item in seen else 'and does not exist'}"
        else:
            seen.add(item)
