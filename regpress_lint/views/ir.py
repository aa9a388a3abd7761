"""A kernel's graph as text, after one of its passes: for who works on the tool.

One value a row: its number, what makes it out of which operands, registers and kind, then what the passes found: V for
a vector register, S for a scalar one, D for what differs between the threads of a wave, `-` for what nothing needs,
registers alive there, the line it comes from and the variable that holds it. Loops that stay loops are indented.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.cpp.syntax_tree import Function
from regpress_lint.ir.graph import FLOAT, POINTER, PREDICATE, SIGNED, UNSIGNED
from regpress_lint.passes.orders import as_written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Graph
    from regpress_lint.passes.orders import Order
    from regpress_lint.passes.peak import Peak

Stage = Literal["build", "uniformity", "schedule", "liveness"]
STAGES: tuple[Stage, ...] = ("build", "uniformity", "schedule", "liveness")
_WIDEST = 60  # columns of what makes a value
_KINDS = {SIGNED: "i", FLOAT: "f", UNSIGNED: "u", PREDICATE: "p", POINTER: "a"}


def text(peak: Peak, stage: Stage, line_of: Callable[[int], int | None]) -> Iterator[str]:
    """Lines without their ends; the same kernel gives the same text."""
    graph, machine = peak.graph, peak.found.machine
    whole = "" if machine.tally.complete else ", cut off: it is too large"
    yield f"after {stage}: {len(graph)} values, {machine.tally.loops_kept} loops{whole}"
    order, alive = _order(peak, stage)
    opened, closed = _brackets(order)
    depths: list[int] = []
    for place in range(len(order.sequence)):
        depths.append((depths[-1] if depths else 0) + opened.get(place, 0) - closed.get(place, 0))
    made = [f"{'  ' * depth}{_made(graph, number)}" for depth, number in zip(depths, order.sequence, strict=True)]
    width = min(max(map(len, made), default=0), _WIDEST)
    depth = 0
    for place, number in enumerate(order.sequence):
        yield from ("  " * (depth - step - 1) + "}" for step in range(closed.get(place, 0)))
        depth -= closed.get(place, 0)
        yield from ("  " * (depth + step) + "loop {" for step in range(opened.get(place, 0)))
        depth = depths[place]
        line = line_of(number)
        where = f"line {line}" if line is not None else ""
        registers = alive[place] if alive else ""
        row = f"{made[place]:<{width}}  {_facts(peak, number, stage):<8}{registers!s:>5}  {where:<10}"
        yield f"{row}{_name(peak, number)}".rstrip()
    yield from ("  " * (depth - step - 1) + "}" for step in range(depth))
    if stage == "liveness":
        held = peak.found.live.held
        moved = f", {peak.moved} of them reads that are started early" if peak.moved else ""
        yield f"vector {held.vector}, scalar {held.scalar}, together {held.together}{moved}"


def decisions(machine: Machine, line_of: Callable[[int], int]) -> Iterator[str]:
    """Decisions during a kernel's execution: copies of its loops and why, arrays that have no registers.

    line_of: the line of a byte of the kernel's file.
    """
    told: set[str] = set()
    for loop, inside, _, plan, _ in machine.tally.plans:
        path = next((within.path for within in reversed(inside) if isinstance(within, Function)), "")
        place = f"line {line_of(loop.span.start)}" if path in ("", machine.file.path) else path
        if plan.whole:
            said = f"loop, {place}: replaced, {plan.reason}"
        else:
            said = f"loop, {place}: stays, {plan.copies} {'body' if plan.copies == 1 else 'bodies'}, {plan.reason}"
        if said not in told:
            told.add(said)
            yield said
    yield from (f"in memory: {name}" for name in sorted(variable.name for variable in machine.in_memory))


def _order(peak: Peak, stage: Stage) -> tuple[Order, list[int]]:
    """The order that is shown, and the registers alive in it."""
    if stage in ("build", "uniformity"):
        return as_written(peak.found.machine, bytearray(b"\1" * len(peak.graph))), []
    return peak.lifetimes.order, peak.alive if stage == "liveness" else []


def _brackets(order: Order) -> tuple[dict[int, int], dict[int, int]]:
    """How many loops begin and end in front of each place."""
    opened: dict[int, int] = {}
    closed: dict[int, int] = {}
    for begin, end, _ in order.loops:
        if begin < end:
            opened[begin] = opened.get(begin, 0) + 1
            closed[end] = closed.get(end, 0) + 1
    return opened, closed


def _made(graph: Graph, number: int) -> str:
    constants = graph.constants
    args = ", ".join(f"%{arg}" if constants[arg] is None else str(constants[arg]) for arg in graph.args[number])
    source = graph.sources.get(number)
    named = isinstance(source, tuple) and all(isinstance(part, str) for part in source)
    label = f" {'.'.join(source)}" if isinstance(source, tuple) and named else ""
    return f"%{number} = {graph.ops[number]}{label}" + (f"({args})" if args else "")


def _facts(peak: Peak, number: int, stage: Stage) -> str:
    graph, values = peak.graph, peak.found.values
    found = f"{graph.widths[number]}{_KINDS[graph.kinds[number]]}"
    if graph.extra[number]:
        found += f"+{graph.extra[number]}"
    if stage == "build":
        return found
    where = ("V" if values.registers[number] else "S") if graph.widths[number] else ""
    return f"{found} {where}{'D' if values.divergent[number] else ''}{'' if values.needed[number] else '-'}"


def _name(peak: Peak, number: int) -> str:
    held = peak.name(number)
    return "" if held is None else ".".join((held.variable.name, *map(str, held.path)))
