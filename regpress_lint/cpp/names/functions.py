"""Functions asked for in another form than by name: a template with its types bound, a member function of a class."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import size_of_pack
from regpress_lint.cpp.names.class_templates import bases_of, class_arguments
from regpress_lint.cpp.names.definition_nodes import (
    IDENTIFIER,
    RECORDS,
    arguments_in,
    class_name,
    explicit_arguments,
    split_owner,
)
from regpress_lint.cpp.names.host_lambdas import lambda_body
from regpress_lint.cpp.names.host_types import LAMBDA
from regpress_lint.cpp.names.macro_parameters import counts_in
from regpress_lint.cpp.names.name_index import CALLED, CONVERSIONS, OPERATOR
from regpress_lint.cpp.names.templates import for_arguments, for_class, parameters_of, template_parameters
from regpress_lint.cpp.parse import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.names.definition_nodes import FunctionNode
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function


_NAME = pattern(r"(?!(?:true|false)$)[A-Za-z_:(]")  # a type, a function or a lambda, no number
_LATE = pattern(rb"\b(?:virtual|override)\b")
_FINAL = pattern(rb"\)[^(]*\bfinal\b")
_OPERATOR = pattern(r"operator\b\s*(.+)$")
_SUM = pattern(r"\(*\d+(?:\s*[-+*/%]\s*[\d()]+)+")  # numbers alone, with an operator
_MAX_BASES = 4  # levels of base classes and aliases


def specialised(scope: Scope, function: Function, bound: Mapping[str, str]) -> Function:
    """The function lowered with parameters of its template bound to texts of types and functions, or the explicit
    specialisation for them; the same object if nothing is bound.
    """
    if not bound:
        return function
    key = ("specialised", function, tuple(bound.items()))
    return scope.remember(key, lambda: _specialised(scope, function, bound))


def _specialised(scope: Scope, function: Function, bound: Mapping[str, str]) -> Function:
    definition = node_of(scope, function)
    if definition is None:
        return function
    parsed, node = definition
    arguments = [bound.get(parameter.name, "") for parameter in parameters_of(parsed, node)]
    if (
        special := for_arguments(parsed.functions_by_name.get(function.name, ()), arguments, scope.value_of_text)
    ) is not None:
        return scope.lower(special, parsed)
    names = _parameters(parsed, node)
    wanted = {name: text for name, text in bound.items() if name in names and _NAME.match(text)}
    packs = {f"{name}..." for name in names} | {size_of_pack(name) for name in names}
    wanted |= {name: text for name, text in bound.items() if name in packs}
    if not wanted:
        return function
    if "<" not in function.owner:
        return scope.lower(node, parsed, wanted)
    of_class = class_arguments(scope, parsed, node.record, function.owner)  # `Steps<20>::run(v)`
    lowered = scope.lower(node, parsed, {**of_class, **wanted})
    lowered.owner = function.owner
    return lowered


def specialisations(scope: Scope, function: Function) -> Mapping[tuple[str, ...], FunctionNode]:
    """The explicit specialisations of a function template beside it, or beside one of them where the template has no
    body, by their arguments; none of member functions.
    """
    return scope.remember(("specialisations", function), lambda: _specialisations(scope, function))


def _specialisations(scope: Scope, function: Function) -> Mapping[tuple[str, ...], FunctionNode]:
    definition = node_of(scope, function)
    if definition is None or _owner(definition[1]) or definition[1].template is None:
        return {}
    nodes = definition[0].functions_by_name.get(function.name, ())
    return {arguments: node for node in nodes if not node.record and (arguments := explicit_arguments(node))}


def explicit(scope: Scope, function: Function, arguments: Sequence[str]) -> Function | None:
    """The explicit specialisation of a function template for these arguments."""
    definition = node_of(scope, function)
    node = for_arguments(specialisations(scope, function).values(), arguments, scope.value_of_text)
    return scope.lower(node, definition[0]) if definition is not None and node is not None else None


def befriended(scope: Scope, function: Function, type_names: Iterable[str]) -> Function:
    """A friend that a class template defines in its body, with the arguments that one of these types has."""
    definition = node_of(scope, function)
    outer = nearest(definition[1].node.parent if definition is not None else None, RECORDS)
    name = outer.child_by_field_name("name") if outer is not None else None
    if definition is None or name is None:
        return function
    owner = definition[0].text(name).partition("<")[0]
    written = next((type_name for type_name in type_names if "<" in type_name and class_name(type_name) == owner), None)
    if written is None:
        return function
    friend = scope.lower(definition[1], definition[0], class_arguments(scope, definition[0], owner, written))
    friend.owner = written
    return friend


def unbound(scope: Scope, function: Function) -> Function:
    """The function lowered with no template parameter bound."""
    definition = node_of(scope, function)
    return scope.lower(definition[1], definition[0]) if definition is not None else function


def node_of(scope: Scope, function: Function) -> tuple[ParsedFile, FunctionNode] | None:
    """The definition that a function was lowered from."""
    parsed = scope.parsed if function.path == scope.parsed.source.path else scope.project.parsed(function.path)
    if parsed is None:
        return None
    nodes = parsed.functions_by_name.get(function.name, ())
    return next(((parsed, node) for node in nodes if node.body.start_byte == function.body_span.start), None)


def _parameters(parsed: ParsedFile, node: FunctionNode) -> frozenset[str]:
    """Names of the template parameters of a function and of the class around it."""
    record = parsed.records.get(node.record)
    heads = ((node.template, node.parse_index), (record.template if record is not None else None, 0))
    return frozenset(
        parameter.name
        for template, parse_index in heads
        for parameter in template_parameters(parsed, template, parse_index)
    )


def method(scope: Scope, type_name: str, name: str, arity: int) -> Function | None:
    """Definition of a member function of a visible class, of its bases if it has none of that name and arity itself."""
    type_name = _computed(scope, type_name)
    return scope.remember(("method", type_name, name, arity), lambda: _lowered(scope, type_name, name, arity))


def _computed(scope: Scope, type_name: str) -> str:
    """`Steps<4 - 1>` as `Steps<3>`: the meant specialisation depends on it."""
    if _SUM.search(type_name) is None:
        return type_name
    base, _, behind = type_name.partition("<")
    arguments = arguments_in(type_name)
    values = [scope.value_of_text(text) if _SUM.fullmatch(text) else None for text in arguments]
    texts = [text if value is None else str(value) for text, value in zip(arguments, values, strict=True)]
    return f"{base}<{', '.join(texts)}>" if behind.endswith(">") else type_name


def specialised_method(scope: Scope, type_name: str, name: str, arguments: tuple[str, ...]) -> Function | None:
    """The explicit specialisation of a member function, `template <> float Rng::next<float>()`, for these arguments."""
    return scope.remember(
        ("specialised method", type_name, name, arguments), lambda: _special(scope, type_name, name, arguments)
    )


def _special(scope: Scope, type_name: str, name: str, arguments: tuple[str, ...]) -> Function | None:
    for parsed in scope.headers.saying(name, CALLED):
        special = for_class(
            parsed, parsed.members.get((class_name(type_name), name), ()), type_name, scope.value_of_text
        )
        if (node := for_arguments(special, arguments, scope.value_of_text)) is not None:
            return scope.lower(node, parsed, class_arguments(scope, parsed, node.record, type_name))
    return None


def methods(scope: Scope, type_name: str, name: str, arity: int) -> tuple[Function, ...]:
    """All member functions of that name and arity of the class, or base, that `method` finds one in."""
    key = ("methods", type_name, name, arity)
    lowered = scope.remember(key, lambda: tuple(_all_lowered(scope, type_name, name, arity)))
    if lowered or type_name.startswith(LAMBDA):
        return lowered
    return next(filter(None, (methods(includer, type_name, name, arity) for includer in scope.includer_scopes())), ())


def _all_lowered(scope: Scope, type_name: str, name: str, arity: int) -> Iterator[Function]:
    definitions = () if type_name.startswith(LAMBDA) else _methods(scope, type_name, name, arity, 0)
    for parsed, node, written in definitions:
        function = scope.lower(node, parsed, bound := class_arguments(scope, parsed, node.record, written))
        if bound:
            function.owner = written.replace("const ", "").strip(" *&")
        yield function


def _lowered(scope: Scope, type_name: str, name: str, arity: int) -> Function | None:
    if type_name.startswith(LAMBDA):
        return lambda_body(scope, type_name) if name == "operator()" else None
    return next(iter(methods(scope, type_name, name, arity)), None)


def conversions(scope: Scope, type_name: str) -> tuple[Function, ...]:
    """The functions that convert objects of a class to other types, of its bases if it has none itself."""
    return methods(scope, type_name, CONVERSIONS, 0) if scope.has_operator(CONVERSIONS) else ()


def destructors(scope: Scope, type_name: str, depth: int = 0) -> tuple[Function, ...]:
    """What runs when an object of a class ends, its members' aside: its own destructor, then those of its bases."""
    owner = class_name(type_name)
    if depth > _MAX_BASES or not IDENTIFIER.match(owner):
        return ()
    above = (destructor for base in bases_of(scope, type_name) for destructor in destructors(scope, base, depth + 1))
    return (*methods(scope, type_name, f"~{owner}", 0), *above)


def is_virtual(scope: Scope, type_name: str, name: str) -> bool:
    """True if calls of a member function through a pointer to that class are bound at run time: the class or one of its
    bases declares it `virtual` or `override`, and neither it nor the class is `final`.
    """
    return bool(
        scope.remember(("virtual", type_name, name), lambda: _is_virtual(scope, class_name(type_name), name, 0))
    )


def _is_virtual(scope: Scope, owner: str, name: str, depth: int) -> bool | None:
    """None if neither the class nor its bases have the function, as far as they are known."""
    if depth > _MAX_BASES or not IDENTIFIER.match(owner):
        return None
    if (definition := scope.record(owner)) is not None:
        parsed, record = definition
        body = record.node.child_by_field_name("body")
        if body is not None and b"final" in parsed.source.data[record.node.start_byte : body.start_byte]:
            return False
        for member in body.named_children if body is not None else ():
            head = _head_of_member(parsed, member, name)
            if head and _LATE.search(head):
                return _FINAL.search(head) is None
    inherited = (_is_virtual(scope, class_name(base), name, depth + 1) for base in bases_of(scope, owner))
    return next((answer for answer in inherited if answer is not None), None)


def _head_of_member(parsed: ParsedFile, member: Node, name: str) -> bytes:
    """A member function's text without its body, nothing for other members."""
    if member.type not in ("field_declaration", "function_definition"):
        return b""
    body = member.child_by_field_name("body")
    head = parsed.source.data[member.start_byte : body.start_byte if body is not None else member.end_byte]
    return head if re.search(rb"\b%s\s*\(" % re.escape(name.encode()), head) else b""


def _methods(
    scope: Scope, type_name: str, name: str, arity: int, depth: int
) -> list[tuple[ParsedFile, FunctionNode, str]]:
    """Member functions, each with the class that it is of as its arguments spell it."""
    owner = class_name(type_name)
    if depth > _MAX_BASES or not IDENTIFIER.match(owner):
        return []
    operator = _OPERATOR.match(name) is not None
    if not operator and not IDENTIFIER.match(name.removeprefix("~")):
        return []
    key = owner, "".join(name.split()) if operator else name
    for parsed in scope.headers.saying(OPERATOR if operator else name.removeprefix("~"), CALLED):
        members = for_class(parsed, parsed.members.get(key, ()), type_name, scope.value_of_text)
        fitting = [(parsed, function) for function in members if arity < 0 or arity in counts_in(parsed, function)]
        fitting = [pair for pair in fitting if not explicit_arguments(pair[1])] or fitting
        if fitting:  # of one class: another specialisation's are none of its overloads
            first = _owner(fitting[0][1])
            return [(parsed, function, type_name) for _, function in fitting if _owner(function) == first]
    inherited = (_methods(scope, base, name, arity, depth + 1) for base in bases_of(scope, type_name))
    return next(filter(None, inherited), [])


def _owner(function: FunctionNode) -> str:
    return function.record or split_owner(function.qualified)[0]
