"""Values that ptxas makes again rather than spill another, where a thread may have too few registers for all."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import Kind

if TYPE_CHECKING:
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.passes.peak import Peak

# Operations of the thread's place and of arguments that are done again: `((t * 5 + 7 & 255) ^ 3) * 9 + t0`, but not
# `(t >> 2) % 5`; and values of more than one of them at once: of 56, 60 and 80 with two operations ptxas holds 4, 8 and
# 28, with one operation none. No addresses: of 20 to 32 it spills 56 to 208 bytes (`test_values_made_again.py`).
_MOST_OPERATIONS, _MOST_VALUES, _REMAINDER = 6, 50, frozenset(("/", "%"))
_AGAIN = frozenset((Kind.ARITHMETIC, Kind.CONVERSION, Kind.BITS, Kind.SELECT))
# Registers that straight code needs beside the others: 59 of 64 spilled, 53 did not. Share of the room that a loop's
# others may have: with 1.1 what is left spilled, with 1.2 (`near` of RP104's fixtures) twice that, with 2.6 (`capped`
# of RP109's) more than all.
_BESIDE, _OTHERS = 8, 1.15


def spared(peak: Peak, room: int) -> int:
    """Registers that values made again leave to others at a kernel's peak. Where those do not fit, ptxas spills no less
    in straight code, and in a loop where they are far too many.
    """
    without, ends = peak.graph.chained | peak.lifetimes.fused, peak.lifetimes.ends
    single, several, values = ([0] * (len(peak.sequence) + 1) for _ in range(3))
    for place, number in enumerate(peak.sequence):
        end = ends.get(number, -1)
        if end <= place or number in without or not (width := peak.width(number)):
            continue
        if operations := _operations(peak.graph, number):
            for change, by in ((several, width), (values, 1)) if operations > 1 else ((single, width),):
                change[place] += by
                change[end] -= by
    rows = zip(peak.alive, accumulate(single), accumulate(several), accumulate(values), strict=False)
    alive = (held - one - more * min(_MOST_VALUES, count) // max(count, 1) for held, one, more, count in rows)
    left, widest = max(alive, default=0), max(peak.alive, default=0)
    at = peak.alive.index(widest) if widest else 0
    in_loop = any(begin <= at < end for begin, end, _ in peak.lifetimes.order.loops)
    return widest - left if left <= (_OTHERS * room if in_loop else room - _BESIDE) else 0


def _operations(graph: Graph, number: int) -> int:
    """Operations that make a value of what a thread always has; 0 for one that is held."""
    waiting, seen = [number], set[int]()
    while waiting:
        one = waiting.pop()
        op = graph.ops[one]
        if one in seen or op.kind == Kind.SOURCE or graph.constants[one] is not None:
            continue
        divides = op in _REMAINDER and not _is_power_of_two(graph.constants[graph.args[one][1]])
        if op.kind not in _AGAIN or divides or len(seen) == _MOST_OPERATIONS:
            return 0
        seen.add(one)
        waiting += graph.args[one]
    return len(seen)


def _is_power_of_two(value: object) -> bool:
    return isinstance(value, int) and value > 0 and not value & (value - 1)
