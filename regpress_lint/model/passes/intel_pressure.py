"""Which private arrays IGC leaves in memory because too much else is alive while they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.passes.intel_arrays import GRFS
from regpress_lint.model.passes.liveness import counts, lifetimes_in
from regpress_lint.model.passes.orders import as_written, rebuilt
from regpress_lint.model.passes.uniformity import analysed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.source.arrays import PrivateArray


# IGC takes one array after the other out of memory, as long as it, those before it that are used at the same time and
# the values alive between its first and its last use have no more than 90 registers of 8 lanes. It counts in the order
# of the program: of 16 floats and 65 values beside them the array has registers, beside 66 it has none
# (`test_intel_pressure.py`). Nothing of that depends on the lanes that it then compiles for.
_MOST = 90
_ADDRESS = 4  # of an access: an index and an address of 64 bits, which the graph makes in one step
_LANES = 8  # for which a value that all of them share is one
_WORD = 4


def without_room(machine: Machine, arrays: Iterable[PrivateArray]) -> frozenset[Variable]:
    """Those of the arrays that stay in memory; machine: an execution with all of them there."""
    values = analysed(machine)
    order = as_written(machine, values.needed, values.sunk)
    lifetimes = lifetimes_in(machine, order._replace(kept=rebuilt(machine, order.phis)))
    registers = [0 if machine.memory.spaces.get(at) == "private" else size for at, size in enumerate(values.registers)]
    apart, shared = counts(machine.graph, lifetimes, registers)
    places: dict[Variable, list[int]] = {}
    for number, access in machine.memory.accesses.items():
        if access.element is not None and number in lifetimes.places:
            places.setdefault(access.element.array, []).append(lifetimes.places[number])
    most = _MOST * machine.compiler.grfs // GRFS - _ADDRESS
    taken: list[tuple[int, int, int]] = []
    in_memory: set[Variable] = set()
    for array in arrays:
        if array.variable not in places:
            continue
        first, last, words = min(places[array.variable]), max(places[array.variable]), -(-(array.bytes or 0) // _WORD)
        alive = max(apart[place] + shared[place] // _LANES for place in range(first, last + 1))
        beside = sum(size for start, end, size in taken if start < last and end > first)
        if words + beside + alive > most:
            in_memory.add(array.variable)
        else:
            taken.append((first, last, words))
    return frozenset(in_memory)
