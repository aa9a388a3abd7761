"""Accesses of an array in memory that arithmetic hides: so much of it surrounds them that few stall the thread."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.api.facts import call_size
from regpress_lint.api.syntax import Binary, Call, Constant, Loop, walk

if TYPE_CHECKING:
    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import Access, LoopFacts, PrivateArray
    from regpress_lint.api.syntax import Expr, Function, Stmt

# Operations an access, of a loop, from which on it is hidden. On an H200 a repair of a loop with 25 of them made it
# 1.20 times as fast, of one with 53 1.09 times, of one with 92, powf and expf, 1.02 times (testdata/evidence/RP403:
# medium, heavy, calls).
_HIDDEN = 45
_DIVISION = 8  # what a division by no constant takes, at the least
_TRIPS = 8  # of an inner loop whose bound is not known
_DEEPEST = 4  # calls within calls
_FEW_BYTES = 16  # of an array of flags or counters, beside functions that were not read


def is_hidden(facts: KernelFacts, array: PrivateArray) -> bool:
    """True if the loops that use an array most do so much else that its accesses hardly count.

    The work of functions in headers that are not read is unknown, and counts as enough for a few bytes.
    """
    used = [access for access in array.accesses if access.indices]
    if not used:
        return False
    most = max(len(_rolled(access)) for access in used)
    groups: dict[tuple[Function, LoopFacts | None], dict[tuple[str, str], int]] = {}
    for access in used:
        rolled = _rolled(access)
        if len(rolled) == most:
            inside = groups.setdefault((access.function, rolled[-1] if rolled else None), {})
            inside[access.kind, _written(facts, access)] = _copies(access)
    sizes: dict[Function, int] = {}
    if (array.bytes or 0) <= _FEW_BYTES and all(_calls_unread(facts, function, loop) for function, loop in groups):
        return True
    return all(
        _work(facts, function, function.body if loop is None else loop.loop, 0, sizes) >= _HIDDEN * sum(inside.values())
        for (function, loop), inside in groups.items()
    )


def _calls_unread(facts: KernelFacts, function: Function, loop: LoopFacts | None) -> bool:
    part = function.body if loop is None else loop.loop
    calls = (node for node in walk(part) if isinstance(node, Call) and facts.callee_of(node) is None)
    return any(not call_size(call.name) and facts.file.is_unread(call.name) for call in calls)


def _written(facts: KernelFacts, access: Access) -> str:
    """The key that distinguishes accesses: the same words twice are read once."""
    in_file = access.function.path in ("", facts.file.path)
    return facts.file.source.text(access.span) if in_file else str(access.span)


def _copies(access: Access) -> int:
    """Of an access in loops that are unrolled."""
    return prod(_trips(loop) for loop in access.loops if loop.unrolled)


def _rolled(access: Access) -> list[LoopFacts]:
    """Loops around an access that stay loops, the outermost first."""
    return sorted((loop for loop in access.loops if not loop.unrolled), key=lambda loop: loop.depth)


def _work(facts: KernelFacts, function: Function, part: Stmt, depth: int, sizes: dict[Function, int]) -> int:
    """Operations of a part of a function, once through its outermost loop: those of callees and inner loops with it.

    sizes: of callees, which are counted once for all their calls.
    """
    loops = {loop.loop: loop for loop in facts.loops_of(function)}
    inner = [node for node in walk(part) if isinstance(node, Loop) and node is not part]
    total = 0
    for node in walk(part):
        if amount := _own(facts, node, depth, sizes):
            total += amount * prod(_trips(loops.get(loop)) for loop in inner if loop.span.contains(node.span))
    return total


def _trips(loop: LoopFacts | None) -> int:
    return _TRIPS if loop is None or loop.trip_count is None else max(loop.trip_count, 1)


def _own(facts: KernelFacts, node: Expr | Stmt, depth: int, sizes: dict[Function, int]) -> int:
    if isinstance(node, Binary):
        return _DIVISION if node.op in ("/", "%") and not isinstance(node.right, Constant) else 1
    if not isinstance(node, Call):
        return 0
    callee = facts.callee_of(node)
    if callee is None or depth >= _DEEPEST:
        return call_size(node.name)
    if callee not in sizes:
        sizes[callee] = _work(facts, callee, callee.body, depth + 1, sizes)
    return sizes[callee]
