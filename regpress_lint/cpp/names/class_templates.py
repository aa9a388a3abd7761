"""Class templates under a name with arguments: their parameters' meanings, the classes and types in them, their bases
and constants.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import OWN_WORD
from regpress_lint.cpp.conditions import CONDITIONALS, choose_branch
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.environment import Environment
from regpress_lint.cpp.lexical import bare_name, split_template_arguments
from regpress_lint.cpp.lower.declared_types import BY_ATTRIBUTE, attribute_in
from regpress_lint.cpp.lower.expressions import lower_expression
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.names.definition_nodes import (
    IDENTIFIER,
    RECORDS,
    RecordNode,
    arguments_in,
    class_around,
    class_name,
    split_owner,
    template_around,
)
from regpress_lint.cpp.names.name_index import TYPE, VALUE
from regpress_lint.cpp.names.templates import (
    alias_arguments,
    bases_given,
    bound_by,
    by_parameter,
    matched_arguments,
    record_named,
    substituted,
    template_parameters,
    with_defaults,
)
from regpress_lint.cpp.syntax_tree import unnamed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.environment import Number
    from regpress_lint.cpp.names.definition_nodes import VariableTemplate
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.names.templates import Values

_ALIASES = {"alias_declaration": "name", "type_definition": "declarator"}  # and which field is the name
_TRUTH_TYPES = {"true_type": 1, "false_type": 0}
_DEEPEST = 8  # `F<N, ((N >> 1) >> 1)>`: what no value is known of grows with every step, and has no end


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
    """Meanings of names inside the class `name` of a file, under a type's name as written: arguments of its template's
    parameters, and targets of its aliases. Of a class that is no template only of aliases that are also names of
    something else.
    """
    base, bracket, _ = written.partition("<")
    if not bracket and (plain := parsed.records.get(name)) is not None and plain.template is None:
        return scope.remember(("aliases", parsed.source.path, name), partial(_hiding, scope, parsed, plain))
    record = record_named(parsed, name.partition("<")[0], written, scope.value_of_text) if bracket else None
    if record is None or base.replace("const ", "").strip().rpartition("::")[2] != record.name:
        return {}
    return names_within(scope, parsed, record, arguments_in(written))


def _hiding(scope: Scope, parsed: ParsedFile, record: RecordNode) -> dict[str, str]:
    """The aliases in a class whose names other scopes give to other types: `using Mat = Rows<3>` beside a `Mat`."""
    aliases = aliases_of(scope, parsed, record, {}, record.name)
    return {name: text for name, text in aliases.items() if _meanings(scope, name) > 1}


def _meanings(scope: Scope, name: str) -> int:
    return sum(
        (name in file.records) + len(file.all_aliases.get(name, ())) for file in scope.headers.saying(name, TYPE)
    )


def packs_of(scope: Scope, type_name: str) -> dict[str, tuple[str, ...]]:
    """The arguments that each parameter pack of a class template stands for, under a type's name."""
    owner = class_name(type_name)
    for parsed in scope.headers.saying(owner, TYPE) if IDENTIFIER.match(owner) else ():
        if bound := class_arguments(scope, parsed, owner, type_name):
            names = [name.removesuffix("...") for name in bound if name.endswith("...")]
            return {name: split_template_arguments(bound[f"{name}..."]) for name in names}
    return {}


def names_within(scope: Scope, parsed: ParsedFile, record: RecordNode, arguments: tuple[str, ...]) -> dict[str, str]:
    """What names mean in a class with these arguments: its template's parameters, itself, those that it declares, and
    those of the class around it.
    """
    bound = arguments_by_name(scope, parsed, record, arguments)
    listed = f"<{', '.join(arguments)}>" if arguments else ""
    itself = {record.name: f"{record.name}{listed}"} if listed and record.name else {}
    outer, around = class_around(record.node), dict[str, str]()
    if outer is not None:
        name = outer.child_by_field_name("name")
        owner = bare_name(parsed.text(name)) if name is not None else ""
        inherited = listed if record.template == template_around(record.node) else ""
        around = {owner: f"{owner}{inherited}"} if owner and inherited else {}
        around |= aliases_of(scope, parsed, RecordNode(owner, outer, record.template), bound, f"{owner}{inherited}")
    return {**around, **itself, **aliases_of(scope, parsed, record, bound, f"{record.name}{listed}"), **bound}


def nested_class(scope: Scope, owner: str, member: str) -> str | None:
    """A class within a class template under the name that it has here, with that one's arguments: `Inner<float>` for
    `Outer<float>::Inner`. None where `Outer` has no such class, or an argument is not known.
    """
    base = bare_name(owner)
    for parsed in scope.headers.saying(base, TYPE) if IDENTIFIER.match(base) else ():
        if (record := record_named(parsed, base, owner, scope.value_of_text)) is not None:
            return _nested(scope, parsed, record, class_arguments(scope, parsed, base, owner)).get(member)
    return None


def members_of(scope: Scope, parsed: ParsedFile, record: Node) -> Iterator[Node]:
    """Declarations in the body of a class, without the branches of an `#if` that the compiler skips."""
    body = record.child_by_field_name("body")
    waiting = [iter(body.named_children if body is not None else ())]
    while waiting:
        child = next(waiting[-1], None)
        if child is None:
            waiting.pop()
        elif child.type in CONDITIONALS:
            defined = partial(scope.defined_before, position=child.start_byte, path=parsed.source.path)
            waiting.append(iter(choose_branch(child, parsed.text, defined)[0]))
        else:
            yield child


def _nested(scope: Scope, parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str]) -> dict[str, str]:
    """The classes within a class template, each with its arguments as `nested_class` writes them."""
    result: dict[str, str] = {}
    for child in members_of(scope, parsed, record.node) if bound else ():
        inner = child.child_by_field_name("type") if child.type == "field_declaration" else None
        if inner is None or inner.type not in RECORDS or inner.child_by_field_name("body") is None:
            continue
        name = inner.child_by_field_name("name")
        nested = parsed.records.get(parsed.text(name) if name is not None else unnamed(span_of(inner)))
        if nested is None or nested.node != inner:
            continue
        parameters = [parameter.name for parameter in template_parameters(parsed, nested.template, 0)]
        if parameters and all(name in bound for name in parameters):
            result[nested.name] = f"{nested.name}<{', '.join(bound[name] for name in parameters)}>"
    return result


def bases_of(scope: Scope, type_name: str) -> tuple[str, ...]:
    """Base classes of a class, or what an alias stands for, with the arguments that the class's own give them."""
    owner = class_name(type_name)
    if (definition := scope.record(owner)) is not None:
        parsed, plain = definition
        record = record_named(parsed, owner, type_name, scope.value_of_text) or plain
        bound = class_arguments(scope, parsed, owner, type_name)
        return tuple(bases_given(parsed, record.node, bound))
    for parsed in scope.headers.saying(owner, TYPE):
        if (target := parsed.aliases.get(owner)) is not None:
            return (substituted(parsed.text(target), alias_arguments(parsed, target, type_name)),)
    return ()


def static_constant(scope: Scope, name: str) -> Number | None:
    """Value of `Class<arguments>::member`, a static constant of a class template."""
    owner, member = split_owner(name)
    base = bare_name(owner)
    if not owner.endswith(">") or not IDENTIFIER.match(base) or not IDENTIFIER.match(member.partition("...")[0]):
        return None
    if owner.count("(") > _DEEPEST and max(accumulate((char == "(") - (char == ")") for char in owner)) > _DEEPEST:
        return None
    definition = scope.record(base)
    if definition is None:
        return None
    parsed, _ = definition
    owner = with_defaults(parsed, base, owner)
    record = record_named(parsed, base, owner, scope.value_of_text) or definition[1]
    bound = class_arguments(scope, parsed, base, owner)
    if member in bound:
        return scope.value_of_text(bound[member])
    entries = parsed.constants.get(f"{base}::{member}")
    if entries and len(entries) > 1:  # of the template and of its specialisations
        start, end = record.node.start_byte, record.node.end_byte
        entries = [node for node in entries if not isinstance(node, int) and start <= node.start_byte < end]
    if not entries or len(entries) != 1:
        return None
    entry = entries[0]
    if isinstance(entry, int):
        return entry

    def outer(name: str) -> Number | None:
        return scope.constant(f"{owner}::{name}" if f"{base}::{name}" in parsed.constants else name)

    return _evaluated(scope, parsed, entry, bound, outer, aliases_of(scope, parsed, record, bound, owner))


def _evaluated(
    scope: Scope,
    parsed: ParsedFile,
    node: Node,
    bound: Mapping[str, str],
    outer: Values,
    aliases: Mapping[str, str] | None = None,
) -> Number | None:
    """Value of an expression in a template whose parameters are `bound`. outer: values of other names."""

    def names(name: str) -> Number | None:
        return scope.value_of_text(bound[name]) if name in bound else outer(name)

    ctx = scope.context_for_text(parsed, 0, {**(aliases or {}), **bound})
    env = Environment(names=names, types=ctx.types, alias=scope.macro, called=scope.value_of_call)
    return evaluate(lower_expression(ctx, node), env)


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
    heads = [(template, template_parameters(parsed, template.template, 0)) for template in several]
    plain = next(((template, head) for template, head in heads if template.arguments is None), None)
    matching: list[tuple[VariableTemplate, dict[str, str]]] = []
    for template, head in heads:
        if template.arguments is not None:
            patterns, own = arguments_in(parsed.text(template.arguments)), {parameter.name for parameter in head}
            bound = bound_by(patterns, own, plain[1] if plain is not None else (), arguments, scope.value_of_text)
            if bound is not None:
                matching.append((template, bound))
    if not matching and plain is not None:
        matching = [(plain[0], by_parameter(plain[1], arguments))]
    if not matching:
        return None
    template, bound = min(matching, key=lambda pair: len(pair[1]))
    return _evaluated(scope, parsed, template.value, bound, scope.constant)


def inherited_constant(scope: Scope, owner: str, member: str) -> Number | None:
    """Value of `Class::member` that a base class declares: of a trait, `struct is_real<float> : std::true_type {}`."""
    for base in bases_of(scope, owner):
        name = class_name(base)
        if member == "value" and name in _TRUTH_TYPES:
            return _TRUTH_TYPES[name]
        if member == "value" and name == "integral_constant" and len(arguments := arguments_in(base)) == 2:
            return scope.value_of_text(arguments[1])
        if (value := scope.constant(f"{base}::{member}")) is not None:
            return value
    return None


def aliases_of(
    scope: Scope, parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str], written: str
) -> dict[str, str]:
    """Types that a class gives names of its own, in terms of the template's arguments. written: the class; its own
    constants, `N` of `using Row = Vec<T, N>`, are its members.
    """
    result = _nested(scope, parsed, record, bound)
    for child in members_of(scope, parsed, record.node):
        field = _ALIASES.get(child.type)
        name = child.child_by_field_name(field) if field is not None else None
        target = child.child_by_field_name("type") if name is not None else None
        extents = ""
        while name is not None and name.type == "array_declarator":  # `typedef float row[4];`
            size = name.child_by_field_name("size")
            extents = f"[{parsed.text(size) if size is not None else ''}]{extents}"
            name = name.child_by_field_name("declarator")
        if name is None or target is None or name.type != "type_identifier":
            continue
        if (inner := _unnamed_class(parsed, target, bound)) is not None:
            result[parsed.text(name)] = inner + extents
            continue
        text = " ".join(parsed.text(target).split()).removeprefix("typename ") + extents
        meanings = {**bound, **result}
        words = {word for word in OWN_WORD.findall(text) if word not in meanings}
        constants = {word: f"{written}::{word}" for word in words if f"{record.name}::{word}" in parsed.constants}
        attribute = attribute_in(parsed.source.data[child.start_byte : child.end_byte].decode(errors="replace"))
        text += f"{BY_ATTRIBUTE}{attribute}" if attribute else ""
        result[parsed.text(name)] = substituted(text, {**constants, **meanings})
    return result


def _unnamed_class(parsed: ParsedFile, target: Node, bound: Mapping[str, str]) -> str | None:
    """The name here of the class in `using Data = union { V vec; T element[N]; };`; None for any other target."""
    node = target.child_by_field_name("type") if target.type == "type_descriptor" else target
    record = parsed.records.get(unnamed(span_of(node))) if node is not None and node.type in RECORDS else None
    if record is None:
        return None
    arguments = [
        bound.get(parameter.name, parameter.name) for parameter in template_parameters(parsed, record.template, 0)
    ]
    return f"{record.name}<{', '.join(arguments)}>" if arguments else record.name


def sizes_within(scope: Scope, parsed: ParsedFile, record: RecordNode, bound: Mapping[str, str]) -> Environment:
    """Evaluation of array sizes in a class whose names mean `bound`: also with its static constants, and those of the
    classes around it.
    """
    owners: list[str] = []
    node: Node | None = record.node
    while node is not None:
        if (name := node.child_by_field_name("name")) is not None:
            text = parsed.text(name)
            owners.append(bound.get(text, text))
        node = class_around(node)

    def names(name: str) -> Number | None:
        if name in bound:
            return scope.value_of_text(bound[name])
        values = (scope.constant(f"{owner}::{name}") for owner in owners)
        return next((value for value in values if value is not None), None) or scope.constant(name)

    return scope.environment_of(names)
