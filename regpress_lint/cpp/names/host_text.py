"""Places of names in one file's host code: the function around a place, a name's occurrences, a function's calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.occurrences import DECLARES, Use, classify, places_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import Unit

_ALIASES = pattern(rb"\busing\s+([A-Za-z_]\w*)\s*=|\btypedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*;")
_CALLEE_LAYERS = ("template_function", "qualified_identifier", "field_expression", "template_method")


class HostText:
    """One parse of a file; remembers what it has found."""

    def __init__(self, unit: Unit, parse_index: int) -> None:
        self.root = unit.parses[parse_index].tree.root_node
        self.text = unit.parses[parse_index].masked.text
        self._uses: dict[tuple[str, int, int, bool], list[Use]] = {}
        self._calls: dict[str, list[Node] | None] = {}
        self._aliases: frozenset[bytes] | None = None

    def slice(self, node: Node) -> str:
        """A node's text."""
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def may_be_alias(self, name: str) -> bool:
        """False for a name that no `using` or `typedef` of the file gives: most look-ups are in vain."""
        if self._aliases is None:
            self._aliases = frozenset(name for found in _ALIASES.findall(self.text) for name in found if name)
        return name.encode() in self._aliases

    def function_at(self, offset: int) -> Node | None:
        """The outermost function around a place."""
        node = self.root.descendant_for_byte_range(offset, offset)
        found: Node | None = None
        while node is not None:
            if node.type == "function_definition":
                found = node
            node = node.parent
        return found

    def uses_of(self, name: str, scope: Node, *, whole_file: bool) -> list[Use]:
        """Uses of a name in a scope except reads; of a whole file's declarations those outside functions."""
        key = (name, scope.start_byte, scope.end_byte, whole_file)
        if key not in self._uses:
            found: list[Use] = []
            if re.fullmatch(r"[A-Za-z_]\w*", name):
                for start in places_of(self.text, name.encode(), scope.start_byte, scope.end_byte):
                    node = self.root.descendant_for_byte_range(start, start + len(name))
                    if node is not None and node.type in ("identifier", "type_identifier"):
                        use = classify(node)
                        if use.kind != "read" and (
                            not whole_file or use.kind not in DECLARES or _at_file_level(use.node)
                        ):
                            found.append(use)
            self._uses[key] = found
        return self._uses[key]

    def calls_of(self, name: str) -> list[Node] | None:
        """Calls of a function in this file; None if its name is used otherwise, too (a thread, a table)."""
        if name not in self._calls:
            self._calls[name] = self._find_calls(name)
        return self._calls[name]

    def _find_calls(self, name: str) -> list[Node] | None:
        found: list[Node] = []
        word = name.encode()
        for start in places_of(self.text, word, 0, len(self.text)) if word else ():
            node = self.root.descendant_for_byte_range(start, start + len(word))
            if node is None or "identifier" not in node.type:
                continue  # a comment, a string
            parent = node.parent
            while parent is not None and parent.type in _CALLEE_LAYERS:
                node, parent = parent, parent.parent
            if parent is None or parent.type in ("function_declarator", "class_specifier", "struct_specifier"):
                continue
            if parent.type != "call_expression" or parent.child_by_field_name("function") != node:
                return None
            found.append(parent)
        return found


def _at_file_level(node: Node) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.type in ("compound_statement", "parameter_list", "field_declaration_list"):
            return False
        parent = parent.parent
    return True
