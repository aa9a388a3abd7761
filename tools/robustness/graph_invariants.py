"""Invariants of every graph that an execution builds, of its orders and lifetimes: sentences about violations."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Assign, Call, Index, LambdaExpr, Member, Name, Unary, Update
from regpress_lint.cpp.traversal import children
from regpress_lint.model.graph.ops import ADDRESS, CONSTANT, LOAD_CONSTANT, PHI, SOURCE, Kind
from regpress_lint.model.graph.values import POINTER, Region
from regpress_lint.source.indices import spelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Expr, Stmt
    from regpress_lint.model.graph.values import Graph, Site
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.liveness import Lifetimes
    from regpress_lint.model.passes.orders import Order


# Nothing vanishes: each statement with an effect that was reached is in the graph, or in the ledger.


_EFFECTS = frozenset(
    (
        *(Kind.STORE, Kind.ATOMIC, Kind.CALL, Kind.SERVICE, Kind.BARRIER, Kind.CONVERGENT, Kind.UNKNOWN),
        *(Kind.WRITE_ELEMENT, Kind.BEGUN),
    )
)
_BARRIERS = frozenset(("__syncthreads", "__syncwarp", "group_barrier", "work_group_barrier"))
_SEEN = frozenset(("shared", "global"))  # storage that other threads see, whatever stands in front of it


class Vanished(NamedTuple):
    """An effect of which nothing is left. path, span: the statement; name: the written object or the callee."""

    path: str
    span: Span
    name: str


def vanished(machine: Machine) -> Iterator[Vanished]:
    """Effects of an executed kernel that neither its graph nor its ledger has: writes through the kernel's pointers, to
    LDS and to globals, writes to a call's result, atomics and barriers.
    """
    represented = _represented(machine)
    noted = sorted((unknown.path, unknown.span.start) for unknown in machine.tally.unknowns)
    for statement, site in machine.tally.reached:
        name = next(_effects(machine, statement, site), None)
        if name is None:
            continue
        span, path = statement.span, site.path if site is not None else machine.home.path
        if _any_within(represented.get(site, []), span) or _is_noted(noted, path, span):
            continue
        yield Vanished(path, span, name)
    yield from _nowhere(machine, noted)


def _nowhere(machine: Machine, noted: list[tuple[str, int]]) -> Iterator[Vanished]:
    """Stores to an address without a value and without an entry in the ledger: the pointer is lost."""
    graph = machine.graph
    for value, op in enumerate(graph.ops):
        node, site = graph.nodes[value], graph.sites[value]
        if op.kind is not Kind.STORE or node is None:
            continue
        address = graph.args[value][0] if graph.args[value] else None
        while address is not None and graph.ops[address] is ADDRESS:
            address = graph.args[address][0]
        path = site.path if site is not None else machine.home.path
        if address == machine.undefined and not _is_noted(noted, path, node.span):
            yield Vanished(path, node.span, "an address")


def _represented(machine: Machine) -> dict[Site | None, list[int]]:
    """Places of effects in each executed function, also as the call of the function that has them."""
    graph = machine.graph
    found: dict[Site | None, set[int]] = {}
    for value, op in enumerate(graph.ops):
        if op.kind not in _EFFECTS:
            continue
        node, site = graph.nodes[value], graph.sites[value]
        while True:
            if node is not None:
                found.setdefault(site, set()).add(node.span.start)
            if site is None:
                break
            node, site = site.call, site.outer
    for node, site in machine.tally.private_writes:
        found.setdefault(site, set()).add(node.span.start)
    return {site: sorted(starts) for site, starts in found.items()}


def _any_within(starts: list[int], span: Span) -> bool:
    at = bisect_left(starts, span.start)
    return at < len(starts) and starts[at] < span.end


def _is_noted(noted: list[tuple[str, int]], path: str, span: Span) -> bool:
    at = bisect_left(noted, (path, span.start))
    return at < len(noted) and noted[at][0] == path and noted[at][1] < span.end


def _effects(machine: Machine, statement: Expr | Stmt, site: Site | None) -> Iterator[str]:
    """Visible effects of an expression, as its text shows them; a lambda has its effects where it is called."""
    stack: list[Expr | Stmt] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, LambdaExpr):
            continue
        stack += children(node)
        if isinstance(node, (Assign, Update)):
            target = node.target if isinstance(node, Assign) else node.operand
            if isinstance(target, Call) or _is_seen(target):
                yield spelled(target)
        elif isinstance(node, Call) and (node.name in _BARRIERS or node.name.startswith("atomic")):
            yield node.name


def _is_seen(target: Expr) -> bool:
    """Whether its name alone shows that it is in memory: an element of LDS, the memory behind a kernel's argument."""
    through = False
    while not isinstance(target, Name):
        if isinstance(target, Index) or (isinstance(target, Unary) and target.op == "*"):
            through = True
            target = target.base if isinstance(target, Index) else target.operand
        elif isinstance(target, Member):
            through = through or target.arrow
            target = target.base
        else:
            return False
    variable = target.variable
    if variable is None:
        return False
    if variable.storage in _SEEN:
        return True
    return through and variable.type.pointers > 0


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
    for value in (*graph.holders, *graph.limits, *graph.vectors):
        if value >= len(graph):
            yield f"%{value} is named and does not exist"


def _value(graph: Graph, number: int) -> Iterator[str]:
    op, args, width = graph.ops[number], graph.args[number], graph.widths[number]
    for position, arg in enumerate(args):
        if not 0 <= arg < len(graph):
            yield f"%{number} = {op}: operand %{arg} does not exist"
        elif arg >= number and not (op is PHI and position):
            yield f"%{number} = {op}: operand %{arg} is defined after it"
    if not 0 <= width <= WIDEST or graph.extra[number] < 0:
        yield f"%{number} = {op}: {width} registers and {graph.extra[number]} more"
    form = graph.forms[number]
    unheld = op in (SOURCE, LOAD_CONSTANT) and width == 0  # operands in the constant bank
    if form.kind != graph.kinds[number] or (form.width != width and not unheld) or not 0 <= form.kind <= POINTER:
        yield f"%{number} = {op}: its form is not its width and kind"
    if op is PHI and (graph.homes[number] is None or not 1 <= len(args) <= 2):
        yield f"%{number}: a phi of {len(args)} values {'in no loop' if graph.homes[number] is None else ''}"
    if (op is CONSTANT) != (graph.constants[number] is not None):
        yield f"%{number} = {op}: {graph.constants[number]}"


def _region(graph: Graph, region: Region, parent: Region | None, seen: set[int]) -> Iterator[str]:
    if region.parent is not parent or region.depth != (parent.depth + 1 if parent is not None else 0):
        yield f"a loop at depth {region.depth} is inside a loop that is not its parent"
    for item in region.items:
        if isinstance(item, Region):
            yield from _region(graph, item, region, seen)
        elif item >= len(graph) or item in seen:
            yield f"%{item} is in a loop {'twice' if item in seen else 'and does not exist'}"
        else:
            seen.add(item)


# Invariants of every order of a kernel's values, and of their live ranges.


def order_problems(graph: Graph, needed: bytearray, order: Order) -> Iterator[str]:
    """Sentences about values that are missing, repeated or before an operand, and about loops that overlap."""
    places: dict[int, int] = {}
    for position, number in enumerate(order.sequence):
        if number in places:
            yield f"%{number} = {graph.ops[number]} is in the order twice"
        if graph.ops[number] is not PHI:
            missing = [arg for arg in graph.args[number] if arg not in places and graph.ops[arg] is not CONSTANT]
            yield from (f"%{number} = {graph.ops[number]} is in front of %{arg}" for arg in missing)
        places[number] = position
    for number, op in enumerate(graph.ops):
        if op is CONSTANT and number in places:
            yield f"%{number}: a constant has a place"
        elif needed[number] and op is not CONSTANT and number not in places:
            yield f"%{number} = {op} is in no block"
    for number, (begin, end, region) in enumerate(order.loops):
        phis = order.phis.get(region, ())
        if order.sequence[begin : begin + len(phis)] != list(phis):
            yield f"loop {number} does not begin with its phis"
        for start, stop, _ in order.loops[number + 1 :]:
            if not (stop <= begin or end <= start or (start <= begin and end <= stop)):
                yield f"loop {number} overlaps one around it"


def lifetime_problems(machine: Machine, lifetimes: Lifetimes) -> Iterator[str]:
    """Sentences about values that die in front of a use, or live beyond the end. One that others follow in its register
    is alive for as long as they are: a side of a branch that is not taken writes nothing.
    """
    graph, order, places, ends = machine.graph, lifetimes.order, lifetimes.places, dict(lifetimes.ends)
    for one in sorted(lifetimes.following, key=places.__getitem__, reverse=True):
        ends[one] = max(ends.get(one, 0), ends.get(lifetimes.following[one], 0))
    length = len(order.sequence)
    for number, end in ends.items():
        if number in places and not places[number] <= end <= length:
            yield f"%{number} = {graph.ops[number]} is made at {places[number]} and dies at {end}"
    for position, number in enumerate(order.sequence):
        for arg in graph.args[number][: 1 if graph.ops[number] is PHI or number in machine.joins else None]:
            if arg in places and ends[arg] < position:
                yield f"%{arg} = {graph.ops[arg]} dies in front of %{number}"
    for begin, end, region in order.loops:
        for arg in (arg for phi in order.phis.get(region, ()) for arg in graph.args[phi][1:]):
            if arg in places and ends[arg] < end:
                yield f"%{arg} = {graph.ops[arg]} is carried by a loop and dies in it, at {ends[arg]}"
        body = begin + len(order.phis.get(region, ()))
        for number in order.sequence[body:end]:
            for arg in graph.args[number]:
                handed = graph.ops[number] is PHI or number in machine.joins
                if places.get(arg, begin) < begin and ends[arg] < end and not handed:
                    yield f"%{arg} = {graph.ops[arg]} is used in a loop and dies in it"
