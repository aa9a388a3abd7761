"""Routines of the math library that write a result through a pointer: `sincosf(x, &s[i], &c[i])`.

A result whose pointer is the address of a private variable is assigned to it (`calls.py`); one for memory is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.types import dereference
from regpress_lint.ir import ops
from regpress_lint.ir.build.accesses import pointed, store
from regpress_lint.ir.graph import POINTER

if TYPE_CHECKING:
    from collections.abc import Collection

    from regpress_lint.cpp.syntax_tree import Type
    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.graph import Form

_PLAIN = ("sincos", "sincospi", "modf", "frexp", "remquo")
_WRITE = frozenset((*_PLAIN, *(f"{name}f" for name in _PLAIN), "__sincosf"))


def results_of(
    machine: Machine, name: str, operands: tuple[int, ...], private: Collection[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The operands of a routine, and the pointers to memory that it writes through; other functions have none.

    private: operands that stand for private variables whose address is given.
    """
    if name not in _WRITE:
        return operands, ()
    kinds = machine.graph.kinds
    pointers = tuple(operand for operand in operands if kinds[operand] == POINTER and operand not in private)
    return tuple(operand for operand in operands if operand not in pointers), pointers


def written(machine: Machine, pointer: int, result: int, type_: Type | None) -> None:
    """Store a result of a routine; type_: of the argument, a pointer."""
    store(machine, pointed(machine, pointer, dereference(type_) if type_ is not None else None), result)


def further(
    machine: Machine, name: str, position: int, operands: tuple[int, ...], form: Form, extra: int, begun: str | None
) -> int:
    """A result of a routine other than its value; `begun` is the key of one that has been begun."""
    op = ops.result_of(name, position) if begun is None else ops.ended(name, position)
    made = machine.graph.pure(op, operands, form, extra)
    if begun is not None:
        machine.note_routine(made, begun, of_loop=True)
    return made
