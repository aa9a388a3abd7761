"""Lambdas of the host that are passed to a kernel: their types have names, and calling one executes its body.

The name of a lambda's type says where it is and the template arguments around it: `(lambda at main.cu:812; T = float)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import bare_name, with_meanings
from regpress_lint.cpp.lower.declared_types import lower_type_text
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.names.definition_nodes import split_owner
from regpress_lint.cpp.names.host_types import (
    LAMBDA,
    assumed_view,
    declaration_of,
    local_alias,
    made_view,
    type_of_declaration,
)
from regpress_lint.cpp.names.host_values import HostValues
from regpress_lint.cpp.names.templates import template_parameters
from regpress_lint.cpp.parse import ancestors, children_of
from regpress_lint.cpp.syntax_tree import Name, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function, Type

_WORDS_OF_INCLUDE = 8  # `include` and the parts of a path
_FILE_LEVEL = ("translation_unit", "declaration_list")
_FREE_WORD = pattern(rb"(?<!->)(?<![\w.:])[A-Za-z_]\w*")


def named(text: str, environment: Mapping[str, str]) -> str:
    """Name of a lambda's type with the template parameters around it."""
    if not environment or ";" in text:
        return text
    return text.removesuffix(")") + "".join(f"; {name} = {value}" for name, value in environment.items()) + ")"


def shown(text: str, scope: Scope) -> str:
    """Name of a lambda's type for a reader: file and line."""
    parsed, offset, _ = _parts(scope, text)
    return f"{LAMBDA}{parsed.source.path}:{parsed.source.line_of(offset)})" if parsed is not None else text


def lambda_body(scope: Scope, name: str) -> Function | None:
    """The function that a call of such a lambda executes; what it captures are arguments of the kernel."""
    parsed, offset, environment = _parts(scope, name)
    if parsed is None:
        return None
    inner = parsed.parses[0].tree.root_node.descendant_for_byte_range(offset, offset + 1)
    around = (inner, *ancestors(inner)) if inner is not None else ()
    node = next((outer for outer in around if outer.type == "lambda_expression"), None)
    if node is None or node.start_byte != offset:
        return None
    values = HostValues(scope, parsed)
    constants = constants_around(values, node, numbers_among(scope, environment))
    fixed = {name: str(number) for name, number in constants.items() if isinstance(number, int)}
    outside = captured(values, node, environment)
    arguments = {name: variable for name, variable in outside.items() if name not in fixed}
    of_class = aliases_of_class(values, node, environment)
    meanings = {**environment, **aliases_around(values, node, environment, of_class), **fixed}
    return scope.lower_lambda(node, parsed, 0, "operator()", arguments, meanings)


def _parts(scope: Scope, name: str) -> tuple[ParsedFile | None, int, Mapping[str, str]]:
    place, *bound = name.removeprefix(LAMBDA).removesuffix(")").split("; ")
    path, _, offset = place.rpartition(":")
    parsed = scope.parsed if path == scope.parsed.source.path else scope.project.parsed(path)
    environment = dict(part.split(" = ", 1) for part in bound if " = " in part)
    return parsed, int(offset) if offset.isdigit() else 0, environment


def captured(values: HostValues, node: Node, environment: Mapping[str, str]) -> dict[str, Variable]:
    """Variables of the function around a lambda that its body names."""
    ctx = values.scope.context_for_text(values.parsed, values.parse_index, environment)
    types = {name: _captured_type(values, node, name, ctx) for name in named_in(values, node)}
    types |= _renamed(values, node, ctx)
    span = span_of(node)
    return {name: Variable(name, type_, span, span, "capture") for name, type_ in types.items() if type_ is not None}


def _captured_type(values: HostValues, node: Node, name: str, ctx: Context) -> Type | None:
    """The type of a variable of the function around a lambda; None for any other name."""
    place = declaration_of(values, node, name)
    spelled = type_of_declaration(values, *place) if place is not None and _is_local(place[0]) else None
    if place is not None and (spelled is None or spelled.split()[-1] in ("auto", "const")):
        declared = values.text[place[0].start_byte : place[0].end_byte]
        spelled = made_view(values.parsed.source.data, declared) or spelled
    if place is None or spelled is None:
        return None
    text = f"const {spelled}" if spelled.endswith("*") and _is_const(values, place[0]) else spelled
    type_ = lower_type_text(ctx, text)
    return assumed_view(values.parsed.source.data, name, type_) or type_


def _renamed(values: HostValues, node: Node, ctx: Context) -> dict[str, Type | None]:
    """Types of `n` in `[=, n = size]`, a variable of the function under a name of its own."""
    captures = node.child_by_field_name("captures")
    result: dict[str, Type | None] = {}
    for capture in captures.named_children if captures is not None else ():
        left, right = capture.child_by_field_name("left"), capture.child_by_field_name("right")
        if capture.type == "lambda_capture_initializer" and left is not None and right is not None:
            name, meant = (values.parsed.text(side, values.parse_index) for side in (left, right))
            if right.type == "identifier":
                result[name] = _captured_type(values, node, meant, ctx)
    return result


def _is_const(values: HostValues, declaration: Node) -> bool:
    """Whether what a declared pointer points to is `const`."""
    qualifiers = (child for child in declaration.children if child.type == "type_qualifier")
    return any(values.parsed.text(qualifier, values.parse_index) == "const" for qualifier in qualifiers)


def numbers_among(scope: Scope, arguments: Mapping[str, str]) -> dict[str, Number]:
    """The values of those template arguments that are no types."""
    numbers = ((name, scope.value_of_text(text)) for name, text in arguments.items() if scope.type_of(text) is None)
    return {name: number for name, number in numbers if number is not None}


def constants_around(values: HostValues, node: Node, bound: Mapping[str, Number]) -> dict[str, Number]:
    """Values of the `const` and `constexpr` locals around a lambda that its body names: they are no captures.

    bound: the template parameters around it.
    """
    result: dict[str, Number] = {}
    for name in named_in(values, node):
        declared = declaration_of(values, node, name)
        if declared is None or declared[0].type != "declaration" or not _is_local(declared[0]):
            continue
        words = {
            values.parsed.text(child, values.parse_index) for child in declared[0].children if "qualifier" in child.type
        }
        if words.isdisjoint(("const", "constexpr")) or declared[1].type != "init_declarator":
            continue
        span = span_of(node)
        if (number := values.number_in(Name(span, name), node.start_byte, bound)) is not None:
            result[name] = number
    return result


def aliases_around(
    values: HostValues, node: Node, environment: Mapping[str, str], of_class: Mapping[str, str]
) -> dict[str, str]:
    """Types that the functions around a lambda name for themselves, as its body mentions them: `using T = float;`, and
    those of the class template that these are members of (`aliases_of_class`).
    """
    mentioned = named_in(values, node)
    result = {name: of_class[name] for name in mentioned if name in of_class}
    for name in mentioned:
        alias = local_alias(values, name, node.start_byte) if name not in environment else None
        text = " ".join(values.parsed.text(alias, values.parse_index).split()) if alias is not None else ""
        if text and text != name and "{" not in text:
            result[name] = with_meanings(text.removeprefix("typename "), environment)
    return result


def aliases_of_class(values: HostValues, node: Node, environment: Mapping[str, str]) -> dict[str, str]:
    """Names in the class template around a lambda, with the template's arguments as the environment has them."""
    function = values.parsed.function_around(node.start_byte) if environment else None
    owner = function.record or split_owner(function.qualified)[0] if function is not None else ""
    record = values.parsed.records.get(bare_name(owner)) if owner else None
    if record is None or record.template is None:
        return {}
    from regpress_lint.cpp.names.class_templates import names_within

    names = (parameter.name for parameter in template_parameters(values.parsed, record.template, values.parse_index))
    arguments = tuple(environment.get(name, name) for name in names)
    meanings = names_within(values.scope, values.parsed, record, arguments)
    return {name: text for name, text in meanings.items() if name not in environment}


def included_body(scope: Scope, node: Node, parse_index: int) -> ParsedFile | None:
    """The file whose text is the whole body of a lambda, by an `#include`."""
    inside = children_of(node, "body")
    path = inside[0].child_by_field_name("path") if len(inside) == 1 and inside[0].type == "preproc_include" else None
    if path is None:
        return None
    name = scope.parsed.text(path, parse_index).strip('"<>')
    ending = f"/{name.lstrip('./')}"
    headers = (header for header in scope.project.closure(scope.parsed) if f"/{header}".endswith(ending))
    return scope.project.parsed(header) if (header := next(headers, None)) is not None else None


def _is_local(declaration: Node) -> bool:
    """False for names that a file or a namespace declares, which are known anyway."""
    parent = declaration.parent
    return parent is not None and parent.type not in _FILE_LEVEL


def named_in(values: HostValues, node: Node) -> list[str]:
    """Words of a lambda's body that may be names, each once, also of its included text."""
    body = node.child_by_field_name("body")
    words = _FREE_WORD.findall(values.text, body.start_byte, body.end_byte) if body is not None else []
    annexes = values.parsed.annexes[values.parse_index]
    waiting = [body] if body is not None and annexes else []
    while waiting:  # what is included among the statements, and what that includes
        around = waiting.pop()
        for offset, block in annexes.items():
            if around.start_byte <= offset < around.end_byte:
                words += _FREE_WORD.findall(values.text, block.start_byte, block.end_byte)
                waiting.append(block)
    if len(words) <= _WORDS_OF_INCLUDE and (text := included_body(values.scope, node, values.parse_index)) is not None:
        words = _FREE_WORD.findall(text.parses[0].masked.text)
    return [word.decode("utf-8", "replace") for word in dict.fromkeys(words)]
