"""One parsed file with its indexes: names, functions, types, constants. Built once, lowered on demand."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import OWN_WORD, pattern
from regpress_lint.core.source import Span, Spliced
from regpress_lint.cpp.lexical import words_of
from regpress_lint.cpp.lower.lowering_context import Anchors, LoopHead, span_of
from regpress_lint.cpp.mask.masking import anchored_words, unroll_marks
from regpress_lint.cpp.names.definition_nodes import (
    ALIGNED,
    CONVERSION,
    RECORDS,
    RecordNode,
    constants_in,
    functions_in,
    is_in_class,
    owner_of,
    placed_constants,
    reads_more,
    scopes_around,
    template_around,
    variable_templates,
    walk_kind,
)
from regpress_lint.cpp.names.name_index import CONVERSIONS, RENAMED
from regpress_lint.cpp.parse import nearest, past
from regpress_lint.cpp.syntax_tree import unnamed

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.core.source import Source
    from regpress_lint.cpp.names.definition_nodes import FunctionNode, Scopes, VariableTemplate
    from regpress_lint.cpp.parse import Parsed
    from regpress_lint.cpp.preprocess.macros import MacroTable
    from regpress_lint.cpp.syntax_tree import TemplateParameter


_NAMES = pattern(r"[A-Za-z_][\w:]*+(?:\s*+[\w:]++|\s*+<[\w:<>, ]*+>|\s*+\*)*+")
_NUMBER = pattern(r"\(?\s*(0[xX][0-9a-fA-F]{1,15}|[1-9]\d{0,17}|0)[uUlL]{0,3}\s*\)?")
_USING = pattern(rb"\busing\s+namespace\s+([\w:]+)\s*;")
# Of unnamed classes.
_OWNERS = frozenset(("declaration", "field_declaration", "alias_declaration", "compound_statement"))
_UNNAMED = pattern(rb"\b(?:struct|class|union)\s*+(?:alignas\s*+\([^()]*\)\s*+)?\{")
# `int f(int n = 4);`; a call of `f(a = 1)` looks the same.
_WITH_DEFAULTS = pattern(rb"\b([A-Za-z_]\w*+)\s*+\([^;{}()=]*+(?:\([^;{}()]*+\)[^;{}()=]*+)*+=[^;{}]*+;")
_RECORD = pattern(rb"\b(?:struct|class|union)\s+%b([A-Za-z_\x80-\xff][\w\x80-\xff]*)\s*[^;{}()=<>]*\{" % ALIGNED)


class ParsedFile:
    """Trees and indexes of one file. whole: False if there may be trees that haste has left out.

    source: the text that the trees are of (`splicing`). data: the bytes of the file itself. template_heads: what was
    read of templates, by begin, end and rung. macro_lists: lists of parameters with macros in them, expanded, with
    the nodes of each. unwritten: names of macros that write kernels which are not read.
    """

    def __init__(
        self,
        source: Source,
        macros: MacroTable,
        parses: tuple[Parsed, ...],
        whole: bool = True,
        data: bytes | None = None,
        unwritten: tuple[Span, ...] = (),
    ) -> None:
        self.whole = whole
        self.unwritten = unwritten
        self.data = source.data if data is None else data
        self.source = source
        self.macros = macros
        self.parses = parses
        self._function_aliases: dict[str, bool] = {}
        self.macro_lists: dict[str, tuple[ParsedFile, tuple[Node, ...]] | None] = {}
        self.template_heads: dict[tuple[int, int, int], tuple[TemplateParameter, ...]] = {}

    def text(self, node: Node, parse_index: int = 0) -> str:
        """Masked text of a node."""
        return self.parses[parse_index].masked.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the file's text."""
        return words_of(self.source.data)

    @cached_property
    def places_of_defaults(self) -> dict[str, list[int]]:
        """Where the names stand that may be those of declarations with default arguments."""
        result: dict[str, list[int]] = {}
        for match in _WITH_DEFAULTS.finditer(self.parses[0].masked.text):
            result.setdefault(match[1].decode("ascii"), []).append(match.start(1))
        return result

    @cached_property
    def functions(self) -> tuple[FunctionNode, ...]:
        """All function definitions of all rungs of the ladder, one per body, the one without errors preferred."""
        best: dict[int, FunctionNode] = {}
        # Without its macros masked the head of a definition may be cut: such a rung only adds what the others lack.
        order = sorted(range(len(self.parses)), key=lambda index: not self.parses[index].level.uses_macros)
        for index in order:
            parsed = self.parses[index]
            for function in functions_in(parsed.tree.root_node, parsed.masked.text, index):
                if function.name == "_" and self._is_put_around(function.node.start_byte):
                    continue
                earlier = best.get(function.body.start_byte)
                if earlier is None or reads_more(function, earlier):
                    best[function.body.start_byte] = function
        return tuple(sorted(best.values(), key=lambda function: function.node.start_byte))

    def _is_put_around(self, offset: int) -> bool:
        """Whether a function is what was put around an included body."""
        source = self.source
        return offset >= source.size and not (isinstance(source, Spliced) and source.is_own(offset))

    @cached_property
    def functions_by_name(self) -> dict[str, list[FunctionNode]]:
        """Function definitions by last component of the name, operators without blanks."""
        result: dict[str, list[FunctionNode]] = {}
        for function in self.functions:
            for name in _names_of(function):
                result.setdefault(name, []).append(function)
        return result

    @cached_property
    def members(self) -> dict[tuple[str, str], list[FunctionNode]]:
        """Definitions of member functions by class and name, inside of the class or not; operators without blanks."""
        result: dict[tuple[str, str], list[FunctionNode]] = {}
        for function in self.functions:
            inside = function.record.partition("<")[0] if function.record else ""
            owner = inside or owner_of(function.qualified, function.name)
            for name in _names_of(function) if owner else ():
                result.setdefault((owner, name), []).append(function)
        return result

    @cached_property
    def records(self) -> dict[str, RecordNode]:
        """Class, struct and union definitions by name: of file, namespaces, classes and functions."""
        return {**self.local_records, **self._named_records}

    @cached_property
    def _named_records(self) -> dict[str, RecordNode]:
        result: dict[str, RecordNode] = {}
        for name, record in self._all_records:
            if record.name not in result or (result[record.name] in self.specialised.get(record.name, ()) and name):
                result[record.name] = record
        return result

    @cached_property
    def local_records(self) -> dict[str, RecordNode]:
        """Classes that functions declare for themselves, those whose name means one class in the whole file.

        `struct Cell { float v[4]; };` in the host function around a SYCL kernel is as common as at file level.
        """
        nodes: dict[str, RecordNode] = {}
        texts: dict[str, set[str]] = {}
        for match in _RECORD.finditer(self.parses[0].masked.text):
            name = match[1].decode("utf-8", "replace")
            if name in self._named_records:
                continue
            if (node := self._record_at(match)) is not None:
                texts.setdefault(name, set()).add(self.text(node))
                nodes[name] = RecordNode(name, node, self._template_used(node))
        return {
            **{name: record for name, record in nodes.items() if len(texts[name]) == 1},
            **{record.name: record for record in self._unnamed_records()},
        }

    def _template_used(self, node: Node) -> Node | None:
        """The function template around a class whose parameters the class uses."""
        around = nearest(node.parent, ("function_definition",))
        template = around.parent if around is not None else None
        if template is None or template.type != "template_declaration":
            return None
        parameters = template.child_by_field_name("parameters")
        words = set(OWN_WORD.findall(self.text(node)))
        for parameter in parameters.named_children if parameters is not None else ():
            name = parameter.child_by_field_name("name") or parameter.child_by_field_name("declarator")
            last = name if name is not None else next(iter(parameter.named_children[-1:]), parameter)
            if not words.isdisjoint(OWN_WORD.findall(self.text(last))):
                return template
        return None

    def _unnamed_records(self) -> Iterator[RecordNode]:
        """Classes without a name that declare a variable or members: `union { float f; unsigned u; } x;`."""
        for match in _UNNAMED.finditer(self.parses[0].masked.text):
            node = self._record_at(match)
            owner = node.parent if node is not None else None
            if owner is not None and owner.type == "type_descriptor":
                owner = owner.parent
            if node is not None and owner is not None and owner.type in _OWNERS:
                yield RecordNode(unnamed(span_of(node)), node, template_around(node) or self._template_used(node))

    def _record_at(self, match: re.Match[bytes]) -> Node | None:
        """The class that begins with a match."""
        node = self.parses[0].tree.root_node.descendant_for_byte_range(match.start(), match.end())
        while node is not None and node.start_byte == match.start():
            if node.type in RECORDS:
                return node
            node = node.parent
        return None

    @cached_property
    def specialised(self) -> dict[str, list[RecordNode]]:
        """Explicit and partial specialisations of class templates by the template's name."""
        result: dict[str, list[RecordNode]] = {}
        for plain, record in self._all_records:
            if not plain:
                result.setdefault(record.name, []).append(record)
        return result

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """Names that classes of several namespaces have, which are looked up without their namespace."""
        several: dict[str, list[Node]] = {}
        for plain, record in self._all_records:
            if plain:
                several.setdefault(record.name, []).append(record.node)
        return frozenset(name for name, nodes in several.items() if len(nodes) > 1 and self._differ(nodes))

    def _differ(self, nodes: list[Node]) -> bool:
        """Whether classes of several namespaces (and not of several classes) are among them, with other texts."""
        around = {scopes_around(node, self.text) for node in nodes if not is_in_class(node)}
        return len(around) > 1 and len({self.text(node) for node in nodes}) > 1

    @cached_property
    def _all_records(self) -> list[tuple[bool, RecordNode]]:
        """Classes with a body, and whether each has a plain name."""
        result: list[tuple[bool, RecordNode]] = []
        for node, template in walk_kind(self.parses[0].tree.root_node, RECORDS):
            name = node.child_by_field_name("name")
            if name is not None and node.child_by_field_name("body") is not None:
                target = name.child_by_field_name("name") or name
                record = RecordNode(self.text(target), node, template or template_around(node))
                result.append((target is name or name.type != "template_type", record))
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
                    shape = target.child_by_field_name("declarator")
                    if shape is not None and shape.type == "abstract_function_declarator":
                        self._function_aliases.setdefault(self.text(name), b"*" in _head(shape))
                continue
            target = node.child_by_field_name("type")
            for declarator in node.children_by_field_name("declarator"):
                if declarator.type == "function_declarator" and (inner := _declared_name(declarator)) is not None:
                    self._function_aliases.setdefault(self.text(inner), b"*" in _head(declarator))
                if target is None:
                    continue
                named = declarator.type == "type_identifier"
                if named:
                    result.setdefault(self.text(declarator), []).append(target)
                if target.type not in RECORDS or target.child_by_field_name("body") is None:
                    continue
                if named:
                    self.records.setdefault(self.text(declarator), RecordNode("", target, None))
                elif target.child_by_field_name("name") is None and (inner := _shaped_name(declarator)) is not None:
                    self.records.setdefault(self.text(inner), RecordNode("", target, None))
        return result

    @cached_property
    def shaped_aliases(self) -> dict[str, list[Node]]:
        """`typedef`s of arrays and pointers (`typedef float row[8], *place;`): name -> the declarators."""
        result: dict[str, list[Node]] = {}
        for node, _ in walk_kind(self.parses[0].tree.root_node, ("type_definition",)):
            for declarator in node.children_by_field_name("declarator"):
                if (inner := _shaped_name(declarator)) is not None:
                    result.setdefault(self.text(inner), []).append(declarator)
        return result

    @property
    def function_aliases(self) -> Mapping[str, bool]:
        """`typedef`s and `using`s of function types: name -> whether it is a pointer to one."""
        _ = self.all_aliases
        return self._function_aliases

    @cached_property
    def constants(self) -> dict[str, list[Node | int]]:
        """Constants at file, namespace or class level, see `constants_in`."""
        return constants_in(self.parses[0].tree.root_node, self.text)

    @cached_property
    def variable_templates(self) -> dict[str, list[VariableTemplate]]:
        """Templates of constants, see `variable_templates`."""
        return variable_templates(self.parses[0].tree.root_node, self.text)

    @cached_property
    def placed_constants(self) -> dict[str, dict[Scopes, list[Node | int]]]:
        """Constants that several scopes define, see `placed_constants`."""
        if not any(len(entries) > 1 for entries in self.constants.values()):
            return {}
        return placed_constants(self.parses[0].tree.root_node, self.text)

    @cached_property
    def used_namespaces(self) -> tuple[tuple[str, ...], ...]:
        """Namespaces that `using namespace` brings, each once, as the names that lead to it."""
        names = (match[1].decode("utf-8", "replace") for match in _USING.finditer(self.source.data))
        return tuple(dict.fromkeys(tuple(name.split("::")) for name in names))

    @cached_property
    def renamed_namespaces(self) -> Mapping[str, str]:
        """`namespace v = very::deep;`: the name -> what it stands for."""
        return {name.decode(): meant.decode() for name, meant in RENAMED.findall(self.source.data)}

    @cached_property
    def redefined_macros(self) -> dict[str, list[tuple[int, int]]]:
        """Macros that the file defines several times as numbers, outside of any `#if`: where, and the numbers."""
        result: dict[str, list[tuple[int, int]]] = {}
        for name, bodies in self._defined_anew.items():
            numbers = [_NUMBER.fullmatch(body) for _, body in bodies]
            if all(numbers):
                result[name] = [(at, int(match[1], 0)) for (at, _), match in zip(bodies, numbers, strict=True) if match]
        return result

    @cached_property
    def redefined_names(self) -> dict[str, list[tuple[int, str]]]:
        """The same of those that it defines as names, of types or kernels: where, and the names."""
        return {
            name: bodies
            for name, bodies in self._defined_anew.items()
            if all(_NAMES.fullmatch(body) for _, body in bodies)
        }

    @cached_property
    def _defined_anew(self) -> dict[str, list[tuple[int, str]]]:
        """Macros without parameters that are defined several times, outside of any `#if`: where, and the bodies."""
        if b"#undef" not in self.source.data and b"# undef" not in self.source.data:
            return {}
        result: dict[str, list[tuple[int, str]]] = {}
        for macro in self.macros:
            here = [definition for definition in self.macros.all(macro.name) if definition.path == self.source.path]
            alone = all(definition.params is None and definition.arm is None for definition in here)
            if alone and len({definition.body for definition in here}) > 1:
                result[macro.name] = sorted((definition.offset, definition.body) for definition in here)
        return result

    def free_constants(self, name: str) -> list[Node | int]:
        """Definitions of a constant outside classes: what a bare name means in a function that belongs to none."""
        constant = self.constants.get(name, [])
        owned = [entry for key, entries in self.constants.items() if self._is_member(key, name) for entry in entries]
        return [entry for entry in constant if entry not in owned] if owned else constant

    def _is_member(self, key: str, name: str) -> bool:
        owner, _, last = key.rpartition("::")
        return last == name and bool(owner) and owner in self.records

    def has_owner(self, name: str) -> bool:
        """True if a class, namespace or enumeration of this file owns a constant of that name."""
        return any(key.endswith("::" + name) for key in self.constants)

    @cached_property
    def anchors(self) -> tuple[Anchors, ...]:
        """Masked words of each rung, by the token that follows them."""
        return tuple(Anchors(anchored_words(parsed.masked)) for parsed in self.parses)

    @cached_property
    def annexes(self) -> tuple[Mapping[int, Node], ...]:
        """Of each rung the blocks and lists of values that hold what `#include`s bring into functions, by the offset of
        the directive.
        """
        if not isinstance(self.source, Spliced):
            return tuple({} for _ in self.parses)
        return tuple(dict(_blocks(parsed, self.source)) for parsed in self.parses)

    @cached_property
    def unrolls(self) -> dict[int, tuple[Span, str]]:
        """See `masking.unroll_marks`."""
        return unroll_marks(self.parses[0].masked, self.macros)

    @cached_property
    def heads(self) -> dict[int, LoopHead]:
        """Expansions of macros that begin a loop, by the offset of the invocation."""
        items = self.parses[0].masked.items
        heads = (item for item in items if (item.kind == "loop" and item.expansion) or item.kind == "assumed")
        return {item.start: LoopHead(item.expansion, item.kind == "loop") for item in heads}

    @cached_property
    def type_words(self) -> dict[int, str]:
        """Meanings of names in the masked text, by offset: types as arguments of macros, and words cut for a `;`."""
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


def _blocks(parsed: Parsed, source: Spliced) -> Iterator[tuple[int, Node]]:
    for annex in source.annexes:
        if not source.is_included(annex):
            continue
        node = parsed.tree.root_node.descendant_for_byte_range(annex.body.start - 1, annex.body.start - 1)
        node = nearest(node, ("compound_statement", "initializer_list"))
        if node is not None and node.start_byte >= source.size and node.end_byte >= annex.body.end:
            yield annex.inside.start, node


def _names_of(function: FunctionNode) -> tuple[str, ...]:
    """What a function is listed by: operators without blanks, conversions also as such."""
    if not function.name.startswith("operator"):
        return (function.name,)
    name = "".join(function.name.split())
    return (name, CONVERSIONS) if function.name_node.type == CONVERSION else (name,)


def _head(shape: Node) -> bytes:
    """A function's declarator without its parameters."""
    parameters, text = shape.child_by_field_name("parameters"), shape.text or b""
    return text if parameters is None else text[: parameters.start_byte - shape.start_byte]


def _declared_name(shape: Node) -> Node | None:
    """The name that a `typedef` of a function type gives."""
    inner: Node | None = shape
    while inner is not None and inner.type != "type_identifier":
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children[-1:]), None)
    return inner


def _shaped_name(declarator: Node) -> Node | None:
    """The name that a `typedef` of an array or a pointer gives."""
    inner = past(declarator, ("array_declarator", "pointer_declarator"), "declarator")
    return inner if inner is not None and inner is not declarator and inner.type == "type_identifier" else None
