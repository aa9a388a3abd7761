"""The effect of each occurrence of a name in host code, and the occurrences that a launch can see."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.parse import ancestors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node


AXES = {"x": 0, "y": 1, "z": 2, "0": 0, "1": 1, "2": 2}
# A use of these kinds may change the value.
CHANGES = frozenset(("assign", "assign-axis", "modify", "escape"))
# `opaque`: a parameter of a lambda, a structured binding, the variable of a range `for`: declared, but no constant.
DECLARES = frozenset(("declare", "parameter", "opaque"))
_DECLARATOR_LAYERS = ("pointer_declarator", "reference_declarator", "parenthesized_declarator", "array_declarator")
_BLOCKS = ("compound_statement", "translation_unit", "declaration_list", "case_statement")
_SCOPES = frozenset(
    (
        *_BLOCKS,
        "for_statement",
        "for_range_loop",
        "while_statement",
        "function_definition",
        "lambda_expression",
        "if_statement",
        "catch_clause",
    )
)
_CONDITIONAL = frozenset(
    """
    if_statement for_statement for_range_loop while_statement else_clause do_statement conditional_expression
    binary_expression
    """.split()
)
_LOOPS = frozenset(("for_statement", "while_statement", "do_statement", "for_range_loop"))
_IN_WORDS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_MOST_ARGUMENTS = 128
_STREAM = pattern(rb"(?:cin|in|is|ss|file|input|stream)$", re.IGNORECASE)


class Use(NamedTuple):
    """One occurrence of a name: kind "declare", "parameter", "opaque", a kind in CHANGES, "argument" or "read"."""

    kind: str
    node: Node  # the statement or declarator
    value: Node | None
    axis: int
    offset: int


def encloses(node: Node, offset: int) -> bool:
    """True if a name declared at `node` is visible at `offset` (which comes later)."""
    block = next((outer for outer in chain((node,), ancestors(node)) if outer.type in _SCOPES), None)
    return block is not None and block.start_byte <= offset <= block.end_byte


def places_of(text: bytes, word: bytes, start: int, end: int) -> Iterator[int]:
    """Places of a whole word in a part of a text."""
    at = text.find(word, start, end)
    while at >= 0:
        after = at + len(word)
        if (at == start or text[at - 1] not in _IN_WORDS) and (after >= end or text[after] not in _IN_WORDS):
            yield at
        at = text.find(word, after, end)


def straight(node: Node, offset: int) -> bool:
    """True if the statement's block also holds the launch, and nothing decides whether the statement runs."""
    for block in ancestors(node):
        if block.type in _BLOCKS:
            return block.start_byte <= offset < max(block.end_byte, block.start_byte + 1)
        if block.type in _CONDITIONAL:
            return False
    return False


def innermost(uses: list[Use], offset: int) -> Use | None:
    """The declaration that a name at `offset` means."""
    inner: Use | None = None
    for use in uses:
        if use.kind in DECLARES and use.offset <= offset and encloses(use.node, offset):
            inner = use
    return inner


def comes_back(uses: list[Use], declaration: Use, offset: int, text: bytes) -> bool:
    """Whether a change after the launch in the text may run before it: a common loop, `goto`, a named lambda."""
    later = [use for use in uses if use.kind in CHANGES and use.offset > offset]
    if not later:
        return False
    if text.find(b"goto ", declaration.offset, later[-1].offset + 4096) >= 0:
        return True
    for use in later:
        node: Node | None = use.node
        while node is not None and node.start_byte > declaration.offset:
            if node.type in _LOOPS and node.start_byte <= offset < node.end_byte:
                return True
            if node.type == "lambda_expression" and _is_named(node) and node.start_byte <= offset < node.end_byte:
                break
            node = node.parent
    return _in_named_lambda(later[0].node, declaration, offset)


def _is_named(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("init_declarator", "assignment_expression")


def _in_named_lambda(change: Node, declaration: Use, offset: int) -> bool:
    """Whether the launch is in a lambda that is only called later, and the declaration outside of it."""
    *_, root = chain((change,), ancestors(change))
    node = root.descendant_for_byte_range(offset, offset)
    while node is not None and node.start_byte > declaration.offset:
        if node.type == "lambda_expression" and _is_named(node):
            return True
        node = node.parent
    return False


def classify(node: Node) -> Use:
    """The effect of an occurrence of a name."""
    offset, parent, child = node.start_byte, node.parent, node
    while parent is not None and parent.type in _DECLARATOR_LAYERS:
        child, parent = parent, parent.parent
    if parent is None:
        return Use("read", node, None, -1, offset)
    kind = parent.type
    if kind == "assignment_expression" and parent.child_by_field_name("left") == child:
        operator = parent.child_by_field_name("operator")
        plain = operator is not None and operator.type == "="
        return Use("assign" if plain else "modify", parent, parent.child_by_field_name("right"), -1, offset)
    if kind == "update_expression":
        return Use("modify", parent, None, -1, offset)
    if kind == "pointer_expression" and parent.children[0].type == "&":
        return Use("escape", parent, None, -1, offset)
    if kind in ("field_expression", "subscript_expression") and parent.child_by_field_name("argument") == child:
        return _classify_component(node, parent, offset)
    if kind == "argument_list":
        if parent.named_child_count > _MOST_ARGUMENTS:  # to count them for each use takes their square
            return Use("escape", parent, None, -1, offset)
        return Use("argument", parent, None, parent.named_children.index(child), offset)
    if kind == "binary_expression" and _read_from_stream(parent, child):
        return Use("escape", parent, None, -1, offset)
    return _classify_declaration(node, parent, child)


def _classify_declaration(node: Node, parent: Node, child: Node) -> Use:
    kind, offset = parent.type, node.start_byte
    is_declarator = child in parent.children_by_field_name("declarator")
    if kind == "init_declarator":
        if is_declarator:
            return Use("declare", parent, parent.child_by_field_name("value"), -1, offset)
        target = parent.child_by_field_name("declarator")
        alias = target is not None and target.type == "reference_declarator" and not _is_const(parent.parent)
        return Use("escape" if alias else "read", parent, None, -1, offset)
    if kind == "declaration" and is_declarator:
        return Use("declare", parent, parent.child_by_field_name("value"), -1, offset)
    outer = parent.parent
    if kind == "function_declarator" and is_declarator and outer is not None and outer.type == "declaration":
        return Use("declare", outer, parent.child_by_field_name("parameters"), -1, offset)
    if kind in ("parameter_declaration", "optional_parameter_declaration") and is_declarator:
        owner = _parameter_owner(parent)
        named = {"function_definition": "parameter", "lambda_expression": "opaque"}.get(owner, "read")
        return Use(named, parent, None, -1, offset)
    if kind == "structured_binding_declarator" or (kind == "for_range_loop" and is_declarator):
        return Use("opaque", parent, None, -1, offset)
    return Use("read", node, None, -1, offset)


def _is_const(declaration: Node | None) -> bool:
    children = declaration.children if declaration is not None else []
    return any(child.type == "type_qualifier" and child.text == b"const" for child in children)


def _read_from_stream(node: Node, child: Node) -> bool:
    """`std::cin >> name`."""
    operator = node.child_by_field_name("operator")
    if operator is None or operator.type != ">>" or node.child_by_field_name("right") != child:
        return False
    left = node.child_by_field_name("left")
    while left is not None and left.type == "binary_expression":
        left = left.child_by_field_name("left")
    return left is not None and left.text is not None and _STREAM.search(left.text) is not None


def _parameter_owner(parameter: Node) -> str:
    """Type of the node whose head holds a parameter: "function_definition", "lambda_expression", "" for a prototype."""
    for node in ancestors(parameter):
        if node.type in ("function_definition", "lambda_expression"):
            return node.type
        if node.type in ("compound_statement", "declaration", "template_parameter_list"):
            return ""
    return ""


def _classify_component(node: Node, parent: Node, offset: int) -> Use:
    outer = parent.parent
    if outer is None:
        return Use("read", node, None, -1, offset)
    field = parent.child_by_field_name("field") or parent.child_by_field_name("indices")
    word = field.text.decode("utf-8", "replace").strip("[] ") if field is not None and field.text is not None else ""
    if outer.type == "assignment_expression" and outer.child_by_field_name("left") == parent:
        operator = outer.child_by_field_name("operator")
        if operator is not None and operator.type == "=" and word in AXES:
            return Use("assign-axis", outer, outer.child_by_field_name("right"), AXES[word], offset)
        return Use("modify", outer, None, -1, offset)
    if outer.type == "update_expression" or (outer.type == "pointer_expression" and outer.children[0].type == "&"):
        return Use("modify", outer, None, -1, offset)
    return Use("read", node, None, -1, offset)


def template_names(function: Node | None) -> frozenset[bytes]:
    """Words of all template headers around a function: these names mean no constant of the file."""
    data: set[bytes] = set()
    for node in chain((function,), ancestors(function)) if function is not None else ():
        if node.type == "template_declaration":
            parameters = node.child_by_field_name("parameters")
            data.update(re.findall(rb"[A-Za-z_]\w*", parameters.text or b"") if parameters is not None else ())
    return frozenset(data)
