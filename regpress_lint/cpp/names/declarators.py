"""The content of a definition's head: template parameters, argument counts, qualifiers, bases; and broken bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import TemplateParameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import Unit

_NOINLINE = pattern(r"noinline")


def error_spans(body: Node) -> Iterator[Span]:
    """ERROR and MISSING nodes below a node."""
    stack = [body] if body.has_error else []
    while stack:
        node = stack.pop()
        if node.type == "ERROR" or node.is_missing:
            yield Span(node.start_byte, node.end_byte)
            continue
        stack.extend(child for child in node.children if child.has_error or child.is_missing)


def base_names(unit: Unit, node: Node) -> Iterator[str]:
    for child in node.named_children:
        if child.type == "base_class_clause":
            yield from (unit.text(base) for base in child.named_children if base.type != "access_specifier")


def _inner_declarator(node: Node) -> Node | None:
    inner = node.child_by_field_name("declarator")
    if inner is None and node.type in ("parenthesized_declarator", "reference_declarator"):
        inner = node.named_children[-1] if node.named_children else None
    return inner


def template_parameters(unit: Unit, template: Node | None, parse_index: int) -> tuple[TemplateParameter, ...]:
    parameters = template.child_by_field_name("parameters") if template is not None else None
    if parameters is None:
        return ()
    result: list[TemplateParameter] = []
    for child in parameters.named_children:
        if child.type == "comment":
            continue
        is_type = "type_parameter" in child.type or child.type == "template_template_parameter_declaration"
        name = child.child_by_field_name("name") or child.child_by_field_name("declarator")
        if name is None and is_type:
            below = [*child.named_children, *(one for inner in child.named_children for one in inner.named_children)]
            name = next((inner for inner in reversed(below) if inner.type == "type_identifier"), None)
        while not is_type and name is not None and (inside := _inner_declarator(name)) is not None:
            name = inside  # `float (*F)(float)`
        default = child.child_by_field_name("default_type") or child.child_by_field_name("default_value")
        result.append(
            TemplateParameter(
                unit.text(name, parse_index).lstrip(". ") if name is not None else "",
                is_type,
                unit.text(default, parse_index) if default is not None else None,
            )
        )
    return tuple(result)


def parameter_counts(function: FunctionNode) -> range:
    parameters = function.declarator.child_by_field_name("parameters")
    if parameters is None:
        return range(1)
    children = [child for child in parameters.named_children if child.type != "comment"]
    if any("variadic" in child.type for child in children):
        return range(len(children) - 1, 100)
    optional = sum(child.type == "optional_parameter_declaration" for child in children)
    if len(children) == 1 and children[0].child_by_field_name("declarator") is None:
        type_node = children[0].child_by_field_name("type")
        if type_node is not None and type_node.type == "primitive_type" and type_node.text == b"void":
            return range(1)
    return range(len(children) - optional, len(children) + 1)


def qualifiers(words: tuple[str, ...], head: bytes) -> frozenset[str]:
    text = " ".join(words)
    found = {name for name in ("global", "device", "host") if f"__{name}__" in text}
    if _NOINLINE.search(text):
        found.add("noinline")
    if "__forceinline__" in text or "always_inline" in text:
        found.add("forceinline")
    if b"inline" in head:
        found.add("inline")
    if b"virtual" in head:
        found.add("virtual")
    return frozenset(found)


def specialised_arguments(unit: Unit, function: FunctionNode) -> tuple[str, ...]:
    """Template arguments of an explicit specialisation, without blanks."""
    name = function.declarator.child_by_field_name("declarator")
    arguments = name.child_by_field_name("arguments") if name is not None else None
    if arguments is None:
        return ()
    return tuple("".join(unit.text(child, function.parse_index).split()) for child in arguments.named_children)
