"""Accessors that a kernel's lambda captures, by their role in the kernel: arrays in local memory, pointers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.lower.spelled_types import lower_type_text
from regpress_lint.cpp.names.template_arguments import arguments_of, declaration_of, type_of_name
from regpress_lint.cpp.syntax_tree import Assign, Constant, Name, Type, Update, Variable
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.cpp.types import dereference, pointer_to
from regpress_lint.program.local_memory import local_accessors, template_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.names.host_values import HostValues
    from regpress_lint.cpp.syntax_tree import Function

_OBJECT = pattern(r"(?:[\w:]*::)?(accessor|buffer)\s*(?:<(.*)>)?", re.DOTALL)
_ARRAY = pattern(r"([^\[\]]+?)(?<!\s)((?:\s*+\[[^\[\]]++\])+)$")
_EXTENT = pattern(r"\[([^\[\]]+)\]")
_WHOLE = pattern(r"&?\s*(\w+)(?:\s*(?:\[\s*0\s*\]|\.\s*(?:template\s+)?get\w*\s*(?:<[^()]*>)?\s*\(\s*\)))*")
_READ = pattern(r"\bread\b|\bread_only\b")


def accessor_variables(
    values: HostValues, owner: Node, call: Node | None, names: frozenset[str], bound: Mapping[str, str]
) -> dict[str, Variable]:
    """Those accessors among `names`, which a kernel's body mentions, whose elements are settled.

    bound: the template parameters around the kernel.
    """
    if call is None or (b"accessor" not in values.text and b"get_access" not in values.text):
        return {}
    ctx = values.scope.context_for_text(values.unit, values.parse_index, bound)
    found = dict(_local(values, ctx, owner, call))
    for name in names - found.keys():
        element = _element(values, owner, name)
        type_ = lower_type_text(ctx, element) if element is not None else None
        if type_ is not None and type_.size is not None:
            found[name] = Variable(name, pointer_to(type_), span_of(owner), span_of(owner), "capture")
    return found


def share_parameters(
    values: HostValues,
    function: Function,
    text: bytes,
    given: Sequence[Node],
    call: Node | None,
    bound: Mapping[str, str],
) -> None:
    """Make those parameters of a thin lambda's callee arrays in local memory that are handed a local accessor.

    text: of the callee's body.
    """
    if call is None or b"accessor" not in values.text:
        return
    ctx = values.scope.context_for_text(values.unit, values.parse_index, bound)
    local = dict(_local(values, ctx, call, call))
    moved: frozenset[Variable] | None = None
    for parameter, argument in zip(function.parameters, given, strict=False) if local else ():
        match = _WHOLE.fullmatch(values.unit.text(argument, values.parse_index))
        accessor = local.get(match[1]) if match is not None else None
        if accessor is None:
            continue
        if parameter.storage == "shared":
            parameter.dims = accessor.dims
        elif (inner := _pointee(parameter)) is not None:
            if moved is None and _may_move(text, parameter.name):
                moved = _moved(function)
            if moved is not None and parameter in moved:
                continue
            same = inner.size == accessor.type.size and len(accessor.dims) == 1
            parameter.type, parameter.storage = inner, "shared"
            parameter.dims = accessor.dims if same else (None,)


def share_as(function: Function, other: Function) -> None:
    """Make those parameters arrays in local memory that are so in another lowering of the same function."""
    for parameter, known in zip(function.parameters, other.parameters, strict=True):
        if known.storage == "shared" and parameter.storage != "shared" and (inner := _pointee(parameter)) is not None:
            parameter.type, parameter.storage, parameter.dims = inner, "shared", (None,) * len(known.dims)


def _pointee(parameter: Variable) -> Type | None:
    return dereference(parameter.type) if parameter.type.pointers == 1 and not parameter.dims else None


def _may_move(text: bytes, name: str) -> bool:
    """Whether a text may set a variable; if not, reading the tree is unnecessary."""
    word = re.escape(name.encode())
    found = re.search(
        rb"\b%b\b[\s)]*(?:\+\+|--|(?:[-+*/%%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)[\s(]*%b\b" % (word, word), text
    )
    return found is not None


def _moved(function: Function) -> frozenset[Variable]:
    """Variables that are set to something else, pointers among them."""
    targets = (
        node.target if isinstance(node, Assign) else node.operand
        for node in nodes_of(function)
        if isinstance(node, (Assign, Update))
    )
    return frozenset(each.variable for each in targets if isinstance(each, Name) and each.variable is not None)


def _local(values: HostValues, ctx: Context, owner: Node, call: Node) -> Iterator[tuple[str, Variable]]:
    for accessor in local_accessors(values, call):
        base, inner = accessor.element.strip(), ""
        if (array := _ARRAY.fullmatch(base)) is not None:
            base, inner = array[1], array[2]
        type_ = lower_type_text(ctx, base) if base else Type("")
        extents = [Constant(span_of(owner), extent, "int") if extent else None for extent in accessor.extents]
        dims = (*extents, *(values.scope.expression_of_text(text) for text in _EXTENT.findall(inner)))
        if type_.size is None or not dims:
            continue
        # How large it is belongs to the launch.
        yield accessor.name, Variable(accessor.name, type_, span_of(owner), span_of(owner), "shared", dims)


def _element(values: HostValues, node: Node, name: str) -> str | None:
    """How the elements of an accessor of one dimension to global memory are spelled; `const` if they are only read."""
    found = described(values, node, name)
    return _plain(found.parts, found.whole) if found is not None and found.parts else None


class Described(NamedTuple):
    """An accessor to global memory, as it is declared: its template arguments or those of its buffer, the whole
    declaration as text, and the buffer that it is made from. `parts` are empty where neither is spelled out.
    """

    parts: list[str]
    whole: str
    declaration: Node
    buffer: Node | None = None


def described(values: HostValues, node: Node, name: str) -> Described | None:
    """The accessor that a name means as seen at a node; None if it is something else, or one to local memory."""
    declared = declaration_of(values, node, name)
    if declared is None:
        return None
    declaration, declarator = declared
    type_node = declaration.child_by_field_name("type")
    text = values.unit.text(type_node, values.parse_index) if type_node is not None else ""
    whole = values.unit.text(declaration, values.parse_index)
    # `accessor a(b, h);` is read as a function's declaration.
    field = "parameters" if declarator.type == "function_declarator" else "value"
    value = declarator.child_by_field_name(field)
    if (match := _OBJECT.fullmatch(" ".join(text.split()))) is not None and match[1] == "accessor":
        parts = template_parts(match[2] or "")
        if parts and "target::local" not in text:
            return Described(parts, whole, declaration)
    elif "get_access" not in whole and "accessor" not in whole:
        return None
    buffer = _buffer(value) if value is not None else None
    if buffer is None:
        return None
    spelled = type_of_name(values, buffer, values.unit.text(buffer, values.parse_index))
    match = _OBJECT.fullmatch(spelled) if spelled is not None else None
    if match is None:
        return None
    return Described(template_parts(match[2]) if match[2] else [], whole, declaration, buffer)


def _plain(parts: list[str], declaration: str) -> str | None:
    one = len(parts) < 2 or parts[1].strip() == "1"
    const = "const " if _READ.search(declaration) and "write" not in declaration else ""
    return f"{const}{parts[0]}" if one and parts[0] else None


def _buffer(value: Node) -> Node | None:
    """The buffer of `b.get_access<...>(h)`, `accessor(b, h)` or the arguments `(b, h)`."""
    if value.type == "call_expression":
        function = value.child_by_field_name("function")
        if function is not None and function.type == "field_expression":
            found = function.child_by_field_name("argument")
        else:
            found = next(iter(arguments_of(value)), None)
    else:
        found = value.named_children[0] if value.named_children else None
    if found is not None and found.type == "parameter_declaration":
        found = found.child_by_field_name("type") if found.named_child_count == 1 else None
    return found if found is not None and found.type in ("identifier", "type_identifier") else None
