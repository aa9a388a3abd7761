"""Members of constant objects: `constexpr Tile tile{64, 8};` in a file, and `Tile{64, 8}` as a template argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.constants import convert, evaluate, listed
from regpress_lint.cpp.lexical import bare_name
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.names.class_templates import class_arguments
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, TABLE, class_name, split_owner
from regpress_lint.cpp.names.definitions import scoped_names
from regpress_lint.cpp.names.name_index import VALUE
from regpress_lint.cpp.names.records import Part, parts_of
from regpress_lint.cpp.syntax_tree import DESIGNATED, Call, Expr, InitList, Unknown

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.scope import Scope

_LITERAL = pattern(r"(?:\w+::)*\w+(?:<[^{}]*>)?\s*\{.*\}$")
_MAX_DEPTH = 4  # of objects in objects


class Made(NamedTuple):
    """An object: its class, and what its braces have."""

    type_name: str
    items: tuple[Expr, ...]


def constant_object(scope: Scope, text: str, depth: int = 0) -> Made | None:
    """The object that a text names or makes; None for anything else, and for one with a constructor."""
    text = text.strip()
    owner, dot, field = text.rpartition(".")
    if _LITERAL.match(text) is not None:
        built = _made(scope.expression_of_text(text), "")
    elif dot and IDENTIFIER.match(field) and depth < _MAX_DEPTH:
        object_ = _member(scope, owner, field, depth + 1)
        built = _made(object_[1], object_[0].type.name) if object_ is not None and object_[0].type.struct else None
    else:
        built = _declared(scope, text)
    record = scope.record(built.type_name) if built is not None and built.type_name else None
    if built is None or record is None or record[1].name in record[0].functions_by_name:
        return None
    return built


def object_member(scope: Scope, text: str) -> Number | None:
    """Value of `object.member`; None where it is not a known number."""
    owner, _, field = text.rpartition(".")
    member = _member(scope, owner, field, 0) if IDENTIFIER.match(field) else None
    if member is None or member[0].dims or member[0].type.struct:
        return None
    part, value = member
    return convert(part.type, evaluate(value, scope.environment)) if value is not None else 0


def table_element(scope: Scope, text: str) -> Number | None:
    """Value of `table.1.0`, an element of a constant array by its indices; None where it is not a known number."""
    name, *places = text.split(".")
    owner, last = split_owner(name)
    key = f"{bare_name(owner)}::{last}" if owner else last
    for parsed in scope.headers.saying(last, VALUE) if IDENTIFIER.match(last) else ():
        entries = parsed.constants.get(f"{key}{TABLE}", ())
        if len(entries) == 1 and not isinstance(entries[0], int):
            bound = class_arguments(scope, parsed, bare_name(owner), owner) if owner.endswith(">") else {}
            ctx = scope.context_for_text(parsed, 0, {**scoped_names(parsed, entries[0]), **bound})
            return evaluate(listed(lower_expression(ctx, entries[0]), [*map(int, places)]), scope.environment)
    return None


def _member(scope: Scope, owner: str, field: str, depth: int) -> tuple[Part, Expr | None] | None:
    built = constant_object(scope, owner, depth)
    parts = parts_of(scope, built.type_name) if built is not None else None
    if built is None or parts is None:
        return None
    named = {item.kind: item.children[0] for item in built.items if isinstance(item, Unknown) and item.children}
    for position, part in enumerate(parts):
        if part.name == field:
            if named:
                return part, named.get(DESIGNATED + field, part.default)
            return part, built.items[position] if position < len(built.items) else part.default
    return None


def _declared(scope: Scope, name: str) -> Made | None:
    last = name.rpartition("::")[2]
    if not IDENTIFIER.match(last):
        return None
    for parsed in scope.headers.saying(last, VALUE):
        entries = parsed.constants.get(last, ())
        if len(entries) == 1 and not isinstance(entries[0], int):
            value = entries[0]
            ctx = scope.context_for_text(parsed, 0, scoped_names(parsed, value))
            type_ = _type_node(value)
            return _made(lower_expression(ctx, value), parsed.text(type_) if type_ is not None else "")
    return None


def _type_node(value: Node) -> Node | None:
    owner = value.parent
    if owner is not None and owner.type == "init_declarator":
        owner = owner.parent
    return owner.child_by_field_name("type") if owner is not None else None


def _made(expr: Expr | None, type_name: str) -> Made | None:
    if isinstance(expr, InitList):
        return Made(type_name, expr.items)
    if isinstance(expr, Call) and (not type_name or type_name == "auto" or class_name(type_name) == expr.name):
        written = f"{expr.qualified}<{', '.join(expr.template_args)}>" if expr.template_args else expr.qualified
        return Made(written, expr.args)
    return None
