"""Registers of library calls and divisions that a kernel makes more than once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import Kind
from regpress_lint.targets.costs import COSTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.targets.costs import Cost

_ENDED = Kind.ENDED
_SAME = {"sincos:d": "sin:d", "tan:d": "sin:d"}  # reduce their argument alike, with the same constants
_LENGTH = 8  # operations of a division or square root that wait for one another, about


def settle_routines(machine: Machine, needed: Sequence[int]) -> None:
    """Where a block calls a routine several times, its constants wait in scalar registers: each call takes fewer
    registers than a single one. clang for AMD puts literals that a block uses once into vector registers, and those of
    one call in a loop stay there all through it. For a routine that branches, its first parts are counted, in a loop.
    """
    table, graph = COSTS[machine.vendor], machine.graph
    calls = {number: (_SAME.get(key, key), where) for number, (key, where) in machine.routines.items()}
    counts = Counter(call for number, call in calls.items() if needed[number] and graph.ops[number].kind is not _ENDED)
    for number, call in calls.items():
        if (several := table[machine.routines[number][0]].several) is not None and counts[call] > 1:
            graph.extra[number] = several


def side_by_side(machine: Machine, levels: Mapping[int, int]) -> dict[int, int]:
    """Registers of routines that are worked on at the same time as others, those of the others included.

    levels: values of one block with the length of the longest chain that leads to each. Routines overlap that begin
    before another one ends; one that needs the other's result begins behind its end.
    """
    calls = sorted((levels[number], number, cost.beside) for number, cost in _costs(machine, levels) if cost.beside)
    waiting: dict[int, int] = {}
    first = total = 0
    for level, number, beside in calls:
        total += beside
        while calls[first][0] <= level - _LENGTH:
            total -= calls[first][2]
            first += 1
        waiting[number] = machine.graph.extra[number] + total - beside
    return waiting


def lengths(machine: Machine, values: Iterable[int]) -> dict[int, int]:
    """Length of the chain that each routine among some values is by itself."""
    return {number: _LENGTH for number, cost in _costs(machine, values) if cost.beside}


def _costs(machine: Machine, values: Iterable[int]) -> Iterable[tuple[int, Cost]]:
    table, calls = COSTS[machine.vendor], machine.routines
    return ((number, table[calls[number][0]]) for number in (values if calls else ()) if number in calls)
