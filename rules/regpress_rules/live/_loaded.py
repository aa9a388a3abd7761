"""Variables that cannot hold values read from memory, by only their declarations: no execution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.syntax import (
    COORDINATES,
    Binary,
    Cast,
    Conditional,
    Constant,
    Member,
    Name,
    SizeOf,
    Unary,
    children,
)

if TYPE_CHECKING:
    from regpress_lint.api import KernelFacts
    from regpress_lint.api.syntax import Expr, Stmt, Variable

_DEEPEST = 8  # declarations that one is made of


def may_be_loaded(facts: KernelFacts, variable: Variable, depth: int = 0) -> bool:
    """False for a local number that is declared as arithmetic on constants, places in the grid, the kernel's arguments
    and more of its kind, and that nothing changes afterwards.
    """
    type_ = variable.type
    plain = type_.size is not None and not (type_.struct or type_.reference or type_.pointers) and type_.lanes == 1
    if not plain or variable.dims or depth > _DEEPEST or variable in facts.modified:
        return True
    if variable.storage == "parameter":
        return False
    if variable.storage != "local" or variable.init is None or _is_given(facts, variable):
        return True
    return _may_load(facts, variable.init, depth)


def _may_load(facts: KernelFacts, expr: Expr | Stmt, depth: int) -> bool:
    if isinstance(expr, Constant | SizeOf):
        return False
    if isinstance(expr, Name):
        if expr.variable is not None:
            return may_be_loaded(facts, expr.variable, depth + 1)
        return facts.environment.names(expr.name) is None
    if isinstance(expr, Member):
        return not (isinstance(expr.base, Name) and expr.base.variable is None and expr.base.name in COORDINATES)
    if isinstance(expr, Unary):
        return expr.op in ("*", "&") or _may_load(facts, expr.operand, depth)
    if not isinstance(expr, Binary | Cast | Conditional):
        return True
    return any(_may_load(facts, child, depth) for child in children(expr))


def _is_given(facts: KernelFacts, variable: Variable) -> bool:
    """True for a bare name among the arguments of a call: a macro, or an unknown function, may change it."""
    calls = (record.call for record in facts.flow_of(facts.kernel.function).calls)
    return any(isinstance(each, Name) and each.variable is variable for call in calls for each in call.args)
