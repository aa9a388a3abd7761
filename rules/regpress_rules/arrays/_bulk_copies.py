"""Calls of `memcpy` and its like that get a private array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.syntax import Cast, Expr, Index, Name, Unary, evaluate, names_in

if TYPE_CHECKING:
    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import PrivateArray
    from regpress_lint.api.syntax import Variable

BULK = frozenset(("memcpy", "memset", "memmove"))


def goes_by_bytes(facts: KernelFacts, array: PrivateArray) -> bool:
    """True if a run-time number of its bytes is copied or filled: it is in memory, whatever its indices are."""
    calls = (record.call for record in facts.flow_of(array.function).calls)
    return any(
        call.name in BULK
        and len(call.args) == 3
        and known_at_run_time(facts, call.args[2])
        and any(is_address(argument, array.variable) for argument in call.args)
        for call in calls
    )


def is_address(argument: Expr, variable: Variable) -> bool:
    """True for the array's bare name and for the address of an element."""
    if isinstance(argument, Cast):
        argument = argument.operand
    if isinstance(argument, Unary) and argument.op == "&":
        argument = argument.operand
        while isinstance(argument, Index):
            argument = argument.base
    return isinstance(argument, Name) and argument.variable is variable


def known_at_run_time(facts: KernelFacts, size: Expr) -> bool:
    """True if a size surely is no constant: it depends on an argument or on a variable that is none."""
    if evaluate(size, facts.source.environment) is not None:
        return False
    variables = [name.variable for name in names_in(size) if name.variable is not None]
    return any(variable.storage in ("local", "parameter") and not variable.type.const for variable in variables)
