"""Places in a file that name a template with its arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import whole_word
from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.lower.lowering_context import template_arguments
from regpress_lint.cpp.parse import past

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.host_values import HostValues
    from regpress_lint.cpp.names.parsed_file import ParsedFile


class Reference(NamedTuple):
    """A place that names a template: arguments as written there, and those of the call if it is one."""

    offset: int
    template: tuple[str, ...]
    given: tuple[Node, ...] = ()


def named_nodes(values: HostValues, name: str) -> Iterator[Node]:
    """Nodes `name<...>` of a file that are no definition."""
    pattern = re.compile(whole_word(name.encode()) + rb"\s*<")
    for match in pattern.finditer(values.text):
        node = values.root.descendant_for_byte_range(match.start(), match.start() + len(name))
        node = node.parent if node is not None else None
        if node is None or node.type not in ("template_function", "template_type", "template_method"):
            continue
        owner = past(node.parent, ("qualified_identifier", "function_declarator", "pointer_declarator"))
        if owner is not None and owner.type != "function_definition":
            yield node


def return_type(function: FunctionNode, parsed: ParsedFile) -> str:
    """The type that a function returns, as its file spells it."""
    type_ = function.node.child_by_field_name("type")
    if type_ is None:
        return ""
    text = parsed.parses[function.parse_index].masked.text
    return text[type_.start_byte : function.declarator.start_byte].decode("utf-8", "replace")


def explicit_instantiations(values: HostValues, name: str) -> Iterator[Reference]:
    """`template class Solver<float>;`, which the grammar is not shown."""
    pattern = re.compile(
        rb"\btemplate\s+(?:class|struct)\s+(?:\w+::)*+" + re.escape(name.encode()) + rb"\s*<([^;{}]*>)\s*;"
    )
    for match in pattern.finditer(values.parsed.source.data):
        yield Reference(match.start(), split_template_arguments(match[1].decode("latin-1")))


def written_arguments(values: HostValues, node: Node) -> tuple[str, ...]:
    ctx = values.scope.context_for_text(values.parsed, values.parse_index)
    return template_arguments(ctx, node.child_by_field_name("arguments"))
