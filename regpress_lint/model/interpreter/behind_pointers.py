"""Writes that go through a pointer: what they reach is no part of the object that the source names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Call, Cast, Expr, Index, Member, Name, Return, Unary
from regpress_lint.cpp.traversal import walk
from regpress_lint.model.interpreter.member_calls import subscript_of, target_of

if TYPE_CHECKING:
    from regpress_lint.model.interpreter.machine import Machine


def goes_through_pointer(expr: Expr) -> bool:
    """True for `p[i]`, `*p` and `p->x` of a pointer."""
    while True:
        if isinstance(expr, Index) or (isinstance(expr, Unary) and expr.op == "*"):
            return True
        if isinstance(expr, Member):
            if expr.arrow:
                return True
            expr = expr.base
        elif isinstance(expr, Cast):
            expr = expr.operand
        else:
            return False


def leads_away(machine: Machine, expr: Expr) -> bool:
    """True for `s.p[i]` with a pointer in an object, and for `view[i]` whose operator gives what one points to: the
    object keeps its members.
    """
    while not isinstance(expr, Name):
        if isinstance(expr, Member):
            inner, leads = expr.base, expr.arrow
        elif isinstance(expr, Index):
            inner, leads = expr.base, True
            if isinstance(subscript := subscript_of(machine, expr), Call):
                return _gives_another(machine, subscript)
        elif isinstance(expr, Unary) and expr.op == "*":
            inner, leads = expr.operand, True
        else:
            return False
        type_ = machine.type_of(inner) if leads else None
        if type_ is not None and type_.pointers and not type_.decayed and not _is_this(inner):
            return True
        expr = inner
    return False


def _gives_another(machine: Machine, subscript: Call) -> bool:
    """Whether what an `operator[]` refers to is no part of its object: a `const` one can change none, and
    `return p[i];` is behind the pointer `p`.
    """
    function, _ = target_of(machine, subscript)
    if function is None or "const" in function.qualifiers:
        return function is not None
    type_ = machine.type_of(subscript.callee.base) if isinstance(subscript.callee, Member) else None
    parts = machine.file.parts_of(type_.name) or () if type_ is not None and type_.struct else ()
    pointers = {part.name for part in parts if part.type.pointers and not part.dims}
    returned = [node.value for node in walk(function.body) if isinstance(node, Return)]
    bases = [value.base for value in returned if isinstance(value, Index)]
    return 0 < len(bases) == len(returned) and all(isinstance(base, Name) and base.name in pointers for base in bases)


def _is_this(expr: Expr) -> bool:
    return isinstance(expr, Name) and expr.name == "this"
