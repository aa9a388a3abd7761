"""Members of an object that the text of a loop writes: the others keep in it what they had in front of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Assign, Binary, Call, Index, LambdaExpr, Loop, Member, Name, Unary, Update
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.graph.objects import Parts, Place
from regpress_lint.model.interpreter.loop_writes import root_of
from regpress_lint.model.interpreter.member_calls import target_of

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Variable
    from regpress_lint.model.interpreter.machine import Machine


def written_members(machine: Machine, loop: Loop, variable: Variable) -> frozenset[str] | None:
    """The members of an object that a loop may write; None where it may write any: by its name as a whole, by a member
    function that may change it, or behind a name that the loop gives it.
    """
    if variable.dims or variable.type.pointers or variable.type.reference or _has_other_names(machine, variable):
        return None
    written: set[str] = set()
    for node in walk(loop):
        members = _written_by(machine, node, variable)
        if members is None:
            return None
        written |= members
    return frozenset(written)


def _has_other_names(machine: Machine, variable: Variable) -> bool:
    """Whether the object is `this` here, or a reference or a pointer leads to it."""
    if machine.this is not None and root_of(machine, machine.this) is variable:
        return True
    held = (value.parts.values() if isinstance(value, Parts) else (value,) for value in machine.variables.values())
    return any(isinstance(value, Place) and value.variable is variable for values in held for value in values)


def _written_by(machine: Machine, node: Expr | Stmt, variable: Variable) -> frozenset[str] | None:
    """The same for one node; what it only reads is written by none."""
    if isinstance(node, (Member, Index)) or node.__class__ is Name:
        return frozenset()
    if isinstance(node, Assign):
        return _named(node.target, variable)
    if isinstance(node, (Update, Unary)):  # of a class, any operator
        return (
            _named(node.operand, variable)
            if isinstance(node, Update) or node.op in "&*"
            else _whole(node.operand, variable)
        )
    if isinstance(node, Binary):
        return _whole(node.left, variable)
    if isinstance(node, LambdaExpr):
        return None
    if isinstance(node, Call):
        return _written_by_call(machine, node, variable)
    if isinstance(node, Loop) and node.kind == "range":
        return None if _names(node, variable) else frozenset()
    declared = getattr(node, "variables", ())
    bound = [
        local.init for local in declared if local.type.reference or local.type.pointers or local.type.name == "auto"
    ]
    return _all(bound, variable)


def _written_by_call(machine: Machine, call: Call, variable: Variable) -> frozenset[str] | None:
    """Members that a call may write: those of its object, unless the function is `const`, and of its arguments."""
    function, _ = target_of(machine, call)
    callee = call.callee
    if isinstance(callee, Name):
        if callee.variable is not None or (function is None and machine.file.is_macro(call.name)):
            return None
    elif not isinstance(callee, Member):
        return None
    elif _names(callee.base, variable) and (function is None or "const" not in function.qualifiers):
        return _named(callee.base, variable) or None
    return _all(call.args, variable)


def _whole(expr: Expr, variable: Variable) -> frozenset[str] | None:
    """None for the object itself as an operand."""
    return None if isinstance(expr, Name) and expr.variable is variable else frozenset()


def _all(exprs: object, variable: Variable) -> frozenset[str] | None:
    names: frozenset[str] = frozenset()
    for expr in exprs if isinstance(exprs, (list, tuple)) else ():
        members = _named(expr, variable) if expr is not None else frozenset()
        if members is None:
            return None
        names |= members
    return names


def _named(expr: Expr, variable: Variable) -> frozenset[str] | None:
    """The member of the object that an expression is in; none for another object, None for the whole one."""
    inner: Expr = expr
    while isinstance(inner, (Member, Index)):
        if isinstance(inner, Member) and isinstance(inner.base, Name) and inner.base.variable is variable:
            return frozenset((inner.field,))
        inner = inner.base
    if isinstance(inner, Name):
        return None if inner.variable is variable else frozenset()
    fields: set[str] = set()
    whole = {id(node.base) for node in walk(expr) if isinstance(node, Member)}
    for node in walk(expr):
        if isinstance(node, Name) and node.variable is variable and id(node) not in whole:
            return None
        if isinstance(node, Member) and isinstance(node.base, Name) and node.base.variable is variable:
            fields.add(node.field)
    return frozenset(fields)


def _names(node: Expr | Stmt, variable: Variable) -> bool:
    return any(isinstance(part, Name) and part.variable is variable for part in walk(node))
