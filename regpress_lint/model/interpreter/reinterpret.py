"""Private objects by their bytes: vectors read through casts, unions, copies of constant size, braces without names.

An object is a list of leaves, scalars with an offset each. A read as another type uses the leaves at its offsets: the
same registers, or parts of them.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.objects import (
    Memory,
    Parts,
    Path,
    Place,
    Value,
    View,
    flat,
    index_paths,
    lane_of,
    same_path,
)
from regpress_lint.model.graph.ops import BITS, bits_from
from regpress_lint.model.interpreter import object_writes, private_objects
from regpress_lint.model.interpreter.indexed_parts import extents
from regpress_lint.model.interpreter.memory import load, store
from regpress_lint.model.interpreter.value_forms import form_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from regpress_lint.cpp.names.records import Part
    from regpress_lint.cpp.syntax_tree import Type, Variable
    from regpress_lint.model.graph.values import Form
    from regpress_lint.model.interpreter.machine import Machine


MAX_LEAVES = 256
_WIDEST = 4  # registers that one access moves


class Leaf(NamedTuple):
    """A scalar in an object: where it is in it, by path and by bytes."""

    path: Path
    offset: int
    type: Type

    @property
    def end(self) -> int:
        """Offset behind it."""
        return self.offset + (self.type.size or 0)


class Layout(NamedTuple):
    """The leaves of a type in order, and by the offsets at which they begin; not the latter where two overlap."""

    leaves: Sequence[Leaf]
    at: Mapping[int, Leaf]

    def meeting(self, start: int, end: int) -> Sequence[Leaf]:
        """The leaves that some bytes are in."""
        exact = self.at.get(start)
        if exact is not None and exact.end == end:
            return (exact,)
        return [leaf for leaf in self.leaves if leaf.offset < end and leaf.end > start]


def layout_of(machine: Machine, type_: Type, dims: Sequence[int] = (), written: Parts | None = None) -> Layout:
    """Scalars of a type, or of an array of it; none if one is not known or they are too many.

    A union has those of the member that `written` holds, else of the largest.
    """
    if written is not None and _has_union(machine, type_):
        return _laid_out(_leaves(machine, type_, tuple(dims), _named_below(written), (), 0))
    key = type_, tuple(dims)
    layout = machine.known.layouts.get(key)
    if layout is None:
        layout = machine.known.layouts[key] = _laid_out(_leaves(machine, *key, {}, (), 0))
    return layout


def _laid_out(scalars: Iterator[Leaf]) -> Layout:
    leaves = list(islice(scalars, MAX_LEAVES + 1))
    if len(leaves) > MAX_LEAVES or not all(leaf.type.size for leaf in leaves):
        return Layout((), {})
    ordered = sorted(leaves, key=lambda leaf: leaf.offset)
    apart = all(leaf.end <= following.offset for leaf, following in pairwise(ordered))
    return Layout(leaves, {leaf.offset: leaf for leaf in leaves} if apart else {})


def leaves_of(machine: Machine, type_: Type, dims: Sequence[int] = ()) -> Sequence[Leaf]:
    """`layout_of`, the leaves alone."""
    return layout_of(machine, type_, dims).leaves


def _named_below(written: Parts) -> dict[Path, set[str]]:
    """Written members by the path of their object: looked up for each union of an array."""
    names: dict[Path, set[str]] = {}
    for path in written.parts:
        for at, key in enumerate(path):
            if isinstance(key, str):
                names.setdefault(path[:at], set()).add(key)
    return names


def _leaves(
    machine: Machine, type_: Type, dims: tuple[int, ...], held: Mapping[Path, set[str]], path: Path, start: int
) -> Iterator[Leaf]:
    size = type_.size or 0
    if dims:
        for number, index in enumerate(index_paths(dims)):
            yield from _leaves(machine, type_, (), held, (*path, *index), start + number * size)
    elif type_.pointers or type_.reference or not (type_.struct or type_.lanes > 1):
        yield Leaf(path, start, type_)
    elif type_.lanes > 1 and not type_.struct:
        element = scalar_of(type_)
        for lane in range(type_.lanes):
            yield Leaf((*path, lane), start + lane * (element.size or 0), element)
    else:
        for part in parts_held(machine, type_, held.get(path, ())):
            yield from _leaves(machine, part.type, part.dims, held, (*path, part.name), start + part.offset)


def parts_held(machine: Machine, type_: Type, held: Collection[str] = ()) -> Sequence[Part]:
    """Members of a struct; of a union the one that was written, else the largest."""
    parts = machine.file.parts_of(type_.name) or ()
    if not is_union(parts):
        return parts
    largest = max(parts, key=lambda part: part.bytes)
    return [next((part for part in parts if part.name in held), largest)]


def is_union(parts: Sequence[Part]) -> bool:
    """Whether members overlap."""
    return len(parts) > 1 and all(part.offset == 0 for part in parts)


def scalar_of(type_: Type) -> Type:
    """Type of a vector's component."""
    size = (type_.size or 0) // type_.lanes
    return type_._replace(name="", size=size, lanes=1, struct=False)


# --------------------------------------------------------------------------------------------------------- places


def located_in(machine: Machine, type_: Type, dims: Sequence[int], path: Path) -> tuple[int, Type] | None:
    """Offset and type of a path's target; None if it is not known before the program runs."""
    offset, remaining = 0, list(dims)
    for key in path:
        if isinstance(key, int) and remaining:
            remaining.pop(0)
            step = type_.size or 0
            for extent in remaining:
                step *= extent
            offset += key * step
        elif type_.lanes > 1 and not type_.struct:
            lane = lane_of(key)
            if lane is None:
                return None
            type_ = scalar_of(type_)
            offset += lane * (type_.size or 0)
        else:
            parts = machine.file.parts_of(type_.name) or () if type_.struct and not type_.pointers else ()
            part = next((candidate for candidate in parts if candidate.name == key), None)
            if part is None:
                return None
            offset, type_, remaining = offset + part.offset, part.type, list(part.dims)
    return offset, type_


def viewed(machine: Machine, place: Place, type_: Type) -> Place:
    """A pointer to a private object as a pointer to another type; the same one if that type is there."""
    if not type_.size or type_.name in ("void", "auto"):
        return place
    if isinstance(place, View):
        return View(place.variable, place.path, type_, place.offset, place.steps)
    dims = extents(machine, place.variable)
    located = located_in(machine, place.variable.type, dims, place.path) if dims is not None else None
    if located is None or alike(located[1], type_):
        return place
    return View(place.variable, place.path, type_, located[0], ())


def alike(a: Type, b: Type) -> bool:
    """True for types whose values are the same registers."""
    if a.struct or b.struct:
        return a.name == b.name
    return a.size == b.size and a.lanes == b.lanes and a.pointers == b.pointers


class Bytes(NamedTuple):
    """A part of a private variable: `size` bytes from an offset on, seen as a type."""

    variable: Variable
    offset: int
    type: Type


def bytes_of(machine: Machine, place: Place) -> Bytes | None:
    """Where a place is in its variable; None where an index is not known."""
    if isinstance(place, View):
        steps, offset, type_ = place.steps, place.offset, place.type
        while steps and isinstance(steps[0], int):
            offset, steps = offset + steps[0] * (type_.size or 0), steps[1:]
        in_view = located_in(machine, type_, (), steps)
        return Bytes(place.variable, offset + in_view[0], in_view[1]) if in_view is not None else None
    dims = extents(machine, place.variable)
    located = located_in(machine, place.variable.type, dims, place.path) if dims is not None else None
    return Bytes(place.variable, *located) if located is not None else None


# -------------------------------------------------------------------------------------------------- reads and writes


def _held(machine: Machine, variable: Variable) -> Layout:
    whole = machine.variables.get(variable)
    dims = extents(machine, variable)
    if dims is None or isinstance(whole, Memory):
        return Layout((), {})
    return layout_of(machine, variable.type, dims, whole if isinstance(whole, Parts) else None)


def read_bytes(machine: Machine, place: Bytes) -> Value | None:
    """The content of a part of a private variable, as a value of a type; None if that is not known."""
    wanted, layout = leaves_of(machine, place.type), _held(machine, place.variable)
    if not wanted or not layout.leaves:
        return None
    values = [_piece(machine, place, leaf, layout) for leaf in wanted]
    return assembled(place.type, wanted, values)


def _piece(machine: Machine, place: Bytes, wanted: Leaf, layout: Layout) -> int:
    start, end = place.offset + wanted.offset, place.offset + wanted.end
    met = layout.meeting(start, end)
    form = form_of(wanted.type)
    if not met:
        return machine.undefined
    values = [
        private_objects.scalar(machine, private_objects.part(machine, Place(place.variable, leaf.path), leaf.type))
        for leaf in met
    ]
    if len(met) == 1 and (met[0].offset, met[0].end) == (start, end):
        return reinterpreted(machine, values[0], form)
    pieces = [value for value in values if value != machine.undefined]
    if not pieces:
        return machine.undefined
    return machine.graph.pure(bits_from(start - met[0].offset), tuple(pieces), form)


def reinterpreted(machine: Machine, value: int, form: Form) -> int:
    """The same bits as a value of another kind: no instruction."""
    graph = machine.graph
    if value == machine.undefined or graph.form(value) == form or graph.constants[value] == 0:
        return value
    if graph.ops[value] is BITS and graph.form(graph.args[value][0]) == form:
        return graph.args[value][0]
    bits = graph.pure(BITS, (value,), form)
    machine.memory.derived(value, bits)
    return bits


def assembled(type_: Type, leaves: Sequence[Leaf], values: Sequence[int]) -> Value:
    """Scalars as one value of a type."""
    if not (type_.struct or type_.lanes > 1) or type_.pointers:
        return values[0]
    return (
        tuple(values)
        if not type_.struct
        else Parts(None, {leaf.path: v for leaf, v in zip(leaves, values, strict=True)})
    )


def write_bytes(machine: Machine, place: Bytes, value: Value) -> bool:
    """Write a value over a part of a private variable; False if its content is unknown."""
    new, layout = layout_of(machine, place.type), _held(machine, place.variable)
    values = flat(value)
    if not new.leaves or not layout.leaves or len(values) not in (1, len(new.leaves)):
        return False
    values = values * len(new.leaves) if len(values) == 1 else values
    value_of = {leaf.path: v for leaf, v in zip(new.leaves, values, strict=True)}
    last = place.offset + max(leaf.end for leaf in new.leaves)
    for leaf in layout.leaves:
        if leaf.end <= place.offset or leaf.offset >= last:
            continue
        start, end = leaf.offset - place.offset, leaf.end - place.offset
        met = new.meeting(start, end)
        if not met:
            continue
        form = form_of(leaf.type)
        if len(met) == 1 and (met[0].offset, met[0].end) == (start, end):
            bits = reinterpreted(machine, value_of[met[0].path], form)
        else:
            bits = machine.graph.pure(bits_from(start - met[0].offset), tuple(value_of[one.path] for one in met), form)
        object_writes.assign(machine, Place(place.variable, leaf.path), bits)
    return True


def held_leaves(machine: Machine, place: Bytes, size: int) -> list[Leaf]:
    """Leaves of a private variable within some bytes from a place on."""
    end = place.offset + size
    return [leaf for leaf in _held(machine, place.variable).leaves if place.offset <= leaf.offset and leaf.end <= end]


def piece_of(machine: Machine, place: Bytes, offset: int, type_: Type) -> int:
    """The scalar some bytes after a place."""
    return _piece(machine, place, Leaf((), offset, type_), _held(machine, place.variable))


def read_memory(machine: Machine, memory: Memory, type_: Type, dims: Sequence[int] = ()) -> list[tuple[Leaf, int]]:
    """Scalars of an object in memory, one by one."""
    return [
        (leaf, load(machine, memory.inside(leaf.offset, leaf.type), form_of(leaf.type)))
        for leaf in leaves_of(machine, type_, dims)
    ]


def read_whole(machine: Machine, value: Parts, type_: Type | None) -> Parts:
    """An object of which parts have not been read yet, all of it: for a copy into an array, or to memory. The same one
    if its members are unknown, or too many.
    """
    leaves = leaves_of(machine, type_) if type_ is not None and type_.struct and not type_.pointers else []
    if not leaves:
        return value
    members = {leaf.path: private_objects.member(machine, value, leaf.path, leaf.type) for leaf in leaves}
    return Parts(None, members, machine.owner)


def write_memory(machine: Machine, memory: Memory, values: Sequence[int]) -> None:
    """Write registers one after the other, as many at once as one access moves."""
    offset = 0
    for start in range(0, len(values), _WIDEST):
        words = values[start : start + _WIDEST]
        parts: dict[Path, Value] = {(number,): value for number, value in enumerate(words)}
        store(machine, memory.inside(offset), Parts(None, parts))
        offset += 4 * sum(machine.graph.forms[value].width or 1 for value in words)


# --------------------------------------------------------------------------------------------------------- unions


def punned(machine: Machine, place: Place) -> Bytes | None:
    """The bytes of a place in a union of which another member was written last; None if there is none."""
    if not place.variable.type.struct or not isinstance(machine.variables.get(place.variable), Parts):
        return None
    if not _has_union(machine, place.variable.type):
        return None
    size = bytes_of(machine, place)
    if size is None:
        return None
    held = _held(machine, place.variable)
    same = any(same_path(leaf.path[: len(place.path)], place.path) for leaf in held.leaves)
    return size if held.leaves and not same else None


def _has_union(machine: Machine, type_: Type) -> bool:
    """True if there is a union in a type, which is looked for once."""
    unions, name = machine.known.unions, type_.name
    if name not in unions:
        unions[name] = _holds_union(machine, type_)
    return unions[name]


def _holds_union(machine: Machine, type_: Type, depth: int = 0) -> bool:
    parts = machine.file.parts_of(type_.name) or () if type_.struct and depth < _WIDEST else ()
    return is_union(parts) or any(_holds_union(machine, part.type, depth + 1) for part in parts if part.type.struct)


def written_over(machine: Machine, place: Place) -> None:
    """Before a member of a union is written: what another member holds becomes this one's."""
    punned_to = punned(machine, place)
    whole = machine.variables.get(place.variable)
    if punned_to is None or not isinstance(whole, Parts):
        return
    member = next((n for n in range(len(place.path)) if _is_member_of_union(machine, place, n)), None)
    if member is None:
        return
    prefix = place.path[: member + 1]
    outer = bytes_of(machine, Place(place.variable, prefix))
    dims = extents(machine, place.variable)
    if dims is None or outer is None:
        return
    parts = {path: value for path, value in whole.parts.items() if path[:member] != prefix[:member]}
    if (named := _named_member(machine, place.variable, dims, prefix)) is not None and whole.parts:
        for leaf in leaves_of(machine, named.type, named.dims):
            layout = _held(machine, place.variable)
            value = _piece(machine, outer, leaf, layout)
            if value != machine.undefined:
                parts[(*prefix, *leaf.path)] = value
    machine.variables[place.variable] = Parts(whole.origin, parts, machine.owner)


def _is_member_of_union(machine: Machine, place: Place, position: int) -> bool:
    dims = extents(machine, place.variable)
    located = located_in(machine, place.variable.type, dims, place.path[:position]) if dims is not None else None
    if located is None or not located[1].struct or not isinstance(place.path[position], str):
        return False
    return is_union(machine.file.parts_of(located[1].name) or ())


def _named_member(machine: Machine, variable: Variable, dims: Sequence[int], prefix: Path) -> Part | None:
    located = located_in(machine, variable.type, dims, prefix[:-1])
    parts = machine.file.parts_of(located[1].name) or () if located is not None else ()
    return next((part for part in parts if part.name == prefix[-1]), None)
