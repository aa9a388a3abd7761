"""Arrays in memory of which nothing that is read matters: LLVM removes the reads, and then all writes to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import EFFECTS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Element
    from regpress_lint.model.interpreter.machine import Machine


def unread_arrays(machine: Machine) -> frozenset[Variable]:
    """Arrays that the execution left in memory, and from which no value comes that something with an effect needs."""
    arrays, graph = machine.arrays, machine.graph
    if machine.compiler.indexing != "vector" or not machine.tally.complete:
        return frozenset()
    unread = {variable for variable in arrays.in_memory if _may_go(machine, variable)}
    unread -= arrays.handed_on | arrays.pointed.by_bytes | arrays.pointed.walked
    arrays_of = {number: element.array for number, element in _that_count(machine)}
    needed = bytearray(len(graph))
    begin = [
        number for number, op in enumerate(graph.ops) if op.kind in EFFECTS and arrays_of.get(number) not in unread
    ]
    while begin and unread:
        graph.mark(begin, needed)
        read = {array for number, array in arrays_of.items() if needed[number] and array in unread}
        unread -= read
        begin = [number for number, array in arrays_of.items() if array in read]
    return frozenset(unread)


def _that_count(machine: Machine) -> Iterator[tuple[int, Element]]:
    """Writes to elements of arrays, and reads, except of an element that stays what it was in the beginning."""
    ops, accesses = machine.graph.ops, machine.memory.accesses
    elements = [(number, access.element) for number, access in accesses.items() if access.element is not None]
    written = {element for number, element in elements if ops[number].kind is Kind.STORE}
    moving = [element for element in written if element.indices is None]
    for number, element in elements:
        if element.indices is None or element in written or any(element.meets(other) for other in moving):
            yield number, element


def _may_go(machine: Machine, variable: Variable) -> bool:
    """True for an array that no other code sees."""
    array = machine.inputs.array_of(variable)
    known = array is not None and not (array.handed or array.escapes)
    return known and bool(variable.dims) and variable.volatile_span is None
