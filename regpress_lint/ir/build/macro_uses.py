"""Macros: what a name stands for at this point of the execution."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.cpp.names.expansions import Expansion
    from regpress_lint.cpp.syntax import Expr
    from regpress_lint.ir.build.machine import Machine

_MAX_EXPANSIONS = 12


def expansion_of(machine: Machine, name: str, args: tuple[Expr, ...] | None) -> Expansion | None:
    """What a macro stands for, None if it is none in view."""
    if machine.expanding >= _MAX_EXPANSIONS:
        return None
    types = tuple(machine.type_of(arg) for arg in args) if args is not None else ()
    return machine.file.expansion(name, len(args) if args is not None else None, machine.names, types, machine.end)
