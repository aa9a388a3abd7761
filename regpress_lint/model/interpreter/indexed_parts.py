"""Indices known only at run time into private objects of which the arrays of the source say nothing."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import array_elements
from regpress_lint.model.graph.objects import Dynamic, Either, Indexed, Parts, Place, is_dynamic
from regpress_lint.model.graph.ops import ADD, CONVERT, MULTIPLY, SUBTRACT

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Type, Variable
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine


_WORD = 4  # bytes


def extents(machine: Machine, variable: Variable) -> tuple[int, ...] | None:
    """Extents of an array, none of another variable; None if one is not known."""
    shape = machine.read_once.extents.get(variable)
    if shape is None:
        sizes = [machine.known_int(size) for size in variable.dims]
        settled = tuple(size for size in sizes if size is not None and size > 0)
        shape = settled if len(settled) == len(sizes) else None
        if shape is not None and all(size is None or machine.read_once.numbers[size] for size in variable.dims):
            machine.read_once.extents[variable] = shape  # else the executed call says them
    return shape


def note_index(machine: Machine, place: Place, type_: Type | None, *, write: bool, beside: int = 0) -> None:
    """Remember a run-time index into an object of which the arrays of the source say nothing."""
    variable = place.variable
    if machine.inputs.array_of(variable) is not None or not is_dynamic(place.path):
        return
    if variable.type.lanes > 1 and not variable.dims:  # a lane of a vector, which is no object in memory
        return
    if all(_is_free(machine.graph, key.value) for key in place.path if isinstance(key, Dynamic)):
        return
    size, elements = variable.type.size, array_elements(variable, machine.environment)
    if elements is None and (sizes := extents(machine, variable)) is not None:  # by the call that is executed
        elements = prod(sizes)
    bytes_ = size * elements if size is not None and elements is not None else None
    if bytes_ is None and variable.storage == "local":
        from regpress_lint.model.interpreter.open_sizes import note_open_size

        note_open_size(machine, variable)
    path = tuple("*" if isinstance(key, Dynamic) else key for key in place.path)
    alone = None if variable.dims else _element_of_all(machine, variable.type)
    loops = machine.region.depth
    words = _is_words(machine, variable.type)
    held = machine.variables.get(variable)
    copied = variable.storage == "parameter" and isinstance(held, Parts) and held.origin is None and bool(held.parts)
    access = Indexed(variable, bytes_, path, type_, write, loops, alone, words, copied=copied, beside=beside)
    machine.note_indexed(access, place.path)


def _is_free(graph: Graph, value: int) -> bool:
    """True for an index that rests on names alone that nothing visible defines, of templates and headers: it is a
    constant most likely, as for arrays (`Executions.is_guessed`).
    """
    if graph.ops[value] in (ADD, SUBTRACT, MULTIPLY, CONVERT):
        open_ = [arg for arg in graph.args[value] if graph.constants[arg] is None]
        return bool(open_) and all(_is_free(graph, arg) for arg in open_)
    key = graph.sources.get(value)
    return isinstance(key, tuple) and key[0] == "free"


def note_choice(machine: Machine, place: Either, type_: Type | None, *, write: bool) -> None:
    """Remember an element of an array inside of one object or another: nvcc leaves both in memory, as if the element
    was known at run time only, and not two arrays, or two objects without one.
    """
    if machine.compiler.indexing != "select" or (type_ is not None and type_.decayed):
        return
    sides = {side.variable: side for side in (place.other, place.then)}
    for side in sides.values():
        first = next((at for at, key in enumerate(side.path) if isinstance(key, str)), None)
        if first is None or not any(isinstance(key, int) for key in side.path[first:]):
            continue
        keys = (Dynamic(place.condition) if isinstance(key, int) else key for key in side.path)
        beside = sum(variable.type.size or 0 for variable in sides if variable is not side.variable)
        note_index(machine, Place(side.variable, tuple(keys)), type_, write=write, beside=beside)


def _is_words(machine: Machine, type_: Type) -> bool:
    """True for an object that is nothing but numbers of 32 bits, as far as its parts are known."""
    if type_.pointers:
        return False
    if type_.lanes > 1 or not type_.struct:
        return type_.size is None or type_.size == _WORD * type_.lanes
    return all(_is_words(machine, part.type) for part in machine.file.parts_of(type_.name) or ())


def _element_of_all(machine: Machine, type_: Type) -> int | None:
    """Bytes of an element of the one array that is all that a struct has, as `std::array` has; None for others."""
    while type_.struct and not type_.pointers and type_.lanes <= 1:
        parts = machine.file.parts_of(type_.name) or ()
        if len(parts) != 1 or parts[0].bytes != type_.size:
            return None
        if parts[0].dims and not parts[0].type.struct:
            return parts[0].type.size
        type_ = parts[0].type
    return None
