"""Where arithmetic is that stays in its basic block, as ptxas leaves it, and where it sinks to.

The slow path of a division or a `sin` is a branch, so that each of them ends a block. Arithmetic behind one does not
begin in front of it: 48 reads that are summed up behind a `sqrtf` take 64 registers, behind an `expf`, which has no
branch, 32. Arithmetic on values of other blocks alone moves on to the use of its result: of sixteen pairs of reads `a`
and `b` with `q = (a * x + b) / y; d = a - b * x` both `a` and `b` of all pairs wait for the last division, 64
registers, with `d` in front of `q` its sixteen values, 48.

A write moves down, so that the reads in front of it do not all come first, but not behind the last use of the value
that it writes: with `o[t] = v0;` between 48 reads and their sum, which begins with `v0`, all 48 are held, with
`o[t] = v24;` half of them, with `o[t] = v47;` none (nvcc 13.0.88, 95 kernels, `test_basic_blocks.py`).
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import CONSTANT, EXIT, LEFT, PHI, SELECT, SOURCE, Kind
from regpress_lint.model.passes.copied_again import instructions
from regpress_lint.model.passes.sinking import NOWHERE, Place, common, uses
from regpress_lint.targets.costs import branches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.model.graph.objects import Access
    from regpress_lint.model.graph.values import Region
    from regpress_lint.model.interpreter.machine import Machine


_PREDICATED = frozenset((Kind.LOAD, Kind.STORE, Kind.SELECT))
# Instructions of `if (c) ...` and of `if (c) ... else ...` up to which no branch is left (nvcc 13.0.88: 18 and 15).
_ONE_SIDE, _TWO_SIDES = 18, 15
_CARRIED = frozenset((PHI, EXIT))
_STAYING = frozenset((PHI, CONSTANT, SOURCE, EXIT, SELECT, LEFT))  # where paths meet, no instruction is left of most


def written_blocks(machine: Machine) -> Callable[[int], int]:
    """The block in which a value was made first, by its number."""
    blocks = sorted((machine.first[block], block) for block in (0, *machine.above))
    starts = [start for start, _ in blocks]
    return lambda number: blocks[max(bisect_right(starts, number) - 1, 0)][1]


class BasicBlocks:
    """The blocks of an executed kernel, cut at its routines that branch. borders: these, by the loop they are in."""

    def __init__(self, machine: Machine, needed: bytearray, users: Sequence[Sequence[int]]) -> None:
        self._machine, self._graph, self._users = machine, machine.graph, users
        self._needed = needed
        self._made_in = written_blocks(machine)
        self._basic = {block: machine.basic(block) for block in (0, *machine.above)}
        self._join_predicated()
        # What leaves a loop is placed behind it, whatever block it was made in.
        ops = machine.graph.ops
        self._begun = {self.basic(block) for number, block in machine.block_of.items() if ops[number].kind != Kind.EXIT}
        self.borders: dict[Region | None, list[int]] = {}
        self._routines: dict[int, list[int]] = {}
        for number, (key, _) in sorted(machine.routines.items()):
            if needed[number] and branches(machine.vendor, key):
                self.borders.setdefault(machine.graph.homes[number], []).append(number)
                self._routines.setdefault(self._block(number), []).append(number)

    def basic(self, block: int) -> int:
        """The first of the blocks that are one with it: without a branch between them, or predicated ones."""
        first = block
        while (one := self._basic.get(first, first)) != first:
            first = one
        self._basic[block] = first
        return first

    def _join_predicated(self) -> None:
        """Instructions of short sides have a predicate, and no branch is left."""
        machine = self._machine
        items: dict[int, list[int]] = {}
        for number, block in machine.block_of.items():
            items.setdefault(block, []).append(number)
        for sides in machine.forks:
            if len(sides) > 2 or not sides:
                continue
            start, join = machine.first[sides[0]], sides[-1] + 1
            inside = [number for number in range(start, machine.first[join]) if self._needed[number]]
            ops = machine.graph.ops
            if any(ops[item].kind not in _PREDICATED for block in sides for item in items.get(block, ())):
                continue
            if any(
                number in machine.routines and branches(machine.vendor, machine.routines[number][0])
                for number in inside
            ):
                continue
            if instructions(machine.graph, inside) <= (_ONE_SIDE if len(sides) == 1 else _TWO_SIDES):
                above = machine.above[sides[0]]
                self._basic |= dict.fromkeys((*sides, join), above)

    def _block(self, number: int) -> int:
        at = self._machine.block_of.get(number)
        return self.basic(self._made_in(number) if at is None else at)

    def _written(self, number: int) -> Place:
        block = self._block(number)
        routines = self._routines.get(block)
        return Place(block, bisect_right(routines, number - 1) if routines else 0)

    def _made(self, number: int, written: dict[int, Place]) -> Place:
        """Where a value is there: the result of a routine that branches, where its paths meet."""
        place = written.get(number, NOWHERE)
        return Place(place.block, place.behind + 1) if self._is_border(number, place) else place

    def _dies(self, number: int, place: Place, written: dict[int, Place]) -> bool:
        """Whether a place computes a value that no later place uses, except a loop that carries it on."""
        if self._made(number, written) != place:
            return False
        ops = self._graph.ops
        return all(written.get(user) == place or ops[user] in _CARRIED for user in self._users[number])

    def _is_border(self, number: int, place: Place) -> bool:
        routines = self._routines.get(place.block, ())
        return place.behind < len(routines) and routines[place.behind] == number

    def _ends(self, block: int) -> Place:
        basic = self.basic(block)
        return Place(basic, len(self._routines.get(basic, ())))

    def waits(self) -> dict[int, int]:
        """Values that their operands alone would let be anywhere, with the block or the routine that must come before:
        the number of a block, or the complement of a routine's.
        """
        machine, graph = self._machine, self._graph
        if not machine.forked and not self.borders:
            return self._behind_writes()
        rooted = bytearray(len(graph))
        written = {number: self._written(number) for number in range(len(graph)) if self._needed[number]}
        for number, place in written.items():
            op = graph.ops[number]
            fixed = number in machine.block_of or number in machine.sides or op in _STAYING
            if fixed or any(rooted[arg] and self._dies(arg, place, written) for arg in graph.args[number]):
                rooted[number] = op is not CONSTANT and op is not SOURCE
            elif self._is_border(number, place):
                rooted[number] = True
        later = self._later(written, rooted)
        waits = {number: self._key(place) for number, place in later.items() if place.behind or place.block}
        return waits | self._behind_writes()

    def _behind_writes(self) -> dict[int, int]:
        """The last uses of values that a write behind a read writes, too, with the complement of the write's number.

        A write is computed as late as its block allows, but in front of the last use of what it writes.
        """
        machine, graph = self._machine, self._graph
        waits: dict[int, int] = {}
        reads: dict[Place, set[Access]] = {}
        accesses, kinds = machine.memory.accesses, (Kind.STORE, Kind.ATOMIC)
        for number in sorted(accesses):
            if not self._needed[number] or number not in machine.block_of:
                continue
            place, access = self._written(number), accesses[number]
            if graph.ops[number].kind is Kind.LOAD:
                reads.setdefault(place, set()).add(access)
            elif graph.ops[number].kind in kinds and any(access.meets(read) for read in reads.get(place, ())):
                value = graph.args[number][-1]
                last = max(self._users[value])
                # A parameter that an atomic or a predicated write uses has a register of its own there.
                plain = graph.ops[number].kind is Kind.STORE and machine.block_of[number] == place.block
                shared = plain or graph.ops[value] is not SOURCE
                if last > number and shared and self._ends_here(value, place):
                    waits.setdefault(last, ~number)
        return waits

    def _ends_here(self, number: int, place: Place) -> bool:
        """Whether a value is used no more behind a place."""
        graph, home = self._graph, self._graph.homes[number]
        return all(
            graph.homes[user] is home and graph.ops[user] not in _CARRIED and self._written(user) == place
            for user in self._users[number]
        )

    def _later(self, written: dict[int, Place], rooted: bytearray) -> dict[int, Place]:
        """The places of values that have none of their own: of those that use something of their block that block."""
        machine, graph = self._machine, self._graph
        found: dict[int, Place] = {}

        def at(user: int) -> Place:
            return found.get(user) or written.get(user, NOWHERE)

        for number in range(len(graph) - 1, -1, -1):
            op = graph.ops[number]
            if not self._needed[number] or number in machine.block_of or number in machine.sides or op in _STAYING:
                continue
            place = written[number]
            if place.block not in self._begun:
                continue
            if not rooted[number]:
                used = {use for user in self._users[number] for use in uses(machine, number, user, at, self._ends)}
                later = common(machine, used, self._ends)
                if later != NOWHERE and later.block in self._begun:
                    place = max(place, later, key=self._start)
            found[number] = place
        return found

    def _start(self, place: Place) -> tuple[int, int]:
        return self._machine.first[place.block] if place.block else 0, place.behind

    def _key(self, place: Place) -> int:
        return ~self._routines[place.block][place.behind - 1] if place.behind else place.block
