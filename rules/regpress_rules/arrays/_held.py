"""Private arrays that a kernel has to hold, however its loops are written: no change would help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.memory import base_variable, memory_root, own_root
from regpress_lint.api.syntax import Assign, Call, Evaluate, Index, Name, Unary, names_in, nodes_of, walk
from regpress_rules.arrays._price import registers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api.facts import Access, PrivateArray
    from regpress_lint.api.syntax import Expr, Variable
    from regpress_rules.arrays._private import Case

_SHORT = 16  # registers that copies of a loop take from any kernel


def held(case: Case) -> str:
    """Why a case's arrays are inherent to the algorithm, in words; empty if they are not.

    All their indices are counters of loops whose bounds are known only at run time, and no pragma requests copies.
    """
    reasons = [reason for each in case.reasons.values() for reason in each]
    if not reasons or any(reason.kind != "bound" or reason.loop is None for reason in reasons):
        return ""
    if any(loop.loop.unroll is not None for loop in case.loops) or registers(case.arrays) <= _SHORT:
        return ""
    if any(_is_drawn(array) for array in case.arrays):
        return "it holds what was drawn at random, which cannot be drawn again"
    if any(_is_written_back(array) for array in case.arrays):
        return (
            "it is written back to where the loop that fills it reads, so that it has to be held until that has ended"
        )
    return ""


def _stored(array: PrivateArray) -> Iterator[Expr]:
    """The values that are written to elements of an array."""
    for node in nodes_of(array.function):
        if isinstance(node, Assign) and isinstance(node.target, Index) and own_root(node.target) is array.variable:
            yield node.value


def _is_drawn(array: PrivateArray) -> bool:
    """Whether an element is computed by a function from an object of the thread that it receives by address: a
    random-number generator, whose state changes with the call.
    """
    return any(
        isinstance(call, Call) and any(_is_state(argument) for argument in call.args)
        for value in _stored(array)
        for call in walk(value)
    )


def _is_state(argument: Expr) -> bool:
    if not isinstance(argument, Unary) or argument.op != "&" or not isinstance(argument.operand, Name):
        return False
    variable = argument.operand.variable
    if variable is None or variable.storage != "local" or variable.dims or variable.type.pointers:
        return False
    return variable.type.struct or variable.type.size is None


def _is_written_back(array: PrivateArray) -> bool:
    """Whether elements, each computed from many places behind a pointer, are stored behind the same pointer.

    An element that is loaded from a place and stored back there is a copy that may belong in registers.
    """
    read = {root for access in array.accesses if access.kind != "read" for root in _summed(access)}
    if not read:
        return False
    for node in nodes_of(array.function):
        if isinstance(node, Assign) and base_variable(node.target) in read and _mentions(node.value, array):
            return True
        call = node.expression if isinstance(node, Evaluate) and isinstance(node.expression, Call) else None
        handed = call.args if call is not None else ()
        if any(base_variable(each) in read for each in handed) and any(_mentions(each, array) for each in handed):
            return True
    return False


def _summed(access: Access) -> Iterator[Variable]:
    """Pointers that are read at many places for the element that an access writes."""
    inner = max(access.loops, key=lambda loop: loop.depth, default=None)
    if inner is None or inner.counter is None:
        return
    if any(name.variable is inner.counter for index in access.indices for name in names_in(index)):
        return
    for node in walk(inner.loop.body):
        root = memory_root(node) if isinstance(node, Index) else None
        if root is not None and any(name.variable is inner.counter for name in names_in(node)):
            yield root


def _mentions(expr: Expr, array: PrivateArray) -> bool:
    return any(name.variable is array.variable for name in names_in(expr))
