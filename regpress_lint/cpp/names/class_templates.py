"""Class templates with their arguments: `Traits<float, 4>::kCount`, members and aliases in terms of the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import Environment, evaluate
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.names.definition_nodes import IDENTIFIER, RecordNode, class_name, split_owner
from regpress_lint.cpp.names.parsed_file import TYPE, VALUE
from regpress_lint.cpp.names.template_arguments import (
    alias_arguments,
    arguments_in,
    base_names,
    bound_by,
    by_parameter,
    matched_arguments,
    record_named,
    substituted,
    template_parameters,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.definition_nodes import VariableTemplate
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope


_TRUTHS = {"true_type": 1, "false_type": 0}


def arguments_by_name(
    scope: Scope, parsed: ParsedFile, record: RecordNode, arguments: tuple[str, ...]
) -> dict[str, str]:
    """Arguments of a class template by parameter; a default, in terms of the others, where there is none. Of a
    specialisation they are what its own parameters stand for.
    """
    if (matched := matched_arguments(parsed, record, arguments, scope.value_of_text)) is not None:
        return matched
    return by_parameter(template_parameters(parsed, record.template, 0), arguments)


def class_arguments(scope: Scope, parsed: ParsedFile, name: str, written: str) -> Mapping[str, str]:
    """Meanings of names inside the class template `name` of a file, under a type's name as written: arguments of its
    parameters, and targets of its aliases.
    """
    base, bracket, _ = written.partition("<")
    record = record_named(parsed, name.partition("<")[0], written, scope.value_of_text) if bracket else None
    if record is None or base.replace("const ", "").strip().rpartition("::")[2] != record.name:
        return {}
    bound = arguments_by_name(scope, parsed, record, arguments_in(written))
    return {**_aliases(parsed, record, bound), **bound}


def bases_of(scope: Scope, type_name: str) -> tuple[str, ...]:
    """Base classes of a class, or what an alias stands for, with the arguments that the class's own give them."""
    owner = class_name(type_name)
    if (found := scope.record(owner)) is not None:
        parsed, plain = found
        record = record_named(parsed, owner, type_name, scope.value_of_text) or plain
        bound = class_arguments(scope, parsed, owner, type_name)
        return tuple(substituted(base, bound) for base in base_names(parsed, record.node))
    for parsed in scope.headers.saying(owner, TYPE):
        if (target := parsed.aliases.get(owner)) is not None:
            return (substituted(parsed.text(target), alias_arguments(parsed, target, type_name)),)
    return ()


def member_alias(parsed: ParsedFile, record: RecordNode, name: str) -> Node | None:
    """The type that `using name = ...` in a class stands for."""
    body = record.node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type in ("alias_declaration", "type_definition"):
            declared = child.child_by_field_name("name" if child.type == "alias_declaration" else "declarator")
            if declared is not None and parsed.text(declared) == name:
                return child.child_by_field_name("type")
    return None


def static_constant(scope: Scope, name: str) -> Number | None:
    """Value of `Class<arguments>::member`, a static constant of a class template."""
    owner, member = split_owner(name)
    base = owner.partition("<")[0].rpartition("::")[2].strip()
    if not owner.endswith(">") or not IDENTIFIER.match(base) or not IDENTIFIER.match(member):
        return None
    found = scope.record(base)
    if found is None:
        return None
    parsed, _ = found
    record = record_named(parsed, base, owner, scope.value_of_text) or found[1]
    bound = class_arguments(scope, parsed, base, owner)
    if member in bound:
        return scope.value_of_text(bound[member])
    entries = parsed.constants.get(f"{base}::{member}")
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
        own = f"{base}::{other}" in parsed.constants
        return scope.constant(f"{owner}::{other}" if own else other)

    ctx = scope.context_for_text(parsed, 0, {**_aliases(parsed, record, bound), **bound})
    return evaluate(
        lower_expression(ctx, entry),
        Environment(names=names, types=ctx.types, alias=scope.macro, called=scope.value_of_call),
    )


def templated_constant(scope: Scope, name: str) -> Number | None:
    """Value of `size<8>`, of a template of constants or of its specialisation for these arguments."""
    last = split_owner(name)[1]
    base, arguments = last.partition("<")[0].strip(), arguments_in(last)
    if not last.endswith(">") or not IDENTIFIER.match(base):
        return None
    for parsed in scope.headers.saying(base, VALUE):
        if several := parsed.variable_templates.get(base):
            return _of_templates(scope, parsed, several, arguments)
    return None


def _of_templates(
    scope: Scope, parsed: ParsedFile, several: list[VariableTemplate], arguments: tuple[str, ...]
) -> Number | None:
    heads = [(one, template_parameters(parsed, one.template, 0)) for one in several]
    plain = next(((one, head) for one, head in heads if one.arguments is None), None)
    found: list[tuple[VariableTemplate, dict[str, str]]] = []
    for one, head in heads:
        if one.arguments is not None:
            patterns, own = arguments_in(parsed.text(one.arguments)), {parameter.name for parameter in head}
            bound = bound_by(patterns, own, plain[1] if plain is not None else (), arguments, scope.value_of_text)
            if bound is not None:
                found.append((one, bound))
    if not found and plain is not None:
        found = [(plain[0], by_parameter(plain[1], arguments))]
    if not found:
        return None
    one, bound = min(found, key=lambda each: len(each[1]))

    def names(other: str) -> Number | None:
        return scope.value_of_text(bound[other]) if other in bound else scope.constant(other)

    ctx = scope.context_for_text(parsed, 0, bound)
    env = Environment(names=names, types=ctx.types, alias=scope.macro, called=scope.value_of_call)
    return evaluate(lower_expression(ctx, one.value), env)


def inherited_constant(scope: Scope, owner: str, member: str) -> Number | None:
    """Value of `Class::member` that a base class declares: of a trait, `struct is_real<float> : std::true_type {}`."""
    for base in bases_of(scope, owner):
        name = class_name(base)
        if member == "value" and name in _TRUTHS:
            return _TRUTHS[name]
        if member == "value" and name == "integral_constant" and len(given := arguments_in(base)) == 2:
            return scope.value_of_text(given[1])
        if (value := scope.constant(f"{base}::{member}")) is not None:
            return value
    return None


def _aliases(parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str]) -> dict[str, str]:
    """Types that a class gives names of its own, in terms of the template's arguments."""
    body = record.node.child_by_field_name("body")
    result: dict[str, str] = {}
    for child in body.named_children if body is not None else ():
        name = child.child_by_field_name("name") if child.type == "alias_declaration" else None
        target = child.child_by_field_name("type") if name is not None else None
        if name is not None and target is not None:
            text = " ".join(parsed.text(target).split()).removeprefix("typename ")
            result[parsed.text(name)] = substituted(text, {**bound, **result})
    return result
