"""Definitions in a file's trees, its constants, and qualified names as texts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.running import checkpoint
from regpress_lint.cpp.lexical import bare_name, list_start, split_template_arguments, squeezed
from regpress_lint.cpp.parse import ancestors, children_of, past

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node


# Definitions in a file's trees: functions, classes and other declarations outside of function bodies.


_CONTAINERS = frozenset(
    """
    translation_unit namespace_definition declaration_list linkage_specification template_declaration preproc_if
    preproc_ifdef preproc_else preproc_elif preproc_elifdef class_specifier struct_specifier union_specifier
    field_declaration_list friend_declaration export_declaration ERROR
    """.split()
)
IDENTIFIER = pattern(r"[^\W\d]\w*$")
FRIEND = "friend_declaration"
RECORDS = ("struct_specifier", "class_specifier", "union_specifier")
ALIGNED = rb"(?:(?:alignas|__align__)\s*\((?:[^(){};]|\([^(){};]*\))*\)\s*)?"
_LOCAL_RECORD = pattern(rb"\b(?:struct|class)\s+%b\w+[^;{}()]*\{" % ALIGNED)
CONVERSION = "operator_cast"  # the node of `operator float() const`, without `{ ... }`


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


def class_around(node: Node) -> Node | None:
    """The class that a class is written in; None for one of a namespace, and for a function's own."""
    outer = node.parent
    while outer is not None and outer.type not in RECORDS:
        if outer.type in ("function_definition", "lambda_expression", "namespace_definition"):
            return None
        outer = outer.parent
    return outer


def template_around(node: Node) -> Node | None:
    """The template of the nearest class around a class that has one: its parameters are those of the class within."""
    outer = class_around(node)
    while outer is not None and (outer.parent is None or outer.parent.type != "template_declaration"):
        outer = class_around(outer)
    return outer.parent if outer is not None else None


class VariableTemplate(NamedTuple):
    """`template <int N> constexpr int size = N * 2;`, a concept, or a specialisation: `arguments` as written."""

    template: Node
    arguments: Node | None
    value: Node
    is_concept: bool = False


def reads_more(function: FunctionNode, other: FunctionNode) -> bool:
    """Whether a reading of a definition is better: without errors in its body, then in its head, then a head with more:
    template and type.
    """
    if function.body.has_error != other.body.has_error:
        return other.body.has_error
    if function.node.has_error != other.node.has_error:
        return other.node.has_error
    return function.name == other.name and _head_parts(function) > _head_parts(other)


def _head_parts(function: FunctionNode) -> tuple[bool, bool]:
    return function.template is not None, function.node.child_by_field_name("type") is not None


def walk_kind(root: Node, kinds: tuple[str, ...]) -> Iterator[tuple[Node, Node | None]]:
    """Nodes of the given kinds outside function bodies, with the template declaration around them."""
    stack: list[tuple[Node, Node | None]] = [(root, None)]
    while stack:
        node, template = stack.pop()
        for child in node.named_children:
            checkpoint()
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
    """Function definitions in a tree, those of classes inside of functions last; text: the parsed text. Functions of a
    class that several functions define, each for itself, are left out.
    """
    local: dict[str, list[Node]] = {}
    yield from _functions_below(root, text, parse_index, "", local)
    for name, bodies in local.items():
        if len(bodies) == 1:
            yield from _functions_below(bodies[0], text, parse_index, name, {})


def _functions_below(
    root: Node, text: bytes, parse_index: int, record: str, local: dict[str, list[Node]]
) -> Iterator[FunctionNode]:
    stack: list[tuple[Node, Node | None, str, Node | None]] = [(root, None, record, None)]
    while stack:
        node, template, record, around = stack.pop()
        for child in node.named_children:
            checkpoint()
            kind = child.type
            outer = node if node.type == "template_declaration" else template if node.type == FRIEND else None
            if kind == "function_definition":
                if (function := _function_node(child, text, outer, parse_index, record)) is not None:
                    yield function
                    for name, body in _local_records(function.body, text):
                        local.setdefault(name, []).append(body)
            elif kind == FRIEND:  # no member of the class, and a template if the class is one
                stack.append((child, outer or around, "", None))
            elif kind in _CONTAINERS:
                of_class = outer if kind in RECORDS else around
                stack.append((child, outer, _record_name(child, text) or record, of_class))
            elif kind in ("declaration", "type_definition", "field_declaration"):
                inner = child.child_by_field_name("type")
                if inner is not None and inner.type in RECORDS:
                    stack.append((inner, outer, _record_name(inner, text), outer))


def _local_records(body: Node, text: bytes) -> Iterator[tuple[str, Node]]:
    """Names and bodies of the classes that the outermost statements of a function define."""
    if _LOCAL_RECORD.search(text, body.start_byte, body.end_byte) is None:
        return
    for child in body.named_children:
        record = child.child_by_field_name("type") if child.type == "declaration" else child
        if record is not None and record.type in RECORDS:
            members, name = record.child_by_field_name("body"), _record_name(record, text)
            if members is not None and name:
                yield name, members


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
    if (converting := _conversion(declarator)) is not None:
        scope = text[declarator.start_byte : converting.start_byte]
        unnamed = FunctionNode("", "", node, body, converting, converting, template, parse_index, record)
        return _conversion_node(unnamed, text, scope)
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
    elif name_node.type == "parenthesized_declarator" and name_node.named_child_count == 1:  # `T (max)(T a, T b)`
        name_node = name_node.named_children[0]
    qualified = squeezed(text[name_node.start_byte : name_node.end_byte].decode("utf-8", "replace"))
    tail = name_node
    while tail.type == "qualified_identifier" and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    if tail.type in ("template_function", "template_type") and (inner := tail.child_by_field_name("name")) is not None:
        tail = inner
    name = text[tail.start_byte : tail.end_byte].decode("utf-8", "replace")
    return FunctionNode(name, qualified, node, body, declarator, tail, template, parse_index, record)


def _conversion(declarator: Node) -> Node | None:
    """The `operator float() const` of a definition, in its class or behind `Class::`; None for any other function."""
    tail = past(declarator, ("qualified_identifier",), "name")
    return tail if tail is not None and tail.type == CONVERSION else None


def _conversion_node(function: FunctionNode, text: bytes, scope: bytes) -> FunctionNode | None:
    """The same function with its name, `operator float`, and with the declarator that has its parameters."""
    shape: Node | None = function.name_node
    while shape is not None and shape.type != "abstract_function_declarator":
        shape = next((child for child in shape.named_children if child.type.startswith("abstract_")), None)
    if shape is None:
        return None
    written = text[function.name_node.start_byte : shape.start_byte].decode("utf-8", "replace")
    owner = squeezed(scope.decode("utf-8", "replace"))
    name = " ".join(written.split())
    return function._replace(name=name, qualified=owner + "".join(written.split()), declarator=shape)


def _macro_argument(declarator: Node) -> Node | None:
    parameters = declarator.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        inner = child.child_by_field_name("type")
        if inner is not None and inner.type == "type_identifier":
            return inner
    return None


# Constants of a file at file, namespace or class level.


_DECLARATIONS = ("declaration", "field_declaration")
_KINDS = (*_DECLARATIONS, "enum_specifier", "type_definition")
_SCOPES = (*RECORDS, "namespace_definition")
Scopes: TypeAlias = tuple[str, ...]
_CONSTANT = frozenset(("const", "constexpr", "constinit"))
_LIST = "initializer_list"
TABLE = "[]"  # behind the name of an array among the constants


def constants_in(root: Node, text: Callable[[Node], str]) -> dict[str, list[Node | int]]:
    """Name -> initialiser nodes, or the value of an enumerator; text: what stands at a node.

    Class members also appear as `Record::name`. Several entries mean several definitions (branches of an `#if`).
    """
    return _collected(root, text).found


def variable_templates(root: Node, text: Callable[[Node], str]) -> dict[str, list[VariableTemplate]]:
    """Templates of constants and concepts by name, their specialisations included."""
    result: dict[str, list[VariableTemplate]] = {}
    for node, template in walk_kind(root, (*_DECLARATIONS, "concept_definition")):
        declarator = node.child_by_field_name("declarator")
        if template is not None and node.type == "concept_definition" and node.named_child_count == 2:
            concept, stated = node.named_children
            result.setdefault(text(concept), []).append(VariableTemplate(template, None, stated, is_concept=True))
        if template is None or declarator is None:
            continue
        whole = declarator if declarator.type == "init_declarator" else node
        value = whole.child_by_field_name("value") or whole.child_by_field_name("default_value")
        name = whole.child_by_field_name("declarator")
        arguments = name.child_by_field_name("arguments") if name is not None else None
        name = name.child_by_field_name("name") if name is not None and arguments is not None else name
        if value is not None and name is not None and name.type.endswith("identifier"):
            result.setdefault(text(name), []).append(VariableTemplate(template, arguments, value))
    return result


def placed_constants(root: Node, text: Callable[[Node], str]) -> dict[str, dict[Scopes, list[Node | int]]]:
    """The constants that are defined in several scopes: name -> the scopes around a definition -> `constants_in`."""
    placed = _collected(root, text, placing=True).placed
    return {name: by_scope for name, by_scope in placed.items() if len(by_scope) > 1}


def is_in_class(node: Node) -> bool:
    """True for what a class declares, classes included."""
    return any(outer.type in RECORDS for outer in ancestors(node))


def scopes_around(node: Node, text: Callable[[Node], str]) -> Scopes:
    """Names of the namespaces and classes around a node, from outside; what has no name is as if it were not there."""
    names: list[str] = []
    for outer in ancestors(node):
        if outer.type in _SCOPES and (name := outer.child_by_field_name("name")) is not None:
            # A template's specialisation is a class of its own.
            names += reversed(text(name).split("::") if outer.type == "namespace_definition" else [text(name)])
    return tuple(reversed(names))


def _collected(root: Node, text: Callable[[Node], str], *, placing: bool = False) -> _Constants:
    constants = _Constants(text, placing=placing)
    for node, template in walk_kind(root, _KINDS):
        if template is None or node.type not in _DECLARATIONS:
            constants.collect(node)
    return constants


def member_values(node: Node) -> Iterator[tuple[Node, Node]]:
    """The names that a declaration of members gives a value, each with it; an array's by its name alone."""
    name: Node | None = None
    for position, child in enumerate(node.children):
        field = node.field_name_for_child(position)
        if field == "declarator":
            name = past(child, ("array_declarator", "pointer_declarator"), "declarator")
        elif field == "default_value" and name is not None and name.type == "field_identifier":
            yield name, child


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
            for member, initial in member_values(node):
                if member.parent == node:
                    self._add(owner, self._text(member), initial)
                    self._place(node, self._text(member), initial)
                elif initial.type == _LIST:
                    self._add(owner, f"{self._text(member)}{TABLE}", initial)
            return
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type != "init_declarator":
                continue
            name, value = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("value")
            if name is not None and value is not None and name.type == "identifier":
                self._add(owner, self._text(name), value)
                self._place(node, self._text(name), value)
            elif value is not None and value.type == _LIST:
                name = past(name, ("array_declarator",), "declarator")
                if name is not None and name.type == "identifier":
                    self._add(owner, f"{self._text(name)}{TABLE}", value)

    def _place(self, node: Node, name: str, value: Node | int) -> None:
        if self._placing:
            self.placed.setdefault(name, {}).setdefault(scopes_around(node, self._text), []).append(value)

    def _add(self, owner: str, name: str, value: Node | int) -> None:
        self.found.setdefault(name, []).append(value)
        if owner:
            self.found.setdefault(f"{owner}::{name}", []).append(value)

    def _owner_name(self, node: Node) -> str:
        """Name of the class or namespace directly around a node, "" at file level."""
        kinds = (*RECORDS, "namespace_definition")
        outer = next((outer for outer in ancestors(node) if outer.type in kinds), None)
        name = outer.child_by_field_name("name") if outer is not None else None
        return bare_name(self._text(name)) if name is not None else ""

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


# Qualified names as texts: `A<b::c>::d` is `d` of `A<b::c>`.


@lru_cache(maxsize=4096)
def split_owner(name: str) -> tuple[str, str]:
    """`A<b::c>::d` as `A<b::c>` and `d`; an empty owner for a name without one."""
    if "::" not in name:
        return "", name
    depth = 0
    for index in range(len(name) - 1, 0, -1):
        depth += {">": 1, "<": -1}.get(name[index], 0)
        if depth == 0 and name[index] == ":" and name[index - 1] == ":":
            return name[: index - 1], name[index + 1 :]
    return "", name


def two_last(name: str) -> str:
    """`a::b::c` as `b::c`."""
    return "::".join(name.split("::")[-2:])


def class_name(written: str) -> str:
    """The bare name of a class in a type as it is written: `const ns::Foo<int> *` is `Foo`."""
    words = written.partition("<")[0].replace("const ", " ").replace("*", " ").replace("&", " ").split()
    return words[-1].rpartition("::")[2] if words else ""


def owner_of(qualified: str, name: str) -> str:
    """Class that a definition outside of it belongs to: `Foo` for `ns::Foo<T>::run`, "" for a function of none."""
    if qualified.endswith(">") and not name.startswith("operator"):  # a specialisation: `Foo::run<float>`
        qualified = qualified[: qualified.rfind(f"{name}<")] + name
    head = qualified.removesuffix("".join(name.split()))
    if not head.endswith("::"):
        return ""
    owner = head[:-2]
    if owner.endswith(">"):  # `Foo<T>::name`
        owner = owner[: max(list_start(owner, len(owner)), 0)]
    return owner.rpartition("::")[2]


# What heads of definitions say: how many arguments a function takes, template arguments as written.


def parameter_counts(function: FunctionNode) -> range:
    """How many arguments a function takes, as its own text says."""
    parameters = function.declarator.child_by_field_name("parameters")
    if parameters is None:
        return range(1)
    return counts_of(children_of(parameters))


def counts_of(children: Sequence[Node]) -> range:
    """How many arguments a list of parameters takes."""
    if any("variadic" in child.type for child in children):
        return range(len(children) - 1, 100)
    optional = sum(child.type == "optional_parameter_declaration" for child in children)
    if len(children) == 1 and children[0].child_by_field_name("declarator") is None:
        type_node = children[0].child_by_field_name("type")
        if type_node is not None and type_node.type == "primitive_type" and type_node.text == b"void":
            return range(1)
    return range(len(children) - optional, len(children) + 1)


@lru_cache(maxsize=4096)
def arguments_in(written: str) -> tuple[str, ...]:
    """Template arguments of a name as it is written: of `ns::Traits<float, 4>` the two."""
    _, bracket, behind = written.partition("<")
    return split_template_arguments(behind[: behind.rfind(">") + 1]) if bracket else ()


def explicit_arguments(function: FunctionNode) -> tuple[str, ...]:
    """Arguments of an explicit specialisation of a function template, `template <> float largest<float>()`."""
    last = split_owner(function.qualified)[1]
    return arguments_in(last) if not last.startswith("operator") else ()
