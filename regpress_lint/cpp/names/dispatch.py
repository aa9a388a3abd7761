"""Names that a macro or a templated lambda around a place gives one value after the other.

`BOOL_SWITCH(flag, kFlag, [&] { run<kFlag>(); })`, `AT_DISPATCH_FLOATING_TYPES(type, "name", [&] { run<scalar_t>(); })`
and `auto go = [&]<bool A>() { run<A>(); }; go.operator()<true>();` name instantiations without a template around them.
"""

from __future__ import annotations

import re
from itertools import islice, product, takewhile
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.macro_calls import list_at, put_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tree_sitter import Node

    from regpress_lint.cpp.names.parsed_file import Unit

MOST = 64
_MAX_DEPTH = 3  # of macros that use each other
_VALUE = pattern(r"\b(?:constexpr|const|static)\s++(?:\w++\s++){0,8}?(\w++)\s*+=\s*+([\w:]++)\s*+;")
_TYPE = pattern(
    r"\busing\s++(\w++)\s*+=\s*+([\w:<>, *]{1,400}?)(?<!\s)\s*+;"
    r"|\btypedef\s++([\w:<>, *]{1,400}?)(?<!\s)\s++(\w++)\s*+;"
)
_INNER = pattern(r"\b([A-Za-z_]\w*)\s*\(")
_FLOATS = ("double", "float")
_INTEGERS = ("uint8_t", "int8_t", "int", "int64_t", "int16_t")
# PyTorch's (ATen/Dispatch.h), whose definitions no project has in its own files: the types of `scalar_t`.
_TORCH: Mapping[str, tuple[str, ...]] = {
    "AT_DISPATCH_FLOATING_TYPES": _FLOATS,
    "AT_DISPATCH_FLOATING_TYPES_AND_HALF": (*_FLOATS, "__half"),
    "AT_DISPATCH_FLOATING_TYPES_AND2": (*_FLOATS, "__half", "__nv_bfloat16"),
    "AT_DISPATCH_REDUCED_FLOATING_TYPES": ("__half", "__nv_bfloat16"),
    "AT_DISPATCH_INTEGRAL_TYPES": _INTEGERS,
    "AT_DISPATCH_ALL_TYPES": (*_INTEGERS, *_FLOATS),
    "AT_DISPATCH_ALL_TYPES_AND": (*_INTEGERS, *_FLOATS),
    "AT_DISPATCH_ALL_TYPES_AND2": (*_INTEGERS, *_FLOATS, "__half", "__nv_bfloat16"),
}


def dispatched(unit: Unit, around: Iterable[Node]) -> tuple[Mapping[str, str], ...]:
    """The possible values of the names that macros and lambdas around a place define, at most `MOST` combinations;
    `around` from the inside out.
    """
    groups: list[list[Mapping[str, str]]] = []
    for node in takewhile(lambda each: each.type != "function_definition", around):
        if node.type == "lambda_expression" and node.child_by_field_name("template_parameters") is not None:
            groups.append(_of_lambda(unit, node))
        elif node.type == "call_expression":
            groups.append(_of_macro(unit, node))
    combinations = product(*(group for group in groups if group))
    return tuple({k: v for part in parts for k, v in part.items()} for parts in islice(combinations, MOST))


def _of_macro(unit: Unit, call: Node) -> list[Mapping[str, str]]:
    function = call.child_by_field_name("function")
    name = unit.text(function) if function is not None and function.type == "identifier" else ""
    arguments = call.child_by_field_name("arguments") if name.isupper() else None
    if arguments is None:
        return []
    macro = unit.macros.get(name)
    if macro is None or macro.params is None:
        return [{"scalar_t": text} for text in _TORCH.get(name, ())]
    given = tuple(unit.text(child) for child in arguments.named_children if child.type != "comment")
    return _definitions(unit, put_in(macro.body, macro, given), 0)


def _definitions(unit: Unit, body: str, depth: int) -> list[Mapping[str, str]]:
    """Constants and types that the body of a macro defines, and those of the macros that it uses."""
    found: list[Mapping[str, str]] = [{match[1]: match[2]} for match in _VALUE.finditer(body)]
    found += [{match[1] or match[4]: match[2] or match[3]} for match in _TYPE.finditer(body)]
    for match in _INNER.finditer(body) if not found and depth < _MAX_DEPTH else ():
        macro = unit.macros.get(match[1])
        given = list_at(body, match.end(), ")") if macro is not None and macro.params is not None else None
        if macro is not None and given is not None:
            found += _definitions(unit, put_in(macro.body, macro, given), depth + 1)
    names = [next(iter(one)) for one in found]
    return found if len(set(names)) == 1 else []


def _of_lambda(unit: Unit, node: Node) -> list[Mapping[str, str]]:
    """Template arguments of the calls `name.operator()<...>()` of a lambda in a variable."""
    owner, parameters = node.parent, node.child_by_field_name("template_parameters")
    name = owner.child_by_field_name("declarator") if owner is not None and owner.type == "init_declarator" else None
    if name is None or parameters is None or owner is None or owner.parent is None or owner.parent.parent is None:
        return []
    words = [re.findall(r"[A-Za-z_]\w*", unit.text(child).partition("=")[0]) for child in parameters.named_children]
    scope = unit.text(owner.parent.parent)
    result: list[Mapping[str, str]] = []
    pattern = rf"\b{re.escape(unit.text(name))}\s*\.\s*(?:template\s+)?operator\s*\(\s*\)\s*<"
    for match in re.finditer(pattern, scope):
        given = list_at(scope, match.end()) or ()
        result.append({parts[-1]: text for parts, text in zip(words, given, strict=False) if parts})
    return result
