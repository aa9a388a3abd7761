"""The kind of division that a compiler generates for `/` and `%`."""

from __future__ import annotations

from math import frexp
from typing import TYPE_CHECKING

from regpress_lint.ir.build import arithmetic
from regpress_lint.ir.graph import FLOAT, SIGNED
from regpress_lint.ir.ops import SEXT
from regpress_lint.ir.ranges import largest

if TYPE_CHECKING:
    from regpress_lint.cpp.constants import Number
    from regpress_lint.ir.build.machine import Machine

_HALF = 0.5  # `frexp` of a power of two


def division_key(machine: Machine, a: int, b: int) -> str | None:
    """Key into `COSTS` of the division or remainder of two values; None for one that folds, shifts or multiplies."""
    graph = machine.graph
    form = arithmetic.common_form(graph, "/", a, b)
    dividend, divisor = graph.constants[a], graph.constants[b]
    if dividend is not None and (divisor is not None or (dividend == 0 and form.kind != FLOAT)):
        return None
    if divisor is not None and (not divisor or _is_power_of_two(divisor)):
        return None
    if form.kind == FLOAT:  # IEEE's division is exact: a constant is no exception
        return "/:d" if form.width > 1 else "/:f"
    size = "i" if form.width < 2 or (machine.compiler.short_divisions and _is_word(machine, a)) else "l"
    if divisor is not None:
        return f"/constant:{size}"
    return f"/:{size}" if graph.divergent[a] or graph.divergent[b] else f"/uniform:{size}"


def _is_power_of_two(number: Number) -> bool:
    return abs(frexp(number)[0]) == _HALF


def _is_word(machine: Machine, value: int) -> bool:
    """True if the upper half of 64 bits is known to be 0 or made of sign bits: clang divides that as 32 bits, nvcc
    does not.
    """
    graph = machine.graph
    if graph.ops[value] is SEXT and graph.kinds[value] == SIGNED and graph.forms[graph.args[value][0]].width == 1:
        return True
    most = largest(graph, value)
    return most is not None and most < 1 << 32
