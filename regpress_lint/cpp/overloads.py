"""Which of several functions of one name a call means, by the types of its arguments.

C++ chooses the function whose every argument converts at least as well as for the others. Here the steps of all
arguments are added up, and an argument of unknown type decides nothing. Unlike in a compiler, an ambiguous call also
has an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.syntax_tree import Function, Type

# Steps from an argument to a parameter.
_SAME, _QUALIFIED, _TEMPLATE, _PROMOTION, _CONVERSION = 0, 1, 1, 2, 3
_ERASED = 4  # a pointer becomes `void *`
_RELATED = 5  # classes of two names: one may be a base, or another name, of the other
_BY_CLASS = 8  # only what a class defines makes it possible, a constructor or an operator
_NOT = 100


def closest(functions: Sequence[Function], given: Sequence[Type | None], arguments: int = 0) -> Function:
    """The function that a call means among those that take as many arguments; the first of equals, templates last.

    given: types of the call's arguments, None where they are unknown; arguments: its template arguments.
    """
    return min(functions, key=lambda function: (steps(function, given, arguments), bool(function.template)))


def fits(function: Function, given: Sequence[Type | None]) -> bool:
    """False where an argument becomes a parameter by a constructor or not at all."""
    return steps(function, given) < _BY_CLASS


def steps(function: Function, given: Sequence[Type | None], arguments: int = 0) -> int:
    """How far the arguments of a call are from a function's parameters; 0 if their types are the same."""
    own = frozenset(parameter.name for parameter in function.template)
    pairs = zip(given, function.parameters, strict=False)
    distances = [_distance(one, parameter.type, own, len(parameter.dims)) for one, parameter in pairs]
    return sum(distances) + _NOT * (len(own) < arguments)


def _distance(given: Type | None, wanted: Type, own: frozenset[str], rows: int) -> int:
    """How far the type of an argument is from that of a parameter; rows: extents that the parameter is written with."""
    if given is None or (given.size is None and not given.struct and not given.pointers):
        return _SAME
    pointers = wanted.pointers + rows
    if wanted.name in own:
        return _NOT if pointers > given.pointers else _TEMPLATE
    if bool(given.pointers) != bool(pointers):
        return _BY_CLASS if wanted.struct else _NOT if given.struct or given.floating or given.pointers else _BY_CLASS
    if given.pointers:
        return _between_pointers(given, wanted, pointers)
    if is_same(given, wanted):
        return _SAME
    if wanted.reference and not wanted.const:
        return _RELATED if given.struct and wanted.struct else _NOT
    if given.struct or wanted.struct or given.lanes != wanted.lanes or given.lanes > 1:
        return _RELATED if given.struct and wanted.struct else _BY_CLASS
    return _PROMOTION if _is_promotion(given, wanted) else _CONVERSION


def _between_pointers(given: Type, wanted: Type, pointers: int) -> int:
    if given.pointers != pointers:
        return _NOT
    if _last(given.name) == _last(wanted.name) or (
        not given.struct
        and not wanted.struct
        and given.pointee_size is not None
        and (given.pointee_size, given.floating, given.signed, given.lanes)
        == (wanted.pointee_size, wanted.floating, wanted.signed, wanted.lanes)
    ):
        return _QUALIFIED if given.pointee_const != wanted.pointee_const else _SAME
    if wanted.name == "void":
        return _ERASED
    return _RELATED if given.struct and wanted.struct else _NOT


def is_same(one: Type, other: Type) -> bool:
    """True if two types without pointers are one, as far as their parts tell: `unsigned` and `unsigned int` are."""
    if one.struct or other.struct or one.size is None:
        return _last(one.name) == _last(other.name)
    if one.floating and one.size == 2 and ("bf" in one.name) != ("bf" in other.name):
        return False
    return (one.size, one.lanes, one.floating) == (other.size, other.lanes, other.floating) and (
        one.floating or one.signed == other.signed
    )


def _is_promotion(given: Type, wanted: Type) -> bool:
    if given.floating or wanted.floating:
        return given.floating and wanted.double and given.size == 4
    return (given.size or 4) < 4 and wanted.size == 4 and wanted.signed


def _last(name: str) -> str:
    return name.partition("<")[0].rpartition("::")[2]
