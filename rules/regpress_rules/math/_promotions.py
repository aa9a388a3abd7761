"""Calls of math functions that are double only because of a literal, a constant or an int exponent among floats."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.api import NamedTuple
from regpress_lint.api.math import named, small_exponent
from regpress_lint.api.syntax import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Conditional,
    Constant,
    Declare,
    Expr,
    Member,
    Name,
    Return,
    Unary,
    constants_within,
    evaluate,
    expression_type,
    nodes_of,
    types_within,
)
from regpress_lint.api.text import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from regpress_lint.api import File, KernelFacts
    from regpress_lint.api.facts import Language
    from regpress_lint.api.preprocessor import Expansion
    from regpress_lint.api.syntax import Environment, Function, Type, TypeLookup, Variable


# Functions that are made in the type of their arguments and cost much more in double.
COSTLY = named("costly")
# Free or nearly in both precisions: what is between an argument and its literals.
_CHEAP = named("free")
_NAMESPACES = frozenset(("", "std", "Kokkos", "::std", "cuda::std", "hip", "sycl", "cl::sycl", "::"))
_ARITHMETIC = frozenset("+-*/")
_WELL_KNOWN = pattern(r"M_(PI|PI_2|PI_4|1_PI|2_PI|E|LN2|LN10|LOG2E|LOG10E|SQRT2|SQRT1_2|2_SQRTPI)$")
_DEEPEST = 40
UNBOUND: Mapping[Variable, Expr] = {}


class Promotion(NamedTuple):
    """A costly call, and what makes it double: literals and constants in its arguments, or its int exponent."""

    call: Call
    causes: tuple[Expr, ...]
    exponent: bool


class Scope(NamedTuple):
    """What names mean in a function that a kernel reaches: in a member function, also those of its class's members."""

    file: File
    language: Language
    environment: Environment
    callee_of: Callable[[Call], Function | None]
    types: TypeLookup
    owner: str
    signs: bool = False  # a factor -1 turns a sign and is no operation: nvcc drops it, clang multiplies
    bound: Mapping[Variable, Expr] = UNBOUND  # what a macro's parameters are, of an expression that is its body

    @classmethod
    def within(cls, facts: KernelFacts, function: Function) -> Scope:
        types = types_within(function, facts.file.type_of)
        environment = constants_within(function, facts.source.environment)
        return cls(facts.file, facts.kernel.language, environment, facts.callee_of, types, function.owner)

    def is_constant(self, name: str) -> bool:
        """Whether a name without a declaration in the function is a constant of the file, or of the class around it."""
        member = f"{self.owner}::{name}" if self.owner else ""
        return self.file.constant(name) is not None or (bool(member) and self.file.constant(member) is not None)


class _Operands:
    """The operands of an expression, collected during a walk."""

    __slots__ = ("causes", "exponents", "floats", "others")

    def __init__(self) -> None:
        self.causes: list[Expr] = []  # double literals and constants
        self.exponents: list[Expr] = []  # int exponents of float bases, which nvcc makes double
        self.floats = False
        self.others = False  # a value that is double by itself, or of unknown type

    def add(self, operands: _Operands) -> None:
        self.causes += operands.causes
        self.exponents += operands.exponents
        self.floats |= operands.floats
        self.others |= operands.others


def promotions(facts: KernelFacts, function: Function) -> Iterator[Promotion]:
    """The outermost promoted call of each float that a function computes through it. Of a template they are those of
    the first instantiation that the kernel calls and that has any.
    """
    yield from next(filter(None, (list(_in_form(facts, form)) for form in facts.forms_of(function))), ())


def _in_form(facts: KernelFacts, function: Function) -> Iterator[Promotion]:
    scope = Scope.within(facts, function)
    for value in _narrowed(scope, function):
        promotions: list[Promotion] = []
        whole = _operands(scope, value, promotions, 0)
        if not whole.others:
            yield from promotions


def _narrowed(scope: Scope, function: Function) -> Iterator[Expr]:
    """Expressions whose value becomes a float: stored, returned or cast."""
    types = scope.types
    for node in nodes_of(function):
        if isinstance(node, Declare):
            yield from (
                variable.init
                for variable in node.variables
                if variable.init is not None and not variable.dims and is_float(variable.type)
            )
        elif isinstance(node, Assign) and node.op in ("=", "+=", "-=", "*=", "/="):
            if is_float(expression_type(node.target, types)):
                yield node.value
        elif isinstance(node, Return):
            if node.value is not None and is_float(function.return_type):
                yield node.value
        elif isinstance(node, Cast) and is_float(node.type) and not node.reinterpret:
            yield node.operand


def is_float(type_: Type | None) -> bool:
    """Whether a type is `float`: not a vector, and not one whose width the source leaves open."""
    return type_ is not None and type_.floating and type_.size == 4 and type_.lanes == 1 and not type_.pointers


def _operands(
    scope: Scope, expr: Expr, promotions: list[Promotion], depth: int, bound: Mapping[Variable, Expr] = UNBOUND
) -> _Operands:
    """`bound` are the arguments of a macro that the expression is the body of."""
    result = _Operands()
    if depth > _DEEPEST:
        result.others = True
    elif isinstance(expr, Name) and expr.variable is not None and expr.variable in bound:
        result.add(_operands(scope, bound[expr.variable], promotions, depth + 1))
    elif isinstance(expr, Name) and (init := _made_of(expr)) is not None:
        result.add(_operands(scope, init, promotions, depth + 1))
    elif isinstance(expr, Binary) and expr.op in _ARITHMETIC:
        result.add(_operands(scope, expr.left, promotions, depth + 1, bound))
        result.add(_operands(scope, expr.right, promotions, depth + 1, bound))
    elif isinstance(expr, Unary) and expr.op in ("-", "+"):
        result.add(_operands(scope, expr.operand, promotions, depth + 1, bound))
    elif isinstance(expr, Conditional):
        result.add(_operands(scope, expr.then, promotions, depth + 1, bound))
        result.add(_operands(scope, expr.other, promotions, depth + 1, bound))
    elif isinstance(expr, Call) and is_device_math(scope, expr):
        _call(scope, expr, promotions, result, depth, bound)
    elif isinstance(expr, Call) and (macro := expression_macro(scope, expr)) is not None:
        arguments = dict(zip(macro.parameters, expr.args, strict=False))
        inside: list[Promotion] = []  # their places are those of the definition
        operands = _operands(scope, macro.body, inside, depth + 1, arguments)  # type: ignore[arg-type]
        operands.causes = [expr] if operands.causes else []
        operands.others |= bool(inside)
        result.add(operands)
    else:
        _leaf(scope, expr, result)
    return result


def is_device_math(scope: Scope, call: Call) -> bool:
    """Whether a call is one of the device library's functions whose precision follows their arguments."""
    if isinstance(call.callee, Member) or call.name not in COSTLY | _CHEAP or not call.args:
        return False
    return (
        call.qualified.rpartition("::")[0] in _NAMESPACES
        and scope.file.find_function(call.qualified, len(call.args)) is None
    )


def _made_of(name: Name) -> Expr | None:
    """The initialiser of an `auto` variable, which has its type."""
    variable = name.variable
    if variable is None or variable.type.name != "auto" or variable.type.size is not None or variable.dims:
        return None
    return variable.init


def expression_macro(scope: Scope, call: Call) -> Expansion | None:
    """A macro with arguments that stands for an expression."""
    if not isinstance(call.callee, Name) or call.callee.variable is not None or scope.callee_of(call) is not None:
        return None
    macro = scope.file.expansion(call.name, len(call.args), {}, (), call.span.start)
    return None if macro is None or isinstance(macro.body, Block) else macro


def _call(
    scope: Scope, call: Call, promotions: list[Promotion], result: _Operands, depth: int, bound: Mapping[Variable, Expr]
) -> None:
    inner: list[Promotion] = []
    arguments = _Operands()
    for argument in call.args:
        arguments.add(_operands(scope, argument, inner, depth + 1, bound))
    if call.name == "pow" and scope.language == "cuda" and len(call.args) == 2 and not arguments.causes:
        exponent = expression_type(call.args[1], scope.types)
        whole = exponent is not None and not exponent.floating and not exponent.struct and not exponent.pointers
        if whole and is_float(expression_type(call.args[0], scope.types)):
            arguments.exponents.append(call.args[1])
    result.others |= arguments.others
    result.floats = True  # its own value is at hand as a float once the arguments are
    causes = arguments.causes or arguments.exponents
    if call.name not in COSTLY:
        result.add(arguments)
        promotions += inner
    elif causes and arguments.floats and not arguments.others:
        if call.name == "pow" and small_exponent(call, scope.environment) is not None:
            promotions += inner  # RP201 speaks about the power itself
        else:
            promotions.append(Promotion(call, tuple(causes), not arguments.causes))
    elif causes and not arguments.floats:
        result.others |= evaluate(call, scope.environment) is None and bool(arguments.causes)
    else:
        promotions += inner


def _leaf(scope: Scope, expr: Expr, result: _Operands) -> None:
    if isinstance(expr, Constant):
        if expr.kind == "double":
            result.causes.append(expr)
        return
    type_ = expression_type(expr, scope.types)
    if isinstance(expr, Name) and expr.variable is None and type_ is None:
        _macro(scope, expr, result)
        return
    if type_ is None or type_.size is None or type_.pointers or type_.struct or type_.lanes > 1:
        result.others = True
    elif type_.double and isinstance(expr, Name) and evaluate(expr, scope.environment) is not None:
        result.causes.append(expr)
    elif type_.floating and type_.size != 4:
        result.others = True
    elif type_.floating:
        result.floats = True


def double_constant(scope: Scope, name: Name) -> bool:
    """Whether a name is a constant of type double: a variable, a number's macro, or one of math.h."""
    if name.variable is not None:
        return name.variable.type.double and name.variable.type.const and evaluate(name, scope.environment) is not None
    if expression_type(name, scope.types) is not None:
        return False  # a data member
    if _WELL_KNOWN.match(name.name) and scope.file.macro(name.name) is None:
        return True
    if not scope.is_constant(name.name):
        return False
    operands = _Operands()
    _macro(scope, name, operands)
    return bool(operands.causes)


def _macro(scope: Scope, expr: Name, result: _Operands) -> None:
    """A name without a declaration: a number's macro, or one of math.h, which is rarely available."""
    if _WELL_KNOWN.match(expr.name) and scope.file.macro(expr.name) is None:
        result.causes.append(expr)
        return
    expansion = scope.file.expansion(expr.name, None, {}, (), expr.span.start)
    body = expansion.body if expansion is not None else None
    type_ = None if body is None or isinstance(body, Block) else expression_type(body, scope.types)
    if type_ is not None and type_.double and scope.file.constant(expr.name) is not None:
        result.causes.append(expr)
    elif is_float(type_):
        result.floats = True
    elif type_ is None and is_constant_of(scope, expr, b"double"):
        result.causes.append(expr)
    elif type_ is None or type_.floating or type_.struct or type_.pointers:
        result.others = True


def is_constant_of(scope: Scope, expr: Name, type_: bytes) -> bool:
    """True for `const TYPE NAME = 0.5;` of this file, or of the class around a member function."""
    return scope.is_constant(expr.name) and expr.name.encode() in _declared_as(scope.file.source.data, type_)


@lru_cache(maxsize=8)
def _declared_as(data: bytes, type_: bytes) -> frozenset[bytes]:
    """Names that a text declares with a type and a value: gone through once, however many names are looked up."""
    return frozenset(re.findall(rb"\b" + type_ + rb"\s+(?:const\s+)?(\w+)\s*[={]", data))
