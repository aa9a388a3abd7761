"""Calls of the standard library that only name parts of objects: `std::get<1>(t)`, `z.real()`, `std::tie(a, b)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.names.definition_nodes import class_name
from regpress_lint.cpp.syntax_tree import BOUND, Call, Constant, Expr, Index, Member, Name
from regpress_lint.model.graph.objects import Parts, Value
from regpress_lint.model.interpreter.inlining import argument_value
from regpress_lint.model.interpreter.private_objects import member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Assign, Type
    from regpress_lint.model.interpreter.machine import Machine


_GOT = frozenset(("array", "pair", "tuple"))  # classes of which `get` names a member
_LANES = "xyzw"
_COMPLEX = {"real": "x", "imag": "y"}
_ELEMENTS = "elements"  # of the stand-in's `array`


def named_part(machine: Machine, expr: Call) -> Expr | None:
    """The member or lane that a call names, each time the same node; None for any other call."""
    callee, made = expr.callee, machine.known.named_parts
    if expr.name in ("get", BOUND) and len(expr.args) == len(expr.template_args) == 1:
        at = argument_value(machine, expr.template_args[0], expr)
        if not isinstance(at, int):
            return None
        if (expr, machine.this, at) not in made:
            made[expr, machine.this, at] = _got(machine, expr, at)
        return made[expr, machine.this, at]
    if expr.name not in _COMPLEX or expr.args or not isinstance(callee, Member):
        return None
    key = (expr, machine.this, None)
    if key not in made:
        type_ = machine.type_of(callee.base)
        is_vector = type_ is not None and type_.lanes == 2 and not type_.struct
        made[key] = Member(expr.span, callee.base, _COMPLEX[expr.name], callee.arrow) if is_vector else None
    return made[key]


def _got(machine: Machine, expr: Call, at: int) -> Expr | None:
    (whole,) = expr.args
    type_ = machine.type_of(whole)
    if expr.name == BOUND and type_ is not None and 1 < type_.lanes <= len(_LANES) and not type_.pointers:
        return Member(expr.span, whole, _LANES[at], arrow=False) if 0 <= at < type_.lanes else None
    if expr.name == BOUND and _is_row(whole, type_):
        return Index(expr.span, whole, Constant(expr.span, at, "int"))
    if type_ is None or not type_.struct or type_.pointers:
        return None
    kind = class_name(type_.name)
    if expr.name != BOUND and kind not in _GOT:
        return None
    if kind == "array":
        return Index(expr.span, Member(expr.span, whole, _ELEMENTS, arrow=False), Constant(expr.span, at, "int"))
    parts = machine.file.parts_of(type_.name) or ()
    return Member(expr.span, whole, parts[at].name, arrow=False) if 0 <= at < len(parts) else None


def _is_row(whole: Expr, type_: Type | None) -> bool:
    """True for an array, which may be behind a reference, and for a vector of the language."""
    if isinstance(whole, Name) and whole.variable is not None and whole.variable.type.reference:
        init = whole.variable.init
        if isinstance(init, Name) and init.variable is not None and init.variable.dims:
            return True
    return type_ is not None and (type_.decayed or type_.pointers > 0 or type_.lanes > 1)


def tied(machine: Machine, expr: Assign, value: Value) -> Iterator[tuple[Expr, Value, Type]]:
    """The objects that `std::tie(a, b) = value` writes, each with its new value and its type; none for another target.

    The ignored ones are left out.
    """
    target = expr.target
    if not isinstance(target, Call) or target.name != "tie" or not isinstance(value, Parts):
        return
    type_ = machine.type_of(expr.value)
    parts = machine.file.parts_of(type_.name) if type_ is not None and type_.struct else None
    if parts is None or len(parts) != len(target.args):
        return
    for arg, one in zip(target.args, parts, strict=True):
        if getattr(arg, "name", "").rpartition("::")[2] != "ignore":
            yield arg, member(machine, value, (one.name,), one.type), one.type
