"""Constants of a file at file, namespace or class level."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.cpp.names.definition_nodes import RECORDS, walk_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node


_KINDS = ("declaration", "field_declaration", "enum_specifier", "type_definition")
_SCOPES = (*RECORDS, "namespace_definition")
Scopes: TypeAlias = tuple[str, ...]
_CONSTANT = frozenset(("const", "constexpr", "constinit"))


def constants_in(root: Node, text: Callable[[Node], str]) -> dict[str, list[Node | int]]:
    """Name -> initialiser nodes, or the value of an enumerator; text: what stands at a node.

    Class members also appear as `Record::name`. Several entries mean several definitions (branches of an `#if`).
    """
    return _collected(root, text).found


def placed_constants(root: Node, text: Callable[[Node], str]) -> dict[str, dict[Scopes, list[Node | int]]]:
    """The constants that are defined in several scopes: name -> the scopes around a definition -> `constants_in`."""
    placed = _collected(root, text, placing=True).placed
    return {name: found for name, found in placed.items() if len(found) > 1}


def scopes_around(node: Node, text: Callable[[Node], str]) -> Scopes:
    """Names of the namespaces and classes around a node, from outside; what has no name is as if it were not there."""
    found: list[str] = []
    outer = node.parent
    while outer is not None:
        if outer.type in _SCOPES and (name := outer.child_by_field_name("name")) is not None:
            # A template's specialisation is a class of its own.
            found += reversed(text(name).split("::") if outer.type == "namespace_definition" else [text(name)])
        outer = outer.parent
    return tuple(reversed(found))


def _collected(root: Node, text: Callable[[Node], str], *, placing: bool = False) -> _Constants:
    constants = _Constants(text, placing=placing)
    for node, _ in walk_kind(root, _KINDS):
        constants.collect(node)
    return constants


class _Constants:
    def __init__(self, text: Callable[[Node], str], *, placing: bool) -> None:
        self.found: dict[str, list[Node | int]] = {}
        self.placed: dict[str, dict[Scopes, list[Node | int]]] = {}
        self._placing = placing
        self._text = text

    def collect(self, node: Node) -> None:
        """Take what a declaration defines."""
        if node.type == "enum_specifier":
            self._enumerators(node)
            return
        inner = node.child_by_field_name("type")
        if inner is not None and inner.type == "enum_specifier":
            self._enumerators(inner)
        if node.type == "type_definition":
            return
        words = {self._text(child) for child in node.children if child.type == "type_qualifier"}
        if not words & _CONSTANT:
            return
        owner = self._owner_name(node)
        if node.type == "field_declaration":
            name, value = node.child_by_field_name("declarator"), node.child_by_field_name("default_value")
            if name is None or value is None or name.type != "field_identifier":
                return
            self._add(owner, self._text(name), value)
            self._place(node, self._text(name), value)
            return
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type != "init_declarator":
                continue
            name, value = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
            if name is not None and value is not None and name.type == "identifier":
                self._add(owner, self._text(name), value)
                self._place(node, self._text(name), value)

    def _place(self, node: Node, name: str, value: Node | int) -> None:
        if self._placing:
            self.placed.setdefault(name, {}).setdefault(scopes_around(node, self._text), []).append(value)

    def _add(self, owner: str, name: str, value: Node | int) -> None:
        self.found.setdefault(name, []).append(value)
        if owner:
            self.found.setdefault(f"{owner}::{name}", []).append(value)

    def _owner_name(self, node: Node) -> str:
        """Name of the class or namespace directly around a node, "" at file level."""
        outer = node.parent
        while outer is not None and outer.type not in (*RECORDS, "namespace_definition"):
            outer = outer.parent
        name = outer.child_by_field_name("name") if outer is not None else None
        return self._text(name).rpartition("::")[2].partition("<")[0] if name is not None else ""

    def _enumerators(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        enum_name = node.child_by_field_name("name")
        owners = {self._owner_name(node), self._text(enum_name) if enum_name is not None else ""} - {""}
        scoped = any(child.type in ("class", "struct") for child in node.children[:2])
        next_value: int | None = 0
        for child in body.named_children:
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if child.type != "enumerator" or name is None:
                continue
            entry: Node | int | None = value if value is not None else next_value
            if value is not None:
                literal = self._text(value)
                plain = re.fullmatch(r"0x[0-9a-fA-F]{1,15}|[1-9]\d{0,17}|0", literal)
                next_value = int(literal, 0) + 1 if plain else None
            elif next_value is not None:
                next_value += 1
            if entry is not None:
                for key in (self._text(name), *(f"{owner}::{self._text(name)}" for owner in owners)):
                    self.found.setdefault(key, []).append(entry)
                if not scoped:
                    self._place(node, self._text(name), entry)
