"""Types of host expressions, as their declarations spell them: a call deduces template arguments from them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import WORD, pattern
from regpress_lint.cpp.lexical import bare_name, split_template_arguments
from regpress_lint.cpp.lower.literals import parse_number
from regpress_lint.cpp.lower.lowering_context import template_arguments
from regpress_lint.cpp.names.templates import parameters_of
from regpress_lint.cpp.parse import above, children_of, nearest
from regpress_lint.cpp.syntax_tree import Type
from regpress_lint.cpp.types import ASSUMED, VIEW_BYTES, builtin_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.host_values import Declared, HostValues
    from regpress_lint.cpp.names.parsed_file import ParsedFile


LAMBDA = "(lambda at "  # begins the name of a lambda's type; the file and the byte offset follow
_CAPTURED_BYTES = 8  # of a lambda's object; what it captures are arguments of the kernel, one by one
_MAX_DEPTH = 6  # of expressions around a variable
_QUALIFIER = pattern(r"\b(?:const|volatile|typename|struct|class)\b")
_MAKES = pattern(r"(?:std::)?make_(?P<kind>index|integer)_sequence\s*<\s*(?P<of>[\w:]+\s*,\s*)?(?P<count>\d{1,4})\s*>")
_MOST_COUNTED = 256  # numbers in a sequence
_POINTERS = ("pointer_declarator", "abstract_pointer_declarator", "array_declarator", "abstract_array_declarator")
_DECLARATIONS = ("declaration", "parameter_declaration", "optional_parameter_declaration", "field_declaration")
_NAMES = ("identifier", "field_identifier")
_ALIASES = ("alias_declaration", "type_definition")
_SCOPES = frozenset(("compound_statement", "translation_unit", "for_statement", "declaration_list", "case_statement"))


class _Written(NamedTuple):
    """A type as it is spelled, without qualifiers, and the pointers around it."""

    base: str
    pointers: int


def lambda_type(name: str) -> Type:
    """Type of a lambda's object."""
    return Type(name, _CAPTURED_BYTES, struct=True)


def arguments_of(call: Node) -> list[Node]:
    """The arguments of a call, also of `a.run<8>(x, y)`, which the grammar reads as two comparisons."""
    if call.type == "binary_expression":
        nodes = call.children[-1].named_children
        while nodes and nodes[-1].type == "comma_expression":
            nodes[-1:] = nodes[-1].named_children
        return nodes
    return children_of(call, "arguments")


# Nodes around the last name of a callee, and the field that leads to it; no field for the only child.
_OUTER_NAMES = {"qualified_identifier": "name", "field_expression": "field", "dependent_name": ""}


def template_arguments_of(values: HostValues, call: Node) -> tuple[str, ...]:
    """Template arguments that a call writes out: `run<4>(p)`, `s.run<4>()`, `s.template run<4>()`."""
    if call.type == "binary_expression":
        return (values.parsed.text(call.children[0].children[-1], values.parse_index),)
    tail = call.child_by_field_name("function")
    while tail is not None and tail.type in _OUTER_NAMES:
        part = _OUTER_NAMES[tail.type]
        tail = tail.child_by_field_name(part) if part else next(iter(tail.named_children), None)
    if tail is None or tail.type not in ("template_function", "template_method"):
        return ()
    ctx = values.scope.context_for_text(values.parsed, values.parse_index)
    return template_arguments(ctx, tail.child_by_field_name("arguments"))


def _typed_parameters(function: FunctionNode, parsed: ParsedFile) -> list[tuple[Node, str]]:
    """A function's parameters, each with the text of its type."""
    nodes = children_of(function.declarator, "parameters")
    types = ((child, child.child_by_field_name("type")) for child in nodes)
    return [(child, "" if type_ is None else parsed.text(type_, function.parse_index)) for child, type_ in types]


def deduced(
    values: HostValues, function: FunctionNode, parsed: ParsedFile, name: str, arguments: Iterable[Node]
) -> Iterator[str]:
    """Template argument that each argument of type `T`, `T *`, `const T &`, ... gives, as the host spells it."""
    for (child, text), argument in zip(_typed_parameters(function, parsed), arguments, strict=False):
        if "variadic" in child.type or not (text == name or ("<" in text and name in WORD.findall(text))):
            continue
        written = _type_of(values, argument, 0)
        pointers = written.pointers - _pointers(child.child_by_field_name("declarator")) if written is not None else -1
        if written is not None and pointers >= 0:
            meant = _meant(text, name, _counted(written.base) + " *" * pointers, 0)
            if meant is not None:
                yield meant


def may_take(values: HostValues, function: FunctionNode, parsed: ParsedFile, arguments: Iterable[Node]) -> bool:
    """False for a call of another overload: a number where this one takes a `complex<T>` to deduce `T` from."""
    names = {parameter.name for parameter in parameters_of(parsed, function)}
    for (_, text), argument in zip(_typed_parameters(function, parsed), arguments, strict=False):
        if not text.endswith(">") or names.isdisjoint(WORD.findall(text)):
            continue
        written = _type_of(values, argument, 0)
        if written is not None and "<" not in written.base and builtin_type(written.base) is not None:
            return False
    return True


def alike(values: HostValues, function: FunctionNode, parsed: ParsedFile, arguments: Iterable[Node]) -> int:
    """How many arguments of a call are spelled with the type that the function's parameter has."""
    count = 0
    for (child, text), argument in zip(_typed_parameters(function, parsed), arguments, strict=False):
        written = _type_of(values, argument, 0)
        pointers = _pointers(child.child_by_field_name("declarator"))
        count += written is not None and (bare_type(written.base), written.pointers) == (bare_type(text), pointers)
    return count


def bare_type(text: str) -> str:
    """A type's spelling without qualifiers and namespaces."""
    return "".join(_QUALIFIER.sub(" ", text).split()).rpartition("::")[2]


def argument_meant(text: str, name: str, type_text: str) -> str | None:
    """The meaning of a template parameter where a type is written in terms of it and the given type is another."""
    return _meant(text, name, type_text, 0)


def _meant(text: str, name: str, type_text: str, depth: int) -> str | None:
    """The argument that a template parameter has in a parameter's type, `F` in `Row<F, 8>`, if that is a given one."""
    text = _QUALIFIER.sub(" ", text).strip()
    if text == name:
        return type_text
    head, bracket, inner = text.removesuffix(">").partition("<")
    its_head, its_bracket, its = type_text.removesuffix(">").partition("<")
    if not (bracket and its_bracket and text.endswith(">") and type_text.endswith(">")) or depth > _MAX_DEPTH:
        return None
    if head.strip() == name:  # a template as an argument
        return its_head.strip()
    if head.rpartition("::")[2].strip() != its_head.rpartition("::")[2].strip() and not head.strip().isidentifier():
        return None
    wanted, all_ = split_template_arguments(inner + ">"), split_template_arguments(its + ">")
    if wanted and "".join(wanted[-1].split()) == f"{name}...":  # `std::index_sequence<Ns...>`: what is left
        return ", ".join(all_[len(wanted) - 1 :])
    pairs = zip(wanted, all_, strict=False)
    return next((meant for form, its in pairs if (meant := _meant(form, name, its, depth + 1)) is not None), None)


def _counted(type_: str) -> str:
    """`make_index_sequence<3>` as the type that it is, `index_sequence<0, 1, 2>`."""
    match = _MAKES.fullmatch(type_)
    if match is None or int(match["count"]) > _MOST_COUNTED:
        return type_
    numbers = ", ".join(map(str, range(int(match["count"]))))
    return f"{match['kind']}_sequence<{match['of'] or ''}{numbers}>"


@lru_cache(maxsize=1024)
def _written(text: str) -> _Written | None:
    head, bracket, tail = text.rpartition(">")  # pointers among template arguments are theirs
    outside = tail.replace("*", " ").replace("&", " ")
    base = " ".join(_QUALIFIER.sub(" ", head + bracket + outside).split())
    return _Written(base, tail.count("*")) if base and base not in ("auto", "void") else None


def _pointers(declarator: Node | None) -> int:
    """Levels of pointers and array extents around a declared name."""
    count = 0
    while declarator is not None:
        count += declarator.type in _POINTERS
        declarator = declarator.child_by_field_name("declarator") or next(
            (child for child in declarator.named_children if child.type.endswith("declarator")), None
        )
    return count


def _type_of(values: HostValues, node: Node, depth: int) -> _Written | None:
    """Type of a host expression as its declarations spell it."""
    if depth > _MAX_DEPTH:
        return None
    kind = node.type
    if kind == "lambda_expression":
        return _Written(f"{LAMBDA}{values.parsed.source.path}:{node.start_byte})", 0)
    if kind == "compound_literal_expression":
        target = node.child_by_field_name("type")
        return _written(values.parsed.text(target)) if target is not None else None
    if kind == "identifier":
        return _declared(values, node, depth)
    if kind == "parenthesized_expression" and node.named_child_count == 1:
        return _type_of(values, node.named_children[0], depth + 1)
    if kind == "cast_expression":
        target = node.child_by_field_name("type")
        return _written(values.parsed.text(target)) if target is not None else None
    if kind == "number_literal":
        literal = parse_number(values.parsed.text(node))
        return _Written(literal.kind, 0) if literal is not None else None
    if kind == "call_expression":
        return _type_of_call(values, node, depth)
    if kind in ("pointer_expression", "subscript_expression"):
        inner = node.child_by_field_name("argument")
        written = _type_of(values, inner, depth + 1) if inner is not None else None
        step = 1 if kind == "pointer_expression" and node.children[0].type == "&" else -1
        return written._replace(pointers=written.pointers + step) if written is not None else None
    if kind == "binary_expression":
        sides = [node.child_by_field_name(field) for field in ("left", "right")]
        types = [_type_of(values, side, depth + 1) for side in sides if side is not None]
        return next((type_ for type_ in types if type_ is not None and type_.pointers), None)
    return None


def _type_of_call(values: HostValues, node: Node, depth: int) -> _Written | None:
    """Type of a cast, of `std::move(x)`, or of an object made on the spot: `Functor<float>()`."""
    callee = node.child_by_field_name("function")
    if callee is not None and callee.type == "field_expression":
        return _type_of_member(values, callee) if not arguments_of(node) else None
    text = values.parsed.text(callee) if callee is not None else ""
    name = bare_name(text)
    if name.endswith("_cast"):
        listed = template_arguments_of(values, node)
        return _written(listed[0]) if len(listed) == 1 else None
    arguments = arguments_of(node)
    if name in ("move", "ref", "forward") and len(arguments) == 1:
        return _type_of(values, arguments[0], depth + 1)
    is_class = name.endswith("_sequence") or values.parsed.records.get(name) is not None
    if not name or not (is_class or values.scope.record(name) is not None):
        return None
    return _written(text)


_POINTER_TO = pattern(r"(?:\w+_)?(?:ptr|pointer|data)")


def _type_of_member(values: HostValues, callee: Node) -> _Written | None:
    """The pointer that `tensor.data_ptr<float>()` gives, a member that is called for the type of its elements."""
    field = callee.child_by_field_name("field")
    field = field.named_children[0] if field is not None and field.type == "dependent_name" else field
    name = field.child_by_field_name("name") if field is not None and field.type == "template_method" else None
    elements = field.child_by_field_name("arguments") if field is not None and name is not None else None
    if name is None or elements is None or elements.named_child_count != 1:
        return None
    names_pointer = _POINTER_TO.fullmatch(values.parsed.text(name)) is not None
    return _written(f"{values.parsed.text(elements.named_children[0])} *") if names_pointer else None


def _declared(values: HostValues, node: Node, depth: int) -> _Written | None:
    """Type of the declaration that a name means."""
    return _declared_name(values, node, values.parsed.text(node), depth)


def type_of_name(values: HostValues, node: Node, name: str) -> str | None:
    """Type of a variable as seen at a node, as the host spells it."""
    declared = declaration_of(values, node, name)
    return type_of_declaration(values, *declared) if declared is not None else None


def type_of_declaration(values: HostValues, declaration: Node, declarator: Node) -> str | None:
    """Type that a declaration gives a variable, as the host spells it."""
    written = _declared_type(values, declaration, declarator, 0)
    return written.base + " *" * written.pointers if written is not None else None


def declaration_of(values: HostValues, node: Node, name: str) -> tuple[Node, Node] | None:
    """The declaration and the declarator that a name means as seen at a node: the nearest, from the inside out."""
    for declared, end in _scopes_around(values, node):
        for pair in reversed(declared.get(name, ())):
            if end is None or pair[0].start_byte < end:
                return pair
    return None


def _scopes_around(values: HostValues, node: Node) -> list[tuple[Declared, int | None]]:
    """The declarations of the scopes around a node, from the inside out, and the end of those that apply (None: all of
    a function's parameters do); looked up once, because a lambda needs them for each of its words.
    """
    scopes = values.around.get(node.id)
    if scopes is None:
        scopes = values.around[node.id] = []
        child = node
        for scope in above(values.root, node):
            if scope.type == "function_definition":
                scopes.append((_declarations_in(values, scope), None))
            elif scope.type in _SCOPES:
                scopes.append((_declarations_in(values, scope), child.start_byte))
            elif scope.type == "field_declaration_list":
                scopes.append((_declarations_in(values, scope), None))
            child = scope
    return scopes


def _declarations_in(values: HostValues, scope: Node) -> Declared:
    """The declarations of a scope itself, or a function's parameters; looked up once."""
    declarations = values.declared.get(scope.id)
    if declarations is None:
        declarations = values.declared[scope.id] = {}
        for candidate in _parameters(scope) if scope.type == "function_definition" else scope.named_children:
            if candidate.type in _DECLARATIONS:
                for name, declarator in _declarators(values, candidate).items():
                    declarations.setdefault(name, []).append((candidate, declarator))
    return declarations


def _declared_name(values: HostValues, node: Node, name: str, depth: int) -> _Written | None:
    declared = declaration_of(values, node, name)
    return _declared_type(values, *declared, depth) if declared is not None else None


def _in_front(node: Node) -> Iterator[Node]:
    """Statements and parameters that may declare what a name means: the nearest first, from the inside out."""
    child, scope = node, node.parent
    while scope is not None:
        if scope.type == "function_definition":
            yield from reversed(_parameters(scope))
        elif scope.type in _SCOPES:
            yield from reversed([sibling for sibling in scope.named_children if sibling.start_byte < child.start_byte])
        child, scope = scope, scope.parent


def local_alias(values: HostValues, name: str, offset: int) -> Node | None:
    """The type that `using` or `typedef` gives a name inside the function around an offset."""
    node = values.root.descendant_for_byte_range(offset, offset) if values.may_be_alias(name) else None
    for candidate in _in_front(node) if node is not None else ():
        if candidate.type not in _ALIASES:
            continue
        parent = candidate.parent
        if parent is not None and parent.type in ("translation_unit", "declaration_list"):
            return None
        declared = candidate.child_by_field_name("name" if candidate.type == "alias_declaration" else "declarator")
        if declared is not None and values.parsed.text(declared) == name:
            return candidate.child_by_field_name("type")
    return None


def _parameters(function: Node) -> list[Node]:
    """The parameters in the parentheses of a function's head."""
    return children_of(nearest(function, ("function_declarator",), "declarator"), "parameters")


def _declarators(values: HostValues, declaration: Node) -> dict[str, Node]:
    """The names that a declaration gives, each with its declarator."""
    declarators: dict[str, Node] = {}
    for declarator in declaration.children_by_field_name("declarator"):
        inner: Node | None = declarator
        while inner is not None and inner.type not in _NAMES:
            inner = inner.child_by_field_name("declarator") or next(
                (child for child in inner.named_children if child.type.endswith(("declarator", "identifier"))), None
            )
        if inner is not None:
            declarators.setdefault(values.parsed.text(inner), declarator)
    return declarators


def _declared_type(values: HostValues, declaration: Node, declarator: Node, depth: int) -> _Written | None:
    type_node = declaration.child_by_field_name("type")
    if type_node is None or declarator.type == "structured_binding_declarator":
        return None
    if type_node.type == "placeholder_type_specifier":
        value = declarator.child_by_field_name("value")
        return _type_of(values, value, depth + 1) if value is not None else None
    written = _written(values.parsed.text(type_node))
    return written._replace(pointers=_pointers(declarator)) if written is not None else None


# What members of AMReX' containers give, of MultiFab and its like: an `auto` is that.
_MADE = (
    (pattern(rb"(?:\.|->)\s*(?:const_)?arrays\s*\(\s*\)"), "amrex::MultiArray4<amrex::Real>"),
    (pattern(rb"(?:\.|->)\s*(?:const_)?array\s*\("), "amrex::Array4<amrex::Real>"),
)


def made_view(data: bytes, declaration: bytes) -> str | None:
    """The type of a view that is declared `auto`, from its initialiser; None for anything else."""
    if b"AMREX_" not in data or b"auto" not in declaration or declaration.count(b"=") != 1:
        return None
    value = declaration.partition(b"=")[2]
    return next((spelled for form, spelled in _MADE if form.search(value)), None)


def assumed_view(data: bytes, name: str, type_: Type) -> Type | None:
    """The type of an object of Kokkos by how it is used, where its class is not known: `x(i, j)` of a `ViewType x`."""
    if type_.size is not None or type_.pointers or b"KOKKOS_" not in data:
        return None
    if re.search(rb"(?<![\w.>])%b\s*\(\s*[\w(]" % re.escape(name.encode()), data) is None:
        return None
    return Type(ASSUMED, VIEW_BYTES, struct=True)
