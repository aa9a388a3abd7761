"""One parsed file with its indexes: functions, types, constants. Built once per process, lowered on demand."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Source, Span
from regpress_lint.cpp.lower.context import Anchors
from regpress_lint.cpp.names.name_index import words_of
from regpress_lint.cpp.names.qualified import owner_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from regpress_lint.cpp.parse import Parsed
    from regpress_lint.cpp.preprocess.macros import MacroTable

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
_RECORDS = ("struct_specifier", "class_specifier", "union_specifier")
_WORD = pattern(rb"\S")
_PRAGMA_LINE = pattern(r"#\s*pragma\s+")
_STORAGE = pattern(r"__(?:shared|constant|device|host|global|noinline)__(?!\s*\()", re.ASCII)  # in a macro
_ANCHORED = frozenset(("qualifier", "global", "launch_bounds", "attribute", "restrict", "macro"))


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


def _reads_more(one: FunctionNode, other: FunctionNode) -> bool:
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


class Unit:
    """Trees and indexes of one file. whole: False if there may be trees that haste has left out."""

    def __init__(self, source: Source, macros: MacroTable, parses: tuple[Parsed, ...], whole: bool = True) -> None:
        self.whole = whole
        self.source = source
        self.macros = macros
        self.parses = parses

    def text(self, node: Node, parse_index: int = 0) -> str:
        """Masked text of a node."""
        return self.parses[parse_index].masked.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the file's text."""
        return words_of(self.source.data)

    @cached_property
    def functions(self) -> tuple[FunctionNode, ...]:
        """All function definitions of all rungs of the ladder, one per body, the one without errors preferred."""
        best: dict[int, FunctionNode] = {}
        # Without its macros masked the head of a definition may be cut: such a rung only adds what the others lack.
        order = sorted(range(len(self.parses)), key=lambda index: not self.parses[index].level.uses_macros)
        for index in order:
            parsed = self.parses[index]
            for function in _walk_functions(parsed.tree.root_node, parsed.masked.text, index):
                known = best.get(function.body.start_byte)
                if known is None or _reads_more(function, known):
                    best[function.body.start_byte] = function
        return tuple(sorted(best.values(), key=lambda function: function.node.start_byte))

    @cached_property
    def functions_by_name(self) -> dict[str, list[FunctionNode]]:
        """Function definitions by last component of the name."""
        result: dict[str, list[FunctionNode]] = {}
        for function in self.functions:
            result.setdefault(function.name, []).append(function)
        return result

    @cached_property
    def members(self) -> dict[tuple[str, str], list[FunctionNode]]:
        """Definitions of member functions by class and name, inside of the class or not; operators without blanks."""
        result: dict[tuple[str, str], list[FunctionNode]] = {}
        for function in self.functions:
            inside = function.record.partition("<")[0] if function.record else ""
            owner = inside or owner_of(function.qualified, function.name)
            name = "".join(function.name.split()) if function.name.startswith("operator") else function.name
            if owner:
                result.setdefault((owner, name), []).append(function)
        return result

    @cached_property
    def records(self) -> dict[str, RecordNode]:
        """Class, struct and union definitions at file, namespace or class level by name."""
        result: dict[str, RecordNode] = {}
        for name, record in self._all_records:
            if record.name not in result or (result[record.name] in self.specialised.get(record.name, ()) and name):
                result[record.name] = record
        return result

    @cached_property
    def specialised(self) -> dict[str, list[RecordNode]]:
        """Explicit and partial specialisations of class templates by the template's name."""
        result: dict[str, list[RecordNode]] = {}
        for plain, record in self._all_records:
            if not plain:
                result.setdefault(record.name, []).append(record)
        return result

    @cached_property
    def _all_records(self) -> list[tuple[bool, RecordNode]]:
        """Classes with a body, and whether each has a plain name."""
        result: list[tuple[bool, RecordNode]] = []
        for node, template in walk_kind(self.parses[0].tree.root_node, _RECORDS):
            name = node.child_by_field_name("name")
            if name is not None and node.child_by_field_name("body") is not None:
                target = name.child_by_field_name("name") or name
                result.append(
                    (target is name or name.type != "template_type", RecordNode(self.text(target), node, template))
                )
        return result

    @cached_property
    def enums(self) -> dict[str, str]:
        """Enumerations at file, namespace or class level by name: the underlying type as written, else "int"."""
        result: dict[str, str] = {}
        for node, _ in walk_kind(self.parses[0].tree.root_node, ("enum_specifier",)):
            name, base = node.child_by_field_name("name"), node.child_by_field_name("base")
            if name is not None:
                result.setdefault(self.text(name), self.text(base) if base is not None else "int")
        return result

    @cached_property
    def aliases(self) -> dict[str, Node]:
        """`typedef` and `using` at file, namespace or class level: name -> the aliased type's node.

        Of several it is the first; which one is compiled is for `definitions.compiled_alias` to tell.
        """
        return {name: nodes[0] for name, nodes in self.all_aliases.items()}

    @cached_property
    def all_aliases(self) -> dict[str, list[Node]]:
        """`aliases` with all definitions of each name."""
        result: dict[str, list[Node]] = {}
        root = self.parses[0].tree.root_node
        for node, _ in walk_kind(root, ("type_definition", "alias_declaration")):
            if node.type == "alias_declaration":
                name, target = node.child_by_field_name("name"), node.child_by_field_name("type")
                if name is not None and target is not None:
                    result.setdefault(self.text(name), []).append(target)
                continue
            target = node.child_by_field_name("type")
            for declarator in node.children_by_field_name("declarator"):
                if target is not None and declarator.type == "type_identifier":
                    result.setdefault(self.text(declarator), []).append(target)
                    if target.type in _RECORDS and target.child_by_field_name("body") is not None:
                        self.records.setdefault(self.text(declarator), RecordNode("", target, None))
        return result

    @cached_property
    def constants(self) -> dict[str, list[Node | int]]:
        """Constants at file, namespace or class level: name -> initialiser nodes, or the value of an enumerator.

        Class members appear as `Record::name`, too. Several entries mean several definitions (branches of an `#if`).
        """
        result: dict[str, list[Node | int]] = {}
        kinds = ("declaration", "field_declaration", "enum_specifier", "type_definition")
        for node, _ in walk_kind(self.parses[0].tree.root_node, kinds):
            self._collect_constants(node, result)
        return result

    def _collect_constants(self, node: Node, result: dict[str, list[Node | int]]) -> None:
        if node.type == "enum_specifier":
            self._collect_enumerators(node, result)
            return
        inner = node.child_by_field_name("type")
        if inner is not None and inner.type == "enum_specifier":
            self._collect_enumerators(inner, result)
        if node.type == "type_definition":
            return
        words = {self.text(child) for child in node.children if child.type == "type_qualifier"}
        if not words & {"const", "constexpr", "constinit"}:
            return
        owner = self._owner_name(node)
        if node.type == "field_declaration":
            name, value = node.child_by_field_name("declarator"), node.child_by_field_name("default_value")
            if name is None or value is None or name.type != "field_identifier":
                return
            self._add_constant(result, owner, self.text(name), value)
            return
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type != "init_declarator":
                continue
            name, value = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
            if name is not None and value is not None and name.type == "identifier":
                self._add_constant(result, owner, self.text(name), value)

    def _add_constant(self, result: dict[str, list[Node | int]], owner: str, name: str, value: Node | int) -> None:
        result.setdefault(name, []).append(value)
        if owner:
            result.setdefault(f"{owner}::{name}", []).append(value)

    def _owner_name(self, node: Node) -> str:
        """Name of the class or namespace directly around a node, "" at file level."""
        outer = node.parent
        while outer is not None and outer.type not in (*_RECORDS, "namespace_definition"):
            outer = outer.parent
        name = outer.child_by_field_name("name") if outer is not None else None
        return self.text(name).rpartition("::")[2].partition("<")[0] if name is not None else ""

    def free_constants(self, name: str) -> list[Node | int]:
        """Definitions of a constant outside classes: what a bare name means in a function that belongs to none."""
        found = self.constants.get(name, [])
        owned = [entry for key, entries in self.constants.items() if self._is_member(key, name) for entry in entries]
        return [entry for entry in found if entry not in owned] if owned else found

    def _is_member(self, key: str, name: str) -> bool:
        owner, _, last = key.rpartition("::")
        return last == name and bool(owner) and owner in self.records

    def has_owner(self, name: str) -> bool:
        """True if a class, namespace or enumeration of this file owns a constant of that name."""
        return any(key.endswith("::" + name) for key in self.constants)

    def _collect_enumerators(self, node: Node, result: dict[str, list[Node | int]]) -> None:
        body = node.child_by_field_name("body")
        if body is None:
            return
        enum_name = node.child_by_field_name("name")
        owners = {self._owner_name(node), self.text(enum_name) if enum_name is not None else ""} - {""}
        next_value: int | None = 0
        for child in body.named_children:
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if child.type != "enumerator" or name is None:
                continue
            entry: Node | int | None = value if value is not None else next_value
            if value is not None:
                literal = self.text(value)
                plain = re.fullmatch(r"0x[0-9a-fA-F]{1,15}|[1-9]\d{0,17}|0", literal)
                next_value = int(literal, 0) + 1 if plain else None
            elif next_value is not None:
                next_value += 1
            if entry is not None:
                for key in (self.text(name), *(f"{owner}::{self.text(name)}" for owner in owners)):
                    result.setdefault(key, []).append(entry)

    @cached_property
    def anchors(self) -> tuple[Anchors, ...]:
        """Masked words of each rung, by the token that follows them."""
        return tuple(Anchors(_anchor_map(parsed)) for parsed in self.parses)

    @cached_property
    def unrolls(self) -> dict[int, tuple[Span, str]]:
        """Masked unroll macros and `_Pragma`s by the offset of the token that follows them."""
        result: dict[int, tuple[Span, str]] = {}
        text = self.parses[0].masked.text
        for item in self.parses[0].masked.items:
            if item.kind == "unroll" and (match := _WORD.search(text, item.end)) is not None:
                result[match.start()] = (
                    Span(item.start, item.end),
                    unroll_words(item.text.decode("utf-8", "replace"), self.macros),
                )
        return result

    @cached_property
    def heads(self) -> dict[int, str]:
        """What the macros stand for that begin a loop, by the offset of the invocation."""
        items = self.parses[0].masked.items
        return {item.start: item.expansion for item in items if item.kind == "loop" and item.expansion}

    @cached_property
    def type_words(self) -> dict[int, str]:
        """What names in the masked text stand for, by offset: types as arguments of macros, and words cut for a `;`."""
        items = (item for parsed in self.parses for item in parsed.masked.items if item.kind == "type")
        return {item.start: " ".join(item.text.decode("utf-8", "replace").split()) for item in items}

    @cached_property
    def calls(self) -> frozenset[int]:
        """Where macros are invoked whose brackets are a comma and a `;` in the masked text."""
        return frozenset(item.start for parsed in self.parses for item in parsed.masked.items if item.kind == "call")

    def function_around(self, offset: int) -> FunctionNode | None:
        """Innermost indexed function whose body contains an offset."""
        index = bisect_left(self._starts, offset + 1)
        for function in reversed(self.functions[max(0, index - 64) : index]):
            if function.body.start_byte <= offset < function.body.end_byte:
                return function
        return None

    @cached_property
    def _starts(self) -> list[int]:
        return [function.node.start_byte for function in self.functions]


def unroll_words(text: str, macros: MacroTable) -> str:
    """Words of the pragma that a masked line, `_Pragma("unroll 4")` or unroll macro stands for."""
    if (match := _PRAGMA_LINE.match(text)) is not None:
        return text[match.end() :].partition("//")[0].partition("/*")[0].strip()
    if (match := re.search(r'"([^"]*)"', text)) is not None:
        return match[1]
    name = re.match(r"\w+", text)
    macro = macros.get(name[0]) if name is not None else None
    if macro is not None and (match := re.search(r'"([^"]*)"|\(\s*([^()"]*)\s*\)', macro.body)) is not None:
        return match[1] or match[2] or "unroll"
    return "unroll"


def _anchor_map(parsed: Parsed) -> dict[int, tuple[str, ...]]:
    text = parsed.masked.text
    result: dict[int, tuple[str, ...]] = {}
    for item in parsed.masked.items:
        if item.kind not in _ANCHORED:
            continue
        match = _WORD.search(text, item.end)
        if match is not None:
            words = (item.text.decode("utf-8", "replace"), *_STORAGE.findall(item.expansion))
            result[match.start()] = (*result.get(match.start(), ()), *words)
    return result


def walk_kind(root: Node, kinds: tuple[str, ...]) -> Iterator[tuple[Node, Node | None]]:
    """Nodes of the given kinds outside function bodies, with the template declaration around them."""
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, template = stack.pop()
        for child in node.named_children:
            kind = child.type
            outer = node if node.type == "template_declaration" else template if kind in _RECORDS else None
            if kind in kinds:
                yield child, outer
            if kind in _CONTAINERS:
                stack.append((child, outer))
            elif kind in ("declaration", "type_definition", "field_declaration"):
                inner = child.child_by_field_name("type")
                if inner is not None and inner.type in _RECORDS:
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


def _walk_functions(root: Node, text: bytes, parse_index: int) -> Iterator[FunctionNode]:
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
                if inner is not None and inner.type in _RECORDS:
                    stack.append((inner, outer, _record_name(inner, text)))


def _record_name(node: Node, text: bytes) -> str:
    name = node.child_by_field_name("name") if node.type in _RECORDS else None
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
