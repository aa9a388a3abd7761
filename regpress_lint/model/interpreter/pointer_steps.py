"""Steps of pointers into private objects: to other elements of an array, lanes of a vector, members of a struct."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.objects import Dynamic, Either, Path, Place, View
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.indexed_parts import extents
from regpress_lint.model.interpreter.reinterpret import is_union, located_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.names.records import Part
    from regpress_lint.cpp.syntax_tree import Type
    from regpress_lint.model.interpreter.machine import Machine


def moved(machine: Machine, place: Place, op: str, distance: int) -> Place:
    """A pointer to an element of a private array, some elements on; the last one of a row is in front of the next."""
    if isinstance(place, Either):
        return Either(place.condition, *(moved(machine, side, op, distance) for side in (place.then, place.other)))
    graph, last = machine.graph, place.path[-1]
    if isinstance(last, str):
        return beside(machine, place, op, distance) or place
    first, sizes = array_of(machine, place)
    at = position_in(machine, place) if len(sizes) > 1 else None
    if at is None:
        at = last.value if isinstance(last, Dynamic) else graph.constant(int(last))
    if len(sizes) < 2 and not first:
        machine.arrays.pointed.stepped(graph, place.variable, last, distance)
    index = arithmetic.binary(graph, op, at, distance)
    constant = graph.constants[index]
    if len(sizes) < 2 or constant is None:
        return Place(place.variable, (*place.path[:-1], int(constant) if constant is not None else Dynamic(index)))
    return Place(place.variable, (*place.path[:first], *_unravelled(int(constant), sizes)))


def array_of(machine: Machine, place: Place) -> tuple[int, tuple[int, ...]]:
    """The array that a pointer leads into: how many keys of its path lead to the array, none to a variable of its own,
    and the extents; no extents where it is not known, or none.
    """
    first, part = _member(machine, place)
    if part is None:
        return (len(place.path), ()) if first else (0, extents(machine, place.variable) or ())
    return first, part.dims


def _member(machine: Machine, place: Place) -> tuple[int, Part | None]:
    """How many keys of a path lead to the last member that it names, and that member; no member where it names none, or
    one that is not known.
    """
    part, first = None, 0
    type_ = place.variable.type
    for position, key in enumerate(place.path):
        if isinstance(key, str):
            parts = None if type_.pointers else machine.file.parts_of(type_.name)
            part, first = next((candidate for candidate in parts or () if candidate.name == key), None), position + 1
            if part is None:
                break
            type_ = part.type
    return first, part


def is_element(machine: Machine, place: Place) -> bool:
    """Whether a pointer points to an element of an array that is a member of a private object."""
    if not place.path or isinstance(place.path[-1], str) or isinstance(place, View):
        return False
    first, sizes = array_of(machine, place)
    return first > 0 and len(place.path) - first == len(sizes)


def is_pointer_in_member(machine: Machine, place: Place) -> bool:
    """Whether a place is an element of a member that is an array of pointers, whatever names it."""
    part = _member(machine, place)[1]
    return part is not None and part.type.pointers > 0 and len(part.dims) > 0 and is_element(machine, place)


def within(machine: Machine, place: Place) -> Place:
    """The element that an index behind the end of a row means: `p[9]` of `float* p = tile[0]` with rows of eight."""
    dims = place.variable.dims
    if len(dims) < 2 or len(place.path) != len(dims) or isinstance(place, View):
        return place
    last = place.path[-1]
    if not isinstance(last, int):
        return place
    sizes = extents(machine, place.variable) or ()
    if not sizes or 0 <= last < sizes[-1]:
        return place
    at = position_in(machine, place)
    constant = machine.graph.constants[at] if at is not None else None
    return Place(place.variable, _unravelled(int(constant), sizes)) if constant is not None else place


def _unravelled(position: int, sizes: Sequence[int]) -> Path:
    path: list[int] = []
    for size in reversed(sizes[1:]):
        position, at = divmod(position, size)
        path.insert(0, at)
    return (position, *path)


def position_in(machine: Machine, place: Place) -> int | None:
    """The number of the element that a pointer into a private array points to; None if it points to a part of one."""
    graph, (first, sizes) = machine.graph, array_of(machine, place)
    path = place.path[first:] or (0,) * len(sizes)
    if isinstance(place, View) or not sizes or len(path) != len(sizes):
        return None
    total = graph.constant(0)
    for key, size in zip(path, sizes, strict=True):
        if isinstance(key, str):
            return None
        at = key.value if isinstance(key, Dynamic) else graph.constant(key)
        total = arithmetic.binary(graph, "+", arithmetic.binary(graph, "*", total, graph.constant(size)), at)
    return total


def beside(machine: Machine, place: Place, op: str, distance: int) -> Place | None:
    """What a pointer to a lane of a vector, or to a number in a struct of such numbers, points to some places on:
    `(&v.x)[2]`; None for other pointers, and outside of the object.
    """
    dims = extents(machine, place.variable)
    if place.__class__ is not Place or dims is None:
        return None
    container = located_in(machine, place.variable.type, dims, place.path[:-1])
    if container is None or container[1].pointers:
        return None
    graph, type_, last = machine.graph, container[1], place.path[-1]
    keys = [*_NAMES[: type_.lanes]] if type_.lanes > 1 and not type_.struct else _numbers_in(machine, type_)
    if last not in keys:
        return None
    index = arithmetic.binary(graph, op, graph.constant(keys.index(str(last))), distance)
    constant = graph.constants[index]
    if constant is None:
        return Place(place.variable, (*place.path[:-1], Dynamic(index))) if type_.lanes > 1 else None
    return Place(place.variable, (*place.path[:-1], keys[int(constant)])) if 0 <= constant < len(keys) else None


_NAMES = "xyzw"  # of the lanes of a vector


def _numbers_in(machine: Machine, type_: Type) -> list[str]:
    """The members of a struct of numbers of one type, by name; none of another."""
    parts = machine.file.parts_of(type_.name) or () if type_.struct else ()
    alike = all(not part.dims and not part.type.struct and part.type == parts[0].type for part in parts)
    return [part.name for part in parts] if alike and not is_union(parts) else []
