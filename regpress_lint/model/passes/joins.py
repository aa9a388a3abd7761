"""Values that begin where the sides of a branch meet, and those of the sides that they take over: one register.

What both sides of `if (c) x = f(); else x = g();` give has one register, and so has what was in `x` before. One side
does not hold the values of the other (`test_sides_of_branches.py`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from regpress_lint.model.graph.objects import Join


class Uses(NamedTuple):
    """For values that joins take over: the places of their other uses, and the last of these, or the end of the
    loops that the value lives through.
    """

    places: Mapping[int, Sequence[int]]
    last: dict[int, int]


def share_registers(
    joins: Mapping[int, Join],
    args: Sequence[tuple[int, ...]],
    places: Mapping[int, int],
    uses: Uses,
    ends: dict[int, int],
) -> dict[int, int]:
    """Shorten lives so that of values which share a register one is alive at each place: the value that follows each of
    them there.

    joins: the values that begin where sides meet, in their order. ends: last uses, those by joins as well.
    """
    webs: dict[int, list[int]] = {}
    written: dict[int, int] = {}  # values of sides, with the place where their side ends
    behind = _ends_of_sides(joins, args, places)
    for number, join in joins.items():
        web = webs[number] = [number]
        place, before = places[number], list[int]()
        for value, block in zip(args[number][1:], (join.then, join.other), strict=True):
            if value not in places or max(uses.last.get(value, 0), ends[value]) > place:
                continue  # a constant, or needed beside what takes its place
            if value < join.values:
                before.append(value)
                continue
            written[value] = behind[block]
            ends[value] = max(uses.last.get(value, places[value]), behind[block])
            web += webs.pop(value, (value,))
        sides = [(places[value], written.get(value, 0)) for value in web[1:]]
        for value in before:
            if sides and not _is_used(uses.places.get(value, ()), sides):
                web += webs.pop(value, (value,))
    following: dict[int, int] = {}
    for web in webs.values():
        web.sort(key=places.__getitem__)
        _follow(web, places, ends)
        following.update(pairwise(web))
    return following


def _is_used(uses: Sequence[int], sides: Sequence[tuple[int, int]]) -> bool:
    """Whether a value is used in some side behind what is written there over it."""
    return any(begin < use <= end for use in uses for begin, end in sides)


def _ends_of_sides(
    joins: Mapping[int, Join], args: Sequence[tuple[int, ...]], places: Mapping[int, int]
) -> dict[int, int]:
    """The places of the last values that leave each side, by the blocks in which the sides end."""
    ends: dict[int, int] = {}
    for number, join in joins.items():
        for value, block in zip(args[number][1:], (join.then, join.other), strict=True):
            if value >= join.values:
                ends[block] = max(ends.get(block, 0), places.get(value, 0))
    return ends


def _follow(web: Sequence[int], places: Mapping[int, int], ends: dict[int, int]) -> None:
    """Each value of some that share a register ends where the next one begins, and holds it as long as any before."""
    for value, following in pairwise(web):
        end, place = ends.get(value, places[value]), places[following]
        if end > place:
            ends[value] = place
            ends[following] = max(ends.get(following, place), end)


def away(
    joins: Mapping[int, Join],
    args: Sequence[tuple[int, ...]],
    places: Mapping[int, int],
    ends: Mapping[int, int],
    block_of: Mapping[int, int],
    extend: Callable[[dict[int, int]], None],
    written: Callable[[int], int] | None = None,
) -> dict[int, tuple[int, int]]:
    """Where values from in front of a branch have no register: behind their last use in one side, up to its end, if
    only the other side needs them then. `if (c) sum += f();` updates `sum` in place.

    extend: makes last uses those of the loops around them. written: the block of any value, for a compiler that leaves
    arithmetic in its side.
    """
    forks: dict[Join, list[int]] = {}
    for number, join in joins.items():
        forks.setdefault(join, []).append(number)
    gaps: dict[int, tuple[int, int]] = {}
    sequence = list(places)
    for join, numbers in forks.items():
        sides = _sides(join, sequence, block_of, min(map(places.__getitem__, numbers)), written)
        until = max((last for _, last in sides), default=0)
        until = max(until, *map(places.__getitem__, numbers))
        for (first, behind), side in zip(sides, (1, 2), strict=True):
            needed = {args[number][side] for number in numbers}
            last: dict[int, int] = {}
            for place in range(first, behind):
                for arg in args[sequence[place]]:
                    if arg < join.values and arg not in needed and ends.get(arg, 0) <= until:
                        last[arg] = place
            extend(last)
            for value, place in last.items():
                end = min(ends.get(value, 0), behind)
                if end - place > 1 and end - place > gaps.get(value, (0, 0))[1] - gaps.get(value, (0, 0))[0]:
                    gaps[value] = place, end
    return gaps


def _sides(
    join: Join, sequence: Sequence[int], block_of: Mapping[int, int], meets: int, written: Callable[[int], int] | None
) -> list[tuple[int, int]]:
    """The first place of each side of a branch and the one behind its last, in front of the place where they meet."""
    places: tuple[list[int], list[int]] = [], []
    for place in range(meets - 1, -1, -1):
        number = sequence[place]
        if (block := block_of.get(number)) is None:
            if written is None or number < join.values:
                continue
            block = written(number)
        elif number < join.values:
            break
        if block <= max(join.then, join.other):
            places[block > join.then].append(place)
    return [(side[-1], side[0] + 1) if side else (0, 0) for side in places]
