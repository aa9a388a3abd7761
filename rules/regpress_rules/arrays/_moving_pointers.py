"""Pointers of a thread into its arrays that a loop at run time swaps or moves on: no compiler follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import KernelFacts, NamedTuple
from regpress_lint.api.syntax import Assign, Binary, Expr, Index, Name, Unary, Update, names_in, nodes_of, written_alike

if TYPE_CHECKING:
    from collections.abc import Hashable

    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Function, Stmt, Variable


def swapped(facts: KernelFacts, function: Function) -> dict[Variable, Assign]:
    """Arrays that pointers stand for which a loop that stays one assigns to each other, with one such assignment.

    Pointers that each iteration sets again are not loop-carried: clang resolves them.
    """
    flow = facts.flow_of(function)
    pointers = {v for v in flow.declared if v.type.pointers == 1 and not v.dims and v.storage == "local"}
    if len(pointers) < 2:
        return {}
    assigns = [node for node in nodes_of(function) if isinstance(node, Assign) and _named(node.target) in pointers]
    rolled = [loop.loop.span for loop in facts.loops_of(function) if not loop.unrolled]
    moves = [
        node
        for node in assigns
        if (target := _named(node.target)) is not None
        and _named(node.value) in pointers
        and any(span.contains(node.span) and not span.contains(target.span) for span in rolled)
    ]
    if len(moves) < 2:
        return {}
    reached = _reached(pointers, assigns)
    swaps: dict[Variable, Assign] = {}
    for node in moves:
        target = _named(node.target)
        behind = reached.get(target, set()) if target is not None else set()
        if len(behind) > 1:
            for start in behind:
                swaps.setdefault(start.array, node)
    return swaps


def moved(facts: KernelFacts, function: Function, array: Variable) -> Assign | Update | None:
    """Where a loop that stays one moves a pointer into an array: which element it means is then known at run time.

    A loop that the pointer itself ends is left out: clang copies one with constant ends.
    """
    flow = facts.flow_of(function)
    pointers = {v for v in flow.declared if v.type.pointers == 1 and not v.dims and v.storage == "local"}
    if not pointers:
        return None
    rolled = [loop.loop for loop in facts.loops_of(function) if not loop.unrolled]
    steps = [
        (target, node)
        for node in nodes_of(function)
        if (isinstance(node, Update) or (isinstance(node, Assign) and node.op in ("+=", "-=")))
        and (target := _named(node.operand if isinstance(node, Update) else node.target)) in pointers
    ]
    carried = [
        (target, node)
        for target, node in steps
        if target is not None
        and any(
            loop.span.contains(node.span)
            and not loop.span.contains(target.span)
            and not any(name.variable is target for name in names_in(loop.test))
            for loop in rolled
        )
    ]
    if not carried:
        return None
    assigns = [node for node in nodes_of(function) if isinstance(node, Assign) and _named(node.target) in pointers]
    reached = _reached(pointers, assigns)
    return next((node for target, node in carried if any(s.array is array for s in reached[target])), None)


class _Start(NamedTuple):
    """Where in an automatic array a pointer may begin; `offset` is what is written beside the array's name."""

    array: Variable
    offset: Hashable = None


def _reached(pointers: set[Variable], assigns: list[Assign]) -> dict[Variable, set[_Start]]:
    """Places in automatic arrays that each pointer may stand for."""
    edges = [(pointer, _start(pointer.init)) for pointer in pointers]
    edges += [(target, _start(node.value)) for node in assigns if (target := _named(node.target)) is not None]
    reached: dict[Variable, set[_Start]] = {pointer: set() for pointer in pointers}
    changed = True
    while changed:
        changed = False
        for target, source in edges:
            if source is None or target not in reached:
                continue
            new = reached.get(source.array, {source} if source.array.dims else set())
            if not new <= reached[target]:
                reached[target] |= new
                changed = True
    return reached


def _named(expr: Expr | Stmt | None) -> Variable | None:
    return expr.variable if isinstance(expr, Name) else None


def _start(expr: Expr | None) -> _Start | None:
    """The array or pointer that an expression is an address in."""
    if isinstance(expr, Unary) and expr.op == "&":
        expr = expr.operand
    offset: Hashable = None
    while isinstance(expr, Index) or (isinstance(expr, Binary) and expr.op in "+-"):
        offset = (offset, written_alike(expr.index if isinstance(expr, Index) else expr.right))
        expr = expr.base if isinstance(expr, Index) else expr.left
    variable = _named(expr)
    return _Start(variable, offset) if variable is not None and variable.storage == "local" else None


def has_moving_pointer(facts: KernelFacts, array: PrivateArray) -> bool:
    """Whether only a pointer that such a loop moves on makes the elements unknown: a counter in its place is known."""
    return (
        bool(array.dynamic)
        and all(access.pointer for access in array.dynamic)
        and moved(facts, array.function, array.variable) is not None
    )
