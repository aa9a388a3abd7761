"""Declarations: the value with which a variable begins."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assign,
    Call,
    Cast,
    Conditional,
    Declare,
    Function,
    Index,
    InitList,
    Member,
    Name,
    Unary,
    Update,
)
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.objects import Memory, Parts, Path, Place, Value, index_paths
from regpress_lint.model.graph.values import FLOAT
from regpress_lint.model.interpreter.expression_types import note_own_type
from regpress_lint.model.interpreter.implicit_calls import bare_name, converted, made_by_default, owned, referred
from regpress_lint.model.interpreter.inlining import inline
from regpress_lint.model.interpreter.kept_calls import kept_call
from regpress_lint.model.interpreter.kept_volatile import is_kept_volatile
from regpress_lint.model.interpreter.member_calls import constructor_of, subscript_of
from regpress_lint.model.interpreter.member_lists import bind_references, elements_of, fresh, with_fields
from regpress_lint.model.interpreter.memory import read
from regpress_lint.model.interpreter.object_writes import note_write
from regpress_lint.model.interpreter.open_sizes import note_size
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.private_objects import MAX_FILLED, coerced, in_registers, part, scalar
from regpress_lint.model.interpreter.value_forms import form_of, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.syntax_tree import Type, Variable
    from regpress_lint.model.interpreter.machine import Machine


_IN_MEMORY = frozenset(("shared", "static", "constant", "global"))
_CONVERTED = "what makes a `{1}` of a `{0}` is not in view: what it reads is not in the estimate"
_REPEATED = "members of `{}` and of its bases have one name, and count as one"


def declare(machine: Machine, statement: Declare) -> None:
    called = kept_call(machine)
    for variable in statement.variables:
        machine.names[variable.name] = variable
        if called:
            machine.arrays.called[variable.name, variable.span.start] = called
        if variable.type.name == "auto" and machine.this is not None:
            note_own_type(machine, variable, machine.this)
        if variable.storage not in _IN_MEMORY:
            if variable.volatile_span is not None and is_kept_volatile(machine, variable):
                machine.arrays.kept_volatile.add(variable)
            value = machine.variables[variable] = _initial(machine, variable)
            machine.graph.hold(variable, (), value)
            if variable.type.struct and not variable.type.pointers and machine.file.repeats_members(variable.type.name):
                machine.unknown("type", variable.name, variable.span, _REPEATED.format(variable.type.name), "both")
            if variable.type.struct or variable.type.name == "auto":
                owned(machine, variable)
        else:
            machine.variables.pop(variable, None)


def _initial(machine: Machine, variable: Variable) -> Value:
    type_, init = variable.type, variable.init
    row = type_.reference and isinstance(init, (Index, Member, Conditional))  # `auto& row = m[i]`
    if variable.dims and variable.storage != "parameter" and not row:  # else a pointer to rows
        return _array(machine, variable)
    if init is None:
        return made_by_default(machine, variable) if is_object(type_) else machine.undefined
    if type_.reference and isinstance(init, (Name, Index, Member, Unary, Cast, Call, Conditional, Assign, Update)):
        where = place_of(machine, init)
        if where is not None:
            return where
    constructor = constructor_of(machine, variable, init)
    if constructor is not None and isinstance(init, Call):
        return _constructed(machine, variable, constructor, init)
    value = machine.evaluate(init)
    if type_.reference and isinstance(value, Parts) and (bound := referred(machine, init, value, type_)) is not None:
        return bound
    if isinstance(value, Memory):
        value = read(machine, value)
    object_ = converted(machine, init, value, type_) if not type_.reference and type_.name != "auto" else value
    if object_ is value and isinstance(init, Index) and type_.struct:
        _note_conversion(machine, init, type_)
    value = object_
    if variable.dims:
        return value
    if isinstance(value, Place):
        if type_.pointers or type_.reference or type_.name == "auto":
            return value
        value = part(machine, value, type_)
    value = with_fields(machine, value, type_)
    if isinstance(init, InitList):
        bind_references(machine, value, type_, init.items)
    if isinstance(value, Parts):
        return _from_parts(machine, variable, value)
    if value == machine.undefined and is_object(type_):
        return Parts(owner=machine.owner)
    return coerced(machine, value, type_)


def _note_conversion(machine: Machine, init: Index, type_: Type) -> None:
    """An object that is converted from one of another class, `Vec a = p[i]` of a proxy: the conversion is not
    executed."""
    source = machine.type_of(init) if subscript_of(machine, init) is not None else None
    if source is None or not source.struct or type_.pointers or bare_name(source) == bare_name(type_):
        return
    name = f"operator {type_.name}"
    machine.unknown("callee", name, init.span, _CONVERTED.format(source.name, type_.name), "both")


def _constructed(machine: Machine, variable: Variable, constructor: Function, init: Call) -> Value:
    machine.variables[variable] = fresh(machine, variable.type)
    inline(machine, constructor, init, Name(variable.span, variable.name, variable))
    return machine.variables[variable]


def _from_parts(machine: Machine, variable: Variable, value: Parts) -> Value:
    type_ = variable.type
    is_list = value.origin is None and bool(value.parts)
    if is_list and not type_.struct and type_.size is not None:
        return coerced(machine, scalar(machine, value), type_)
    return value.copy(machine.owner)


def _array(machine: Machine, variable: Variable) -> Parts:
    result = Parts(owner=machine.owner)
    init = variable.init
    note_size(machine, variable)
    machine.arrays.declared_under[variable] = machine.under
    if not isinstance(init, InitList):
        if init is None and _is_filled_by_loops(machine, variable):
            _set_to_zero(machine, variable, result, [machine.known_int(size) for size in variable.dims])
        if init is None and is_object(variable.type) and in_registers(machine, variable):
            begun = made_by_default(machine, variable).parts
            paths = _element_paths([machine.known_int(size) for size in variable.dims]) if begun else ()
            result.parts.update(((*at, *path), value) for at in paths for path, value in begun.items())
        return result
    array = machine.inputs.array_of(variable)
    if not in_registers(machine, variable) and not (array is not None and array.table):
        if any(isinstance(node, (Assign, Update)) for node in walk(init)):  # `int x[] = {(p[I] = v[I], 0)...}`
            machine.evaluate(init)
        return result
    braces = machine.evaluate(init)
    note_write(machine, variable, (), braces)
    sizes = [machine.known_int(size) for size in variable.dims]
    if isinstance(braces, Parts) and variable.type.struct and is_object(variable.type):
        most = 1 + max((path[0] for path in braces.parts if path and isinstance(path[0], int)), default=0)
        result.parts.update(elements_of(machine, braces, variable.type, tuple(size or most for size in sizes)).parts)
    elif isinstance(braces, Parts):
        held = variable.type if variable.type.lanes == 1 else None
        for path, value in braces.parts.items():
            result.parts[_unravelled(path, sizes)] = coerced(machine, value, held)
    if len(sizes) == 1 and sizes[0] is None:  # `float v[] = {1, 2}`
        sizes = [array.elements if array is not None else None]
    _set_to_zero(machine, variable, result, sizes)
    return result


def _set_to_zero(machine: Machine, variable: Variable, whole: Parts, sizes: Sequence[int | None]) -> None:
    """Give all elements that have no value yet the value 0."""
    form = form_of(variable.type)
    zero = machine.graph.constant(0.0 if form.kind == FLOAT else 0, form)
    written = {path[: len(sizes)] for path in whole.parts}
    paths = _element_paths(sizes)
    whole.parts.update((path, coerced(machine, zero, variable.type)) for path in paths if path not in written)


def _is_filled_by_loops(machine: Machine, variable: Variable) -> bool:
    """True for an array in registers of which all are alive from the first write on, see `Placement`."""
    scalars = not variable.type.struct and variable.type.lanes <= 1
    return scalars and variable in machine.arrays.filled_by_loops


def _unravelled(path: Path, sizes: Sequence[int | None]) -> Path:
    """The element that is meant where the inner braces are left out: `float s[2][2] = {1, 2, 3, 4}`."""
    position = path[0]
    if len(path) > 1 or len(sizes) < 2 or not isinstance(position, int):
        return path
    result: list[int] = []
    for size in reversed(sizes):
        if not size:
            return path
        position, index = divmod(position, size)
        result.insert(0, index)
    return tuple(result)


def _element_paths(sizes: Sequence[int | None]) -> Iterator[Path]:
    """Paths of the first elements of an array, none if its size is unknown."""
    settled = [size for size in sizes if size]
    if len(settled) < len(sizes):
        return iter(())
    return islice(index_paths(settled), MAX_FILLED)
