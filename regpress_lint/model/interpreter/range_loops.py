"""`for (float& x : v)` as the loop that it stands for: over an array or a member that is one, or between iterators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Binary,
    Block,
    Call,
    Constant,
    Declare,
    Index,
    Loop,
    Member,
    Name,
    Return,
    Type,
    Unary,
    Update,
    Variable,
)
from regpress_lint.cpp.traversal import over_array
from regpress_lint.cpp.types import dereference
from regpress_lint.model.graph.objects import Place
from regpress_lint.model.interpreter.member_calls import own_member
from regpress_lint.model.interpreter.template_arguments import sizes_of

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.model.interpreter.machine import Machine

_INT = Type("int", 4)
_NOT_KNOWN = (
    "where this range begins and ends is not known; nothing that the loop writes to its elements is in the estimate"
)


def counted(machine: Machine, loop: Loop) -> Loop:
    """The loop over a range as one with a counter or an iterator; the same loop where its range is not known."""
    ranges, key = machine.read_once.ranges, (loop, machine.this, _extents_bound(machine, loop.test))
    if key not in ranges:
        ranges[key] = _rewritten(machine, loop)
    rewritten = ranges[key]
    if rewritten is None:
        machine.unknown("loop", "", loop.test.span if loop.test is not None else loop.span, _NOT_KNOWN, "up")
    return rewritten or loop


def _extents_bound(machine: Machine, range_: Expr | None) -> tuple[int, ...]:
    """The extents of the array that an `auto&` is bound to, another one in each call of a lambda."""
    variable = machine.names.get(range_.name) if isinstance(range_, Name) else None
    if range_ is None or variable is None or variable.storage != "parameter" or variable.type.name != "auto":
        return ()
    place = machine.variables.get(variable)
    is_array = isinstance(place, Place) and len(place.path) < len(place.variable.dims)
    return sizes_of(machine, range_) if is_array and variable.type.reference else ()


def _rewritten(machine: Machine, loop: Loop) -> Loop | None:
    range_, declared = loop.test, loop.init[0]
    assert isinstance(declared, Declare)
    array = machine.names.get(range_.name) if isinstance(range_, Name) else None
    counted = over_array(loop.span, declared, range_, array, loop.body, loop.unroll)
    if counted is not None or range_ is None or not declared.variables:
        return counted
    if array is not None and array.bounds and None not in array.bounds:  # `T (&v)[N]`
        element = array.type
        for _ in array.bounds:
            element = dereference(element) or element
        return _over_elements(
            loop, declared, range_, element, tuple(bound for bound in array.bounds if bound is not None)
        )
    extents, place = _extents_bound(machine, range_), machine.variables.get(array) if array is not None else None
    if extents and isinstance(place, Place):
        sizes = tuple(Constant(range_.span, size, "int") for size in extents)
        return _over_elements(loop, declared, range_, place.variable.type, sizes)
    if isinstance(range_, Name) and range_.variable is None and array is None and machine.this is not None:
        range_ = own_member(machine, range_, machine.this)
    member = range_ if isinstance(range_, Member) else _own_array(machine, range_)
    over_member = _over_member(machine, loop, declared, member) if member is not None else None
    return over_member or _over_object(machine, loop, declared, range_)


def _own_array(machine: Machine, range_: Expr) -> Member | None:
    """The array that is a member of an object and begins where its `begin` says: `float* begin() { return v; }`."""
    type_ = machine.type_of(range_) if isinstance(range_, Name) else None
    if type_ is None or not type_.struct or type_.pointers:
        return None
    function = machine.file.method(type_.name, "begin", 0)
    statements = function.body.statements if function is not None else ()
    value = statements[0].value if len(statements) == 1 and isinstance(statements[0], Return) else None
    return Member(range_.span, range_, value.name, arrow=False) if isinstance(value, Name) else None


def _over_member(machine: Machine, loop: Loop, declared: Declare, range_: Member) -> Loop | None:
    """Over the elements of an array that is a member of a struct."""
    owner = machine.type_of(range_.base)
    if owner is None:
        return None
    part = next((member for member in machine.file.parts_of(owner.name) or () if member.name == range_.field), None)
    if part is None or not part.dims or (len(part.dims) > 1 and not declared.variables[0].type.reference):
        return None
    sizes = tuple(Constant(range_.span, size, "int") for size in part.dims)
    return _over_elements(loop, declared, range_, part.type, sizes)


def _over_elements(loop: Loop, declared: Declare, range_: Expr, element: Type, sizes: tuple[Expr, ...]) -> Loop:
    at = range_.span
    counter = Variable("", _INT, at, at, "local", (), Constant(at, 0, "int"))
    name = Name(at, "", counter)
    _bind(declared, Index(at, range_, name), element)
    declared.variables[0].dims = sizes[1:]  # of a row
    test, step = Binary(at, "<", name, sizes[0]), Update(at, "++", name, prefix=True)
    return Loop(loop.span, "for", (Declare(at, (counter,)),), test, step, _body(loop, declared), loop.unroll)


def _over_object(machine: Machine, loop: Loop, declared: Declare, range_: Expr) -> Loop | None:
    """From what `begin` of an object returns to what `end` does."""
    type_ = machine.type_of(range_)
    if type_ is None or not type_.struct or type_.pointers or machine.file.method(type_.name, "begin", 0) is None:
        return None
    at, whole = range_.span, range_
    init: tuple[Declare, ...] = ()
    if not isinstance(range_, Name):
        held = Variable("", type_._replace(reference=False), at, at, "local", (), range_)
        init, whole = (Declare(at, (held,)),), Name(at, "", held)
    first, last = _member_call(whole, "begin"), _member_call(whole, "end")
    moves = machine.type_of(first)
    if moves is None:
        return None
    iterator = Variable("", moves._replace(reference=False, const=False), at, at, "local", (), first)
    name = Name(at, "", iterator)
    element = Unary(at, "*", name)
    _bind(declared, element, _element_type(machine, element))
    test, step = Binary(at, "!=", name, last), Update(at, "++", name, prefix=True)
    body = _body(loop, declared)
    return Loop(loop.span, "for", (*init, Declare(at, (iterator,))), test, step, body, loop.unroll)


def _element_type(machine: Machine, element: Unary) -> Type | None:
    """The type of `*it`: of an iterator that is a class what its operator returns, a proxy for one."""
    from regpress_lint.model.interpreter.class_objects import operator_of

    operator = operator_of(machine, element)
    returned = operator[0].return_type if operator is not None else None
    return returned if returned is not None and returned.struct else machine.type_of(element)


def _member_call(whole: Expr, name: str) -> Call:
    return Call(whole.span, Member(whole.span, whole, name, arrow=False), name, name, ())


def _bind(declared: Declare, element: Expr, type_: Type | None) -> None:
    """Make the loop's variable the element, with its type where the source says `auto`."""
    variable = declared.variables[0]  # the others are names of its parts
    variable.init = element
    if variable.type.name == "auto" and type_ is not None:
        auto = variable.type
        variable.type = type_._replace(reference=auto.reference, const=auto.const or type_.const, decayed=False)


def _body(loop: Loop, declared: Declare) -> Block:
    return Block(loop.body.span, (declared, loop.body))
