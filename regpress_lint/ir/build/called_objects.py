"""Calls that name an object: functions, members and lambdas that return a reference, and the object of a member
call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import (
    Assign,
    Binary,
    Call,
    Conditional,
    Expr,
    Index,
    LambdaExpr,
    Member,
    Name,
    Unary,
    Update,
    Variable,
)
from regpress_lint.ir.build.accesses import read
from regpress_lint.ir.build.constructions import MAX_INLINED, class_of, temporary
from regpress_lint.ir.build.inlining import inline, inline_lambda, is_inlined, specialised
from regpress_lint.ir.build.lvalues import place_of
from regpress_lint.ir.build.private_objects import part
from regpress_lint.ir.build.this_object import own, subscript_of, target_of
from regpress_lint.ir.build.unseen_views import unseen_element
from regpress_lint.ir.objects import Closure, Memory, Parts, Place, Value

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function, Type
    from regpress_lint.ir.build.machine import Machine


def returns_reference(function: Function) -> bool:
    """True for a function whose call names an object."""
    return function.return_type is not None and function.return_type.reference


def called_type(machine: Machine, expr: Call) -> Type | None:
    """The result type of a call of a known function, of a template with the types of this call; None for others."""
    target, _ = target_of(machine, expr)
    if target is None or target.return_type is None:
        return None
    type_ = specialised(machine, target, expr).return_type
    if type_ is None or type_.size is None:
        return None
    return type_._replace(reference=False, const=False) if type_.reference else type_


def place_of_call(machine: Machine, expr: Call) -> Place | Memory | None:
    """The place of the object that a call returns a reference to; None for a call that returns a value, which is not
    executed."""
    closure = closure_of(machine, expr.callee)
    if isinstance(closure, LambdaExpr):
        value = inline_lambda(machine, closure, expr.args) if closure.returns_reference else None
        return _somewhere(machine, expr, value, None)
    if closure is not None:
        made = Call(expr.span, closure, closure.last, closure.name, expr.args, closure.template_args)
        return place_of(machine, made)
    target, this = target_of(machine, expr)
    if target is None and expr.name and not machine.file.is_macro(expr.name):
        return unseen_element(machine, expr, written=True)
    if target is None or not returns_reference(target) or len(machine.active) >= MAX_INLINED:
        return None
    if class_of(machine, expr, target) is not None:
        return None
    instance = specialised(machine, target, expr)
    if not is_inlined(machine, instance, expr):
        return None
    value = inline(machine, instance, expr, held(machine, this))
    return _somewhere(machine, expr, value, instance.return_type)


def _somewhere(machine: Machine, expr: Call, value: Value | None, type_: Type | None) -> Place | Memory | None:
    """The object that was returned; if it is unknown which, one that holds the values read from it."""
    if value is None or isinstance(value, (Place, Memory)):
        return value
    known = type_ if type_ is not None else machine.type_of(expr)
    return _kept(machine, expr, value, known) if known is not None else None


def contents(machine: Machine, value: Value, type_: Type | None) -> Value:
    """The content of the object that a call returns a reference to."""
    if isinstance(value, Memory):
        return read(machine, value)
    if isinstance(value, Place):
        return part(machine, value, type_._replace(reference=False) if type_ is not None else None)
    return value


def held(machine: Machine, this: Expr | None) -> Expr | None:
    """The object of a member function that is called on what another call gives, `rows(i).at(k)`, under a name: it is
    made once, and not for every member that is named in the function.
    """
    if isinstance(this, Index) and (called := subscript_of(machine, this)) is not None:  # `rows[i][j]`
        this = called
    if not isinstance(this, (Call, Conditional, Assign, Update, Binary)):
        return this
    made = temporary(machine, this) if isinstance(this, Call) else None
    if made is not None:
        return made
    type_ = machine.type_of(this)
    if type_ is None or not type_.struct:
        return this
    where = place_of(machine, this)
    value: Value = where if where is not None else machine.evaluate(this)
    if isinstance(value, int) and not type_.pointers:
        return this
    object_ = Variable("", type_, this.span, this.span)
    if isinstance(value, (Place, Memory)):
        machine.references.add(object_)
    machine.variables[object_] = value
    return Name(this.span, "", object_)


def _kept(machine: Machine, expr: Expr, value: Value, type_: Type) -> Place:
    object_ = Variable("", type_._replace(reference=False), expr.span, expr.span, "local")
    machine.variables[object_] = value
    return Place(object_)


def closure_of(machine: Machine, callee: Expr) -> LambdaExpr | Name | None:
    """The lambda or function that is called through a variable, a member of an object or a pointer."""
    if isinstance(callee, LambdaExpr):
        return callee
    if isinstance(callee, Unary) and callee.op == "*":
        return closure_of(machine, callee.operand)
    if isinstance(callee, Name) and callee.variable is not None:
        value = machine.variables.get(callee.variable)
        if isinstance(value, Closure):
            return None if value.late else value.expression
        if value is None and isinstance(callee.variable.init, LambdaExpr):
            return callee.variable.init
    elif isinstance(callee, Member) or (machine.this is not None and isinstance(callee, Name)):
        return _held_closure(machine, callee)
    return None


def _held_closure(machine: Machine, callee: Expr) -> LambdaExpr | Name | None:
    """The lambda that a member of a private object holds: `pipeline.load(i)`."""
    member = own(machine, callee)
    where = place_of(machine, member) if isinstance(member, Member) and _is_private(machine, member.base) else None
    whole = machine.variables.get(where.variable) if isinstance(where, Place) else None
    value = whole.parts.get(where.path) if isinstance(whole, Parts) and isinstance(where, Place) else None
    return value.expression if isinstance(value, Closure) else None


def _is_private(machine: Machine, expr: Expr) -> bool:
    """True for a variable with parts, or a member of one: its place can be looked up without an effect."""
    while isinstance(expr, Member):
        expr = expr.base
    found = machine.variables.get(expr.variable) if isinstance(expr, Name) and expr.variable is not None else None
    return isinstance(found, (Parts, Place))
