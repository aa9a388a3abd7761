"""Elements of an array in local memory that one of two paths leaves known: NVVM reads them at the end of the other path
(GVN's partial redundancies), so that all of them are in registers where the two meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import BRANCH, Kind
from regpress_lint.model.graph.values import Region

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Element, Path
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.uniformity import ValueFacts


_STORE = Kind.STORE
# Registers beside the elements, and elements that are in no others (`test_joined_reads.py`).
_BESIDE, _FEW = 8, 8


def joined_reads(machine: Machine, facts: ValueFacts) -> int:
    """The registers of a kernel that reads elements behind a branch, or a loop that may not run, which writes to the
    array at run-time indices, where they were known on one of the paths; 0 where they are few.
    """
    read = _Paths(machine, facts, machine.top).most
    return read + _BESIDE if read > _FEW else 0


class _Paths:
    """Elements of arrays along a body's items. known: those whose values are in registers, as they were written or
    read; lost: arrays of which something else was written. most: registers of those read behind one branch or loop, of
    the one with most, with those of the loops inside.
    """

    def __init__(self, machine: Machine, facts: ValueFacts, region: Region) -> None:
        self.known: dict[Variable, set[Path]] = {}
        self.lost: set[Variable] = set()
        self.most = 0
        self._machine, self._facts, self._region = machine, facts, region
        self._joined: dict[Variable, set[Path]] = {}
        self._read = 0
        self._branched = False
        self._side = -1  # the block of a branch in which an array was written
        for item in region.items:
            if isinstance(item, Region):
                self._loop(item)
            elif machine.graph.ops[item] is BRANCH:
                self._meet({}, branched=True)
            elif (access := machine.memory.accesses.get(item)) is not None and access.element is not None:
                self._access(item, access.element)

    def _meet(self, joined: dict[Variable, set[Path]], *, branched: bool) -> None:
        self._read, self._branched, self._joined, self._side = 0, branched, joined, -1

    def _loop(self, loop: Region) -> None:
        inside = _Paths(self._machine, self._facts, loop)
        self.most = max(self.most, inside.most)
        self.lost |= inside.lost
        before = {array: self.known.pop(array, set()) for array in inside.lost}
        under = self._branched and loop.copies == 1 and loop.guards > self._region.guards
        either = {array: indices | inside.known.get(array, set()) for array, indices in before.items()}
        met = (loop.skipped or under) and not self._raises_to_constants(loop)
        self._meet(either if met else {}, branched=False)

    def _raises_to_constants(self, loop: Region) -> bool:
        """Whether a loop calls `pow(x, 1.5)`: nvcc 13.0.88 then reads nothing ahead, as it does for `pow(x, y)` and for
        other functions.
        """
        graph = self._machine.graph
        return any(
            graph.homes[number] is loop
            and key.startswith("pow")
            and graph.args[number]
            and graph.constants[graph.args[number][-1]] is not None
            for number, (key, *_) in self._machine.routines.items()
        )

    def _access(self, number: int, element: Element) -> None:
        array, at, _ = element
        if self._machine.graph.ops[number].kind is not _STORE:
            joined = self._joined.get(array, set())
            if at is not None and at in joined and self._machine.block_of.get(number) != self._side:
                joined.discard(at)
                self._read += self._facts.registers[number]
                self.most = max(self.most, self._read)
        elif at is None:
            before = self.known.pop(array, set())
            self.lost.add(array)
            self._joined[array] = before if self._branched else set()
            self._side = self._machine.block_of.get(number, -1)
        else:
            self._branched = False
            self._joined.get(array, set()).discard(at)
        if at is not None:
            self.known.setdefault(array, set()).add(at)
