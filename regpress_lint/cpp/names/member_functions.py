"""Functions asked for in another form: a template with its types bound, a member function of a class."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.classes import class_arguments
from regpress_lint.cpp.names.declarators import base_names, parameter_counts, template_parameters
from regpress_lint.cpp.names.name_index import CALLED, OPERATOR, TYPE
from regpress_lint.cpp.names.qualified import class_name, split_owner
from regpress_lint.cpp.names.specialisations import for_arguments, for_class
from regpress_lint.cpp.names.template_arguments import LAMBDA

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function

_IDENTIFIER = pattern(r"[A-Za-z_]\w*$")
_NAME = pattern(r"(?!(?:true|false)$)[A-Za-z_:(]")  # a type, a function or a lambda, no number
_LATE = pattern(rb"\b(?:virtual|override)\b")
_FINAL = pattern(rb"\)[^(]*\bfinal\b")
_OPERATOR = pattern(r"operator\b\s*(.+)$")
_MAX_BASES = 4  # levels of base classes and aliases


def specialised(scope: Scope, function: Function, bound: Mapping[str, str]) -> Function:
    """The function lowered with parameters of its template bound to texts of types and functions, or the explicit
    specialisation for them; the same object if nothing is bound.
    """
    if not bound:
        return function
    key = ("specialised", function, tuple(bound.items()))
    return scope.remember(key, lambda: _specialised(scope, function, bound))


def _specialised(scope: Scope, function: Function, bound: Mapping[str, str]) -> Function:
    found = _node_of(scope, function)
    if found is None:
        return function
    unit, node = found
    arguments = [bound.get(one.name, "") for one in template_parameters(unit, node.template, node.parse_index)]
    special = for_arguments(unit.functions_by_name.get(function.name, ()), arguments)
    if special is not None:
        return scope.lower(special, unit)
    names = _parameters(unit, node)
    wanted = {name: text for name, text in bound.items() if name in names and _NAME.match(text)}
    return scope.lower(node, unit, wanted) if wanted else function


def unbound(scope: Scope, function: Function) -> Function:
    """The function lowered with no template parameter bound."""
    found = _node_of(scope, function)
    return scope.lower(found[1], found[0]) if found is not None else function


def _node_of(scope: Scope, function: Function) -> tuple[Unit, FunctionNode] | None:
    unit = scope.unit if function.path == scope.unit.source.path else scope.project.unit(function.path)
    if unit is None:
        return None
    nodes = unit.functions_by_name.get(function.name, ())
    return next(((unit, node) for node in nodes if node.body.start_byte == function.body_span.start), None)


def _parameters(unit: Unit, node: FunctionNode) -> frozenset[str]:
    """Names of the template parameters of a function and of the class around it."""
    record = unit.records.get(node.record)
    heads = ((node.template, node.parse_index), (record.template if record is not None else None, 0))
    return frozenset(
        parameter.name
        for template, parse_index in heads
        for parameter in template_parameters(unit, template, parse_index)
    )


def method(scope: Scope, type_name: str, name: str, arity: int) -> Function | None:
    """Definition of a member function of a visible class, of its bases if it has none of that name and arity itself."""
    return scope.remember(("method", type_name, name, arity), lambda: _lowered(scope, type_name, name, arity))


def methods(scope: Scope, type_name: str, name: str, arity: int) -> tuple[Function, ...]:
    """All member functions of that name and arity of the class, or base, that `method` finds one in."""
    key = ("methods", type_name, name, arity)
    return scope.remember(key, lambda: tuple(_all_lowered(scope, type_name, name, arity)))


def _all_lowered(scope: Scope, type_name: str, name: str, arity: int) -> Iterator[Function]:
    found = () if type_name.startswith(LAMBDA) else _methods(scope, type_name, name, arity, 0)
    for unit, node in found:
        yield scope.lower(node, unit, class_arguments(scope, unit, node.record, type_name))


def _lowered(scope: Scope, type_name: str, name: str, arity: int) -> Function | None:
    if type_name.startswith(LAMBDA):
        return _of_lambda(scope, type_name, name)
    found = methods(scope, type_name, name, arity)
    if not found:
        return next(filter(None, (method(other, type_name, name, arity) for other in scope.includer_scopes())), None)
    return found[0]


def is_virtual(scope: Scope, type_name: str, name: str) -> bool:
    """True if calls of a member function through a pointer to that class are bound at run time: the class or one of its
    bases declares it `virtual` or `override`, and neither it nor the class is `final`.
    """
    owner = class_name(type_name)
    return bool(scope.remember(("virtual", owner, name), lambda: _is_virtual(scope, owner, name, 0)))


def _is_virtual(scope: Scope, owner: str, name: str, depth: int) -> bool | None:
    """None if neither the class nor its bases have the function, as far as they are known."""
    if depth > _MAX_BASES or not _IDENTIFIER.match(owner):
        return None
    found = scope.record(owner)
    if found is not None:
        unit, record = found
        body = record.node.child_by_field_name("body")
        if body is not None and b"final" in unit.source.data[record.node.start_byte : body.start_byte]:
            return False
        for member in body.named_children if body is not None else ():
            head = _head_of_member(unit, member, name)
            if head and _LATE.search(head):
                return _FINAL.search(head) is None
    inherited = (_is_virtual(scope, class_name(other), name, depth + 1) for other in _further(scope, owner))
    return next((answer for answer in inherited if answer is not None), None)


def _head_of_member(unit: Unit, member: Node, name: str) -> bytes:
    """A member function's text without its body, nothing for other members."""
    if member.type not in ("field_declaration", "function_definition"):
        return b""
    body = member.child_by_field_name("body")
    head = unit.source.data[member.start_byte : body.start_byte if body is not None else member.end_byte]
    return head if re.search(rb"\b%s\s*\(" % re.escape(name.encode()), head) else b""


def _of_lambda(scope: Scope, type_name: str, name: str) -> Function | None:
    from regpress_lint.cpp.names.lambdas import lambda_body

    return lambda_body(scope, type_name) if name == "operator()" else None


def _methods(scope: Scope, type_name: str, name: str, arity: int, depth: int) -> list[tuple[Unit, FunctionNode]]:
    owner = class_name(type_name)
    if depth > _MAX_BASES or not _IDENTIFIER.match(owner):
        return []
    operator = _OPERATOR.match(name) is not None
    if not operator and not _IDENTIFIER.match(name):
        return []
    key = owner, "".join(name.split()) if operator else name
    for unit in scope.headers.saying(OPERATOR if operator else name, CALLED):
        own = for_class(unit.members.get(key, ()), type_name)
        fitting = [(unit, function) for function in own if arity < 0 or arity in parameter_counts(function)]
        if fitting:  # of one class: another specialisation's are none of its overloads
            return [(unit, function) for _, function in fitting if _owner(function) == _owner(fitting[0][1])]
    inherited = (_methods(scope, other, name, arity, depth + 1) for other in _further(scope, owner))
    return next(filter(None, inherited), [])


def _owner(function: FunctionNode) -> str:
    return function.record or split_owner(function.qualified)[0]


def _further(scope: Scope, owner: str) -> tuple[str, ...]:
    """Base classes of a class, or what an alias stands for."""
    found = scope.record(owner)
    if found is not None:
        unit, record = found
        return tuple(base_names(unit, record.node))
    for unit in scope.headers.saying(owner, TYPE):
        if (target := unit.aliases.get(owner)) is not None:
            return (unit.text(target),)
    return ()
