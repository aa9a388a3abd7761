"""Compile-time evaluation with C++'s integer and floating semantics. Unknown stays unknown: the answer is then None."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.syntax_tree import (
    Binary,
    Call,
    Cast,
    Conditional,
    Constant,
    Expr,
    Index,
    InitList,
    Member,
    Name,
    SizeOf,
    Type,
    Unary,
    Variable,
)
from regpress_lint.cpp.types import is_fragment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.cpp.environment import Environment, Number

_MAX_DEPTH = 48
_MAX_ALIASES = 4  # of a function's name: `#define MIN2 min`
_LIMIT = 1 << 64
_INT_MAX = (1 << 31) - 1
_UNSIGNED = {
    "unsigned int": Type("unsigned int", 4, signed=False),
    "unsigned long": Type("unsigned long", 8, signed=False),
}


def evaluate(expr: Expr | None, env: Environment, depth: int = 0) -> Number | None:
    """Value of an expression, or None if the known source does not settle it."""
    if expr is None or depth > _MAX_DEPTH:
        return None
    rule = _EVALUATION.get(expr.__class__)
    return rule(expr, env, depth) if rule is not None else None


def _literal(expr: Constant, _env: Environment, _depth: int) -> Number | None:
    value = expr.value
    if isinstance(value, float) and not math.isfinite(value):  # `1e999`
        return None
    # `-1u`: the sign was folded into the literal.
    return convert(_UNSIGNED[expr.kind], value) if value is not None and value < 0 and expr.kind in _UNSIGNED else value


def _cast(expr: Cast, env: Environment, depth: int) -> Number | None:
    return convert(expr.type, evaluate(expr.operand, env, depth + 1))


def _conditional(expr: Conditional, env: Environment, depth: int) -> Number | None:
    test = evaluate(expr.test, env, depth + 1)
    return None if test is None else evaluate(expr.then if test else expr.other, env, depth + 1)


def _braces(expr: InitList, env: Environment, depth: int) -> Number | None:
    return evaluate(expr.items[0], env, depth + 1) if len(expr.items) == 1 else None


def _member(expr: Member, env: Environment, _depth: int) -> Number | None:
    if expr.field == "num_elements" and (elements := _fragment_elements(expr.base)) is not None:
        return elements
    fields, base = expr.field, expr.base
    while isinstance(base, Member):
        fields = f"{base.field}.{fields}"
        base = base.base
    return env.names(f"{base.name}.{fields}") if isinstance(base, Name) else None


def _fragment_elements(expr: Expr) -> int | None:
    """How much a thread holds of a matrix, of `wmma::fragment` by itself or one of an array; None for anything else."""
    while isinstance(expr, Index):
        expr = expr.base
    type_ = expr.variable.type if isinstance(expr, Name) and expr.variable is not None else None
    return type_.lanes if type_ is not None and type_.lanes > 1 and is_fragment(type_) else None


def _element(expr: Index, env: Environment, depth: int) -> Number | None:
    places: list[int] = []
    base: Expr = expr
    while isinstance(base, Index):
        position = evaluate(base.index, env, depth + 1)
        if not isinstance(position, int):
            return None
        places.insert(0, position)
        base = base.base
    if not isinstance(base, Name):
        return None
    if base.variable is None:
        return env.names(".".join((base.written, *map(str, places))))
    value = evaluate(listed(_table(base.variable), places), env, depth + 1)
    return convert(base.variable.type, value) if value is not None else None


def _table(variable: Variable) -> Expr | None:
    """The elements of an array that cannot change."""
    fixed = (variable.type.const or variable.storage == "constexpr") and variable.storage != "parameter"
    return variable.init if fixed and variable.dims and not variable.type.pointers else None


def listed(value: Expr | None, places: Sequence[int]) -> Expr | None:
    """The element at these places of a list in braces; None where there is none, or another list."""
    for place in places:
        if not isinstance(value, InitList) or not 0 <= place < len(value.items):
            return None
        value = value.items[place]
    return None if isinstance(value, InitList) else value


def evaluate_int(expr: Expr | None, env: Environment) -> int | None:
    """`evaluate`, for places where only an integer makes sense."""
    value = evaluate(expr, env)
    return value if isinstance(value, int) else int(value) if isinstance(value, float) and value.is_integer() else None


def extents(variable: Variable, env: Environment) -> tuple[int | None, ...]:
    """Evaluated array extents of a declaration; None for one that is unknown, or that no array has."""
    sizes = (evaluate_int(dim, env) for dim in variable.dims)
    return tuple(extent if extent is not None and extent >= 0 else None for extent in sizes)


_MOST_ELEMENTS = 1 << 48


def array_elements(variable: Variable, env: Environment) -> int | None:
    """Number of elements over all dimensions, or None if one is unknown, and for more than any memory has."""
    total = 1
    for extent in extents(variable, env):
        if extent is None:
            return None
        total *= extent
        if total > _MOST_ELEMENTS:
            return None
    return total


def _name(expr: Name, env: Environment, depth: int) -> Number | None:
    if expr.variable is not None:
        init = env.variable(expr.variable)
        value = evaluate(init, env, depth + 1) if init is not None else None
        if value is None:
            return None
        return convert(expr.variable.type, value)
    return env.names(expr.written)


def convert(target: Type, value: Number | None) -> Number | None:
    """Value after conversion to a scalar type: wrapped, truncated, or None where C++ leaves it undefined."""
    if value is None or target.pointers or target.lanes > 1:
        return None
    if target.floating:
        return float(value)
    if target.name == "bool":
        return int(bool(value))
    if target.size is None:
        return None if target.struct else value
    bits = target.size * 8
    if isinstance(value, float):
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if target.signed else (0, 1 << bits)
        return int(value) if low - 1 < value < high else None
    wrapped = value & ((1 << bits) - 1)
    return wrapped - (1 << bits) if target.signed and wrapped >> (bits - 1) else wrapped


def _known_bytes(type_: Type, env: Environment) -> int | None:
    """The size of a type; of a class template the one of its instance."""
    sized = type_ if type_.size is not None else env.types(type_.name)
    return sized.bytes if sized is not None else None


_STRINGS = pattern(r'\s*(?:"(?:[^"\\\n]|\\.)*"\s*)+')
_QUOTED = pattern(r'"((?:[^"\\\n]|\\.)*)"')
_ESCAPED = pattern(r"\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|.)")


def string_bytes(text: str) -> int | None:
    """Bytes of a string literal, or of several that are one, with the zero at its end; None for any other text."""
    if _STRINGS.fullmatch(text) is None:
        return None
    quoted = _QUOTED.findall(text)
    return 1 + sum(len(_ESCAPED.sub("_", inner)) for inner in quoted)


def _sizeof(expr: SizeOf, env: Environment, _depth: int) -> int | None:
    if expr.type is not None:  # of `sizeof(Row::values)` it is that of a pointer
        return None if expr.type.decayed else _known_bytes(expr.type, env)
    operand = expr.operand
    if isinstance(operand, Name):
        if operand.variable is None:
            types = env.types(operand.written)
            return types.bytes if types is not None else string_bytes(env.alias(operand.name) or "")
        count = array_elements(operand.variable, env) if operand.variable.dims else 1
        element = operand.variable.type
        size = _known_bytes(element, env) if element.struct else element.size
        return None if count is None or size is None else count * size
    from regpress_lint.cpp.typing_rules import expression_type

    type_ = expression_type(operand, env.types) if operand is not None else None
    return type_.size if type_ is not None and not type_.decayed else None


def _unary(expr: Unary, env: Environment, depth: int) -> Number | None:
    value = evaluate(expr.operand, env, depth + 1)
    if value is None or (expr.op in ("-", "~") and _looseness(expr.operand, env) == 3):
        return None
    if expr.op == "+":
        return value
    if expr.op == "!":
        return int(not value)
    if expr.op == "-":
        value = -value
    elif expr.op == "~" and isinstance(value, int):
        value = ~value
    else:
        return None
    return value if isinstance(value, float) else _in_range(expr, value, env)


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


COMPARISONS: dict[str, Callable[[Number, Number], int]] = {
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
}
OPERATIONS: dict[str, Callable[[Number, Number], Number | None]] = {
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
    ",": lambda _a, b: b,
    **COMPARISONS,
}


def _binary(expr: Binary, env: Environment, depth: int) -> Number | None:
    left = evaluate(expr.left, env, depth + 1)
    if expr.op in ("&&", "||"):
        decisive = expr.op == "||"
        if left is not None and bool(left) == decisive:
            return int(decisive)
        right = evaluate(expr.right, env, depth + 1)
        if right is not None and bool(right) == decisive:
            return int(decisive)
        return None if left is None or right is None else int(not decisive)
    if left is None:
        return None
    right = evaluate(expr.right, env, depth + 1)
    operation = OPERATIONS.get(expr.op)
    if right is None or operation is None:
        return None
    if _needs_parentheses(expr, env):
        return None
    if isinstance(left, int) and isinstance(right, int):
        return _integer_operation(expr, operation, left, right, env)
    try:
        value = operation(left, right)
    except (OverflowError, ValueError):
        return None
    return value if value is None or math.isfinite(value) else None


def _needs_parentheses(expr: Binary, env: Environment) -> bool:
    """`N * 2` with `#define N 16 + 2`: the text that the compiler sees means something else."""
    right = _looseness(expr.right, env)
    if expr.op in ("*", "/", "%"):
        return right >= (2 if expr.op == "*" else 1) or _looseness(expr.left, env) == 3
    return right == 3 and expr.op in ("-", "<<", ">>", "<", ">", "&")


def _looseness(expr: Expr, env: Environment) -> int:
    if isinstance(expr, Call) or (isinstance(expr, Name) and expr.variable is None):
        return env.loose(expr.name)
    return 0


def _integer_operation(
    expr: Binary, operation: Callable[[Number, Number], Number | None], left: int, right: int, env: Environment
) -> Number | None:
    """Result in the type that C++ computes in. Types matter only where a sign or a carry is involved."""
    if (left < 0 or right < 0) and expr.op not in ("<<", ">>", ","):
        common = _integer_type(Binary(expr.span, "+", expr.left, expr.right), env)
        if common is not None and not common.signed:
            left, right = int(convert(common, left) or 0), int(convert(common, right) or 0)
    value = operation(left, right)
    if not isinstance(value, int) or expr.op == ",":
        return value
    return _in_range(expr, value, env)


def _in_range(expr: Expr, value: int, env: Environment) -> int | None:
    """The value wrapped to an unsigned type; None if it overflows a signed one."""
    if 0 <= value <= _INT_MAX:
        return value
    type_ = _integer_type(expr, env)
    if type_ is None:
        # Names whose type is not visible: int or long, so anything that fits into 64 bits may be right.
        return value if abs(value) < _LIMIT else None
    wrapped = convert(type_, value)
    return int(wrapped) if wrapped is not None and (not type_.signed or wrapped == value) else None


def _integer_type(expr: Expr, env: Environment) -> Type | None:
    from regpress_lint.cpp.typing_rules import expression_type

    if _has_untyped_name(expr):
        return None
    type_ = expression_type(expr, env.types)
    return None if type_ is None or type_.floating or type_.pointers or type_.struct or type_.size is None else type_


def _has_untyped_name(expr: Expr) -> bool:
    stack: list[Expr] = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Binary):
            stack.extend((node.left, node.right))
        elif isinstance(node, Unary):
            stack.append(node.operand)
        elif not isinstance(node, (Constant, Cast, SizeOf)) and not (isinstance(node, Name) and node.variable):
            return True
    return False


# name -> (number of arguments, function). The result is floating exactly where C++'s is.
_FUNCTIONS: dict[str, tuple[int, Callable[..., Number]]] = {
    "min": (2, min),
    "max": (2, max),
    "fmin": (2, lambda a, b: float(min(a, b))),
    "fmax": (2, lambda a, b: float(max(a, b))),
    "abs": (1, abs),
    "fabs": (1, lambda a: abs(float(a))),
    "sqrt": (1, math.sqrt),
    "sqrtf": (1, math.sqrt),
    "floor": (1, lambda a: float(math.floor(a))),
    "ceil": (1, lambda a: float(math.ceil(a))),
    "exp": (1, math.exp),
    "log": (1, math.log),
}


def _call(expr: Call, env: Environment, depth: int) -> Number | None:
    name: str | None = expr.name
    for _ in range(_MAX_ALIASES):
        if name is None or name in _FUNCTIONS:
            break
        name = env.alias(name)
    arity, function = _FUNCTIONS.get(name or "", (0, None))
    if function is None or len(expr.args) != arity:
        if expr.template_args and not expr.args:  # `is_same<T, float>{}` is its value
            trait = env.names(f"{expr.name}<{', '.join(expr.template_args)}>::value")
            if trait is not None:
                return trait
        if env.called is None:
            return None
        arguments = _arguments(expr, env, depth)
        return env.called(expr, arguments) if arguments is not None else None
    values = _arguments(expr, env, depth)
    if values is None:
        return None
    try:
        return function(*values)
    except (ValueError, OverflowError, TypeError):
        return None


def _arguments(expr: Call, env: Environment, depth: int) -> tuple[Number, ...] | None:
    """Values of a call's arguments, None if one is unknown."""
    values: list[Number] = []
    for argument in expr.args:
        value = evaluate(argument, env, depth + 1)
        if value is None:
            return None
        values.append(value)
    return tuple(values)


_EVALUATION: dict[type, Callable[..., Number | None]] = {
    Constant: _literal,
    Name: _name,
    Binary: _binary,
    Unary: _unary,
    Cast: _cast,
    Conditional: _conditional,
    SizeOf: _sizeof,
    InitList: _braces,
    Call: _call,
    Member: _member,
    Index: _element,
}
