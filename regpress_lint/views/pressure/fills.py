"""Loops that write a whole array before anything reads it: what the array held before is dead in front of them.

An element-wise write alone ends no live range, since the others stay. Without this, an array that is declared in front
of a loop and filled anew in each iteration would seem to be carried from one iteration to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate_int
from regpress_lint.cpp.syntax import Assign, Block, Evaluate, Index, Jump, Loop, Name, Return

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax import Expr, Stmt, Variable
    from regpress_lint.source_level.flow import Flow
    from regpress_lint.source_level.loop_facts import LoopFacts


def fills(flow: Flow, loops: tuple[LoopFacts, ...], env: Environment) -> dict[int, int]:
    """Loops by number with the arrays that they overwrite wholly, as a bit mask like `Flow.bits`."""
    known = {id(loop.loop): loop for loop in loops}
    found: dict[int, int] = {}
    for number, loop in enumerate(loops):
        bits = 0
        for variable, indices, around in _writes(loop, known):
            if _covers(variable, indices, around, env) and _writes_first(flow, loop, variable, indices):
                bits |= flow.bits.get(variable, 0)
        if bits:
            found[number] = bits
    return found


def _writes(
    loop: LoopFacts, known: dict[int, LoopFacts], around: tuple[LoopFacts, ...] = ()
) -> Iterator[tuple[Variable, tuple[Variable, ...], tuple[LoopFacts, ...]]]:
    """Arrays written in every iteration, at which counters, and the loops from the outermost to that of the write."""
    if loop.has_break or loop.counter is None:
        return
    around = (*around, loop)
    for statement in _plain(loop.loop.body):
        if isinstance(statement, (Jump, Return)):
            return
        if isinstance(statement, Loop) and id(statement) in known:
            yield from _writes(known[id(statement)], known, around)
        elif isinstance(statement, Evaluate):
            expression: Expr = statement.expression
            if isinstance(expression, Assign) and expression.op == "=" and isinstance(expression.target, Index):
                place = _place(expression.target)
                if place is not None:
                    yield (*place, around)


def _plain(body: Stmt) -> tuple[Stmt, ...]:
    """Statements of a body that run in each iteration, as far as no jump comes in between."""
    statements = body.statements if isinstance(body, Block) else (body,)
    nested = (_plain(part) if isinstance(part, Block) else (part,) for part in statements)
    return tuple(part for parts in nested for part in parts)


def _place(target: Index) -> tuple[Variable, tuple[Variable, ...]] | None:
    indices: list[Variable] = []
    node: Expr = target
    while isinstance(node, Index):
        if not isinstance(node.index, Name) or node.index.variable is None:
            return None
        indices.append(node.index.variable)
        node = node.base
    if not isinstance(node, Name) or node.variable is None or len(node.variable.dims) != len(indices):
        return None
    return node.variable, tuple(reversed(indices))


def _covers(variable: Variable, indices: tuple[Variable, ...], around: tuple[LoopFacts, ...], env: Environment) -> bool:
    """True if the loops run over every element: one loop a dimension, as many iterations as its extent."""
    if variable.storage != "local" or len(around) != len(indices) or len(set(indices)) != len(indices):
        return False
    trips = {loop.counter: loop.trip_count for loop in around}
    return all(
        trips.get(index) is not None and trips[index] == evaluate_int(extent, env)
        for index, extent in zip(indices, variable.dims, strict=True)
    )


def _writes_first(flow: Flow, loop: LoopFacts, variable: Variable, indices: tuple[Variable, ...]) -> bool:
    """True if the loop touches only the element of its own iteration, and writes it before it reads it."""
    inside = [a for a in flow.accesses if a.variable is variable and loop.loop.span.contains(a.span)]
    own = all(
        len(access.indices) == len(indices)
        and all(isinstance(i, Name) and i.variable is v for i, v in zip(access.indices, indices, strict=True))
        for access in inside
    )
    return bool(inside) and own and inside[0].kind == "write"
