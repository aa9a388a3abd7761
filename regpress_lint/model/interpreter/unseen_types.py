"""Objects in memory of types that nothing visible declares: how large they are, and how far apart, is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Member
from regpress_lint.cpp.types import is_undeclared
from regpress_lint.source.indices import spelled

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Type
    from regpress_lint.model.interpreter.machine import Machine


_WORDS = 8  # registers of such an object, beside the one that it counts as: of a class with that many members
_TEXT = "what `{0}` is stays open: `{1}` is not visible, and it counts as a float; {2} would tell"
_HEADER, _INSTANTIATION = "its header (-I) or a build folder (-p)", "an instantiation"


def note_unseen(machine: Machine, expr: Expr, type_: Type | None) -> None:
    """Note an access to an object in memory of a type without a known size, once a type."""
    if type_ is None:  # a member: of what is of such a type itself, or of a class of which not all is visible
        type_ = machine.type_of(expr.base) if isinstance(expr, Member) else None
    if type_ is None or not is_undeclared(type_):
        return
    name = type_.name
    if any(unknown.kind == "type" and unknown.name == name for unknown in machine.tally.unknowns):
        return
    parameters = (each.name for function in machine.active for each in getattr(function, "template", ()))
    told = _INSTANTIATION if name in parameters else _HEADER
    machine.unknown("type", name, expr.span, _TEXT.format(spelled(expr), name, told), "up", _WORDS)
