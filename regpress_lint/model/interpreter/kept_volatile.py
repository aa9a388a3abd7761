"""`volatile` variables that a compiler that drops the word keeps in memory all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Function, InitList, Loop
from regpress_lint.cpp.traversal import names_in, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.syntax_tree import Type, Variable
    from regpress_lint.model.interpreter.machine import Machine

_LONG = 8  # bytes


def is_kept_volatile(machine: Machine, variable: Variable) -> bool:
    """True for a copy of an object that a loop makes, and for what only a branch outside of loops declares, where it
    holds numbers of 64 bits (objects also of floats): nvcc 13 then stores and reads each of them
    (`test_kept_volatile.py`).
    """
    if not machine.compiler.drops_volatile or variable.dims or variable.type.pointers or variable.type.reference:
        return False
    held = tuple(_held(machine, variable.type))
    if machine.loop_region() is not None:
        copies = variable.type.struct and variable.init is not None and not isinstance(variable.init, InitList)
        return copies and any(type_.size == _LONG or type_.floating for type_ in held)
    return machine.guards > 0 and any(type_.size == _LONG for type_ in held) and not _is_in_a_loop(machine, variable)


def _held(machine: Machine, type_: Type) -> Iterator[Type]:
    if not type_.struct:
        yield type_
    for member in (machine.file.parts_of(type_.name) or ()) if type_.struct else ():
        yield member.type


def _is_in_a_loop(machine: Machine, variable: Variable) -> bool:
    function = next((one for one in reversed(machine.active) if isinstance(one, Function)), None)
    loops = (node for node in walk(function.body) if isinstance(node, Loop)) if function is not None else ()
    return any(name.variable is variable for loop in loops for name in names_in(loop))
