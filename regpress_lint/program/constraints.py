"""Which overloads of a template are there for the types of a call: `requires`, concepts, `enable_if`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.definition_nodes import arguments_in
from regpress_lint.cpp.names.functions import node_of
from regpress_lint.cpp.names.templates import substituted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function, Type


_ENABLE = pattern(r"\benable_if(?:_t)?\s*<")
_REQUIRES = "requires_clause"


def allowed(
    scope: Scope, functions: tuple[Function, ...], types: Sequence[Type | None], arguments: Sequence[str]
) -> tuple[Function, ...]:
    """The overloads whose conditions the arguments of a call do not break, those with conditions that hold in front;
    all if none is left. types: those of the arguments; arguments: template arguments that the call writes.
    """
    if len(functions) < 2 or not any(function.template for function in functions):
        return functions
    verdicts = [(is_allowed(scope, function, types, arguments), function) for function in functions]
    fitting = [function for holds, function in verdicts if holds]
    fitting += [function for holds, function in verdicts if holds is None and function not in fitting]
    return tuple(fitting) or functions


def is_allowed(scope: Scope, function: Function, types: Sequence[Type | None], arguments: Sequence[str]) -> bool | None:
    """Whether the conditions of a template hold for a call; None without conditions, and where one is not known."""
    conditions_found = conditions(scope, function)
    if not conditions_found:
        return None
    bound = _bound(function, types, arguments)
    values = [scope.value_of_text(substituted(condition, bound)) for condition in conditions_found]
    if any(value is not None and not value for value in values):
        return False
    return None if None in values else True


def is_open(
    scope: Scope,
    function: Function,
    others: Sequence[Function],
    types_of: Callable[[], Sequence[Type | None]],
    arguments: Sequence[str],
) -> bool:
    """True where a call may mean another one than a function: a condition of one is not known, and the function has
    none that holds.
    """
    with_conditions = [overload for overload in others if conditions(scope, overload)]
    types = types_of() if with_conditions else ()
    if not with_conditions or is_allowed(scope, function, types, arguments):
        return False
    return any(is_allowed(scope, overload, types, arguments) is None for overload in with_conditions)


def conditions(scope: Scope, function: Function) -> tuple[str, ...]:
    """Conditions that the head of a template states, in terms of its parameters."""
    return scope.remember(("conditions", function), lambda: tuple(_conditions(scope, function)))


def _bound(function: Function, types: Sequence[Type | None], arguments: Sequence[str]) -> dict[str, str]:
    """The meaning of a template's parameters: by the template arguments of a call, and by the types of the others."""
    bound = {parameter.name: text for parameter, text in zip(function.template, arguments, strict=False)}
    type_parameters = {parameter.name for parameter in function.template if parameter.is_type}
    for type_, parameter in zip(types, function.parameters, strict=False):
        wanted = parameter.type
        if type_ is None or wanted.name not in type_parameters or wanted.name in bound:
            continue
        pointers = type_.pointers - wanted.pointers - len(parameter.dims)
        if type_.size is not None and pointers >= 0:
            bound[wanted.name] = type_.name + "*" * pointers
    return bound


def _conditions(scope: Scope, function: Function) -> Iterator[str]:
    definition = node_of(scope, function) if function.template else None
    if definition is not None:
        yield from _conditions_of(*definition)


def _conditions_of(parsed: ParsedFile, function: FunctionNode) -> Iterator[str]:
    template, index = function.template, function.parse_index
    if template is None:
        return
    parameters = template.child_by_field_name("parameters")
    for node in parameters.named_children if parameters is not None else ():
        concept, name = node.child_by_field_name("type"), node.child_by_field_name("declarator")
        if concept is not None and name is not None and node.type == "parameter_declaration":
            yield from _of_concept(parsed, index, concept, parsed.text(name, index))
    for node in (*template.named_children, *function.declarator.named_children):
        if node.type == _REQUIRES:
            yield parsed.text(node, index).removeprefix("requires").strip()
    text = parsed.parses[index].masked.text[template.start_byte : function.body.start_byte]
    head = text.decode("utf-8", "replace")
    for match in _ENABLE.finditer(head):
        yield arguments_in(_balanced(head[match.start() :]))[0]


def _of_concept(parsed: ParsedFile, index: int, concept: Node, name: str) -> Iterator[str]:
    """`Wide T` as `Wide<T>`, `Same<int> T` as `Same<T, int>`, if that is a concept that is known."""
    text = " ".join(parsed.text(concept, index).split())
    base, arguments = text.partition("<")[0].strip(), arguments_in(text)
    last = base.rpartition("::")[2]
    is_own = any(template.is_concept for template in parsed.variable_templates.get(last, ()))
    if is_own or base.startswith("std::"):
        yield f"{base}<{', '.join((name, *arguments))}>"


def _balanced(text: str) -> str:
    """The text up to the `>` that ends its first list of template arguments."""
    depth = within = 0
    for position, sign in enumerate(text):
        within += (sign == "(") - (sign == ")")
        if within == 0 and sign in "<>":
            depth += 1 if sign == "<" else -1
            if depth == 0:
                return text[: position + 1]
    return text
