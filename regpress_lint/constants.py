"""Compile-time evaluation with C++'s integer and floating semantics. Unknown stays unknown: the answer is then None."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regpress_lint.syntax import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    InitList,
    Literal_,
    Member,
    Name,
    SizeOf,
    Type,
    Unary,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.model import Number
    from regpress_lint.types import TypeLookup

_MAX_DEPTH = 48
_LIMIT = 1 << 64


def _no_type(_name: str) -> Type | None:
    return None


def _no_name(_name: str) -> Number | None:
    return None


def const_initialiser(variable: Variable) -> Expr | None:
    """Initialiser of a variable that cannot change: `const`, `constexpr`, `static const`."""
    fixed = variable.type.const or variable.storage == "constexpr"
    return variable.init if fixed and not variable.dims and not variable.type.pointers else None


@dataclass(frozen=True, slots=True)
class Environment:
    """Where names get their values from.

    names: value of a macro, file-level constant, enumerator or template parameter. variable: initialiser of a local
    that is constant here. types: sizes for `sizeof`.
    """

    names: Callable[[str], Number | None] = _no_name
    variable: Callable[[Variable], Expr | None] = const_initialiser
    types: TypeLookup = _no_type


def evaluate(expr: Expr | None, env: Environment, depth: int = 0) -> Number | None:
    """Value of an expression, or None if the source in view does not settle it."""
    if expr is None or depth > _MAX_DEPTH:
        return None
    if isinstance(expr, Literal_):
        return expr.value
    if isinstance(expr, Name):
        return _name(expr, env, depth)
    if isinstance(expr, Binary):
        return _binary(expr, env, depth)
    if isinstance(expr, Unary):
        return _unary(expr, env, depth)
    if isinstance(expr, Cast):
        return _cast(expr.type, evaluate(expr.operand, env, depth + 1))
    if isinstance(expr, Conditional):
        test = evaluate(expr.test, env, depth + 1)
        return None if test is None else evaluate(expr.then if test else expr.other, env, depth + 1)
    if isinstance(expr, SizeOf):
        return _sizeof(expr, env)
    if isinstance(expr, InitList) and len(expr.items) == 1:
        return evaluate(expr.items[0], env, depth + 1)
    if isinstance(expr, Call):
        return _call(expr, env, depth)
    if isinstance(expr, Member) and isinstance(expr.base, Name):
        return env.names(f"{expr.base.name}.{expr.field}")
    if isinstance(expr, Index) and isinstance(expr.base, Name) and expr.base.variable is None:
        position = evaluate(expr.index, env, depth + 1)
        return env.names(f"{expr.base.name}.{position}") if isinstance(position, int) else None
    return None


def evaluate_int(expr: Expr | None, env: Environment) -> int | None:
    """`evaluate`, for places where only an integer makes sense."""
    value = evaluate(expr, env)
    return value if isinstance(value, int) else int(value) if isinstance(value, float) and value.is_integer() else None


def extents(variable: Variable, env: Environment) -> tuple[int | None, ...]:
    """Evaluated array extents of a declaration."""
    return tuple(evaluate_int(dim, env) for dim in variable.dims)


def array_elements(variable: Variable, env: Environment) -> int | None:
    """Number of elements over all dimensions, or None if one is unknown."""
    total = 1
    for extent in extents(variable, env):
        if extent is None or extent < 0:
            return None
        total *= extent
    return total


def _name(expr: Name, env: Environment, depth: int) -> Number | None:
    if expr.variable is not None:
        init = env.variable(expr.variable)
        value = evaluate(init, env, depth + 1) if init is not None else None
        if value is None:
            return None
        return _cast(expr.variable.type, value)
    return env.names(expr.name)


def _cast(target: Type, value: Number | None) -> Number | None:
    if value is None or target.pointers or target.lanes > 1:
        return None
    if target.floating:
        return float(value)
    if target.size is None or isinstance(value, float):
        if target.struct or (isinstance(value, float) and not math.isfinite(value)):
            return None
        return int(value) if target.size is not None else value
    bits = target.size * 8
    if target.name == "bool":
        return int(bool(value))
    wrapped = value & ((1 << bits) - 1)
    return wrapped - (1 << bits) if target.signed and wrapped >> (bits - 1) else wrapped


def _sizeof(expr: SizeOf, env: Environment) -> int | None:
    if expr.type is not None:
        if expr.type.size is not None:
            return expr.type.size
        found = env.types(expr.type.name)
        return found.size if found is not None else None
    operand = expr.operand
    if isinstance(operand, Name):
        if operand.variable is None:
            found = env.types(operand.name)
            return found.size if found is not None else None
        count = array_elements(operand.variable, env) if operand.variable.dims else 1
        size = operand.variable.type.size
        return None if count is None or size is None else count * size
    from regpress_lint.typing_rules import expression_type

    type_ = expression_type(operand, env.types) if operand is not None else None
    return type_.size if type_ is not None else None


def _unary(expr: Unary, env: Environment, depth: int) -> Number | None:
    value = evaluate(expr.operand, env, depth + 1)
    if value is None:
        return None
    if expr.op == "-":
        return -value
    if expr.op == "+":
        return value
    if expr.op == "!":
        return int(not value)
    return ~value if expr.op == "~" and isinstance(value, int) else None


def _divide(a: Number, b: Number) -> Number | None:
    if b == 0:
        return None
    if isinstance(a, int) and isinstance(b, int):
        quotient = abs(a) // abs(b)
        return quotient if (a < 0) == (b < 0) else -quotient
    return a / b


def _remainder(a: Number, b: Number) -> Number | None:
    if not isinstance(a, int) or not isinstance(b, int) or b == 0:
        return None
    return abs(a) % abs(b) * (1 if a >= 0 else -1)


def _shift(a: Number, b: Number, *, left: bool) -> Number | None:
    if not isinstance(a, int) or not isinstance(b, int) or not 0 <= b < 64:
        return None
    return a << b if left else a >> b


def _integers(operation: Callable[[int, int], int]) -> Callable[[Number, Number], Number | None]:
    return lambda a, b: operation(a, b) if isinstance(a, int) and isinstance(b, int) else None


_OPERATIONS: dict[str, Callable[[Number, Number], Number | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": _remainder,
    "<<": lambda a, b: _shift(a, b, left=True),
    ">>": lambda a, b: _shift(a, b, left=False),
    "&": _integers(lambda a, b: a & b),
    "|": _integers(lambda a, b: a | b),
    "^": _integers(lambda a, b: a ^ b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    ",": lambda _a, b: b,
}


def _binary(expr: Binary, env: Environment, depth: int) -> Number | None:
    left = evaluate(expr.left, env, depth + 1)
    if expr.op in ("&&", "||"):
        if left is not None and bool(left) == (expr.op == "||"):
            return int(bool(left))
        right = evaluate(expr.right, env, depth + 1)
        return None if left is None or right is None else int(bool(right))
    if left is None:
        return None
    right = evaluate(expr.right, env, depth + 1)
    operation = _OPERATIONS.get(expr.op)
    if right is None or operation is None:
        return None
    try:
        value = operation(left, right)
    except (OverflowError, ValueError):
        return None
    # Beyond 64 bits C++ would have wrapped; such a number is no size, count or bound.
    return None if value is None or (isinstance(value, int) and abs(value) >= _LIMIT) else value


_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "min": min,
    "max": max,
    "fmin": min,
    "fmax": max,
    "abs": abs,
    "fabs": abs,
    "sqrt": math.sqrt,
    "sqrtf": math.sqrt,
    "floor": math.floor,
    "ceil": math.ceil,
    "exp": math.exp,
    "log": math.log,
}


def _call(expr: Call, env: Environment, depth: int) -> Number | None:
    function = _FUNCTIONS.get(expr.name)
    if function is None or not expr.args or len(expr.args) > 2:
        return None
    values = [evaluate(argument, env, depth + 1) for argument in expr.args]
    if any(value is None for value in values):
        return None
    try:
        return function(*values)
    except (ValueError, OverflowError, TypeError):
        return None
