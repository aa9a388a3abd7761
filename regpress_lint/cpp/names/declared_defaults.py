"""Default arguments that only a declaration has: `int f(int n = 4);` in front of `int f(int n) { ... }`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.lexical import bare_name, squeezed
from regpress_lint.cpp.names.definition_nodes import RECORDS, split_owner
from regpress_lint.cpp.parse import ancestors, children_of, past

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile

_AROUND = ("pointer_declarator", "reference_declarator", "init_declarator")


def declared_defaults(parsed: ParsedFile, function: FunctionNode) -> tuple[Node | None, ...]:
    """The default of each parameter of a function by a declaration in its file; empty where there is none."""
    places = parsed.places_of_defaults.get(function.name, ())
    parameters = children_of(function.declarator, "parameters") if places else []
    for place in places if parameters else ():
        declarator = _declarator(parsed, place)
        listed = children_of(declarator, "parameters")
        if declarator is None or len(listed) != len(parameters) or not _is_of(parsed, declarator, function):
            continue
        if all(_type(parsed, mine) == _type(parsed, theirs) for mine, theirs in zip(parameters, listed, strict=True)):
            return tuple(parameter.child_by_field_name("default_value") for parameter in listed)
    return ()


def _declarator(parsed: ParsedFile, place: int) -> Node | None:
    """The head of the declaration whose name is at a place."""
    node = parsed.parses[0].tree.root_node.descendant_for_byte_range(place, place + 1)
    while node is not None and node.type != "function_declarator":
        if not node.type.endswith("identifier"):
            return None
        node = node.parent
    outer = past(node.parent if node is not None else None, _AROUND)
    return node if outer is not None and outer.type in ("declaration", "field_declaration") else None


def _is_of(parsed: ParsedFile, declarator: Node, function: FunctionNode) -> bool:
    """Whether a declaration is in the class that a function is of, both are of none, or of namespaces."""
    outer = next((node for node in ancestors(declarator) if node.type in RECORDS), None)
    name = outer.child_by_field_name("name") if outer is not None else None
    declared = bare_name(parsed.text(name)) if name is not None else ""
    owner = bare_name(function.record or split_owner(function.qualified)[0])
    return declared == owner or (not declared and owner not in parsed.records)


def _type(parsed: ParsedFile, parameter: Node) -> str:
    type_ = parameter.child_by_field_name("type")
    return squeezed(parsed.text(type_)).rpartition("::")[2] if type_ is not None else ""
