"""Members that are references: the object that one stands for is part of the object that has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Member, Name
from regpress_lint.ir.build.lvalues import place_of
from regpress_lint.ir.objects import Memory, Parts, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.syntax_tree import Assign, Expr, Type
    from regpress_lint.ir.build.machine import Machine


def bound_member(machine: Machine, expr: Assign) -> bool:
    """Whether this is what a constructor's list gives to a reference, `Row(double& x) : first(x)`, and not a write."""
    target = expr.target
    if not isinstance(target, Member) or not isinstance(target.base, Name) or target.base.name != "this":
        return False
    member = place_of(machine, target)
    whole = machine.variables.get(member.variable) if isinstance(member, Place) else None
    if not isinstance(member, Place) or not isinstance(whole, Parts) or whole.origin is not None:
        return False
    if member.path in whole.parts or (where := place_of(machine, expr.value)) is None:
        return False
    if whole.owner is not machine.owner:
        whole = machine.variables[member.variable] = whole.copy(machine.owner)
    whole.parts[member.path] = where
    return True


def bind_references(machine: Machine, whole: object, type_: Type | None, items: Sequence[Expr]) -> None:
    """The objects of the reference members of `Row{a[0], 3}`, which was initialised with them."""
    if not isinstance(whole, Parts) or type_ is None or not type_.struct or whole.origin is not None:
        return
    for part, item in zip(machine.file.parts_of(type_.name) or (), items, strict=False):
        where = place_of(machine, item) if part.type.reference else None
        if isinstance(where, (Place, Memory)):
            whole.parts[part.name,] = where
