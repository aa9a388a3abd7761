"""Objects that an expression makes: by a constructor, from braces, or as the function object that is called at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Call, InitList, Name, Variable
from regpress_lint.ir.build.inlining import inline
from regpress_lint.ir.build.reference_members import bind_references
from regpress_lint.ir.build.reinterpret import with_fields
from regpress_lint.ir.build.this_object import constructor_for, own
from regpress_lint.ir.objects import Parts, Value

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Function, Type
    from regpress_lint.ir.build.machine import Machine

MAX_INLINED = 16  # functions within each other


def temporary(machine: Machine, callee: Call) -> Name | None:
    """The object that `Op()(a, b)` makes and calls, as a variable; None if the call makes none."""
    type_ = machine.file.type_of(spelled(callee)) if isinstance(callee.callee, Name) else None
    if type_ is None or not type_.struct:
        return None
    object_ = Variable("", type_, callee.span, callee.span)
    value = machine.evaluate(callee)
    machine.variables[object_] = value if isinstance(value, Parts) else Parts(owner=machine.owner)
    return Name(callee.span, "", object_)


def class_of(machine: Machine, expr: Call, target: Function) -> Type | None:
    """The class of which a call makes an object with one of its constructors."""
    if expr.callee.__class__ is not Name or target.name != expr.name or target.return_type is not None:
        return None
    type_ = machine.file.type_of(spelled(expr))
    return type_ if type_ is not None and type_.struct else None


def constructed(machine: Machine, expr: Call, type_: Type, constructor: Function) -> Value:
    """The object after its constructor."""
    object_ = Variable("", type_, expr.span, expr.span)
    machine.variables[object_] = Parts(owner=machine.owner)
    if len(machine.active) < MAX_INLINED:
        inline(machine, constructor, expr, Name(expr.span, "", object_))
    return machine.variables.pop(object_)


def member_constructed(machine: Machine, target: Expr, type_: Type | None, init: InitList) -> bool:
    """Whether a constructor creates an object in its place: a member in the list of the outer object's one."""
    constructor = constructor_for(machine, type_, init.items)
    if constructor is None or constructor in machine.active or len(machine.active) >= MAX_INLINED:
        return False
    call = Call(init.span, Name(init.span, constructor.name), constructor.name, constructor.name, init.items)
    inline(machine, constructor, call, own(machine, target))
    return True


def spelled(expr: Call) -> str:
    """The name that is called, with its template arguments."""
    return f"{expr.qualified}<{', '.join(expr.template_args)}>" if expr.template_args else expr.qualified


def aggregate(machine: Machine, expr: Call, type_: Type) -> Value | None:
    """`Point{a, b}`: an object without a known constructor, its members in order."""
    if machine.file.parts_of(type_.name) is None:
        return None
    if len(expr.args) == 1:
        value = machine.evaluate(expr.args[0])
        if isinstance(value, Parts):  # a copy
            return value
    given = machine.evaluate(InitList(expr.span, expr.args))
    if not expr.args:
        return Parts(owner=machine.owner)
    made = with_fields(machine, given, type_)
    bind_references(machine, made, type_, expr.args)
    return made
