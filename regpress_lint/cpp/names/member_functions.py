"""Functions asked for in another form: a template with its types bound, a member function of a class."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.cpp.names.classes import class_arguments
from regpress_lint.cpp.names.declarators import base_names, parameter_counts, template_parameters
from regpress_lint.cpp.names.name_index import CALLED, OPERATOR, TYPE
from regpress_lint.cpp.names.template_arguments import LAMBDA

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import FunctionNode, Unit
    from regpress_lint.cpp.names.view import View
    from regpress_lint.cpp.syntax import Function

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
_LATE = re.compile(rb"\b(?:virtual|override)\b")
_FINAL = re.compile(rb"\)[^(]*\bfinal\b")
_OPERATOR = re.compile(r"operator\b\s*(.+)$")
_MAX_BASES = 4  # levels of base classes and aliases


def specialised(view: View, function: Function, bound: Mapping[str, str]) -> Function:
    """The function lowered with its type parameters bound to type texts; the same object if nothing is bound."""
    found = _node_of(view, function) if bound else None
    if found is None:
        return function
    unit, node = found
    types = _type_parameters(unit, node)
    wanted = {name: text for name, text in bound.items() if name in types and text}
    return view.lower(node, unit, wanted) if wanted else function


def unbound(view: View, function: Function) -> Function:
    """The function lowered with no template parameter bound."""
    found = _node_of(view, function)
    return view.lower(found[1], found[0]) if found is not None else function


def _node_of(view: View, function: Function) -> tuple[Unit, FunctionNode] | None:
    unit = view.unit if function.path == view.unit.source.path else view.project.unit(function.path)
    if unit is None:
        return None
    nodes = unit.functions_by_name.get(function.name, ())
    return next(((unit, node) for node in nodes if node.body.start_byte == function.body.span.start), None)


def _type_parameters(unit: Unit, node: FunctionNode) -> frozenset[str]:
    """Names of the type parameters of a function and of the class around it."""
    record = unit.records.get(node.record)
    heads = ((node.template, node.parse_index), (record.template if record is not None else None, 0))
    return frozenset(
        parameter.name
        for template, parse_index in heads
        for parameter in template_parameters(unit, template, parse_index)
        if parameter.is_type
    )


def method(view: View, type_name: str, name: str, arity: int) -> Function | None:
    """Definition of a member function of a class in view, of its bases if it has none of that name and arity itself."""
    if type_name.startswith(LAMBDA):
        return _of_lambda(view, type_name, name)
    found = _method(view, _base_name(type_name), name, arity, 0)
    if found is None:
        return view.of_includers(lambda other: method(other, type_name, name, arity))
    unit, node = found
    return view.lower(node, unit, class_arguments(view, unit, node.record, type_name))


def is_virtual(view: View, type_name: str, name: str) -> bool:
    """True if calls of a member function through a pointer to that class are bound at run time: the class or one of its
    bases declares it `virtual` or `override`, and neither it nor the class is `final`.
    """
    return bool(_is_virtual(view, _base_name(type_name), name, 0))


def _is_virtual(view: View, owner: str, name: str, depth: int) -> bool | None:
    """None if neither the class nor its bases have the function, as far as they are in view."""
    if depth > _MAX_BASES or not _IDENTIFIER.match(owner):
        return None
    found = view.record(owner)
    if found is not None:
        unit, record = found
        body = record.node.child_by_field_name("body")
        if body is not None and b"final" in unit.source.data[record.node.start_byte : body.start_byte]:
            return False
        for member in body.named_children if body is not None else ():
            head = _head_of_member(unit, member, name)
            if head and _LATE.search(head):
                return _FINAL.search(head) is None
    inherited = (_is_virtual(view, _base_name(other), name, depth + 1) for other in _further(view, owner))
    return next((answer for answer in inherited if answer is not None), None)


def _head_of_member(unit: Unit, member: Node, name: str) -> bytes:
    """A member function's text without its body, nothing for other members."""
    if member.type not in ("field_declaration", "function_definition"):
        return b""
    body = member.child_by_field_name("body")
    head = unit.source.data[member.start_byte : body.start_byte if body is not None else member.end_byte]
    return head if re.search(rb"\b%s\s*\(" % name.encode(), head) else b""


def _of_lambda(view: View, type_name: str, name: str) -> Function | None:
    from regpress_lint.cpp.names.lambdas import lambda_body

    return lambda_body(view, type_name) if name == "operator()" else None


def _base_name(type_name: str) -> str:
    words = type_name.partition("<")[0].replace("const ", " ").replace("*", " ").replace("&", " ").split()
    return words[-1].rpartition("::")[2] if words else ""


def _method(view: View, owner: str, name: str, arity: int, depth: int) -> tuple[Unit, FunctionNode] | None:
    if depth > _MAX_BASES or not _IDENTIFIER.match(owner):
        return None
    for unit, function in _definitions(view, name):
        if (arity < 0 or arity in parameter_counts(function)) and _owner(function) == owner:
            return unit, function
    for other in _further(view, owner):
        found = _method(view, _base_name(other), name, arity, depth + 1)
        if found is not None:
            return found
    return None


def _definitions(view: View, name: str) -> Iterator[tuple[Unit, FunctionNode]]:
    """Functions of that last name in this file and its headers."""
    operator = _OPERATOR.match(name)
    if operator is None and not _IDENTIFIER.match(name):
        return
    for unit in view.headers.saying(name if operator is None else OPERATOR, CALLED):
        if operator is None:
            yield from ((unit, function) for function in unit.functions_by_name.get(name, ()))
            continue
        for function in unit.functions:
            found = _OPERATOR.match(function.name)
            if found is not None and "".join(found[1].split()) == "".join(operator[1].split()):
                yield unit, function


def _owner(function: FunctionNode) -> str:
    """Class that a definition belongs to: the one around it, or the one in front of its `::`."""
    if function.record:
        return function.record.partition("<")[0]
    head = function.qualified.removesuffix("".join(function.name.split()))
    depth, start = 0, len(head) - 2
    if not head.endswith("::"):
        return ""
    if head[:-2].endswith(">"):  # `Foo<T>::name`
        for start in range(len(head) - 3, -1, -1):
            depth += {">": 1, "<": -1}.get(head[start], 0)
            if depth == 0:
                break
    return head[:start].rpartition("::")[2]


def _further(view: View, owner: str) -> tuple[str, ...]:
    """Base classes of a class, or what an alias stands for."""
    found = view.record(owner)
    if found is not None:
        unit, record = found
        return tuple(base_names(unit, record.node))
    for unit in view.headers.saying(owner, TYPE):
        if (target := unit.aliases.get(owner)) is not None:
            return (unit.text(target),)
    return ()
