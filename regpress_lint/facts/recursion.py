"""Device functions that call themselves, in one step or in several, and are no loops to the compiler."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.typing_rules import expression_type

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Call, Function
    from regpress_lint.facts.kernel import KernelFacts


class Recursion(NamedTuple):
    """A function that comes back to itself: by which call first, by which others, and through which functions."""

    function: Function
    call: Call
    others: tuple[Call, ...]
    through: tuple[str, ...]


def recursive(facts: KernelFacts) -> Iterator[Recursion]:
    """Functions that come back to themselves by a call that is not in tail position."""
    from regpress_lint.source_level.recursion_shape import becomes_a_loop, may_mean

    edges: dict[Function, list[tuple[Call, Function]]] = {}
    for site in facts.calls:
        target = facts.callee_of(site.call)
        # A qualified name may be a member of another instance of a class template.
        if target is not None and not target.template and site.call.qualified == site.call.name:
            edges.setdefault(site.function, []).append((site.call, target))
    type_of = partial(expression_type, types=facts.file.type_of)
    reported: set[Function] = set()
    for function, calls in edges.items():
        for call, target in calls:
            cycle = _way_back(edges, target, function)
            if cycle is None or reported & set(cycle) or not may_mean(call, target, type_of):
                continue
            back = [each for each, callee in calls if callee is target]
            if any(each.template_args for each in back) or becomes_a_loop(function, back):
                continue
            reported.update(cycle)
            through = tuple(each.name for each in cycle if each is not function)
            yield Recursion(function, call, tuple(each for each in back if each is not call), through)
            break


def _way_back(
    edges: dict[Function, list[tuple[Call, Function]]], start: Function, end: Function
) -> tuple[Function, ...] | None:
    """Functions from `start` to `end`, both included."""
    pending: list[tuple[Function, ...]] = [(start,)]
    seen = {start}
    while pending:
        way = pending.pop(0)
        if way[-1] is end:
            return way
        for _, target in edges.get(way[-1], ()):
            if target not in seen:
                seen.add(target)
                pending.append((*way, target))
    return None
