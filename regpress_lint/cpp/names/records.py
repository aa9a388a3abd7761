"""Sizes and members of classes, structs and unions that a file or its headers declare."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.constants import array_elements, evaluate_int
from regpress_lint.cpp.lexical import bare_name, split_template_arguments
from regpress_lint.cpp.lower.declarations import lower_declaration
from regpress_lint.cpp.lower.declared_types import BY_ATTRIBUTE, lower_type_text, product, vector_type
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import Context, span_of
from regpress_lint.cpp.names.class_templates import (
    aliases_of,
    bases_of,
    class_arguments,
    members_of,
    names_within,
    sizes_within,
)
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, RecordNode, class_name, member_values
from regpress_lint.cpp.names.name_index import TYPE
from regpress_lint.cpp.names.templates import base_names, bases_given, record_named, substituted
from regpress_lint.cpp.syntax_tree import UNNAMED, Type, Variable, unnamed
from regpress_lint.cpp.types import FUNCTION_POINTER, pointer_to

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Environment, Number
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Expr


_ALIGN = pattern(r"\b(?:alignas|__align__|aligned|__aligned__|__builtin_align__)\s*\(\s*((?:[^()]|\([^()]*\))+)\)")
_PACKED = pattern(rb"\s*__attribute__\s*\(\(\s*_*packed")
_LONGEST_ATTRIBUTE = 64  # bytes
_MAX_BASES = 4  # levels of base classes
_MAX_NESTING = 32  # classes inside of each other: a record that contains itself ends here
_POINTER = 8  # bytes
_VIRTUAL = pattern(rb"\bvirtual\b")


class _Field(NamedTuple):
    """A data member; `width` in bits of a bit-field, `default` its initialiser."""

    variable: Variable
    width: int | None
    default: Expr | None = None


def _fields(
    scope: Scope, parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str] | None = None
) -> list[_Field]:
    """Data members of a record in order, static ones left out; `bound` are the arguments of its template."""
    ctx = scope.context_for_text(parsed, 0, bound)
    result: list[_Field] = []
    for child in members_of(scope, parsed, record.node):
        if child.type != "field_declaration":
            continue
        declarators = child.children_by_field_name("declarator")
        widths = [
            _bit_width(scope, parsed, clause) for clause in child.named_children if clause.type == "bitfield_clause"
        ]
        inner = _anonymous(child)
        if not declarators and not widths and inner is None:
            continue
        if declarators and all(map(_is_function, declarators)):
            if (pointer := _function_pointer(ctx, declarators[0])) is not None:
                result.append(_Field(pointer, None))
            continue
        variables = lower_declaration(ctx, child).variables or (_unnamed(ctx, child, inner),)
        values = {parsed.text(name): value for name, value in member_values(child)}
        for index, variable in enumerate(variables):
            default = lower_expression(ctx, values[variable.name]) if variable.name in values else None
            if variable.storage == "parameter":
                _to_pointer(variable, sizes_within(scope, parsed, record, bound or {}))
            if variable.storage in ("static", "constexpr"):
                variable.init = variable.init or default  # which sizes of members behind it may name
            else:
                result.append(_Field(variable, widths[index] if index < len(widths) else None, default))
    return result


def _to_pointer(rows: Variable, env: Environment) -> None:
    """`T (*p)[N]` and `row *p` as a member: one pointer. To what is not known if the extents are not."""
    extents = [evaluate_int(size, env) if size is not None else None for size in rows.dims[1:]]
    settled = tuple(size for size in extents if size)
    whole = len(settled) == len(extents)
    rows.type = pointer_to(rows.type)._replace(extents=settled) if whole else Type("", 8, pointers=1)
    rows.dims, rows.storage = (), "local"


def _is_function(declarator: Node) -> bool:
    """True for `int f();`, also for `T* data();` and `T& at(int i);`; a pointer to a function is a member."""
    inner: Node | None = declarator
    while inner is not None and inner.type in ("pointer_declarator", "reference_declarator"):
        inner = next(
            (child for child in inner.named_children if child.type.endswith(("declarator", "identifier"))), None
        )
    return inner is not None and inner.type == "function_declarator"


def _function_pointer(ctx: Context, declarator: Node) -> Variable | None:
    """The member that `float (*name)(float)` declares; None for a member function."""
    inner = declarator.child_by_field_name("declarator")
    if inner is None or inner.type != "parenthesized_declarator" or b"*" not in (inner.text or b""):
        return None
    while inner is not None and inner.type != "field_identifier":
        inner = next(iter(inner.named_children[-1:]), None)
    if inner is None:
        return None
    span = span_of(inner)
    return Variable(ctx.text(inner), FUNCTION_POINTER, span, span)


def data_members(
    scope: Scope, parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str]
) -> tuple[Variable, ...]:
    """Data members of a record that have a name of their own, in order; `bound` are the arguments of its template."""
    variables = (field.variable for field in _fields(scope, parsed, record, bound))
    return tuple(member for member in variables if member.name and not member.name.startswith(UNNAMED))


def member_names(scope: Scope, type_name: str) -> tuple[str, ...]:
    """Names of the data members of a class, its bases left out; none for an unknown class."""
    definition = scope.record(class_name(type_name))
    if definition is None or any(base_names(definition[0], definition[1].node)):
        return ()
    return tuple(member.name for member in data_members(scope, *definition, {}))


def _anonymous(declaration: Node) -> Node | None:
    """The class of `struct { int x, y; } v;` and an anonymous union."""
    type_node = declaration.child_by_field_name("type")
    if type_node is None or type_node.child_by_field_name("body") is None or type_node.type == "enum_specifier":
        return None
    return type_node if type_node.child_by_field_name("name") is None else None


def _unnamed(ctx: Context, declaration: Node, inner: Node | None) -> Variable:
    """`unsigned : 5;`, bits without a name; what stands for the members of an `inner` class without one."""
    type_node, spans = declaration.child_by_field_name("type"), 2 * (span_of(declaration),)
    if inner is not None:
        return Variable(name := unnamed(span_of(inner)), lower_type_text(ctx, name), *spans)
    return Variable("", lower_type_text(ctx, ctx.text(type_node) if type_node is not None else ""), *spans)


def _bit_width(scope: Scope, parsed: ParsedFile, clause: Node) -> int | None:
    value = scope.value_of_text(parsed.text(clause).lstrip(": "))
    return value if isinstance(value, int) else None


def member_type(scope: Scope, owner: str, member: str, depth: int = 0) -> Type | None:
    """Type of `owner::member`, also of one that a base declares; an array member decays to a pointer. None if the
    record is unknown.
    """
    base = bare_name(owner)
    if not IDENTIFIER.match(base):
        return None
    for parsed in scope.headers.saying(base, TYPE):
        _ = parsed.aliases  # anonymous structs are named by their typedef
        if (record := record_named(parsed, base, owner, scope.value_of_text)) is not None:
            bound = class_arguments(scope, parsed, base, owner)
            for variable, _, _ in _fields(scope, parsed, record, bound):
                if variable.name == member:
                    if not variable.dims:
                        return variable.type
                    return pointer_to(variable.type, len(variable.dims))._replace(decayed=True)
                within = member_type(scope, variable.type.name, member) if variable.name.startswith(UNNAMED) else None
                if within is not None:
                    return within
            if (target := aliases_of(scope, parsed, record, bound, owner).get(member)) is not None:
                type_ = _aliased(scope, parsed, target, bound)
                return type_ if type_ is not None and type_.size is not None else None
            bases = bases_of(scope, owner) if depth < _MAX_BASES else ()
            inherited = (member_type(scope, name, member, depth + 1) for name in bases)
            return next((type_ for type_ in inherited if type_ is not None), None)
    others = (member_type(includer, owner, member, depth) for includer in scope.includer_scopes())
    return next((type_ for type_ in others if type_ is not None), None)


def _aliased(scope: Scope, parsed: ParsedFile, target: str, bound: Mapping[str, str]) -> Type | None:
    """The type that a class gives a name; None for a vector whose size is not known."""
    ctx = scope.context_for_text(parsed, 0, bound)
    element, _, attribute = target.partition(BY_ATTRIBUTE)
    type_ = lower_type_text(ctx, element.removeprefix("typename "))
    if not attribute:
        return type_

    def count(text: str) -> Number | None:
        size = ctx.substituted(text)
        number = product(size, scope.type_of)
        return number if number is not None else scope.value_of_text(size)

    return vector_type(type_, attribute, count)


def agreed_member(scope: Scope, owner: str, member: str) -> tuple[Type | None] | None:
    """The value of `owner<...>::member` where its arguments choose no known specialisation: the answer that all of them
    share.

    (None,) where they differ; None if no class of that name has such a member: another class's is not meant.
    """
    base = bare_name(owner)
    types: list[Type] = []
    for parsed in scope.headers.saying(base, TYPE) if IDENTIFIER.match(base) else ():
        plain = parsed.records.get(base)
        records = (*parsed.specialised.get(base, ()), *((plain,) if plain is not None else ()))
        targets = (aliases_of(scope, parsed, record, {}, record.name).get(member) for record in records)
        types += [_aliased(scope, parsed, target, {}) or Type(member) for target in targets if target is not None]
        if types:
            break
    if not types:
        return None
    sizes = {type_.size for type_ in types}
    return (types[0] if len(sizes) == 1 and None not in sizes else None,)


class Part(NamedTuple):
    """A data member and its place: `count` elements of a type, from a byte offset on. default: its own initialiser."""

    name: str
    type: Type
    dims: tuple[int, ...]
    offset: int
    default: Expr | None = None

    @property
    def bytes(self) -> int:
        """Its size; 0 if the type's is not known."""
        return prod(self.dims) * (self.type.size or 0)


def parts_of(scope: Scope, type_name: str, depth: int = _MAX_BASES) -> tuple[Part, ...] | None:
    """Data members of a known class with their places, those of its bases first; of a union all at its start.

    None for a class that is unknown, has a member of unknown size or one that hides another, or a base of its own name
    in another namespace.
    """
    definition = scope.record(type_name) if depth >= 0 else None
    if definition is None:
        return None
    parsed, plain = definition
    record = record_named(parsed, plain.name, type_name, scope.value_of_text) or plain
    bound = class_arguments(scope, parsed, record.name, type_name)
    laid: list[Part] = []
    offset = _own_table(scope, parsed, record)
    if offset is None:
        return None
    for base in bases_given(parsed, record.node, bound):
        base_type = scope.context_for_text(parsed, 0, bound).types(base)
        inner = parts_of(scope, base_type.name, depth - 1) if base_type is not None else None
        if base_type is None or inner is None:
            return None
        layout = _layout_of(scope, base_type, dict(bound))
        start = _round_up(offset, layout.align) if layout is not None and inner else offset
        laid += [part._replace(offset=start + part.offset) for part in inner]
        is_room = inner or _has_table(scope, base_type.name)
        offset = start + (base_type.size or 0) if is_room else offset
    return _laid_out(scope, parsed, record, bound, laid, offset)


def repeats_members(scope: Scope, type_name: str) -> bool:
    """True for a class of whose members two have one name, the second in a base: elements of a tuple by inheritance."""
    names = _all_members(scope, type_name, _MAX_BASES)
    return len(set(names)) < len(names)


def _all_members(scope: Scope, type_name: str, depth: int) -> list[str]:
    definition = scope.record(type_name) if depth else None
    if definition is None:
        return []
    parsed, plain = definition
    record = record_named(parsed, plain.name, type_name, scope.value_of_text) or plain
    bound = class_arguments(scope, parsed, record.name, type_name)
    names = [variable.name for variable in data_members(scope, parsed, record, bound)]
    bases = [base for base in bases_of(scope, type_name) if base != type_name]
    return [*names, *(name for base in bases for name in _all_members(scope, base, depth - 1))]


def _laid_out(
    scope: Scope, parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str], laid: list[Part], offset: int
) -> tuple[Part, ...] | None:
    env = sizes_within(scope, parsed, record, bound)
    is_union, packed = record.node.type == "union_specifier", _is_packed(parsed, record)
    for variable, width, default in _fields(scope, parsed, record, bound):
        layout = _layout_of(scope, variable.type, dict(bound))
        sizes = [evaluate_int(size, env) if size is not None else None for size in variable.dims]
        if layout is None or width is not None or any(not size for size in sizes):
            return None
        if any(variable.name == part.name for part in laid):  # it hides that of a base class
            return None
        at = 0 if is_union else _round_up(offset, 1 if packed else layout.align)
        dims = tuple(size for size in sizes if size)
        laid.append(Part(variable.name, variable.type, dims, at, default))
        offset = at + layout.size * prod(dims)
    return tuple(laid)


def record_type(scope: Scope, parsed: ParsedFile, record: RecordNode, arguments: tuple[str, ...]) -> Type:
    """Type of a record with its size under the Itanium C++ layout; size None if a member's is unknown."""
    name = record.name or "struct"
    if arguments and record.name:
        name = f"{name}<{', '.join(arguments)}>"
    layout = _layout(scope, parsed, record, arguments)
    return Type(name, layout.size if layout is not None else None, struct=True)


class Layout(NamedTuple):
    """Bytes of a type and its required alignment."""

    size: int
    align: int


def _layout(
    scope: Scope, parsed: ParsedFile, record: RecordNode, arguments: tuple[str, ...], depth: int = _MAX_NESTING
) -> Layout | None:
    """None also for a base of itself."""
    if not depth:
        return None
    bound = names_within(scope, parsed, record, arguments)
    is_union = record.node.type == "union_specifier"
    env = sizes_within(scope, parsed, record, bound)
    align = _stated_alignment(scope, parsed, record, bound)
    table = _own_table(scope, parsed, record)
    if align is None or table is None:
        return None
    parts: list[tuple[Layout, int | None]] = [(Layout(table, table), None)] if table else []
    for base in bases_given(parsed, record.node, bound):
        base_type = scope.context_for_text(parsed, 0, bound).types(base) if bound else scope.type_of(base)
        layout = _layout_of(scope, base_type, bound, depth - 1)
        if layout is None:
            return None
        # An empty base class takes no room.
        parts.append((Layout(0 if layout.size == 1 and layout.align == 1 else layout.size, layout.align), None))
    for variable, width, _ in _fields(scope, parsed, record, bound):
        layout = _layout_of(scope, variable.type, bound, depth - 1)
        count = array_elements(variable, env) if variable.dims else 1
        if layout is None or count is None:
            return None
        parts.append((Layout(layout.size * count, layout.align), width))
    if _is_packed(parsed, record):
        if any(width is not None for _, width in parts):
            return None
        parts = [(Layout(part.size, 1), None) for part, _ in parts]
    return _placed(parts, align, is_union=is_union)


def _own_table(scope: Scope, parsed: ParsedFile, record: RecordNode) -> int | None:
    """Bytes of the pointer to virtual functions that a class adds to its bases; None with virtual bases."""
    if _VIRTUAL.search(_head(parsed, record)) is not None:
        return None
    if _VIRTUAL.search(parsed.source.data, record.node.start_byte, record.node.end_byte) is None:
        return 0
    return 0 if any(_has_table(scope, base) for base in base_names(parsed, record.node)) else _POINTER


def _has_table(scope: Scope, type_name: str, depth: int = _MAX_BASES) -> bool:
    """True for a class with virtual functions, its bases' included."""
    definition = scope.record(type_name)
    if definition is None or not depth:
        return False
    parsed, record = definition
    if _VIRTUAL.search(parsed.source.data, record.node.start_byte, record.node.end_byte) is not None:
        return True
    return any(_has_table(scope, base, depth - 1) for base in base_names(parsed, record.node))


def _is_packed(parsed: ParsedFile, record: RecordNode) -> bool:
    """`struct __attribute__((packed)) S { ... }` and `struct { ... } __attribute__((packed)) S;`."""
    end = record.node.end_byte
    behind = parsed.source.data[end : end + _LONGEST_ATTRIBUTE].partition(b";")[0]
    return b"packed" in _head(parsed, record) or _PACKED.match(behind) is not None


def _head(parsed: ParsedFile, record: RecordNode) -> bytes:
    """The words in front of a record's body."""
    body = record.node.child_by_field_name("body")
    return parsed.source.data[record.node.start_byte : body.start_byte if body is not None else record.node.end_byte]


def _placed(parts: list[tuple[Layout, int | None]], align: int, *, is_union: bool) -> Layout:
    """Members laid out one after the other, or over each other; the second of a pair is the width of a bit-field."""
    bits = 0
    for layout, width in parts:
        align = max(align, layout.align)
        if is_union:
            bits = max(bits, 8 * layout.size if width is None else width)
        elif width is None:
            bits = _round_up(bits, 8 * layout.align) + 8 * layout.size
        else:
            unit_bits = 8 * layout.size  # a bit-field does not cross a unit of its type; width 0 starts a new one
            if width == 0 or bits // unit_bits != (bits + width - 1) // unit_bits:
                bits = _round_up(bits, unit_bits)
            bits += width
    return Layout(max(1, _round_up(_round_up(bits, 8) // 8, align)), align)


def _round_up(value: int, step: int) -> int:
    return -(-value // step) * step


def _layout_of(scope: Scope, type_: Type | None, bound: dict[str, str], depth: int = _MAX_NESTING) -> Layout | None:
    """Size and alignment of a member; a template parameter is replaced by its argument."""
    if type_ is not None and type_.size is None and type_.name in bound:
        type_ = scope.type_of(bound[type_.name])
    if type_ is None or type_.size is None:
        return None
    if type_.pointers or type_.reference:
        return Layout(8, 8)
    if type_.extents:
        layout = _layout_of(scope, type_._replace(extents=()), bound, depth)
        return Layout(layout.size * prod(type_.extents), layout.align) if layout is not None else None
    if type_.lanes > 1:
        lanes = 4 if type_.lanes == 3 and type_.size % 3 else type_.lanes
        # Three-lane types without padding (CUDA, HIP) are aligned like their element, double4 like double2.
        return Layout(type_.size, type_.size // 3 if type_.lanes == 3 and lanes == 3 else min(type_.size, 16))
    if type_.struct:
        if (definition := scope.record(type_.name)) is not None:
            parsed, plain = definition
            record = record_named(parsed, plain.name, type_.name, scope.value_of_text) or plain
            return _layout(scope, parsed, record, split_template_arguments(type_.name.partition("<")[2]), depth=depth)
        return Layout(type_.size, 4 if type_.size % 4 == 0 else 1)
    return Layout(type_.size, type_.size)


def _stated_alignment(scope: Scope, parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str]) -> int | None:
    """`alignas(16)`, `__align__(16)`, `alignas(float4)` in the head of a record, else 1; None if it is not known."""
    result = 1
    for match in _ALIGN.finditer(_head(parsed, record).decode("utf-8", "replace")):
        text = substituted(match[1], bound)
        layout = _layout_of(scope, scope.type_of(text), dict(bound))
        value = layout.align if layout is not None else scope.value_of_text(text)
        if not isinstance(value, int) or value <= 0:
            return None
        result = max(result, value)
    return result
