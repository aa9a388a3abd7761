"""Class templates with their arguments: `Traits<float, 4>::kCount`, members and aliases in terms of the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.constants import Environment, evaluate
from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.names.declarators import template_parameters
from regpress_lint.cpp.names.qualified import split_owner
from regpress_lint.cpp.names.specialisations import record_named

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.definition_nodes import RecordNode
    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.scope import Scope

_IDENTIFIER = pattern(r"[A-Za-z_]\w*$")
_WORD = pattern(r"(?<![\w.:])[A-Za-z_]\w*")


def substituted(text: str, bound: Mapping[str, str]) -> str:
    """A text with parameters replaced by their arguments."""
    return _WORD.sub(lambda match: bound.get(match[0], match[0]), text)


def arguments_by_name(unit: Unit, record: RecordNode, arguments: tuple[str, ...]) -> dict[str, str]:
    """Arguments of a class template by parameter; a default, in terms of the others, where there is none."""
    result: dict[str, str] = {}
    for position, parameter in enumerate(template_parameters(unit, record.template, 0)):
        text = arguments[position] if position < len(arguments) else parameter.default if arguments else None
        if text is not None and parameter.name:
            result[parameter.name] = substituted(text, result)
    return result


def class_arguments(scope: Scope, unit: Unit, name: str, written: str) -> Mapping[str, str]:
    """Arguments that a type's name, as written, gives to the class template `name` of a file."""
    base, bracket, rest = written.partition("<")
    record = unit.records.get(name.partition("<")[0]) if bracket else None
    if record is None or base.replace("const ", "").strip().rpartition("::")[2] != record.name:
        return {}
    return arguments_by_name(unit, record, split_template_arguments(rest[: rest.rfind(">") + 1]))


def member_alias(unit: Unit, record: RecordNode, name: str) -> Node | None:
    """The type that `using name = ...` in a class stands for."""
    body = record.node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type in ("alias_declaration", "type_definition"):
            declared = child.child_by_field_name("name" if child.type == "alias_declaration" else "declarator")
            if declared is not None and unit.text(declared) == name:
                return child.child_by_field_name("type")
    return None


def static_constant(scope: Scope, name: str) -> Number | None:
    """Value of `Class<arguments>::member`, a static constant of a class template."""
    owner, member = split_owner(name)
    base = owner.partition("<")[0].rpartition("::")[2].strip()
    if not owner.endswith(">") or not _IDENTIFIER.match(base) or not _IDENTIFIER.match(member):
        return None
    found = scope.record(base)
    if found is None:
        return None
    unit, _ = found
    record = record_named(unit, base, owner) or found[1]
    bound = class_arguments(scope, unit, base, owner)
    if member in bound:
        return scope.value_of_text(bound[member])
    entries = unit.constants.get(f"{base}::{member}")
    if entries and len(entries) > 1:  # of the template and of its specialisations
        start, end = record.node.start_byte, record.node.end_byte
        entries = [one for one in entries if not isinstance(one, int) and start <= one.start_byte < end]
    if not entries or len(entries) != 1:
        return None
    entry = entries[0]
    if isinstance(entry, int):
        return entry

    def names(other: str) -> Number | None:
        if other in bound:
            return scope.value_of_text(bound[other])
        own = f"{base}::{other}" in unit.constants
        return scope.constant(f"{owner}::{other}" if own else other)

    ctx = scope.context_for_text(unit, 0, {**_aliases(unit, record, bound), **bound})
    return evaluate(
        lower_expression(ctx, entry),
        Environment(names=names, types=ctx.types, alias=scope.macro, called=scope.value_of_call),
    )


def _aliases(unit: Unit, record: RecordNode, bound: Mapping[str, str]) -> dict[str, str]:
    """Types that a class gives names of its own, in terms of the template's arguments."""
    body = record.node.child_by_field_name("body")
    result: dict[str, str] = {}
    for child in body.named_children if body is not None else ():
        name = child.child_by_field_name("name") if child.type == "alias_declaration" else None
        target = child.child_by_field_name("type") if name is not None else None
        if name is not None and target is not None:
            text = " ".join(unit.text(target).split()).removeprefix("typename ")
            result[unit.text(name)] = substituted(text, {**bound, **result})
    return result
