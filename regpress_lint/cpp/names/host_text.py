"""Places of names in one file's host code: the function around a place, a name's occurrences, a function's calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.name_uses import DECLARES, Use, classify, places_of
from regpress_lint.cpp.parse import ancestors

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import ParsedFile


_ALIASES = pattern(rb"\busing\s+([A-Za-z_]\w*)\s*=|\btypedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*;")
_CALLEE_LAYERS = ("template_function", "qualified_identifier", "field_expression", "template_method", "dependent_name")


class HostText:
    """One parse of a file; remembers what it has found."""

    def __init__(self, parsed: ParsedFile, parse_index: int) -> None:
        self.root = parsed.parses[parse_index].tree.root_node
        self.text = parsed.parses[parse_index].masked.text
        self._uses: dict[tuple[str, int, int, bool], list[Use]] = {}
        self._calls: dict[str, list[Node] | None] = {}
        self._aliases: frozenset[bytes] | None = None

    def slice(self, node: Node | None) -> str:
        """A node's text, "" of none."""
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace") if node is not None else ""

    def may_be_alias(self, name: str) -> bool:
        """False for a name that no `using` or `typedef` of the file gives: most look-ups are in vain."""
        if self._aliases is None:
            self._aliases = frozenset(name for groups in _ALIASES.findall(self.text) for name in groups if name)
        return name.encode() in self._aliases

    def function_at(self, offset: int) -> Node | None:
        """The outermost function around a place."""
        node = self.root.descendant_for_byte_range(offset, offset)
        around = [node, *ancestors(node)] if node is not None else []
        return next((outer for outer in reversed(around) if outer.type == "function_definition"), None)

    def uses_of(self, name: str, scope: Node, *, whole_file: bool) -> list[Use]:
        """Uses of a name in a scope except reads; of a whole file's declarations those outside functions."""
        key = (name, scope.start_byte, scope.end_byte, whole_file)
        if key not in self._uses:
            uses: list[Use] = []
            if re.fullmatch(r"[A-Za-z_]\w*", name):
                for start in places_of(self.text, name.encode(), scope.start_byte, scope.end_byte):
                    node = self.root.descendant_for_byte_range(start, start + len(name))
                    if node is not None and node.type in ("identifier", "type_identifier"):
                        use = classify(node)
                        if use.kind != "read" and (
                            not whole_file or use.kind not in DECLARES or _at_file_level(use.node)
                        ):
                            uses.append(use)
            self._uses[key] = uses
        return self._uses[key]

    def calls_of(self, name: str) -> list[Node] | None:
        """Calls of a function in this file; None if its name is used otherwise, too (a thread, a table)."""
        if name not in self._calls:
            self._calls[name] = self._find_calls(name)
        return self._calls[name]

    def _find_calls(self, name: str) -> list[Node] | None:
        nodes: list[Node] = []
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
            if (compared := _compared_call(node)) is not None:
                nodes.append(compared)
                continue
            if parent.type != "call_expression" or parent.child_by_field_name("function") != node:
                return None
            nodes.append(parent)
        return nodes


def _compared_call(callee: Node) -> Node | None:
    """`a.run<8>(x)`, which the grammar reads as two comparisons; None for anything else."""
    less = callee.parent if callee.type == "field_expression" else None
    more = less.parent if less is not None and less.type == "binary_expression" else None
    if less is None or more is None or more.type != "binary_expression" or less.children[0] != callee:
        return None
    last = more.children[-1]
    signs = less.children[1].type, more.children[1].type
    is_call = (
        signs == ("<", ">") and last.type == "parenthesized_expression" and last.start_byte == more.children[1].end_byte
    )
    return more if is_call else None


def _at_file_level(node: Node) -> bool:
    inner = ("compound_statement", "parameter_list", "field_declaration_list")
    return not any(outer.type in inner for outer in ancestors(node))
