"""Backward liveness over a flow graph, on integers as sets."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.source_level.flow import Flow, Op


class Point(NamedTuple):
    """A place in the program: `live` is what an op needs at the same time, its operands and values needed later."""

    live: int
    op: Op
    block: int


class Liveness(NamedTuple):
    """`live_in[b]` per block; `points` has one entry an op, in source order within a block."""

    live_in: list[int]
    points: list[Point]


@lru_cache(maxsize=32)
def liveness(flow: Flow) -> Liveness:
    """Fixed point over the blocks; two or three passes for structured code. Kept for as many flows as `walk` keeps."""
    count = len(flow.blocks)
    used, killed = [0] * count, [0] * count
    following: list[tuple[int, ...]] = []
    for number, block in enumerate(flow.blocks):
        use = kill = 0
        for op in block.ops:
            use |= op.uses & ~kill
            kill |= op.kills
        used[number], killed[number] = use, kill
        following.append(tuple(target.index for target in block.following if target.index >= 0))
    live_in, live_out = [0] * count, [0] * count
    backward = range(count - 1, -1, -1)
    changed = True
    while changed:
        changed = False
        for number in backward:
            out = 0
            for target in following[number]:
                out |= live_in[target]
            live_out[number] = out
            into = used[number] | (out & ~killed[number])
            if into != live_in[number]:
                live_in[number] = into
                changed = True
    return Liveness(live_in, _points(flow, live_out))


def _points(flow: Flow, live_out: list[int]) -> list[Point]:
    points: list[Point] = []
    for number, block in enumerate(flow.blocks):
        live = live_out[number]
        here: list[Point] = []
        for op in reversed(block.ops):
            before = (live & ~op.kills) | op.uses
            here.append(Point(before | (live & op.defs), op, number))
            live = before
        here.reverse()
        points += here
    return points
