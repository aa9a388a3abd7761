"""Writes to private objects: parts by name, elements at constant indices, and at indices known at run time only."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Variable
from regpress_lint.model.graph.objects import (
    Dynamic,
    Either,
    ElementWrite,
    Memory,
    Parts,
    Path,
    Place,
    Value,
    View,
    flat,
    is_dynamic,
    lane_of,
)
from regpress_lint.model.graph.ops import ADDRESS, ELEMENT, WRITE_ELEMENT
from regpress_lint.model.graph.values import BOOL, POINTER, made_form
from regpress_lint.model.interpreter.array_pointers import element_of
from regpress_lint.model.interpreter.branches import chosen
from regpress_lint.model.interpreter.indexed_parts import extents, note_choice, note_index
from regpress_lint.model.interpreter.memory import store
from regpress_lint.model.interpreter.private_objects import (
    MAX_FILLED,
    frame,
    in_registers,
    initial_value,
    part,
    scalar,
    somewhere,
)

if TYPE_CHECKING:
    from regpress_lint.model.graph.values import Region
    from regpress_lint.model.interpreter.machine import Machine


def assign(machine: Machine, place: Place, value: Value) -> None:
    """Give a private object, or a part of it, a value."""
    variable, path = place.variable, place.path
    if place.__class__ is Either:
        _assign_either(machine, place, value)
        return
    if place.__class__ is View:
        machine.arrays.handed_on.add(variable)
        _assign_viewed(machine, place, value)
        return
    if variable.dims:
        _note_element(machine, variable, path, value)
    machine.graph.hold(variable, path, value)
    if not path:
        if not variable.dims or variable.storage == "parameter":  # a pointer to rows
            machine.variables[variable] = value.copy(machine.owner) if isinstance(value, Parts) else value
        return
    whole = machine.variables.get(variable)
    if whole is None:
        whole = initial_value(machine, variable)
    lanes = _lanes_of(machine, variable, whole, path)
    if whole.__class__ is Parts and lanes is None:  # most are
        if whole.owner is not machine.owner:
            whole = whole.copy(machine.owner)
    elif isinstance(whole, Memory):
        store(machine, whole.inside(path), value)
        return
    else:
        lane = lane_of(path[0]) if lanes is not None else None
        if lanes is not None and lane is not None:
            machine.variables[variable] = _with_lane(lanes, lane, scalar(machine, value))
            return
        whole = Parts(None, {(lane,): number for lane, number in enumerate(lanes or ())}, owner=machine.owner)
    machine.variables[variable] = whole
    if is_dynamic(path) or (variable.dims and not in_registers(machine, variable)):
        _dynamic_assign(machine, place, whole, value)
        return
    if not variable.dims and isinstance(value, int) and not in_registers(machine, variable):
        store(machine, Memory(frame(machine, variable), path, "private", None), value)  # and known to copies of it
    if path not in whole.parts and whole.parts and variable.type.struct:
        from regpress_lint.model.interpreter.reinterpret import written_over

        written_over(machine, place)
        now = machine.variables[variable]
        whole = now if isinstance(now, Parts) else whole
    _set(machine, whole, path, value)


def _note_element(machine: Machine, variable: Variable, path: Path, value: Value) -> None:
    """Note that an element, or a row, of a private array is written."""
    if len(path) < len(variable.dims):
        _remember(machine, variable, path, value)
        return
    machine.touch(variable, path)
    arrays = machine.arrays
    always = not (machine.guards or machine.region.depth or is_dynamic(path))
    arrays.pointed.written(machine.graph, variable, path, always=always)
    _remember(machine, variable, path, value)
    arrays.writes += 1
    arrays.last_write[variable] = arrays.writes
    note_write(machine, variable, path, value)


_MOST_TOGETHER = 64  # parts of an element


# What a read at the index finds that was written last needs no array: where all reads do, compilers drop it.


def _assign_either(machine: Machine, place: Either, value: Value) -> None:
    """Each of two objects keeps what it held or gets the value."""
    note_choice(machine, place, None, write=True)
    for side, is_then in ((place.then, True), (place.other, False)):
        before = part(machine, side, None)
        pair = (value, before) if is_then else (before, value)
        assign(machine, side, chosen(machine, place.condition, *pair))


def _remember(machine: Machine, variable: Variable, path: Path, value: Value) -> None:
    """Note which element of an array was written last, as the value of a variable of the execution's own: where
    branches meet, it is merged as others are, for an array that began with nothing: a branch that writes nothing then
    leaves a value that no program may read. Parts of one element, `v[i].x` and `v[i].y`, are noted together if no
    branch lies between them.
    """
    last, under = machine.known.elements.last, machine.known.elements.under
    if variable not in last:
        if not is_dynamic(path):
            return
        begun = variable.init is not None or variable in machine.arrays.last_write
        is_own = variable.storage == "local" and (machine.compiler.reads_back or not begun)
        last[variable] = Variable(variable.name, variable.type, variable.span, variable.declaration) if is_own else None
        if begun:
            machine.known.elements.begun.add(variable)
    if (noted := last[variable]) is not None:
        held, written = machine.variables.get(noted), {path: value}
        if isinstance(value, Parts):
            written = {(*path, *inner): one for inner, one in value.parts.items()} if value.origin is None else {}
        beside = held.parts if isinstance(held, Parts) and under.get(variable) == machine.under else {}
        if is_dynamic(path) and len(beside) < _MOST_TOGETHER:
            moving = moving_keys(path)
            written = {**{key: was for key, was in beside.items() if moving_keys(key) == moving}, **written}
        machine.variables[noted] = Parts(parts=written)
        under[variable] = machine.under


def moving_keys(path: Path) -> tuple[tuple[int, int], ...]:
    """The indices of a path that are known at run time only, each with its place."""
    return tuple((at, key.value) for at, key in enumerate(path) if isinstance(key, Dynamic))


def forget_last_written(machine: Machine) -> None:
    """In a loop that stays, and behind it, another iteration may have written another element."""
    if gone := set(machine.known.elements.last.values()) & machine.variables.keys():
        machine.variables = {variable: value for variable, value in machine.variables.items() if variable not in gone}


def note_write(machine: Machine, variable: Variable, path: Path, value: Value) -> None:
    """Note a write to an array, for a compiler that asks whether all threads write the same."""
    if machine.compiler.uniform_share == 1 or variable not in machine.arrays.declared_under:
        return
    indices = tuple(key.value for key in path if isinstance(key, Dynamic))
    under = machine.under[len(machine.arrays.declared_under[variable]) :]
    written = tuple(flat(value))
    values = (*written, *indices, *under)
    machine.tally.writes.append(ElementWrite(variable, values, machine.region, bool(indices), len(written)))


def note_exit(machine: Machine, region: Region) -> None:
    """Note that a loop may be left here, for such a compiler: what it does before that depends on it as well."""
    if machine.compiler.uniform_share > 1 and region.node is not None:
        machine.tally.exits.append((region, machine.under))


def _assign_viewed(machine: Machine, place: View, value: Value) -> None:
    """A write through a pointer of another type."""
    from regpress_lint.model.interpreter.reinterpret import bytes_of, write_bytes

    if machine.variables.get(place.variable) is None:
        machine.variables[place.variable] = initial_value(machine, place.variable)
    size = bytes_of(machine, place)
    if size is None or not write_bytes(machine, size, value):
        element = somewhere(machine, place)
        if element.path:
            assign(machine, element, scalar(machine, value))


def _lanes_of(machine: Machine, variable: Variable, whole: Value, path: Path) -> tuple[int, ...] | None:
    """The lanes of a vector, also of one without a value that is indexed; None for any other object."""
    if isinstance(whole, tuple):
        return whole
    type_ = variable.type
    if (
        type_.lanes <= 1
        or type_.pointers
        or type_.struct
        or variable.dims
        or len(path) != 1
        or isinstance(path[0], str)
    ):
        return None
    empty = isinstance(whole, Parts) and not whole.parts and whole.origin is None
    return (machine.undefined,) * type_.lanes if empty or whole == machine.undefined else None


def _with_lane(lanes: tuple[int, ...], lane: int, value: int) -> tuple[int, ...]:
    return (*lanes[:lane], value, *lanes[lane + 1 :]) if lane < len(lanes) else lanes


def _set(machine: Machine, whole: Parts, path: Path, value: Value) -> None:
    parts = whole.parts
    if isinstance(value, Parts):
        written = tuple(value.parts.items())  # of `a.b = a` they are the ones that change
        for key in [key for key in parts if key[: len(path)] == path]:
            del parts[key]
        parts.update((path + key, part_value) for key, part_value in written)
        return
    for shorter in range(len(path) - 1, 0, -1):
        outer = parts.get(path[:shorter])
        lane = lane_of(path[shorter])
        if isinstance(outer, tuple) and lane is not None:
            parts[path[:shorter]] = _with_lane(outer, lane, scalar(machine, value))
            return
    parts[path] = value


def _dynamic_assign(machine: Machine, place: Place, whole: Parts, value: Value) -> None:
    variable, path = place.variable, place.path
    note_index(machine, place, None, write=True)
    indices = tuple(key.value for key in path if isinstance(key, Dynamic))
    machine.tally.picks.append((variable, path))
    if not in_registers(machine, variable):
        fixed = tuple(key for key in path if not isinstance(key, Dynamic))
        pointer = made_form(1, POINTER)
        address = machine.graph.pure(ADDRESS, indices, pointer) if indices else frame(machine, variable)
        offset = (variable.name, fixed) if indices else path
        store(machine, Memory(address, offset, "private", None, None, element_of(machine, place)), value)
        return
    if len(whole.parts) < _beginning_elements(machine, variable):
        machine.arrays.begun_in_part.add(variable)
    written = machine.effect(WRITE_ELEMENT, (*indices, scalar(machine, value), *flat(whole)), BOOL)
    machine.known.elements.writes[written] = variable
    region = machine.loop_region()
    for key, element in whole.parts.items():
        if isinstance(element, int):
            form = machine.graph.form(element)
            changed = whole.parts[key] = machine.graph.add(ELEMENT, (written, element), form, region, divergent=True)
            if machine.compiler.uniform_share > 1:
                machine.graph.hold(variable, key, changed)


def _beginning_elements(machine: Machine, variable: Variable) -> int:
    """Elements of an array that have a value as it is declared where a loop fills it, see `Placement`; 0 for one that
    begins with others, or with none.
    """
    if variable.init is not None or variable.type.struct or variable.type.lanes > 1:
        return 0
    sizes = extents(machine, variable)
    return min(prod(sizes), MAX_FILLED) if sizes else 0
