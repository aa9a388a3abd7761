"""Code that the compiler removes because a condition is a constant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Conditional, If
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.source_level.reached_calls import Entered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax_tree import Call, Expr, Function, Stmt
    from regpress_lint.source_level.arrays import PrivateArray
    from regpress_lint.source_level.flow import Flow


def dead_branches(function: Function, environment: Environment) -> Iterator[Expr | Stmt]:
    """Branches of a function, and sides of `? :`, that a constant condition never takes."""
    for node in nodes_of(function):
        if isinstance(node, (If, Conditional)) and (value := evaluate(node.test, environment)) is not None:
            skipped = node.other if value else node.then
            if skipped is not None:
                yield skipped


def without_dead(
    arrays: Iterable[PrivateArray],
    function: Function,
    environment: Environment,
    flow_of: Callable[[Function], Flow],
    callee_of: Callable[[Call], Function | None],
) -> tuple[PrivateArray, ...]:
    """A kernel's arrays that are declared where it comes by, with the accesses of functions that it calls there.

    An instantiation of a template has branches of `if constexpr` that are for others.
    """
    found = tuple(arrays)
    dead = [branch.span for branch in dead_branches(function, environment)] if found else []
    if not dead:
        return found
    live = _called(function, dead, flow_of, callee_of)
    return tuple(
        array.with_accesses(tuple(access for access in array.described if access.function in live), handed=array.handed)
        for array in found
        if array.function in live and (array.function is not function or not _inside(array.variable.span, dead))
    )


def _called(
    function: Function,
    dead: list[Span],
    flow_of: Callable[[Function], Flow],
    callee_of: Callable[[Call], Function | None],
) -> set[Function]:
    entered = Entered(function)
    for here in (pending := [function]):
        for record in flow_of(here).calls:
            if here is function and _inside(record.call.span, dead):
                continue
            target = callee_of(record.call)
            if target is not None and entered.first(target):
                pending.append(target)
    return set(pending)


def _inside(span: Span, dead: list[Span]) -> bool:
    return any(each.contains(span) for each in dead)
