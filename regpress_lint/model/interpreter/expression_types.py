"""Types of expressions that only an execution knows: results of operators, elements and members of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import BOUND, Binary, Call, Expr, Index, Member, Name, Type, Unary, Variable
from regpress_lint.cpp.types import dereference
from regpress_lint.cpp.typing_rules import common_type, expression_type
from regpress_lint.model.interpreter.member_calls import called_operator, has_operator, own, subscript_of

if TYPE_CHECKING:
    from regpress_lint.model.interpreter.machine import Machine


def type_of(machine: Machine, expr: Expr) -> Type | None:
    """Type of an expression, worked out once."""
    types = machine.read_once.types
    try:
        type_ = types[expr]
    except KeyError:
        type_ = types[expr] = expression_type(expr, machine.file.type_of)
    if type_ is None and machine.this is not None:
        whole = own(machine, expr)
        if whole is not expr:
            return machine.type_of(whole)
    if type_ is None and expr.__class__ is Call:
        return _called_type(machine, expr)
    if expr.__class__ is Binary and (type_ is None or type_.struct or type_.lanes > 1 or _has_object(machine, expr)):
        by_operator = _called_type(machine, expr)  # of an operator that a program defines
        return by_operator or (_of_numbers(machine, expr) if type_ is not None and type_.struct else None) or type_
    if type_ is None and expr.__class__ is Index:
        return _element_type(machine, expr)
    if type_ is None and expr.__class__ is Member:
        return _member_type(machine, expr)
    if type_ is None and expr.__class__ is Name:
        return _inferred(machine, expr.variable) if expr.variable is not None else _of_object(machine, expr.name)
    if type_ is None and expr.__class__ is Unary and expr.op == "*":
        called = called_operator(machine, expr.operand, "operator*")
        return machine.type_of(called) if called is not None else None
    return type_


def _of_object(machine: Machine, name: str) -> Type | None:
    object_ = machine.file.constant_object(name)
    return machine.file.type_of(object_.type_name) if object_ is not None else None


def note_own_type(machine: Machine, variable: Variable, this: Expr) -> None:
    """The type of `auto& me = *this`, while it is known which object that is."""
    init = variable.init
    named = init.operand if isinstance(init, Unary) and init.op == "*" else None
    type_ = machine.type_of(this) if isinstance(named, Name) and named.name == "this" else None
    whole = dereference(type_) if type_ is not None and type_.pointers else type_
    if whole is not None and whole.struct:
        machine.bindings.deduced[variable] = whole


def _inferred(machine: Machine, variable: Variable | None) -> Type | None:
    """The type of `auto row = m[i]`, where a known `operator[]` returns an object, of `auto row = f(i)`, and of an
    argument that a lambda takes as `auto`.
    """
    if variable is not None and variable in machine.bindings.deduced:
        return machine.bindings.deduced[variable]
    init = variable.init if variable is not None else None
    if init.__class__ is Name and init.variable is None:
        return _of_object(machine, init.name)
    if init.__class__ in (Call, Binary, Name):  # an operator that the program defines, or of vectors; another `auto`
        this, machine.this = machine.this, None if _is_part_of(machine.this, variable) else machine.this
        type_ = machine.type_of(init)
        machine.this = this
        bound = init.__class__ is Call and init.name == BOUND
        return type_ if type_ is not None and (type_.struct or type_.lanes > 1 or bound) else None
    if not isinstance(init, Index) or subscript_of(machine, init) is None:
        return None
    return machine.type_of(init)


def _element_type(machine: Machine, expr: Index) -> Type | None:
    """The type of an element, by an operator or of an array in an object whose type only this execution knows."""
    called = subscript_of(machine, expr)
    if called is not None:
        return machine.type_of(called)
    base = machine.type_of(expr.base) if expr.base.__class__ in (Index, Member) else None
    return dereference(base) if base is not None and base.pointers else None


def _member_type(machine: Machine, expr: Member) -> Type | None:
    """The type of a member of an object whose own type only this execution knows."""
    base = machine.type_of(expr.base) if expr.base.__class__ in (Call, Index, Member, Name, Unary) else None
    if base is None or not base.struct or base.pointers:
        return None
    if expr.arrow and (called := called_operator(machine, expr.base, "operator->")) is not None:
        base = machine.type_of(called) or base
    type_ = machine.file.type_of(f"{base.name}::{expr.field}")
    if type_ is not None and not expr.arrow and _is_declared(machine, expr.base, base):
        machine.read_once.types[expr] = type_
    return type_


def _is_declared(machine: Machine, base: Expr, type_: Type) -> bool:
    """Whether an object's declaration says its type, so that it is the same in every call."""
    return base.__class__ is Name and base.variable is not None and machine.read_once.types.get(base) is type_


def _is_auto(expr: Expr) -> bool:
    return isinstance(expr, Name) and expr.variable is not None and expr.variable.type.name == "auto"


def _has_object(machine: Machine, expr: Binary) -> bool:
    """Whether a call or an `auto` in a chain of operations is an object of a class, which the source alone does not
    tell: `2 * m.column(i)` is no number.
    """
    if not has_operator(machine, f"operator{expr.op}"):
        return False
    operands: list[Expr] = []
    node: Expr = expr
    while isinstance(node, Binary):
        operands.append(node.right)
        node = node.left
    types = (machine.type_of(side) for side in (*operands, node) if side.__class__ is Call or _is_auto(side))
    return any(type_ is not None and type_.struct and not type_.pointers for type_ in types)


def _of_numbers(machine: Machine, expr: Binary) -> Type | None:
    """The type of a chain in which operators of classes give numbers, `n + (end - begin)`; None with an object."""
    result: Type | None = None
    node: Expr = expr
    while isinstance(node, Binary) and (node is expr or _called_type(machine, node) is None):
        type_ = machine.type_of(node.right)
        if type_ is None or type_.struct:
            return None
        result, node = common_type(type_, result), node.left
    type_ = machine.type_of(node) if node.__class__ is not Binary else _called_type(machine, node)
    return None if type_ is None or type_.struct else common_type(type_, result)


def _called_type(machine: Machine, expr: Call | Binary) -> Type | None:
    """The result type of a known function or operator, of a template with the types of this call."""
    key = (expr, machine.this, tuple(machine.constants.items()))
    if key not in machine.known.called_types:
        machine.known.called_types[key] = None  # of a call that needs its own type to be resolved
        machine.known.called_types[key] = machine.called(expr)
    return machine.known.called_types[key]


def _is_part_of(this: Expr | None, variable: Variable | None) -> bool:
    """Whether the object of a member function is a variable, or a part of it: what made it was called outside."""
    while isinstance(this, (Member, Index)):
        this = this.base
    return isinstance(this, Name) and this.variable is variable
