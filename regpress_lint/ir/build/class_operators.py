"""Operators that a class defines: `a * b` of two complex numbers is a call of `operator*`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Assign, Binary, Call, Name, Unary, Variable
from regpress_lint.ir.build.constructions import MAX_INLINED
from regpress_lint.ir.build.inlining import inline, specialised
from regpress_lint.ir.build.this_object import own
from regpress_lint.ir.objects import Parts

if TYPE_CHECKING:
    from typing import TypeAlias

    from regpress_lint.cpp.syntax_tree import Expr, Function, Type
    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.objects import Value

    Operation: TypeAlias = Binary | Assign | Unary


def class_operation(machine: Machine, expr: Operation) -> Value | None:
    """The result of a known operator; None if the operation is not one of a class, or its operator is unknown."""
    found = operator_of(machine, expr)
    if found is None or len(machine.active) >= MAX_INLINED:
        return None
    function, call, object_ = found
    instance = specialised(machine, function, call)
    if instance in machine.active:
        return None
    return inline(machine, instance, call, _object(machine, object_) if object_ is not None else None)


def _object(machine: Machine, operand: Expr) -> Expr:
    """The object of a member; what an operation gives is made once, and not for every part that is named."""
    if not isinstance(operand, (Binary, Unary, Call)):
        return own(machine, operand)
    type_ = machine.type_of(operand)
    value = machine.evaluate(operand)
    if type_ is None or not isinstance(value, Parts):
        return own(machine, operand)
    object_ = Variable("", type_, operand.span, operand.span)
    machine.variables[object_] = value
    return Name(operand.span, "", object_)


def operator_of(machine: Machine, expr: Operation) -> tuple[Function, Call, Expr | None] | None:
    """The operator that an operation calls, the call as if it were written out, and the object of a member."""
    defined = machine.read_once.operators
    if expr.op not in defined:
        defined[expr.op] = machine.file.has_operator(f"operator{expr.op}")
    if not defined[expr.op]:
        return None
    known = machine.known.operators
    if expr not in known:
        known[expr] = _found(machine, f"operator{expr.op}", expr)
    return known[expr]


def _found(machine: Machine, name: str, expr: Operation) -> tuple[Function, Call, Expr | None] | None:
    operands = _operands(expr)
    given = [machine.type_of(operand) for operand in operands]
    if not any(_is_class(type_) for type_ in given):
        return None
    from regpress_lint.cpp.overloads import fits, steps

    free = [each for each in machine.file.overloads(name, len(given)) if _names_a_class(each) and fits(each, given)]
    type_ = given[0]
    own_class = machine.file.methods(type_.name, name, len(given) - 1) if type_ is not None and _is_class(type_) else ()
    members = [each for each in own_class if fits(each, given[1:])]
    choices = [(steps(each, given[1:]), 0, each) for each in members] + [(steps(each, given), 1, each) for each in free]
    if not choices:
        return None
    _, is_free, function = min(choices, key=lambda choice: choice[:2])
    args = operands if is_free else operands[1:]
    return function, Call(expr.span, Name(expr.span, name), name, name, args), None if is_free else operands[0]


def _operands(expr: Operation) -> tuple[Expr, ...]:
    if isinstance(expr, Unary):
        return (expr.operand,)
    return (expr.left, expr.right) if isinstance(expr, Binary) else (expr.target, expr.value)


def _is_class(type_: Type | None) -> bool:
    """True for what may define operators; vectors of the language are worked on lane by lane."""
    return type_ is not None and type_.struct and not type_.pointers and type_.lanes == 1


def _names_a_class(function: Function) -> bool:
    """False for templates that take anything: they are meant for the types of their own library."""
    own = {parameter.name for parameter in function.template}
    return any(parameter.type.name not in own for parameter in function.parameters)
