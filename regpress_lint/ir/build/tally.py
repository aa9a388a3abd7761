"""Counts and notes of one symbolic execution."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.ir.loop_note import LoopNote
    from regpress_lint.ir.objects import ElementNote, Indexed


class TooManyOperationsError(Exception):
    """More than `Tally.limit` were executed."""


class Tally:
    """Counts of executed operations that did not fold away, and notes for the later passes.

    size: instructions as compilers count them to decide about loops, see `codegen.Unrolling`; limit: of it, while it is
    tried whether copies of a loop are few enough. services: key and variadic arguments. elements: accesses to private
    arrays, each time that one is executed. plans: what became of each loop, copy by copy of the loops around it.
    unknowns: what could not be modelled. extents: elements of arrays, by name and place, that only the executed call
    settles.
    """

    def __init__(self) -> None:
        self.operations = self.size = self.unresolved = self.loops_kept = 0
        self.limit: int | None = None
        self.complete = True
        self.plans: list[LoopNote] = []
        self.elements: list[ElementNote] = []
        self.libraries: list[str] = []
        self.services: list[tuple[str, int]] = []
        self.indexed: list[Indexed] = []
        self.picks: list[tuple[Variable, tuple[int, ...]]] = []
        self.unknowns: list[Unknown] = []
        self.extents: dict[tuple[str, int], int] = {}

    def check(self) -> None:
        """Raises TooManyOperationsError behind the limit of a trial."""
        if self.limit is not None and self.size > self.limit:
            raise TooManyOperationsError
