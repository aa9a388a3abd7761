"""Variables and their parts: reads of private objects, arrays that stay in registers and that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Variable
from regpress_lint.model.graph.objects import (
    Dynamic,
    Either,
    Memory,
    Parts,
    Path,
    Place,
    Value,
    View,
    flat,
    is_dynamic,
    lane_of,
    same_path,
)
from regpress_lint.model.graph.ops import ADDRESS, CONVERT, DIVIDE, SELECT_ELEMENT
from regpress_lint.model.graph.values import FLOAT, POINTER, SIGNED, Form, made_form
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.array_pointers import element_of
from regpress_lint.model.interpreter.branches import chosen
from regpress_lint.model.interpreter.indexed_parts import extents, note_choice, note_index
from regpress_lint.model.interpreter.memory import load, read
from regpress_lint.model.interpreter.picked_constants import argument_part, is_as_given, same_everywhere, with_literals
from regpress_lint.model.interpreter.value_forms import form_of, is_object, lane_forms

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Type
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine


_IN_MEMORY = frozenset(("shared", "constant", "global", "static"))
_WHOLE_STRUCT = 8
# Elements that an initialiser sets to zero, one by one: no thread has registers for more.
MAX_FILLED = 512
_SINGLE = made_form(1, FLOAT)
_LARGEST_SINGLE = 3e38


def scalar(machine: Machine, value: Value) -> int:
    """One value for an object of several: its first component, or the address of a private object."""
    if isinstance(value, int):
        return value
    if isinstance(value, Memory):
        return scalar(machine, read(machine, value))
    if isinstance(value, Place):
        return machine.graph.source(("frame", value.variable), made_form(1, POINTER))
    if isinstance(value, Parts) and not value.parts and value.origin is not None:
        return _origin(machine, value, (), None, made_form(1, FLOAT))
    values = flat(value)
    return values[0] if values else machine.undefined


def coerced(machine: Machine, value: Value, type_: Type | None) -> Value:
    """A value as a variable of a type holds it."""
    if value.__class__ is int and type_ is not None and type_.lanes == 1:  # most are of this kind, or what they hold
        return _coerced_number(machine, value, type_)
    if isinstance(value, Memory):
        value = read(machine, value)
    if type_ is None or isinstance(value, Parts) or not isinstance(value, (int, tuple)):
        return value
    if type_.struct or type_.pointers or type_.size is None:
        return value
    if type_.lanes > 1:
        forms = lane_forms(type_)
        lanes = value if isinstance(value, tuple) else (value,) * type_.lanes
        return tuple(arithmetic.convert(machine.graph, lane, form) for lane, form in zip(lanes, forms, strict=False))
    return _coerced_number(machine, scalar(machine, value), type_)


def _coerced_number(machine: Machine, number: int, type_: Type) -> int:
    if type_.struct or type_.pointers or type_.size is None or number == machine.undefined:
        return number
    graph, form = machine.graph, form_of(type_)
    if form == _SINGLE and graph.ops[number] is DIVIDE:
        number = _single_division(machine, number)
    if graph.forms[number] is not form or graph.constants[number] is not None:
        number = arithmetic.resigned(graph, arithmetic.convert(graph, number, form), form)
    if type_.size < 4 and not type_.floating:
        return arithmetic.narrowed(graph, number, type_.size, signed=type_.signed)
    return number


def _single_division(machine: Machine, number: int) -> int:
    """A quotient that is made a `float` at once, `float y = 1.0 / x`: LLVM divides in single precision where both sides
    are such numbers. nvcc 13.0.88 takes 14 registers for it, as for `1.0f / x`, and 22 in double precision.
    """
    graph = machine.graph
    sides = [_single(graph, side) for side in graph.args[number]]
    key = machine.routines.get(number)
    if None in sides or key is None or key[1] != machine.block:
        return number
    if any(number in args for args in graph.args[number + 1 :]):  # it is used in double precision as well
        return number
    from regpress_lint.model.interpreter.operators import binary

    del machine.routines[number]
    libraries = machine.tally.libraries
    del libraries[len(libraries) - 1 - libraries[::-1].index(key[0])]
    a, b = (side for side in sides if side is not None)
    return binary(machine, "/", a, b)


def _single(graph: Graph, number: int) -> int | None:
    """A double that is a `float`, as that one."""
    if (constant := graph.constants[number]) is not None:
        return (
            graph.constant(constant, _SINGLE)
            if abs(constant) <= _LARGEST_SINGLE and arithmetic.single(constant) == constant
            else None
        )
    if graph.ops[number] is not CONVERT or graph.forms[number].width == 1:
        return None
    (whole,) = graph.args[number]
    return whole if graph.forms[whole] == _SINGLE else None


def home_of(machine: Machine, variable: Variable) -> Memory:
    """The memory of a variable that is not a private object: LDS, constant or global memory."""
    graph = machine.graph
    if variable.storage == "shared":
        base = graph.source(("lds", variable), made_form(0, POINTER))
        machine.memory.spaces[base] = "shared"
    else:
        base = graph.source(("global", variable), made_form(machine.compiler.pointer_registers, POINTER))
        machine.memory.spaces[base] = "constant" if variable.storage == "constant" or variable.type.const else "global"
    return Memory(base, 0, machine.memory.spaces[base], variable.type)


def variable_value(machine: Machine, variable: Variable) -> Value:
    """The value of a variable; an array's name is a pointer to it."""
    value = machine.variables.get(variable)
    if value is None:
        value = machine.variables[variable] = initial_value(machine, variable)
    if type(value) is int:
        return value
    if isinstance(value, Memory):
        return read(machine, value)
    if isinstance(value, Place) and (variable.type.reference or variable in machine.references):
        if variable.dims or variable.bounds:  # `auto& row = m[i]` and `T (&v)[N]` are pointers to elements
            return value
        return part(machine, value, variable.type)
    if isinstance(value, Parts):
        if variable.dims:
            return Place(variable)
        if variable.type.lanes > 1 and not variable.type.pointers:
            return _part(machine, value, (), variable.type)
    return value


def initial_value(machine: Machine, variable: Variable) -> Value:
    """A variable that nothing was assigned to: an argument, something in memory, a constant."""
    type_, storage, graph = variable.type, variable.storage, machine.graph
    registers = machine.compiler.pointer_registers
    if storage in _IN_MEMORY:
        return _in_memory(machine, variable)
    if storage in ("parameter", "capture"):
        if variable.dims or type_.pointers or (type_.size is None and (type_.reference or type_.restrict)):
            base = graph.source(("argument", variable), made_form(registers, POINTER))
            if type_.restrict:
                machine.memory.roots[base] = base
                if type_.pointee_const:
                    machine.memory.read_only.add(base)
            return base
        if is_object(type_):
            return Parts(variable)
        return graph.source(("argument", variable), form_of(type_), held=machine.compiler.scalar_registers)
    if storage == "member":
        return graph.source(("argument", variable), made_form(registers, POINTER if type_.pointers else SIGNED))
    if variable.init is not None and (type_.const or storage == "constexpr") and not variable.dims:
        number = evaluate(variable.init, machine.environment)
        if number is not None:
            return graph.constant(number, form_of(type_))
    return Parts(owner=machine.owner) if variable.dims or is_object(type_) else machine.undefined


def _in_memory(machine: Machine, variable: Variable) -> Value:
    type_ = variable.type
    fixed = variable.storage != "shared" and (type_.const or variable.storage == "static")
    if fixed and variable.init is not None and not variable.dims and not type_.pointers:
        number = evaluate(variable.init, machine.environment)
        if number is not None:
            return machine.graph.constant(number, form_of(type_))
    memory = home_of(machine, variable)
    if variable.dims or (is_object(type_) and variable.storage == "shared"):
        return memory.address
    # Reads of a scalar in memory are made where it is used: the variable itself stays a place in memory.
    return memory


# ------------------------------------------------------------------------------------------------------------ parts


def part(machine: Machine, place: Place, type_: Type | None) -> Value:
    """The value of a part of a private object."""
    variable, path = place.variable, place.path
    value = machine.variables.get(variable)
    if value is None:
        value = machine.variables[variable] = initial_value(machine, variable)
    if place.__class__ is not Place:
        return (
            _part_of_choice(machine, place, type_) if isinstance(place, Either) else _viewed_part(machine, place, type_)
        )
    if isinstance(value, Memory):
        value = read(machine, value)
    if not path:
        return place if isinstance(value, Parts) and variable.dims else value
    if type_ is not None and type_.decayed and isinstance(value, Parts):
        return place
    moving = is_dynamic(path)
    if moving and (written := _last_written(machine, variable, path)) is not None:
        return written
    if variable.dims and len(path) >= len(variable.dims):
        _touch(machine, variable, value, path)
    if moving:
        return _dynamic_part(machine, place, value, type_)
    if isinstance(value, Parts):
        if variable.dims and len(path) < len(variable.dims):
            return place
        if _is_in_frame(machine, variable, type_):
            where = Memory(frame(machine, variable), path, "private", type_, None, element_of(machine, place))
            return load(machine, where, form_of(type_))
        if path not in value.parts and (elsewhere := _in_union(machine, place)) is not None:
            return elsewhere
        if value.origin is not None and value.owner is not machine.owner and path not in value.parts:
            value = machine.variables[variable] = value.copy(machine.owner)
        value_of_part = _part(machine, value, path, type_)
        if value.origin is not None:
            machine.graph.hold(variable, path, value_of_part)
        return value_of_part
    return _component(value, path) if isinstance(value, tuple) else value


def _part_of_choice(machine: Machine, place: Either, type_: Type | None) -> Value:
    note_choice(machine, place, type_, write=False)
    return chosen(machine, place.condition, part(machine, place.then, type_), part(machine, place.other, type_))


def _touch(machine: Machine, variable: Variable, value: Value, path: Path) -> None:
    """A read of an element. One that finds what was written in front of all writes at indices known at run time only
    needs no array.
    """
    early = not is_dynamic(path) and not machine.region.depth and variable not in machine.known.elements.last
    finds = early and _is_held(value, path)
    machine.touch(variable, path, noted=not finds)
    if not finds:
        machine.known.elements.read.add(variable)


def _is_held(value: Value, path: Path) -> bool:
    return isinstance(value, Parts) and (path in value.parts or any(key[: len(path)] == path for key in value.parts))


def _is_in_frame(machine: Machine, variable: Variable, type_: Type | None) -> bool:
    """True for an element of an array in memory, and for a number in an object that is there."""
    if in_registers(machine, variable):
        return False
    if variable.dims:
        return not _is_table(machine, variable)
    return type_ is not None and type_.lanes == 1 and not (type_.decayed or (type_.struct and not type_.pointers))


def _in_union(machine: Machine, place: Place) -> Value | None:
    """The value of a union's member if another one was written."""
    from regpress_lint.model.interpreter.reinterpret import punned, read_bytes

    punned_to = punned(machine, place)
    return read_bytes(machine, punned_to) if punned_to is not None else None


def _viewed_part(machine: Machine, place: Place, type_: Type | None) -> Value:
    """The value that a pointer of another type reads."""
    assert isinstance(place, View)
    if type_ is not None and type_.decayed:
        return place
    machine.arrays.handed_on.add(place.variable)
    from regpress_lint.model.interpreter.reinterpret import bytes_of, read_bytes

    size = bytes_of(machine, place)
    value = read_bytes(machine, size) if size is not None else None
    if value is not None:
        return value
    return part(machine, somewhere(machine, place), place.type)


def somewhere(machine: Machine, place: View) -> Place:
    """The object that such a pointer points into, at an index that is not known."""
    index = next((key for key in place.steps if isinstance(key, Dynamic)), Dynamic(machine.undefined))
    return Place(place.variable, (index,) * len(place.variable.dims))


def member(machine: Machine, whole: Parts, path: Path, type_: Type | None) -> Value:
    """Part of a struct that is no variable: a function's result."""
    return _part(machine, whole, path, type_)


def _part(machine: Machine, whole: Parts, path: Path, type_: Type | None) -> Value:
    if (value := whole.parts.get(path)) is not None:
        return value
    length = len(path)
    inner = {key[length:]: value for key, value in whole.parts.items() if len(key) > length and key[:length] == path}
    if inner:
        return Parts(whole.origin if not path else None, inner)
    for shorter in range(length - 1, -1, -1):
        if (outer := whole.parts.get(path[:shorter])) is not None:
            below = path[shorter:]  # of an object in memory that braces have as a whole as well
            return _part(machine, outer, below, type_) if isinstance(outer, Parts) else _component(outer, below)
    if path and isinstance(path[-1], int):  # a lane by its number that was written by its name
        named = (value for key, value in whole.parts.items() if len(key) == length and same_path(key, path))
        if (value := next(named, None)) is not None:
            return value
    if whole.origin is None:
        return machine.undefined
    return _from_origin(machine, whole, path, type_)


def _from_origin(machine: Machine, whole: Parts, path: Path, type_: Type | None) -> Value:
    if type_ is not None and not type_.pointers:
        if type_.lanes > 1:
            forms = enumerate(lane_forms(type_))
            lanes = tuple(_origin(machine, whole, (*path, lane), type_, form) for lane, form in forms)
            return _filled(machine, whole, path, lanes)
        if type_.struct and (type_.size is None or type_.size > _WHOLE_STRUCT) and isinstance(whole.origin, Memory):
            return Parts(whole.origin.inside(path))
    return _filled(machine, whole, path, _origin(machine, whole, path, type_, form_of(type_)))


def _filled(machine: Machine, whole: Parts, path: Path, value: Value) -> Value:
    """Keep what was read, in all states that share the object; `Machine.rewind` takes it out again."""
    whole.parts[path] = value
    machine.filled.append((whole.parts, path))
    return value


def _origin(machine: Machine, whole: Parts, path: Path, type_: Type | None, form: Form) -> int:
    origin = whole.origin
    if isinstance(origin, Memory):
        return load(machine, origin.inside(path), form)
    assert isinstance(origin, Variable)
    kind = POINTER if type_ is not None and type_.pointers else form.kind
    held = machine.compiler.scalar_registers
    return machine.graph.source(("argument", origin, path), made_form(form.width, kind), held=held)


def _component(value: Value, path: Path) -> Value:
    if isinstance(value, tuple) and path:
        lane = lane_of(path[0])
        if lane is None or not value:
            return value
        return value[min(lane, len(value) - 1)]
    return value


def in_registers(machine: Machine, variable: Variable) -> bool:
    """True if the compiler keeps a private array in registers."""
    return variable not in machine.arrays.in_memory


def _is_table(machine: Machine, variable: Variable) -> bool:
    array = machine.inputs.array_of(variable)
    return array is not None and array.table


def frame(machine: Machine, variable: Variable) -> int:
    """Address of an array in scratch."""
    return machine.graph.source(("frame", variable), made_form(0, POINTER))


def _dynamic_part(machine: Machine, place: Place, value: Value, type_: Type | None) -> Value:
    """An element at an index that is known at run time: selects over all elements, or a read of scratch."""
    variable, path = place.variable, place.path
    note_index(machine, place, type_, write=False)
    indices = tuple(key.value for key in path if isinstance(key, Dynamic))
    machine.tally.picks.append((variable, path))
    form = form_of(type_)
    if in_registers(machine, variable):
        sizes = extents(machine, variable)
        if sizes and (same := same_everywhere(machine, variable, value, sizes[0])) is not None:
            return same
        if machine.compiler.scalar_registers and variable.storage == "parameter" and is_as_given(machine, value):
            return argument_part(machine, variable, path, type_)
        has_registers = not _is_table(machine, variable)  # else the program has it
        picked = with_literals(machine, variable, indices, value) if has_registers else flat(value)
        return _noted(machine, machine.effect(SELECT_ELEMENT, (*indices, *picked), form, divergent=True))
    address = machine.graph.pure(ADDRESS, indices, made_form(1, POINTER))
    fixed = tuple(key for key in path if not isinstance(key, Dynamic))
    where = Memory(address, (variable.name, fixed), "private", type_, None, element_of(machine, place))
    return _noted(machine, load(machine, where, form))


def _noted(machine: Machine, value: int) -> int:
    """The value of an element at a run-time index, which is kept in mind."""
    pointed = machine.arrays.pointed
    if pointed.reading is not None and pointed.reading.moving:
        pointed.reads[value] = pointed.reading
    return value


def _last_written(machine: Machine, variable: Variable, path: Path) -> Value | None:
    """The value of an element of an array, if it is the one that was written last on every way to here."""
    noted = machine.known.elements.last.get(variable)
    held = machine.variables.get(noted) if noted is not None else None
    if not isinstance(held, Parts) or variable in machine.arrays.handed_on:
        return None
    elements = machine.known.elements
    if (len(held.parts) != 1 or variable in elements.begun) and elements.under.get(variable) != machine.under:
        return None
    value = held.parts.get(path)
    return value if isinstance(value, (int, tuple)) else None
