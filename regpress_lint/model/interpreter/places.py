"""The places that an expression names, to be read or written; and uses of macros, which may hide one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    InitList,
    Member,
    Name,
    Return,
    Unary,
    Update,
)
from regpress_lint.cpp.types import is_fragment
from regpress_lint.model.graph.objects import Dynamic, Either, Memory, Parts, Place, Value, View, lane_of
from regpress_lint.model.graph.values import BOOL, UNSIGNED
from regpress_lint.model.interpreter import arithmetic
from regpress_lint.model.interpreter.branches import are_apart, note_elsewhere
from regpress_lint.model.interpreter.layer_elements import view_element
from regpress_lint.model.interpreter.macros import expansion_of
from regpress_lint.model.interpreter.member_calls import (
    called_operator,
    in_unnamed,
    own,
    own_member,
    subscript_of,
    target_of,
)
from regpress_lint.model.interpreter.memory import behind, either, element, pointed, pointer_at, read
from regpress_lint.model.interpreter.pointer_steps import (
    array_of,
    beside,
    is_element,
    is_pointer_in_member,
    moved,
    within,
)
from regpress_lint.model.interpreter.private_objects import home_of, part, scalar
from regpress_lint.model.interpreter.unseen_calls import note_unseen

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Type, Variable
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.program.expansions import Expansion


_WORD = 4


def number(machine: Machine, expr: Expr) -> int:
    """Value of an expression where only a single one makes sense."""
    value = machine.evaluate(expr)
    if isinstance(value, Parts):
        from regpress_lint.model.interpreter.implicit_calls import converted

        value = converted(machine, expr, value, None)
    return scalar(machine, value)


# ------------------------------------------------------------------------------------------------- names, literals


def place_of(machine: Machine, expr: Expr) -> Place | Memory | None:
    """The place of an expression that names an object; None for one that is only a value."""
    if expr.__class__ is Name:
        return _named_place(machine, expr)
    if expr.__class__ is Member:
        return _known_type(machine, expr, _member_place(machine, expr))
    if expr.__class__ is Index:
        if (element_of_view := view_element(machine, expr)) is not None:
            return place_of(machine, element_of_view)
        where = _subscripted(machine, expr)
        if where is None and (called := subscript_of(machine, expr)) is not None:
            return place_of(machine, called)
        if where is None:
            where = _known_type(machine, expr, _element_place(machine, expr))
        machine.arrays.at = expr.span
        return where
    if expr.__class__ is Unary and expr.op == "*":
        return _pointed_place(machine, expr)
    if expr.__class__ is Cast:
        from regpress_lint.model.interpreter.implicit_calls import place_of_cast

        return place_of_cast(machine, expr)
    if expr.__class__ is Call:
        return _called_place(machine, expr)
    if expr.__class__ is Conditional:
        return _either_place(machine, expr)
    if isinstance(expr, Assign):  # `(sum = a) += b`
        machine.evaluate(expr)
        return place_of(machine, expr.target)
    if isinstance(expr, Update) and expr.prefix:
        machine.evaluate(expr)
        return place_of(machine, expr.operand)
    if expr.__class__ is Binary and expr.op == ",":
        machine.evaluate(expr.left)
        return place_of(machine, expr.right)
    return None


def _pointed_place(machine: Machine, expr: Unary) -> Place | Memory | None:
    """The place of `*p`, also of `*this`."""
    if (this := machine.this) is not None and expr is not this and own(machine, expr) is this:
        return place_of(machine, this)
    called = called_operator(machine, expr.operand, "operator*")
    if called is not None and (where := _called_place(machine, called)) is not None:
        return where
    pointer = machine.evaluate(expr.operand)
    machine.arrays.at = expr.span
    if isinstance(pointer, Place):
        return pointer if _is_at_row(machine, pointer, expr) else _first_element(machine, pointer, 1)
    return _known_type(machine, expr, pointed(machine, scalar(machine, pointer), machine.type_of(expr)))


def _is_at_row(machine: Machine, pointer: Place, expr: Unary) -> bool:
    """Whether a pointer to a row of an array leads to that row already, `*(rows + i)`: `*rows[i]` is its first element,
    and has the same pointer.
    """
    dims, row = pointer.variable.dims, machine.type_of(expr)
    if not pointer.path or len(dims) < 2 or row is None or isinstance(pointer, (Either, View)):
        return False
    below = row.pointers - pointer.variable.type.pointers
    return below > 0 and len(pointer.path) == len(dims) - below


def _first_element(machine: Machine, pointer: Place, most: int | None = None) -> Place:
    """The object that a pointer points to: of the name of an array, or of one of its rows, the first element. most:
    how many dimensions are left at most; `*tile` is a row.
    """
    if isinstance(pointer, Either):
        sides = [_first_element(machine, side, most) for side in (pointer.then, pointer.other)]
        return Either(pointer.condition, *sides)
    if isinstance(pointer, View):
        return pointer
    first, sizes = array_of(machine, pointer)
    for _ in range(len(sizes) - (len(pointer.path) - first))[:most]:
        pointer = pointer.inside(0)
    return pointer


def _known_type(machine: Machine, expr: Expr, where: Place | Memory | None) -> Place | Memory | None:
    """The same place; of an object in memory or an argument whose type nothing visible declares that is noted."""
    if isinstance(where, Memory):
        if where.type is None or where.type.size is None:
            note_unseen(machine, expr, where.type)
    elif where is not None and where.variable.type.size is None and _is_argument(machine, where.variable):
        note_unseen(machine, expr, where.variable.type)
    return where


def _is_argument(machine: Machine, variable: Variable) -> bool:
    """True for an argument of a kernel; what SYCL hands to one are items and handles, which take nothing."""
    return variable.storage == "parameter" and machine.file.language != "sycl"


def _called_place(machine: Machine, expr: Call) -> Place | Memory | None:
    from regpress_lint.model.interpreter.class_objects import place_of_call

    if (element_of_view := view_element(machine, expr)) is not None:
        return place_of(machine, element_of_view)
    place = expanded_place(machine, expr)
    if place is None:
        place = place_of_call(machine, expr)
    callee = expr.callee
    if place is None and isinstance(callee, Member) and not expr.args and lane_of(callee.field) is not None:
        return place_of(machine, Member(expr.span, callee.base, callee.field, callee.arrow))  # `v.x() = a` of SYCL
    return place


def _either_place(machine: Machine, expr: Conditional) -> Place | Memory | None:
    """`c ? a[i] : b[i]` as an object: one of two addresses; None where only one of them is private."""
    condition = arithmetic.convert(machine.graph, number(machine, expr.test), BOOL)
    if (constant := machine.graph.constants[condition]) is not None:
        return place_of(machine, expr.then if constant else expr.other)
    then, otherwise = place_of(machine, expr.then), place_of(machine, expr.other)
    if isinstance(then, Memory) and isinstance(otherwise, Memory):
        return either(machine, condition, then, otherwise)
    note_elsewhere(machine, then, otherwise)
    if isinstance(then, Place) and isinstance(otherwise, Place):
        return Either(condition, then, otherwise) if are_apart(then, otherwise) else None
    return None


def _named_place(machine: Machine, expr: Name) -> Place | Memory | None:
    variable = expr.variable or machine.names.get(expr.name)
    if variable is None:
        expanded = expanded_place(machine, expr)
        if expanded is None and machine.this is not None and expr.name not in machine.constants:
            return _member_place(machine, own_member(machine, expr, machine.this))
        return expanded
    value = machine.variables.get(variable)
    if isinstance(value, Memory):
        return value
    if isinstance(value, Place) and (variable.type.reference or variable in machine.references or variable.dims):
        return value
    if variable.storage in ("shared", "constant", "global", "static"):
        return home_of(machine, variable)
    return Place(variable)


def _member_place(machine: Machine, expr: Member) -> Place | Memory | None:
    expr = in_unnamed(machine, expr)
    type_ = machine.type_of(expr)
    if expr.arrow and machine.this is not None and isinstance(expr.base, Name) and expr.base.name == "this":
        return _member_place(machine, own_member(machine, expr, machine.this))
    if expr.arrow:
        base = machine.evaluate(called_operator(machine, expr.base, "operator->") or expr.base)
        if isinstance(base, Place):
            return _first_element(machine, base).inside(expr.field)
        if isinstance(base, Parts):
            return None
        return behind(machine, scalar(machine, base), expr.field, type_)
    where = place_of(machine, expr.base)
    if isinstance(where, Place):
        led = pointer_at(machine, where, expr.base)
        if isinstance(led, Place):  # `this` of `w->f()` is `w`
            where = _first_element(machine, led)
        elif isinstance(led, int):  # of `(w + i)->f()` it is an address
            return behind(machine, led, expr.field, type_)
        inside = where.inside(expr.field)
        return _referred(machine, inside) if type_ is not None and type_.reference else inside
    if where is None and isinstance(expr.base, Index) and (called := subscript_of(machine, expr.base)) is not None:
        where = _made_place(machine, called)
        if isinstance(where, Place):
            inside = where.inside(expr.field)
            return _referred(machine, inside) if type_ is not None and type_.reference else inside
    if where is None:
        return None
    lane = lane_of(expr.field) if where.type is not None and where.type.lanes > 1 else None
    return where.inside(expr.field if lane is None else lane, type_)


def _made_place(machine: Machine, called: Call | Index) -> Place | Memory | None:
    """The place of an object that a call returns by value, created for this."""
    from regpress_lint.model.interpreter.class_objects import held

    object_ = held(machine, called)
    return place_of(machine, object_) if isinstance(object_, Name) else None


def _referred(machine: Machine, member: Place) -> Place | Memory:
    """The object that a member is a reference to, where that is known."""
    whole = machine.variables.get(member.variable)
    bound = whole.parts.get(member.path) if isinstance(whole, Parts) else None
    return bound if isinstance(bound, (Place, Memory)) else member


def _subscripted(machine: Machine, expr: Index) -> Place | Memory | None:
    """The result of a private object's `operator[]`, if it only names a part of the object."""
    name = expr.base
    variable = name.variable if name.__class__ is Name else None
    if variable is None or not variable.type.struct or variable.type.pointers or variable.dims:
        return None
    if variable.type.lanes > 1 or isinstance(expr.index, InitList):  # `a[{i, j}]`: the parameter has its type
        return None
    function = machine.file.method(variable.type.name, "operator[]", 1)
    statements = function.body.statements if function is not None else ()
    if function is None or function in machine.active or len(statements) != 1 or len(function.parameters) != 1:
        return None
    only, (parameter,) = statements[0], function.parameters
    if not isinstance(only, Return) or only.value is None:
        return None
    machine.variables[parameter] = machine.evaluate(expr.index)
    names, this = machine.names, machine.this
    machine.names, machine.this = {**names, parameter.name: parameter}, name
    machine.active.append(function)
    where = place_of(machine, only.value)
    machine.active.pop()
    machine.names, machine.this = names, this
    return where


_OWN = ("local", "parameter")


def fragment_of(machine: Machine, expr: Expr, field: str) -> Type | None:
    """Type of the fragment of a matrix (`nvcuda::wmma`) whose member of that name this is."""
    if not isinstance(expr, Member) or expr.field != field:
        return None
    type_ = machine.type_of(expr.base)
    return type_ if type_ is not None and type_.lanes > 1 and is_fragment(type_) else None


def _element_place(machine: Machine, expr: Index) -> Place | Memory | None:
    fragment = fragment_of(machine, expr.base, "x") if expr.base.__class__ is Member else None
    if fragment is not None and isinstance(expr.base, Member):
        where = place_of(machine, expr.base.base)
        lane = machine.graph.constants[number(machine, expr.index)]
        return where.inside(int(lane or 0) % fragment.lanes) if isinstance(where, Place) else None
    inside: Value | None = place_of(machine, expr.base) if expr.base.__class__ is Index else None
    base = inside if inside is not None else _array_member(machine, expr.base)
    if base is None and (lanes_of := _vector(machine, expr.base)) is not None:
        constant = machine.graph.constants[at := number(machine, expr.index)]
        return lanes_of.inside(int(constant) if constant is not None else Dynamic(at))
    if base is None:
        base = machine.evaluate(expr.base)
    if isinstance(base, Place) and expr.base.__class__ is Index and _is_pointer_element(machine, base, expr.base):
        base = part(machine, base, element_type(machine, base, expr.base))
    index = number(machine, expr.index)
    if isinstance(base, Place):
        flat_ = not isinstance(base, View)
        lanes = inside is not None and base.variable.type.lanes > 1 and not base.variable.type.pointers
        if flat_ and not lanes and base.variable.dims and len(base.path) == len(base.variable.dims):
            # A pointer to an element, which is no vector of which this is a lane.
            return moved(machine, base, "+", index)
        if not isinstance(expr.base, (Index, Member)):
            if is_element(machine, base):
                return moved(machine, base, "+", index)
            if base.path and isinstance(base.path[-1], str) and (neighbour := beside(machine, base, "+", index)):
                return neighbour
        constant = machine.graph.constants[index]
        return within(machine, base.inside(int(constant) if constant is not None else Dynamic(index)))
    if isinstance(base, Memory):
        return _element_in_memory(machine, expr, base, index)
    if not isinstance(base, int):
        return None
    space = machine.memory.spaces.get(base, "global")
    return element(machine, base, index, machine.type_of(expr), space, wraps=_wraps(machine, expr, index))


def _vector(machine: Machine, expr: Expr) -> Place | None:
    """The place of a private vector whose lanes are indexed, `v[k]`; None for anything else."""
    if isinstance(expr, Name):
        variable = expr.variable
        if variable is None or variable.type.pointers or variable.dims or variable.storage not in _OWN:
            return None
    elif expr.__class__ is not Member:
        return None
    type_ = machine.type_of(expr)
    if type_ is None or type_.lanes <= 1 or type_.pointers or type_.struct:
        return None
    where = place_of(machine, expr)
    return where if where.__class__ is Place else None


def _element_in_memory(machine: Machine, expr: Index, base: Memory, index: int) -> Memory:
    """An element of an array in memory, or of the memory that a pointer there points at."""
    type_, inner = machine.type_of(expr), base.type
    if inner is not None and inner.decayed and expr.base.__class__ is Index and _is_member_pointer(machine, expr.base):
        inner = inner._replace(decayed=False)
        base = Memory(base.address, base.offset, base.space, inner, base.root)
    wraps = _wraps(machine, expr, index)
    if inner is not None and inner.pointers and not inner.decayed and not is_row(expr.base):
        address = scalar(machine, read(machine, base))
        space = machine.memory.spaces.get(address, "global")
        return element(machine, address, index, type_, space, wraps=wraps)
    field = expr.base.__class__ is Member
    memory = element(machine, base.address, index, type_, base.space, base.offset, field=field, wraps=wraps)
    return Memory(memory.address, memory.offset, memory.space, type_, base.root)


def _array_member(machine: Machine, expr: Expr) -> Memory | None:
    """The place of an array that is a member of an object in memory: the member's offset is part of each access to it,
    and no value of its own.
    """
    if expr.__class__ is not Member:
        return None
    type_ = machine.type_of(expr)
    where = place_of(machine, expr) if type_ is not None and type_.decayed else None
    return where if isinstance(where, Memory) else None


def _wraps(machine: Machine, expr: Index, index: int) -> bool:
    """True for an index of 32 bits without a sign: a sum in it may wrap around before it is made 64 bits wide. An `int`
    from an unsigned value has that one's kind in the graph, so the type decides.
    """
    if machine.graph.kinds[index] != UNSIGNED or machine.graph.forms[index].width > 1:
        return False
    type_ = machine.type_of(expr.index)
    return type_ is not None and not type_.signed and not type_.pointers and type_.size == _WORD


def element_type(machine: Machine, place: Place, expr: Index) -> Type | None:
    """The type of `table[i]`, a pointer and no array where the table is one of pointers."""
    type_ = machine.type_of(expr)
    if type_ is None or not type_.decayed or not _is_pointer_element(machine, place, expr):
        return type_
    return type_._replace(decayed=False)


def _is_pointer_element(machine: Machine, place: Place, expr: Index) -> bool:
    """True for `table[i]` of an array of pointers, and for `s.rows[i]` of one in a struct: what is indexed behind it
    lies where that one points.
    """
    variable = place.variable
    if variable.type.pointers and variable.dims:
        return len(place.path) == len(variable.dims)
    if place.__class__ is Place and not variable.type.struct:
        return False
    return bool(place.path) and (_is_member_pointer(machine, expr) or is_pointer_in_member(machine, place))


def _is_member_pointer(machine: Machine, expr: Index) -> bool:
    """True for `s.rows[i]` of an array of pointers that is a member of a struct, and for `rows[i]` in its functions."""
    array, depth = expr.base, 1
    while isinstance(array, Index):
        array, depth = array.base, depth + 1
    array = own(machine, array)
    whole = machine.type_of(array.base) if isinstance(array, Member) else None
    if whole is None or not isinstance(array, Member):
        return False
    member = next((one for one in machine.file.parts_of(whole.name) or () if one.name == array.field), None)
    return member is not None and member.type.pointers > 0 and len(member.dims) == depth


def is_row(expr: Expr) -> bool:
    """True for `tile[i]` of a two-dimensional array: an address, not an element."""
    depth = 0
    while isinstance(expr, Index):
        expr, depth = expr.base, depth + 1
    return isinstance(expr, Name) and expr.variable is not None and len(expr.variable.dims) > depth


def expanded_place(machine: Machine, expr: Call | Name) -> Place | Memory | None:
    """The place of the object that a macro names: `#define at(i, j) data[(i) * width + (j)]`."""
    args = expr.args if isinstance(expr, Call) else None
    if isinstance(expr, Call) and (expr.callee.__class__ is not Name or target_of(machine, expr)[0] is not None):
        return None
    expansion = expansion_of(machine, expr.name, args)
    if expansion is None or isinstance(expansion.body, Block):
        return None
    machine.expanding += 1
    placed, machine.placed = machine.placed, False
    bind_macro(machine, expansion, args or ())
    where = place_of(machine, expansion.body)
    machine.expanding -= 1
    machine.placed = placed
    return where


def bind_macro(machine: Machine, macro: Expansion, args: tuple[Expr, ...]) -> None:
    """A macro's arguments stand for themselves: one that names an object may be written to."""
    for parameter, arg in zip(macro.parameters, args, strict=False):
        if not parameter.name:  # the argument's word is in the body
            continue
        names_object = isinstance(arg, (Name, Index, Member)) or (isinstance(arg, Unary) and arg.op == "*")
        where = place_of(machine, arg) if names_object else None
        machine.references.add(parameter)
        machine.variables[parameter] = where if where is not None else machine.evaluate(arg)
