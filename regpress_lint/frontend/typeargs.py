"""Types that a launch gives to a kernel's template, written out, deduced from arguments or passed on by its caller."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.frontend.heads import template_parameters
from regpress_lint.frontend.hostvalues import HostValues
from regpress_lint.frontend.lowering.expressions import template_arguments
from regpress_lint.literals import parse_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.frontend.unit import FunctionNode, Unit
    from regpress_lint.frontend.view import View
    from regpress_lint.model import Launch
    from regpress_lint.syntax import TemplateParameter

_MAX_DEPTH = 6  # of templates that pass a type on, and of expressions around a variable
_FIRST_ARGUMENT = {"<<<>>>": 0, "hipLaunchKernelGGL": 5}  # of the kernel, among those of the launch
_WORD = re.compile(r"[A-Za-z_]\w*")
_QUALIFIER = re.compile(r"\b(?:const|volatile|typename|struct|class)\b")
_POINTERS = ("pointer_declarator", "abstract_pointer_declarator", "array_declarator", "abstract_array_declarator")
_DECLARATIONS = ("declaration", "parameter_declaration", "optional_parameter_declaration")
_SCOPES = frozenset(("compound_statement", "translation_unit", "for_statement", "declaration_list", "case_statement"))


class _Written(NamedTuple):
    """A type as it is spelled, without qualifiers, and the pointers around it."""

    base: str
    pointers: int


class TypeArguments:
    """Look-ups for the launches of one file's kernels; each file with launches is indexed once."""

    __slots__ = ("_values", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._values: dict[str, HostValues | None] = {}

    def of_launch(self, launch: Launch, kernel: FunctionNode, unit: Unit) -> Mapping[str, str]:
        """Texts of the kernel's type parameters at one launch; those that are not settled are left out."""
        values = self._values_of(launch.path)
        if values is None:
            return {}
        call = values.root.descendant_for_byte_range(launch.span.start, launch.span.end)
        first = _FIRST_ARGUMENT.get(launch.form)
        given = arguments_of(call)[first:] if call is not None and first is not None else []
        return type_arguments(values, launch.span.start, launch.template_args, given, kernel, unit)

    def _values_of(self, path: str) -> HostValues | None:
        if path not in self._values:
            view = self._view
            unit = view.unit if path == view.unit.source.path else view.project.unit(path)
            self._values[path] = HostValues(view, unit) if unit is not None else None
        return self._values[path]


def type_arguments(
    values: HostValues, offset: int, template: tuple[str, ...], given: list[Node], function: FunctionNode, unit: Unit
) -> Mapping[str, str]:
    """Texts of a function's type parameters at a call at `offset` of the host's file, which passes `given`.

    `template` are the template arguments as written there, `unit` is the file that defines the function.
    """
    result: dict[str, str] = {}
    for position, parameter in enumerate(template_parameters(unit, function.template, function.parse_index)):
        if not parameter.is_type or not parameter.name:
            continue
        if position < len(template):
            found = _settled(values, template[position], offset, 0)
        else:
            found = _deduced(values, function, unit, parameter.name, given, 0) or parameter.default
        if found:
            result[parameter.name] = found
    return result


def arguments_of(call: Node) -> list[Node]:
    """Argument nodes of a call."""
    listed = call.child_by_field_name("arguments")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else []


def _settled(values: HostValues, text: str, offset: int, depth: int) -> str | None:
    """`text` with the type parameters of the host function around it replaced by what all its calls agree on."""
    function = values.unit.function_around(offset)
    if function is None or function.template is None:
        return text
    words = set(_WORD.findall(text))
    parameters = template_parameters(values.unit, function.template, function.parse_index)
    for position, parameter in enumerate(parameters):
        if parameter.is_type and parameter.name in words:
            found = _passed(values, function, position, parameter, depth)
            if found is None:
                return None
            text = re.sub(rf"\b{parameter.name}\b", found.replace("\\", ""), text)
    return text


def _passed(
    values: HostValues, function: FunctionNode, position: int, parameter: TemplateParameter, depth: int
) -> str | None:
    """The type that all calls of a host function in the file give to one of its template parameters."""
    key = (function.body.start_byte, position)
    if key not in values.passed_types:
        values.passed_types[key] = None  # functions that call each other settle nothing
        values.passed_types[key] = _agreed(values, function, position, parameter, depth)
    return values.passed_types[key]


def _agreed(
    values: HostValues, function: FunctionNode, position: int, parameter: TemplateParameter, depth: int
) -> str | None:
    calls = values.calls_of(function.name) if depth < _MAX_DEPTH else None
    texts: set[str | None] = set()
    for call in calls or ():
        if function.body.start_byte <= call.start_byte < function.body.end_byte:
            continue
        given = _template_arguments(values, call)
        if position < len(given):
            texts.add(_settled(values, given[position], call.start_byte, depth + 1))
        else:
            deduced = _deduced(values, function, values.unit, parameter.name, arguments_of(call), depth + 1)
            texts.add(deduced or parameter.default)
    return texts.pop() if len(texts) == 1 else None


def _template_arguments(values: HostValues, call: Node) -> tuple[str, ...]:
    tail = call.child_by_field_name("function")
    while tail is not None and tail.type == "qualified_identifier":
        tail = tail.child_by_field_name("name")
    if tail is None or tail.type != "template_function":
        return ()
    ctx = values.view.context_for_text(values.unit, values.parse_index)
    return template_arguments(ctx, tail.child_by_field_name("arguments"))


def _deduced(
    values: HostValues, function: FunctionNode, unit: Unit, name: str, arguments: list[Node], depth: int
) -> str | None:
    """Template argument that the first argument of type `T`, `T *`, `const T &`, ... settles."""
    listed = function.declarator.child_by_field_name("parameters")
    if listed is None or depth > _MAX_DEPTH:
        return None
    wanted = [child for child in listed.named_children if child.type != "comment"]
    for child, argument in zip(wanted, arguments, strict=False):
        type_node = child.child_by_field_name("type")
        if type_node is None or unit.text(type_node, function.parse_index) != name:
            continue
        given = _type_of(values, argument, depth)
        rest = given.pointers - _pointers(child.child_by_field_name("declarator")) if given is not None else -1
        if given is None or rest < 0:
            continue
        found = _settled(values, given.base + " *" * rest, argument.start_byte, depth + 1)
        if found is not None:
            return found
    return None


def _written(text: str) -> _Written | None:
    base = " ".join(_QUALIFIER.sub(" ", text.replace("*", " ").replace("&", " ")).split())
    return _Written(base, text.count("*")) if base and base not in ("auto", "void") else None


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
    if kind == "identifier":
        return _declared(values, node, depth)
    if kind == "parenthesized_expression" and node.named_child_count == 1:
        return _type_of(values, node.named_children[0], depth + 1)
    if kind == "cast_expression":
        target = node.child_by_field_name("type")
        return _written(values.unit.text(target)) if target is not None else None
    if kind == "number_literal":
        literal = parse_number(values.unit.text(node))
        return _Written(literal.kind, 0) if literal is not None else None
    if kind == "call_expression":
        callee = node.child_by_field_name("function")
        given = _template_arguments(values, node)
        is_cast = callee is not None and values.unit.text(callee).partition("<")[0].endswith("_cast")
        return _written(given[0]) if is_cast and len(given) == 1 else None
    if kind in ("pointer_expression", "subscript_expression"):
        inner = node.child_by_field_name("argument")
        found = _type_of(values, inner, depth + 1) if inner is not None else None
        step = 1 if kind == "pointer_expression" and node.children[0].type == "&" else -1
        return found._replace(pointers=found.pointers + step) if found is not None else None
    if kind == "binary_expression":
        sides = [node.child_by_field_name(field) for field in ("left", "right")]
        types = [_type_of(values, side, depth + 1) for side in sides if side is not None]
        return next((found for found in types if found is not None and found.pointers), None)
    return None


def _declared(values: HostValues, node: Node, depth: int) -> _Written | None:
    """Type of the declaration that a name means: the nearest in front of it, from the inside out."""
    name = values.unit.text(node)
    child, scope = node, node.parent
    while scope is not None:
        candidates: list[Node] = []
        if scope.type == "function_definition":
            head = scope.child_by_field_name("declarator")
            while head is not None and head.type != "function_declarator":
                head = head.child_by_field_name("declarator")
            listed = head.child_by_field_name("parameters") if head is not None else None
            candidates = listed.named_children if listed is not None else []
        elif scope.type in _SCOPES:
            candidates = [other for other in scope.named_children if other.start_byte < child.start_byte]
        for candidate in reversed(candidates):
            found = _declarator_of(values, candidate, name) if candidate.type in _DECLARATIONS else None
            if found is not None:
                return _declared_type(values, candidate, found, depth)
        child, scope = scope, scope.parent
    return None


def _declarator_of(values: HostValues, declaration: Node, name: str) -> Node | None:
    for declarator in declaration.children_by_field_name("declarator"):
        inner: Node | None = declarator
        while inner is not None and inner.type != "identifier":
            inner = inner.child_by_field_name("declarator") or next(
                (other for other in inner.named_children if other.type.endswith(("declarator", "identifier"))), None
            )
        if inner is not None and values.unit.text(inner) == name:
            return declarator
    return None


def _declared_type(values: HostValues, declaration: Node, declarator: Node, depth: int) -> _Written | None:
    type_node = declaration.child_by_field_name("type")
    if type_node is None or declarator.type == "structured_binding_declarator":
        return None
    if type_node.type == "placeholder_type_specifier":
        value = declarator.child_by_field_name("value")
        return _type_of(values, value, depth + 1) if value is not None else None
    found = _written(values.unit.text(type_node))
    return found._replace(pointers=_pointers(declarator)) if found is not None else None
