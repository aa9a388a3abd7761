"""Calls whose callee is unknown until the program runs: virtual functions, tables of functions, pointers to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Call, Expr, Index, Member, Name, Unary
from regpress_lint.ir.build.machine import Machine, form_of
from regpress_lint.ir.build.this_object import own
from regpress_lint.ir.graph import UNSIGNED, made_form
from regpress_lint.ir.objects import Closure, Parts
from regpress_lint.ir.ops import CALL
from regpress_lint.targets.costs import COSTS, INDIRECT, RECURSION

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Type


def is_through_pointer(machine: Machine, callee: Expr) -> bool:
    """True for a callee that is a pointer; lambdas, named functions, objects and macros were followed before.

    A pointer to data of known size is not a function: an unknown macro is called like an array.
    """
    if isinstance(callee, Name) and (callee.variable is None or callee.variable.type.name == "auto"):
        return False  # a parameter of a macro, for one
    if is_view(callee):
        return False
    if isinstance(callee, (Name, Index, Unary)):
        type_ = machine.type_of(callee)
        return (
            type_ is None
            or (type_.size is None and not type_.struct)
            or (type_.pointers > 0 and not type_.pointee_size)
        )
    return False


def is_view(callee: Expr) -> bool:
    """True for an object that is called, or for an element of one: `Array4<T> const& u`, `views[box]`."""
    base = callee.base if isinstance(callee, Index) else callee
    variable = base.variable if isinstance(base, Name) else None
    if variable is None or variable.type.pointers or variable.dims:
        return False
    return isinstance(callee, Index) or variable.type.reference or "<" in variable.type.name


def is_late(machine: Machine, callee: Expr) -> bool:
    """True for a virtual function of an object whose class is known only when the program runs, and for a variable that
    may hold one function or another.
    """
    if isinstance(callee, Name) and callee.variable is not None:
        held = machine.variables.get(callee.variable)
        return isinstance(held, Closure) and held.late
    if not isinstance(callee, Member):
        return False
    base = own(machine, callee.base)
    type_ = machine.type_of(base)
    if type_ is None or not machine.file.is_virtual(type_.name, callee.field):
        return False
    return not _is_object(machine, base, type_)


def _is_object(machine: Machine, base: Expr, type_: Type) -> bool:
    """True for an object of the kernel's own: its class is known, and so is what is called."""
    if isinstance(base, Name) and base.name == "this":
        return machine.this is not None
    if type_.pointers or type_.reference or not isinstance(base, Name) or base.variable is None:
        return False
    return isinstance(machine.variables.get(base.variable), Parts)


def call_indirect(machine: Machine, expr: Call, operands: tuple[int, ...]) -> int:
    """The call itself: the callee may use every register that is not kept across calls, and write anywhere."""
    cost, type_ = COSTS[machine.vendor][INDIRECT], machine.type_of(expr)
    form = form_of(type_)
    machine.tally.unresolved += 1
    result = machine.effect(
        CALL, operands, form if form.width else made_form(1, UNSIGNED), divergent=True, extra=cost.once
    )
    machine.memory.fenced("global")
    machine.new_block()
    return result


def call_itself(machine: Machine, expr: Call, operands: tuple[int, ...]) -> int:
    """A call of the function that makes it: what it takes of registers is not known, and it has a frame."""
    machine.tally.libraries.append(RECURSION)
    return call_indirect(machine, expr, operands)
