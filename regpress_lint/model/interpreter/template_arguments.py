"""Template arguments of a call in the function that is executed: values, types, the specialisation that they mean."""

from __future__ import annotations

from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.environment import with_values
from regpress_lint.cpp.lower.literals import parse_number
from regpress_lint.cpp.syntax_tree import (
    Call,
    Constant,
    Expr,
    Function,
    Index,
    Member,
    Name,
    TemplateParameter,
    Type,
    Unary,
)
from regpress_lint.cpp.types import dereference
from regpress_lint.model.graph.objects import Place
from regpress_lint.model.interpreter.indexed_parts import extents
from regpress_lint.model.interpreter.member_calls import member_named
from regpress_lint.model.interpreter.places import place_of
from regpress_lint.model.interpreter.pointer_steps import array_of
from regpress_lint.source.reached_calls import deduced, default_arguments, template_types

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.model.interpreter.machine import Machine

ANY_COUNT = -1  # of arguments
_NOWHERE = Span(0, 0)


def template_constants(machine: Machine, function: Function, expr: Call) -> dict[str, int | float]:
    """Values of the function's template parameters, where the call gives them."""
    if not function.template:
        return machine.constants
    values = dict(machine.constants)
    for parameter in function.template:
        values.pop(parameter.name, None)
    for parameter, text in zip(function.template, expr.template_args, strict=False):
        if parameter.is_type or parameter.is_pack:
            continue
        if (value := argument_value(machine, text, expr)) is not None:
            values[parameter.name] = value
    open_ = {parameter.name for parameter in function.template if not parameter.is_type} - values.keys()
    for arg, target in zip(expr.args, function.parameters, strict=False) if open_ else ():
        wanted = target.type.name
        for name, text in deduced(partial(_type_here, machine), wanted, arg, open_).items() if "<" in wanted else ():
            if (value := argument_value(machine, text, expr)) is not None:
                values.setdefault(name, value)
    for arg, target in zip(expr.args, function.parameters, strict=False) if open_ else ():
        for bound, size in zip(target.bounds, sizes_of(machine, arg) if target.bounds else (), strict=False):
            if isinstance(bound, Name) and bound.name in open_:
                values.setdefault(bound.name, size)
    for parameter, text in default_arguments(function, expr):
        value = None if parameter.is_type else _default_value(machine, text, values)
        if value is not None:
            values[parameter.name] = value
    return values


def _type_here(machine: Machine, arg: Expr) -> Type | None:
    """The type of an argument with the values that the caller's template parameters have: both may be named `N`."""
    type_ = machine.type_of(arg)
    return type_._replace(name=with_values(type_.name, machine.constants)) if type_ is not None else None


def sizes_of(machine: Machine, arg: Expr) -> tuple[int, ...]:
    """Extents of an array, or of a row of it; none if they are not known."""
    variable = arg.variable if isinstance(arg, Name) else None
    if variable is not None and variable.dims and variable.storage != "parameter":
        return extents(machine, variable) or ()
    where = place_of(machine, arg) if isinstance(arg, (Name, Member, Index, Unary)) else None
    if isinstance(where, Place):
        first, sizes = array_of(machine, where)
        return sizes[len(where.path) - first :]
    if isinstance(arg, Index):
        return sizes_of(machine, arg.base)[1:]
    owner = machine.type_of(arg.base) if isinstance(arg, Member) else None
    parts = machine.file.parts_of((dereference(owner) or owner).name) if owner is not None else None
    return next((part.dims for part in parts or () if isinstance(arg, Member) and part.name == arg.field), ())


def argument_value(machine: Machine, text: str, expr: Call) -> int | float | None:
    """Value of a template argument in the executed function."""
    value = machine.constants.get(text)
    if value is None:
        value = _literal(text)
    if value is None:
        value = evaluate(Name(expr.span, text), machine.environment)
    return _evaluated(machine, text) if value is None else value


def _default_value(machine: Machine, text: str, values: dict[str, int | float]) -> int | float | None:
    """A default argument's value: it may name the parameters in front of it, and nothing of the call."""
    value = _literal(text)
    if value is not None:
        return value
    constants, names = machine.constants, machine.names
    machine.constants, machine.names = values, {}
    value = _evaluated(machine, text)
    machine.constants, machine.names = constants, names
    return value


def _evaluated(machine: Machine, text: str) -> int | float | None:
    """Value of an expression in a template argument list: `N / 2`, a constant of the function that calls."""
    expr = machine.file.expression(text)
    value = machine.evaluate(expr) if expr is not None else None
    return machine.graph.constants[value] if isinstance(value, int) else None


def _is_function(machine: Machine, text: str) -> bool:
    """True for a template argument that names a known function, or is an object."""
    if text.endswith("}"):
        return machine.file.constant_object(text) is not None
    name = text.lstrip("& ").partition("<")[0]
    if name in machine.constants or _literal(name) is not None or not name.replace("::", "_").isidentifier():
        return False
    if member_named(machine, Name(_NOWHERE, name)) is not None:
        return True
    return machine.file.find_function(name, ANY_COUNT) is not None or machine.file.constant_object(name) is not None


def _literal(text: str) -> int | float | None:
    if text in ("true", "false"):
        return int(text == "true")
    constant = parse_number(text)
    return constant.value if isinstance(constant, Constant) else None


def specialised(machine: Machine, function: Function, expr: Call) -> Function:
    """The function with the types of its template parameters: given by the call, or by its arguments' types."""
    if not function.template and not (expr.template_args and machine.file.is_specialised(function)):
        return function
    if "friend" in function.qualifiers and "<" not in function.owner:
        types = (machine.type_of(arg) for arg in expr.args)
        function = machine.file.befriended(function, [type_.name for type_ in types if type_ is not None])
        if function.owner:
            return function
    bound = template_types(function, expr, machine.type_of, partial(_is_function, machine), partial(sizes_of, machine))
    bound = {name: with_values(text, machine.constants) for name, text in bound.items()}
    if machine.file.is_specialised(function):
        pairs = tuple(zip_longest(function.template, expr.template_args))
        for by_value in (False, True):  # `pick<LARGEST>`, then `pick<N + 1>`
            texts = [_written_for(machine, *pair, expr, bound, by_value=by_value) for pair in pairs]
            if (special := machine.file.explicit(function, texts)) is not None:
                return special
    return machine.file.specialised(function, bound) if bound else function


def _written_for(
    machine: Machine,
    parameter: TemplateParameter | None,
    text: str | None,
    expr: Call,
    bound: Mapping[str, str],
    *,
    by_value: bool,
) -> str:
    """What a template parameter stands for in a call, as a specialisation is written for it; empty where that is not
    known.
    """
    if parameter is not None and (parameter.is_type or parameter.name in bound):
        return bound.get(parameter.name, "")
    text = with_values(text, machine.constants) if text else ((parameter.default if parameter else None) or "")
    value = argument_value(machine, text, expr) if text and by_value else None
    return str(int(value)) if isinstance(value, int) else text
