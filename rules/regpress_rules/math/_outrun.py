"""Whether a kernel's other loops do so much more work than a call that the call's time does not show."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.api.syntax import Assign, Binary, evaluate, expression_type, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import CallSite, LoopFacts
    from regpress_lint.api.syntax import Function, Stmt

# Evidence pairs of RP201 on an H200: a nest with two FP64 divisions that runs 63 times as often leaves the call 6 % of
# the kernel's time and one with six nothing (`beside_two`, `hoisted`); one with a single division 9 % (`beside_one`).
TIMES = 32
_DIVISIONS = 2
_DEEPEST = 4  # callees of callees that are looked into


def outrun(facts: KernelFacts, site: CallSite) -> int | None:
    """How many times as often a loop nest that divides runs, if that is TIMES or more; None where it is not, or where
    the source does not settle how often they run.
    """
    if site.function is not facts.kernel.function and len(facts.file.kernels) > 1:
        return None  # the call's message is the same in all kernels that reach it
    own = _runs(facts, site)
    if own is None:
        return None
    called = (facts.callee_of(each.call) for each in facts.calls)
    functions = [each for each in dict.fromkeys((facts.kernel.function, *called)) if each is not None]
    nests = ((function, loop, _product(loop.chain())) for function in functions for loop in facts.loops_of(function))
    often = [
        (runs // own, function, loop) for function, loop, runs in nests if runs is not None and runs >= TIMES * own
    ]
    return max((ratio for ratio, function, loop in often if _divides(facts, function, loop)), default=None)


def _product(loops: Sequence[LoopFacts]) -> int | None:
    """Iterations of a nest, None where the source does not settle them."""
    trips = [loop.trip_count for loop in loops]
    return None if None in trips else prod(trip for trip in trips if trip is not None)


def _runs(facts: KernelFacts, site: CallSite) -> int | None:
    """How often a thread makes the call at most, of several ways to a device function through the first one; 0 trips
    are one.
    """
    own = _product(site.loops)
    if len(site.chain) == 1 or own is None:
        return None if own is None else max(own, 1)
    around = [
        _runs(facts, each)
        for each in facts.calls
        if each.chain == site.chain[:-1] and facts.callee_of(each.call) is site.function
    ]
    known = [runs for runs in around if runs is not None]
    return max(own, 1) * max(known) if known and len(known) == len(around) else None


def _divides(facts: KernelFacts, function: Function, loop: LoopFacts) -> bool:
    """Whether an iteration makes divisions of floating values, itself or in functions that it calls."""
    found = 0
    for body in _bodies(facts, function, loop.loop.body, _DEEPEST):
        found += sum(1 for node in walk(body) if isinstance(node, (Binary, Assign)) and _is_division(facts, node))
        if found >= _DIVISIONS:
            return True
    return False


def _bodies(facts: KernelFacts, function: Function, body: Stmt, depth: int) -> Iterator[Stmt]:
    """A part of a function and the functions that it calls, each as often as it is called."""
    yield body
    for site in facts.calls if depth else ():
        if site.function is function and body.span.contains(site.call.span):
            called = facts.callee_of(site.call)
            if called is not None:
                yield from _bodies(facts, called, called.body, depth - 1)


def _is_division(facts: KernelFacts, node: Binary | Assign) -> bool:
    """Whether it divides FP64 values, or those of unknown type, by something other than a constant."""
    if node.op not in ("/", "/="):
        return False
    dividend, divisor = (node.left, node.right) if isinstance(node, Binary) else (node.target, node.value)
    if evaluate(divisor, facts.environment) is not None:
        return False
    types = [expression_type(each, facts.file.type_of) for each in (dividend, divisor)]
    return None in types or any(type_ is not None and type_.double for type_ in types)
