"""Powers with a small constant exponent: written out, behind a macro, or in a function that gets the exponent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import NamedTuple
from regpress_lint.api.math import small_exponent
from regpress_lint.api.syntax import (
    Call,
    Environment,
    InitList,
    Member,
    Name,
    Type,
    constants_within,
    evaluate,
    expression_type,
    nodes_of,
    types_within,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import CallSite, Language
    from regpress_lint.api.syntax import Expr, Function, Number, Variable

CALLEES = frozenset(("pow", "powf", "__powf", "powi", "powif", "pown"))
SINGLE = frozenset(("powf", "__powf", "powif"))
_INTEGER_EXPONENT = frozenset(("powi", "powif", "pown"))
_NAMESPACES = frozenset(
    ("", "std", "::std", "hip", "sycl", "cl::sycl", "cuda::std", "thrust", "Kokkos", "Kokkos::Experimental", "::")
)
_FLOAT = Type("float", 4, floating=True)
_DOUBLE = Type("double", 8, floating=True)
_DEEPEST = 4  # macros of macros, and functions that hand an exponent on


class _Given(NamedTuple):
    """What a call settles in a function: parameters, and template parameters by name."""

    arguments: Mapping[Variable, Expr] = {}
    names: Mapping[str, Number] = {}


class Power(NamedTuple):
    """A call that the rule speaks about. `base` and `result` are None where the source does not show the type.

    call: the invocation that the kernel makes. routine: what is called in the end. hidden: the function whose body
    computes the power, or True for a macro; None where it is written out.
    """

    call: Call
    routine: Call
    exponent: float
    base: Type | None
    result: Type | None
    promoted_by: str | None  # "double" or "int" exponent that turned a float call into FP64
    single: bool  # the FP32 routine; also where the types leave it open, because that costs less
    hidden: Function | bool | None = None


_WRITTEN_OUT = _Given()


def powers(facts: KernelFacts, site: CallSite) -> Iterator[Power]:
    """The power that a call is, those that its macro stands for, or those whose exponent it settles in a function."""
    call = site.call
    if _is_macro(facts, call):
        for routine, arguments in _behind_macro(facts, call, call.args, 0):
            if (power := _power(facts, site, routine, arguments, macro=True)) is not None:
                yield power._replace(hidden=True)
        return
    if (power := _power(facts, site, call, _WRITTEN_OUT)) is not None:
        yield power
        return
    if (called := facts.callee_of(call)) is not None:
        for routine, arguments, function in _in_function(facts, called, call, _WRITTEN_OUT, 0):
            if (power := _power(facts, site, routine, arguments)) is not None:
                yield power._replace(hidden=function)


def _is_macro(facts: KernelFacts, call: Call) -> bool:
    if not isinstance(call.callee, Name) or call.callee.variable is not None or call.qualified != call.name:
        return False
    if facts.file.macro(call.name) is not None:
        return True
    return call.name not in CALLEES and facts.file.expansion(call.name, len(call.args), {}, (), None) is not None


def _behind_macro(facts: KernelFacts, call: Call, args: tuple[Expr, ...], depth: int) -> Iterator[tuple[Call, _Given]]:
    """Powers in the expansion of a macro, with its arguments."""
    expansion = facts.file.expansion(call.name, len(args), {}, (), None)
    if expansion is None:
        alias = facts.file.macro(call.name)  # `#define POWER powf`
        if alias is not None and alias in CALLEES:
            yield Call(call.span, call.callee, alias, alias, args), _WRITTEN_OUT
        return
    bound = dict(zip(expansion.parameters, args, strict=False))
    for node in walk(expansion.body):
        if not isinstance(node, Call):
            continue
        if node.name in CALLEES and facts.file.macro(node.name) is None:
            yield node, _Given(bound)
        elif depth < _DEEPEST:
            yield from _behind_macro(
                facts, node, tuple(_replaced(argument, bound) for argument in node.args), depth + 1
            )


def _replaced(expr: Expr, bound: Mapping[Variable, Expr]) -> Expr:
    """An argument within a macro: what the macro's own parameter stands for, where it is no more than that."""
    variable = expr.variable if isinstance(expr, Name) else None
    return bound.get(variable, expr) if variable is not None else expr


def _in_function(
    facts: KernelFacts, function: Function, call: Call, outer: _Given, depth: int
) -> Iterator[tuple[Call, _Given, Function]]:
    """Powers of a function, or of one that it calls, whose exponent is a parameter that this call makes constant."""
    settled = _settled(facts, function, call, outer)
    if not settled.arguments and not settled.names:
        return
    for node in nodes_of(function):
        if not isinstance(node, Call) or not node.args:
            continue
        if node.name in CALLEES:
            if evaluate(node.args[-1], facts.source.environment) is None:
                yield node, settled, function
        elif depth < _DEEPEST and (called := facts.callee_of(node)) is not None and called is not function:
            yield from _in_function(facts, called, node, settled, depth + 1)


def _settled(facts: KernelFacts, function: Function, call: Call, outer: _Given) -> _Given:
    """The parameters and template parameters of a function that a call gives constant values."""
    environment = _with(facts.source.environment, outer)
    changed = facts.flow_of(function).modified
    arguments = {
        parameter: argument
        for parameter, argument in zip(function.parameters, call.args, strict=False)
        if parameter not in changed and not parameter.dims and evaluate(argument, environment) is not None
    }
    names = {**outer.names, **_members(facts, call)}
    for template, text in zip(function.template, call.template_args, strict=False):
        names.pop(template.name, None)
        value = None if template.is_type else _number(text, environment)
        if value is not None:
            names[template.name] = value
    return _Given({**outer.arguments, **arguments}, names)


def _members(facts: KernelFacts, call: Call) -> dict[str, Number]:
    """The members of a function object that its declaration makes constant, by their names: `Power square{2.0};`."""
    variable = call.callee.variable if isinstance(call.callee, Name) else None
    if variable is None or not isinstance(variable.init, (InitList, Call)) or not variable.type.struct:
        return {}
    items = variable.init.items if isinstance(variable.init, InitList) else variable.init.args
    name = variable.type.name.partition("<")[0].rpartition("::")[2]
    if isinstance(variable.init, Call) and variable.init.name != name:  # what a function returns
        return {}
    changed = variable in facts.flow_of(facts.kernel.function).modified
    if changed or facts.file.method(variable.type.name, name, len(items)) is not None:  # a constructor decides
        return {}
    members = zip(facts.file.parts_of(variable.type.name) or (), items, strict=False)
    values = ((part.name, evaluate(item, facts.source.environment)) for part, item in members)
    return {name: value for name, value in values if value is not None}


def _number(text: str, environment: Environment) -> Number | None:
    """The value of a template argument as it is written."""
    return int(text) if text.isdecimal() else environment.names(text)


def _with(environment: Environment, fixed: _Given) -> Environment:
    """Constants where parameters are what a call or a macro's invocation makes them."""
    if not fixed.arguments and not fixed.names:
        return environment
    arguments, numbers = fixed

    def initialiser(variable: Variable) -> Expr | None:
        return arguments[variable] if variable in arguments else environment.variable(variable)

    def names(name: str) -> Number | None:
        return numbers[name] if name in numbers else environment.names(name)

    env = environment
    return Environment(names, initialiser, env.types, env.loose, env.alias, env.called)


def _power(facts: KernelFacts, site: CallSite, routine: Call, fixed: _Given, *, macro: bool = False) -> Power | None:
    """A power with a small exponent that is no constant as a whole; a macro's parameters have the arguments' types."""
    if routine.name not in CALLEES or len(routine.args) != 2 or isinstance(routine.callee, Member):
        return None
    if routine.qualified.rpartition("::")[0] not in _NAMESPACES and not _is_standard(facts, routine):
        return None
    inside = constants_within(site.function, facts.source.environment)
    environment = _with(inside, fixed)
    exponent = small_exponent(routine, environment)
    if exponent is None or evaluate(routine.args[0], environment) is not None:
        return None
    types = types_within(site.function, facts.file.type_of)
    shown = (_replaced(argument, fixed.arguments) if macro else argument for argument in routine.args)
    base, raised = (expression_type(node, types) for node in shown)
    language = facts.kernel.language
    if base is not None and _foreign(base, language):
        return None
    if facts.file.find_function(routine.qualified, 2) is not None:
        return None  # the project's own function of that name
    result = _result(routine, base, raised, language)
    single = not (result.double if result is not None else raised is not None and raised.double)
    promoted = _promotion(routine, base, raised, result)
    return Power(site.call, routine, exponent, base, result, promoted, single)


def _is_standard(facts: KernelFacts, routine: Call) -> bool:
    """Whether a qualifier is an alias of `std` in the file: `namespace m = std;`."""
    space = routine.qualified.rpartition("::")[0].encode()
    data = facts.file.source.data
    return any(b"namespace " + space + equals + b"std" in data for equals in (b" = ", b"=", b" = ::", b"=::"))


_OF_THE_ARGUMENT = ("sycl", "opencl")  # languages in which `pow` has the type of what it is given


def _foreign(base: Type, language: Language) -> bool:
    """Complex numbers and structs have overloads of their own; in SYCL and OpenCL C vectors have one."""
    return base.pointers > 0 or base.struct or (base.lanes > 1 and language not in _OF_THE_ARGUMENT)


def _result(call: Call, base: Type | None, exponent: Type | None, language: Language) -> Type | None:
    """Type that the call has, None if the source does not show it."""
    if call.name in SINGLE:
        return _FLOAT
    if base is None or base.size is None or base.lanes > 1 or (base.floating and base.size < 4):
        return None
    if call.name in _INTEGER_EXPONENT or language in _OF_THE_ARGUMENT:
        same = base.floating and (exponent is None or not exponent.floating or exponent.size == base.size)
        return base if same else None
    if not base.floating or base.size == 8:
        return _DOUBLE
    if exponent is None or exponent.size is None:
        return None
    if exponent.floating:
        return _DOUBLE if exponent.size == 8 else _FLOAT
    # hip_runtime.h has float pow(float, int); CUDA's and everybody's template promotes both operands to double.
    return _FLOAT if language == "hip" and exponent.signed and exponent.size <= 4 else _DOUBLE


def _promotion(call: Call, base: Type | None, exponent: Type | None, result: Type | None) -> str | None:
    if base is None or exponent is None or result is None or call.name in SINGLE:
        return None
    if not base.floating or base.size != 4 or not result.double:
        return None
    return "double" if exponent.floating else "int"
