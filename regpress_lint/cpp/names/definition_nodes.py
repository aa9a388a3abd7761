"""Definitions in a file's trees: functions, classes and other declarations outside of function bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_CONTAINERS = frozenset(
    (
        "translation_unit",
        "namespace_definition",
        "declaration_list",
        "linkage_specification",
        "template_declaration",
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
        "class_specifier",
        "struct_specifier",
        "union_specifier",
        "field_declaration_list",
        "export_declaration",
        "ERROR",
    )
)
RECORDS = ("struct_specifier", "class_specifier", "union_specifier")


class FunctionNode(NamedTuple):
    """A function definition in a tree, not yet lowered."""

    name: str  # last component
    qualified: str
    node: Node
    body: Node
    declarator: Node
    name_node: Node
    template: Node | None
    parse_index: int
    record: str  # enclosing class, "" outside

    @property
    def head_start(self) -> int:
        """Where the definition begins, its template header included."""
        return self.template.start_byte if self.template is not None else self.node.start_byte


class RecordNode(NamedTuple):
    """A class, struct or union definition in a tree."""

    name: str
    node: Node
    template: Node | None


def reads_more(one: FunctionNode, other: FunctionNode) -> bool:
    """Whether a reading of a definition is better: without errors in its body, then in its head, then a head with more:
    template and type.
    """
    if one.body.has_error != other.body.has_error:
        return other.body.has_error
    if one.node.has_error != other.node.has_error:
        return other.node.has_error
    return one.name == other.name and _head_parts(one) > _head_parts(other)


def _head_parts(function: FunctionNode) -> tuple[bool, bool]:
    return function.template is not None, function.node.child_by_field_name("type") is not None


def walk_kind(root: Node, kinds: tuple[str, ...]) -> Iterator[tuple[Node, Node | None]]:
    """Nodes of the given kinds outside function bodies, with the template declaration around them."""
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, template = stack.pop()
        for child in node.named_children:
            kind = child.type
            outer = node if node.type == "template_declaration" else template if kind in RECORDS else None
            if kind in kinds:
                yield child, outer
            if kind in _CONTAINERS:
                stack.append((child, outer))
            elif kind in ("declaration", "type_definition", "field_declaration"):
                inner = child.child_by_field_name("type")
                if inner is not None and inner.type in RECORDS:
                    if inner.type in kinds:
                        yield inner, outer
                    stack.append((inner, outer))
                elif (
                    inner is not None
                    and inner.type == "enum_specifier"
                    and "enum_specifier" in kinds
                    and kind not in kinds
                ):
                    yield inner, outer


def functions_in(root: Node, text: bytes, parse_index: int) -> Iterator[FunctionNode]:
    """Function definitions in a tree; text: the parsed text."""
    stack: list[tuple[Node, Node | None, str]] = [(root, None, "")]
    while stack:
        node, _, record = stack.pop()
        for child in node.named_children:
            kind = child.type
            outer = node if node.type == "template_declaration" else None
            if kind == "function_definition":
                function = _function_node(child, text, outer, parse_index, record)
                if function is not None:
                    yield function
            elif kind in _CONTAINERS:
                stack.append((child, outer, _record_name(child, text) or record))
            elif kind in ("declaration", "type_definition", "field_declaration"):
                inner = child.child_by_field_name("type")
                if inner is not None and inner.type in RECORDS:
                    stack.append((inner, outer, _record_name(inner, text)))


def _record_name(node: Node, text: bytes) -> str:
    name = node.child_by_field_name("name") if node.type in RECORDS else None
    return text[name.start_byte : name.end_byte].decode("utf-8", "replace") if name is not None else ""


def _function_node(
    node: Node, text: bytes, template: Node | None, parse_index: int, record: str
) -> FunctionNode | None:
    body, declarator = node.child_by_field_name("body"), node.child_by_field_name("declarator")
    if body is None or declarator is None:
        return None
    if body.type == "try_statement" and (inner := body.child_by_field_name("body")) is not None:
        body = inner
    while declarator.type != "function_declarator":
        inner = declarator.child_by_field_name("declarator") or next(
            (child for child in declarator.named_children if child.type.endswith("declarator")), None
        )
        if inner is None:
            return None
        declarator = inner
    name_node = declarator.child_by_field_name("declarator")
    if name_node is None:
        return None
    if name_node.type == "function_declarator":  # `KERNEL(name)(...)`: a macro makes the head, its argument is the name
        name_node = _macro_argument(name_node) or name_node
    qualified = "".join(text[name_node.start_byte : name_node.end_byte].decode("utf-8", "replace").split())
    tail = name_node
    while tail.type == "qualified_identifier" and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    if tail.type in ("template_function", "template_type") and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    name = text[tail.start_byte : tail.end_byte].decode("utf-8", "replace")
    return FunctionNode(name, qualified, node, body, declarator, tail, template, parse_index, record)


def _macro_argument(declarator: Node) -> Node | None:
    parameters = declarator.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        inner = child.child_by_field_name("type")
        if inner is not None and inner.type == "type_identifier":
            return inner
    return None
