"""Lambdas of the host that are passed to a kernel: their types have names, and calling one executes its body.

The name of a lambda's type says where it is and the template arguments around it: `(lambda at
main.cu:812; T = float)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.lower.spelled_types import lower_type_text
from regpress_lint.cpp.names.host_values import HostValues
from regpress_lint.cpp.names.layer_types import assumed_view, made_view
from regpress_lint.cpp.names.template_arguments import LAMBDA, declaration_of, type_of_declaration
from regpress_lint.cpp.syntax_tree import Name, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.constants import Number
    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.syntax_tree import Function

_WORDS_OF_INCLUDE = 8  # `include` and the parts of a path
_FILE_LEVEL = ("translation_unit", "declaration_list")
_WORD = pattern(rb"(?<!->)(?<![\w.:])[A-Za-z_]\w*")


def named(text: str, environment: Mapping[str, str]) -> str:
    """Name of a lambda's type with the template parameters around it."""
    if not environment or ";" in text:
        return text
    return text.removesuffix(")") + "".join(f"; {name} = {value}" for name, value in environment.items()) + ")"


def shown(text: str, scope: Scope) -> str:
    """Name of a lambda's type for a reader: file and line."""
    unit, offset, _ = _parts(scope, text)
    return f"{LAMBDA}{unit.source.path}:{unit.source.line_of(offset)})" if unit is not None else text


def lambda_body(scope: Scope, name: str) -> Function | None:
    """The function that a call of such a lambda executes; what it captures are arguments of the kernel."""
    unit, offset, environment = _parts(scope, name)
    if unit is None:
        return None
    node = unit.parses[0].tree.root_node.descendant_for_byte_range(offset, offset + 1)
    while node is not None and node.type != "lambda_expression":
        node = node.parent
    if node is None or node.start_byte != offset:
        return None
    outside = captured(HostValues(scope, unit), node, environment)
    return scope.lower_lambda(node, unit, 0, "operator()", outside, environment)


def _parts(scope: Scope, name: str) -> tuple[Unit | None, int, Mapping[str, str]]:
    place, *bound = name.removeprefix(LAMBDA).removesuffix(")").split("; ")
    path, _, offset = place.rpartition(":")
    unit = scope.unit if path == scope.unit.source.path else scope.project.unit(path)
    environment = dict(part.split(" = ", 1) for part in bound if " = " in part)
    return unit, int(offset) if offset.isdigit() else 0, environment


def captured(values: HostValues, node: Node, environment: Mapping[str, str]) -> dict[str, Variable]:
    """Variables of the function around a lambda that its body names."""
    result: dict[str, Variable] = {}
    ctx = values.scope.context_for_text(values.unit, values.parse_index, environment)
    for name in named_in(values, node):
        found = declaration_of(values, node, name)
        spelled = type_of_declaration(values, *found) if found is not None and _is_local(found[0]) else None
        if found is not None and (spelled is None or spelled.split()[-1] in ("auto", "const")):
            declared = values.text[found[0].start_byte : found[0].end_byte]
            spelled = made_view(values.unit.source.data, declared) or spelled
        if found is None or spelled is None:
            continue
        text = f"const {spelled}" if spelled.endswith("*") and _is_const(values, found[0]) else spelled
        type_ = lower_type_text(ctx, text)
        type_ = assumed_view(values.unit.source.data, name, type_) or type_
        result[name] = Variable(name, type_, span_of(node), span_of(node), "capture")
    return result


def _is_const(values: HostValues, declaration: Node) -> bool:
    """Whether what a declared pointer points to is `const`."""
    qualifiers = (each for each in declaration.children if each.type == "type_qualifier")
    return any(values.unit.text(each, values.parse_index) == "const" for each in qualifiers)


def constants_around(values: HostValues, node: Node, bound: Mapping[str, Number]) -> dict[str, Number]:
    """Values of the `const` and `constexpr` locals around a lambda that its body names: they are no captures.

    bound: the template parameters around it.
    """
    result: dict[str, Number] = {}
    for name in named_in(values, node):
        found = declaration_of(values, node, name)
        if found is None or found[0].type != "declaration" or not _is_local(found[0]):
            continue
        words = {
            values.unit.text(child, values.parse_index) for child in found[0].children if "qualifier" in child.type
        }
        if words.isdisjoint(("const", "constexpr")) or found[1].type != "init_declarator":
            continue
        span = span_of(node)
        number = values.number_in(Name(span, name), node.start_byte, bound)
        if number is not None:
            result[name] = number
    return result


def included_body(scope: Scope, node: Node, parse_index: int) -> Unit | None:
    """The file whose text is the whole body of a lambda, by an `#include`."""
    body = node.child_by_field_name("body")
    inside = [child for child in body.named_children if child.type != "comment"] if body is not None else []
    path = inside[0].child_by_field_name("path") if len(inside) == 1 and inside[0].type == "preproc_include" else None
    if path is None:
        return None
    name = scope.unit.text(path, parse_index).strip('"<>')
    ending = f"/{name.lstrip('./')}"
    found = (header for header in scope.project.closure(scope.unit) if f"/{header}".endswith(ending))
    return scope.project.unit(header) if (header := next(found, None)) is not None else None


def _is_local(declaration: Node) -> bool:
    """False for names that a file or a namespace declares, which are known anyway."""
    parent = declaration.parent
    return parent is not None and parent.type not in _FILE_LEVEL


def named_in(values: HostValues, node: Node) -> list[str]:
    """Words of a lambda's body that may be names, each once, also of its included text."""
    body = node.child_by_field_name("body")
    words = _WORD.findall(values.text, body.start_byte, body.end_byte) if body is not None else []
    annexes = values.unit.annexes[values.parse_index]
    waiting = [body] if body is not None and annexes else []
    while waiting:  # what is included among the statements, and what that includes
        around = waiting.pop()
        for offset, block in annexes.items():
            if around.start_byte <= offset < around.end_byte:
                words += _WORD.findall(values.text, block.start_byte, block.end_byte)
                waiting.append(block)
    if len(words) <= _WORDS_OF_INCLUDE and (other := included_body(values.scope, node, values.parse_index)) is not None:
        words = _WORD.findall(other.parses[0].masked.text)
    return [word.decode("utf-8", "replace") for word in dict.fromkeys(words)]
