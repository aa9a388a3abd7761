"""Where LLVM's sinking pass puts arithmetic, which the AMDGPU target runs once more: in front of its first use.

A value that no use needs before a branch is behind it moves there, whatever it holds meanwhile: a scheduler orders one
block at a time and does not bring it back. Reads stay, as others may write between. Sixteen pairs of `float4` from LDS,
summed up in a loop, take 62 VGPRs, with `if (c) o[t] = 3;` behind them 148 (`test_sunk_sums.py`).
"""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import CONSTANT, EXIT, PHI, SELECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from regpress_lint.model.interpreter.machine import Machine


class Place(NamedTuple):
    """A basic block, or the part of it behind so many of its routines that branch."""

    block: int
    behind: int


NOWHERE = Place(-1, 0)
_STAYING = frozenset((PHI, CONSTANT, SELECT))  # a chain of `?:` may be branches there
_MOST_STEPS = 64  # from one block to another that both come behind


def sunk(machine: Machine, needed: bytearray, users: Sequence[Sequence[int]]) -> dict[int, int]:
    """For values that may stand anywhere, the basic block in which the first of their uses are. Nothing sinks into a
    loop.
    """
    if not machine.forked:
        return {}
    graph, fixed, places = machine.graph, machine.block_of, dict[int, Place]()

    def ends(block: int) -> Place:
        return Place(machine.basic(block), 0)

    def at(user: int) -> Place:
        return ends(fixed[user]) if user in fixed else places.get(user, NOWHERE)

    for number in range(len(graph) - 1, -1, -1):
        op = graph.ops[number]
        if not needed[number] or number in fixed or number in machine.sides or op in _STAYING:
            continue
        place = common(machine, {use for user in users[number] for use in uses(machine, number, user, at, ends)}, ends)
        if place != NOWHERE:
            places[number] = place
    loops = sorted(machine.first[block] for block in machine.loop_starts)
    return {
        number: place.block
        for number, place in places.items()
        if number < machine.first[place.block] and bisect(loops, number) == bisect(loops, machine.first[place.block])
    }


def equal_reads(machine: Machine, users: Sequence[Sequence[int]], places: Mapping[int, int]) -> Iterator[int]:
    """Reads held for later blocks that equal an earlier one: LLVM keeps one of the two."""

    def held(number: int) -> bool:
        return bool(users[number]) and all(user in places for user in users[number])

    for number, twin in machine.memory.twins.items() if places else ():
        blocks = {machine.basic(machine.block_of[read]) for read in (number, twin) if read in machine.block_of}
        if len(blocks) == 1 and held(number) and held(twin):
            yield number


def uses(
    machine: Machine, number: int, user: int, at: Callable[[int], Place], ends: Callable[[int], Place]
) -> Iterator[Place]:
    """The places in which a value is used for another one. at: that of a value. ends: the last one of a block."""
    graph, op, home = machine.graph, machine.graph.ops[user], machine.graph.homes[number]
    if op is EXIT:  # of a loop, made behind its last block
        yield at(user)
    elif op is PHI:
        loop = graph.homes[user]
        yield ends(loop.latch) if loop is not None and loop is home else NOWHERE
    elif graph.homes[user] is not home:
        yield NOWHERE
    elif user in machine.sides:
        join = machine.sides[user]
        sides = zip(reversed(graph.args[user]), (join.other, join.then, NOWHERE.block), strict=False)
        yield from (ends(block) for arg, block in sides if arg == number)
    else:
        yield at(user)


def common(machine: Machine, places: set[Place], ends: Callable[[int], Place]) -> Place:
    """The last place through which every way to some others leads."""
    if NOWHERE in places or not places:
        return NOWHERE
    for _ in range(_MOST_STEPS):
        last = max(place.block for place in places)
        if all(place.block == last for place in places):
            return min(places)
        above = ends(machine.above.get(last, NOWHERE.block))
        places = {above, *(place for place in places if place.block != last)}
        if above == NOWHERE:
            break
    return NOWHERE
