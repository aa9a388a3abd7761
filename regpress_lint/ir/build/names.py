"""The meaning of a name: a variable, a known constant, where a thread is, a macro, a field, a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.ir.build.calls import expanded
from regpress_lint.ir.build.inlining import ANY_COUNT
from regpress_lint.ir.build.machine import form_of
from regpress_lint.ir.build.private_objects import variable_value
from regpress_lint.ir.build.this_object import own_member
from regpress_lint.ir.graph import FLOAT, INT, UNSIGNED, made_form
from regpress_lint.ir.objects import Closure
from regpress_lint.targets.builtins import AXES, COORDINATES, THREAD

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Expr, Name
    from regpress_lint.ir.build.machine import Machine
    from regpress_lint.ir.objects import Value

_LARGEST_BLOCK = 1024  # threads in a block along each axis: the range that a compiler gives a thread's id
_LARGEST_DIM = 0xFFFF  # a block's size is read as 16 bits


def value_of_name(machine: Machine, expr: Name) -> Value:
    """Value of a name, where the execution is now."""
    if expr.variable is not None:
        return variable_value(machine, expr.variable)
    name = expr.name
    bound = machine.constants.get(name)
    if bound is not None:
        return machine.graph.constant(bound)
    variable = machine.names.get(name)
    if variable is not None:
        return variable_value(machine, variable)
    if name in COORDINATES:  # all of it: `const dim3 t = threadIdx`
        return tuple(coordinate(machine, name, axis) for axis in AXES)
    known = machine.inputs.environment.names(name)
    if known is None and machine.this is not None:
        known = _of_class(machine, machine.this, name)
    if known is not None:
        return machine.graph.constant(known, made_form(2, FLOAT) if isinstance(known, float) else INT)
    if name == "warpSize":
        return machine.graph.constant(machine.compiler.wave)
    body = expanded(machine, name, None)
    if body is not None:
        return body
    if machine.this is not None:
        return machine.evaluate(own_member(machine, expr, machine.this))
    if machine.file.find_function(name, ANY_COUNT) is not None:
        return Closure(expr)
    form = form_of(machine.type_of(expr))
    return machine.graph.source(("free", name), form, held=machine.compiler.scalar_registers)


def _of_class(machine: Machine, this: Expr, name: str) -> int | float | None:
    """Value of a static constant or a template argument of the class whose member function is executed."""
    owner = machine.type_of(this)
    if owner is None or "<" not in owner.name:
        return None
    return machine.inputs.environment.names(f"{owner.name}::{name}")


def coordinate(machine: Machine, name: str, axis: str) -> int:
    """`threadIdx.x` and its like: where the thread is, and how many there are."""
    graph = machine.graph
    if name == THREAD:
        thread = graph.source((name, axis), made_form(1, UNSIGNED), divergent=True)
        graph.limits[thread] = min(machine.inputs.bound_threads or _LARGEST_BLOCK, _LARGEST_BLOCK) - 1
        return thread
    held = machine.compiler.scalar_registers or name == "blockIdx"
    uniform = graph.source((name, axis), made_form(1, UNSIGNED), held=held)
    if name == "blockDim":
        graph.limits[uniform] = _LARGEST_DIM
    return uniform
