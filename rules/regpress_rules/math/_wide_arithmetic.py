"""Arithmetic of floats that is done in double because of a literal or a constant, and that no compiler turns back.

nvcc 13.0.88 and clang 19.1.7 agree (180 small kernels, FP64 instructions of the PTX and of gfx90a's assembly): a single
operation whose operands are floats or constants that a float holds exactly is done in float if its result is rounded to
one at once (`0.5 * x`, `x * y + 1.0`, `x / 3.0`), and so is a comparison with such a constant. Everything beyond that
stays double: a second operation, a constant like 0.1, an integer operand, a result that becomes an integer.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Literal

from regpress_lint.api import NamedTuple
from regpress_lint.api.math import named
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Constant,
    Declare,
    Member,
    Name,
    Return,
    Unary,
    evaluate,
    expression_type,
    nodes_of,
)
from regpress_rules.math._promotions import (
    COSTLY,
    UNBOUND,
    Scope,
    double_constant,
    expression_macro,
    is_constant_of,
    is_device_math,
    is_float,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.syntax import Expr, Function, Type

_CHEAP = named("free")
_ARITHMETIC = frozenset("+-*/")
_COMPARISONS = frozenset(("<", ">", "<=", ">=", "==", "!="))
_ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/="))
_DEEPEST = 60

# How an operand reaches an operation in double. exact: a constant that a float holds, float: a value of that type,
# integer: converted without a way back, computed: the result of another operation, other: double by itself, or unknown.
_Kind = Literal["exact", "inexact", "float", "integer", "computed", "other"]


class WideArithmetic(NamedTuple):
    """An expression of floats that is worked out in double: its FP64 operations and the constants that cause them."""

    expr: Expr
    causes: tuple[Expr, ...]
    operations: int
    divisions: int
    float_in_nvcc: bool = False  # but for a factor -1 it would be turned back, and nvcc drops that first


class _Value(NamedTuple):
    """A sub-expression. wide: of type double; floats: its operands include floats."""

    kind: _Kind
    wide: bool = False
    causes: tuple[Expr, ...] = ()
    operations: int = 0
    divisions: int = 0
    floats: bool = False


_OTHER = _Value("other")


def wide_arithmetic(facts: KernelFacts, function: Function) -> Iterator[WideArithmetic]:
    """Expressions of a function in source order; none within another, none with a costly math function in double. Of a
    template they are those of the first instantiation that the kernel calls and that has any.
    """
    if not any(_may_cause(node) for node in nodes_of(function)):
        return
    yield from next(filter(None, (list(_in_form(facts, form)) for form in facts.forms_of(function))), ())


def _in_form(facts: KernelFacts, function: Function) -> Iterator[WideArithmetic]:
    scope = Scope.within(facts, function)
    for node in nodes_of(function):
        for value in _sinks(scope, function, node):
            if value is not None:
                yield value


def _may_cause(node: object) -> bool:
    if isinstance(node, Constant):
        return node.kind == "double"
    return isinstance(node, Name) and (
        node.variable is None or (node.variable.type.double and node.variable.type.const)
    )


def _sinks(scope: Scope, function: Function, node: object) -> Iterator[WideArithmetic | None]:
    """The result of a node with double operands: floats, integers, or that of a comparison."""
    types = scope.types
    if isinstance(node, Declare):
        for variable in node.variables:
            if variable.init is not None and not variable.dims:
                yield from _stored(scope, variable.init, variable.type)
    elif isinstance(node, Assign) and node.op in _ASSIGNMENTS:
        target = expression_type(node.target, types)
        if node.op == "=":
            yield from _stored(scope, node.value, target)
        elif is_float(target):
            yield _compound(scope, node)
    elif isinstance(node, Return):
        if node.value is not None:
            yield from _stored(scope, node.value, function.return_type)
    elif isinstance(node, Cast) and not node.reinterpret:
        yield from _stored(scope, node.operand, node.type)
    elif isinstance(node, Binary) and node.op in _COMPARISONS:
        yield _compared(scope, node)
    elif isinstance(node, Call):
        yield from _arguments(scope, node)


def _stored(scope: Scope, expr: Expr, type_: Type | None) -> Iterator[WideArithmetic | None]:
    """An expression that becomes a float, or an integer by truncation."""
    if is_float(type_):
        for branch in _branches(expr):
            yield _narrowed(scope, branch)
    elif type_ is not None and _is_integer(type_):
        value = _value(scope, expr, 0)
        if value.wide and value.floats:
            yield _found(expr, value)


def _branches(expr: Expr) -> Iterator[Expr]:
    """The values between which `c ? a : b` chooses: each is rounded by itself."""
    if isinstance(expr, Conditional):
        yield from _branches(expr.then)
        yield from _branches(expr.other)
    else:
        yield expr


def _narrowed(scope: Scope, expr: Expr) -> WideArithmetic | None:
    value = _value(scope, expr, 0)
    if not value.wide or _is_turned_back(scope, expr, value):
        return None
    arithmetic, signed = _found(expr, value), scope._replace(signs=True)
    in_float = _is_turned_back(signed, expr, _value(signed, expr, 0))
    return arithmetic._replace(float_in_nvcc=in_float) if arithmetic is not None else None


def _is_turned_back(scope: Scope, expr: Expr, value: _Value) -> bool:
    """Whether compilers do the one operation of a double that is rounded to float at once in float."""
    inner: Expr = expr
    if (opened := _opened(scope, inner)) is not None:
        return _is_turned_back(*opened, value)
    while isinstance(inner, Unary) and inner.op in ("-", "+"):
        inner = inner.operand
    if value.operations != 1 or not isinstance(inner, Binary):
        return value.operations == 0
    if inner.op in ("*", "/") and _is_one(scope, inner.right):
        return _is_turned_back(scope, inner.left, value)
    if inner.op == "*" and _is_one(scope, inner.left):
        return _is_turned_back(scope, inner.right, value)
    return all(_value(scope, side, 0).kind in ("exact", "float") for side in (inner.left, inner.right))


def _compound(scope: Scope, node: Assign) -> WideArithmetic | None:
    """`x += 0.5 * y`: one more operation, of the float with the double."""
    value = _value(scope, node.value, 0)
    if not value.wide or (value.operations == 0 and value.kind in ("exact", "float")):
        return None
    divides = node.op == "/="
    return _found(node.value, value._replace(floats=True, operations=value.operations + 1), int(divides))


def _compared(scope: Scope, node: Binary) -> WideArithmetic | None:
    left, right = _value(scope, node.left, 0), _value(scope, node.right, 0)
    if not (left.wide or right.wide):
        return None
    both = _joined(left, right, 1)
    plain = both.operations == 1 and all(side.kind in ("exact", "float", "integer") for side in (left, right))
    return None if plain or not both.floats else _found(node, both)


def _arguments(scope: Scope, call: Call) -> Iterator[WideArithmetic | None]:
    """Arguments that become floats: of known functions, of FP32 routines, of constructed vectors."""
    if isinstance(call.callee, Member) or not call.args:
        return
    name = call.name
    if name in ("make_float2", "make_float3", "make_float4") or (
        name.endswith("f") and (name[:-1] in COSTLY or name[:-1] in _CHEAP or name.startswith("__"))
    ):
        for argument in call.args:
            yield _narrowed(scope, argument)
        return
    if name in COSTLY or name in _CHEAP:
        return
    if (called := scope.callee_of(call)) is not None and not called.template:
        for argument, parameter in zip(call.args, called.parameters, strict=False):
            if not parameter.dims:
                yield from _stored(scope, argument, parameter.type)


def _found(expr: Expr, value: _Value, more: int = 0) -> WideArithmetic | None:
    if value.kind == "other" or not value.causes or not value.operations:
        return None
    return WideArithmetic(expr, tuple(dict.fromkeys(value.causes)), value.operations, value.divisions + more)


# ------------------------------------------------------------------------------------------------------- expressions


def _value(scope: Scope, expr: Expr, depth: int) -> _Value:
    if depth > _DEEPEST:
        return _OTHER
    if isinstance(expr, Constant):
        return _constant(expr, expr.value, expr.kind == "double")
    if isinstance(expr, Name) and expr.variable is not None and expr.variable in scope.bound:
        return _value(scope._replace(bound=UNBOUND), scope.bound[expr.variable], depth + 1)
    if isinstance(expr, Unary) and expr.op in ("-", "+"):
        return _value(scope, expr.operand, depth + 1)
    if isinstance(expr, Binary) and expr.op in _ARITHMETIC:
        return _binary(scope, expr, depth)
    if isinstance(expr, Conditional):
        then, otherwise = _value(scope, expr.then, depth + 1), _value(scope, expr.other, depth + 1)
        joined = _joined(then, otherwise, 0)
        return joined._replace(kind="computed") if joined.wide and joined.kind != "other" else joined
    if isinstance(expr, Call) and is_device_math(scope, expr):
        return _math(scope, expr, depth)
    if isinstance(expr, Call) and (opened := _opened(scope, expr)) is not None:
        value = _value(*opened, depth + 1)  # its places are those of the definition
        return value._replace(causes=(expr.callee,) if value.causes else ())
    if isinstance(expr, Name) and double_constant(scope, expr):
        return _constant(expr, evaluate(expr, scope.environment), True)
    return _leaf(scope, expr)


def _opened(scope: Scope, expr: Expr) -> tuple[Scope, Expr] | None:
    """The expression that a macro with arguments stands for, with what its parameters are there."""
    macro = expression_macro(scope, expr) if isinstance(expr, Call) else None
    if macro is None or not isinstance(expr, Call) or isinstance(macro.body, Block):
        return None
    args = (scope.bound.get(arg.variable, arg) if isinstance(arg, Name) and arg.variable else arg for arg in expr.args)
    return scope._replace(bound=dict(zip(macro.parameters, args, strict=False))), macro.body


def _constant(expr: Expr, value: float | None, double: bool) -> _Value:
    exact = value is not None and _is_exact(value)
    return _Value("exact" if exact else "inexact", double, (expr,) if double else ())


def _is_exact(value: float) -> bool:
    """Whether a float holds a number as it is."""
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] == value)
    except (OverflowError, struct.error):
        return False


def _is_one(scope: Scope, expr: Expr) -> bool:
    plain = isinstance(expr, (Constant, Name)) or (scope.signs and isinstance(expr, Unary))
    return plain and evaluate(expr, scope.environment) in ((1, -1) if scope.signs else (1,))


def _binary(scope: Scope, expr: Binary, depth: int) -> _Value:
    left, right = _value(scope, expr.left, depth + 1), _value(scope, expr.right, depth + 1)
    constants, folded = ("exact", "inexact"), evaluate(expr, scope.environment)
    if folded is not None or (left.kind in constants and right.kind in constants):
        exact = folded is not None and _is_exact(folded)
        return _joined(left, right, 0)._replace(kind="exact" if exact else "inexact")
    if not (left.wide or right.wide):
        return _narrow(left, right)
    if expr.op in ("*", "/") and right.kind == "exact" and _is_one(scope, expr.right):
        return left._replace(wide=True, causes=left.causes + right.causes)
    if expr.op == "*" and left.kind == "exact" and _is_one(scope, expr.left):
        return right._replace(wide=True, causes=left.causes + right.causes)
    divides = int(expr.op == "/")
    joined = _joined(left, right, 1)
    return joined._replace(divisions=joined.divisions + divides)


def _narrow(left: _Value, right: _Value) -> _Value:
    """An operation without doubles: of floats if one of them is, else of integers."""
    if "other" in (left.kind, right.kind):
        return _OTHER
    floats = left.floats or right.floats
    return _Value("float" if floats else "integer", floats=floats)


def _joined(left: _Value, right: _Value, operations: int) -> _Value:
    """Two operands of an operation in double."""
    return _Value(
        "other" if "other" in (left.kind, right.kind) else "computed",
        left.wide or right.wide,
        left.causes + right.causes,
        left.operations + right.operations + operations,
        left.divisions + right.divisions,
        left.floats or right.floats,
    )


def _math(scope: Scope, call: Call, depth: int) -> _Value:
    """`fabs`, `floor` and the like are done in double if an argument is one; RP202 speaks about the costly ones."""
    arguments = [_value(scope, arg, depth + 1) for arg in call.args]
    joined = arguments[0]
    for argument in arguments[1:]:
        joined = _joined(joined, argument, 0)
    if not joined.wide:
        return _Value("float", floats=True) if joined.floats and joined.kind != "other" else _OTHER
    if call.name in COSTLY or joined.kind == "other":
        return _OTHER
    return joined._replace(kind="computed", operations=joined.operations + int(call.name != "fabs"))


def _leaf(scope: Scope, expr: Expr) -> _Value:
    type_ = expression_type(expr, scope.types)
    if type_ is None and isinstance(expr, Call) and (called := scope.callee_of(expr)) is not None:
        type_ = called.return_type
    named = expr if isinstance(expr, Name) and expr.variable is None and type_ is None else None
    if is_float(type_) or (named is not None and is_constant_of(scope, named, b"float")):
        return _Value("float", floats=True)
    return _Value("integer") if type_ is not None and _is_integer(type_) else _OTHER


def _is_integer(type_: Type) -> bool:
    return type_.size is not None and not (type_.floating or type_.pointers or type_.struct or type_.lanes > 1)
