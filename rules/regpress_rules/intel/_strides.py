"""How an index goes with the work-item and with the counter of a loop: the factors of a sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import NamedTuple
from regpress_lint.api.syntax import Binary, Cast, Member, Name, evaluate

if TYPE_CHECKING:
    from regpress_lint.api import KernelFacts
    from regpress_lint.api.syntax import Expr, Variable

_DEEPEST = 12


class Stride(NamedTuple):
    """An index as `lane` times the work-item's id, plus `counter` times a loop's counter, plus `offset`, plus what is
    the same for both; `rest` says whether there is something of that kind.
    """

    lane: int = 0
    counter: int = 0
    offset: int = 0
    rest: bool = False


def stride(facts: KernelFacts, expr: Expr, counter: Variable, depth: int = 0) -> Stride | None:
    """The factors of an index; None for one that is no such sum."""
    if depth > _DEEPEST:
        return None
    if isinstance(expr, Name) and expr.variable is counter:
        return Stride(counter=1)
    if isinstance(expr, Member) and isinstance(expr.base, Name) and expr.base.name == "threadIdx":
        return Stride(lane=1) if expr.field == "x" else Stride(rest=True)  # neighbours of a sub-group differ in x
    value = evaluate(expr, facts.environment)
    if isinstance(value, int):
        return Stride(offset=value)
    if isinstance(expr, Cast):
        return stride(facts, expr.operand, counter, depth + 1)
    if isinstance(expr, Binary) and expr.op in ("+", "-", "*"):
        return _combined(facts, expr, counter, depth)
    variable = expr.variable if isinstance(expr, Name) else None
    if variable is not None and variable.storage == "local" and variable.init is not None:
        return None if variable in facts.modified else stride(facts, variable.init, counter, depth + 1)
    return Stride(rest=True) if facts.uniform()(expr) else None


def _combined(facts: KernelFacts, expr: Binary, counter: Variable, depth: int) -> Stride | None:
    left, right = (stride(facts, each, counter, depth + 1) for each in (expr.left, expr.right))
    if left is None or right is None:
        return None
    if expr.op == "*":
        factor, other = (left, right) if _is_number(left) else (right, left)
        if _is_number(factor):
            by = factor.offset
            return Stride(other.lane * by, other.counter * by, other.offset * by, other.rest)
        same = not (left.lane or left.counter or right.lane or right.counter)
        return Stride(rest=True) if same else None
    sign = 1 if expr.op == "+" else -1
    return Stride(
        left.lane + sign * right.lane,
        left.counter + sign * right.counter,
        left.offset + sign * right.offset,
        left.rest or right.rest,
    )


def _is_number(found: Stride) -> bool:
    return not (found.lane or found.counter or found.rest)
