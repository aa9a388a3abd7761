"""Inline assembly: its text, its inputs and its outputs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lower.lowering_context import span_of, unknown
from regpress_lint.cpp.syntax_tree import Assembly, AssemblyOperand

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Expr

_ESCAPE = pattern(r"\\(.)", re.DOTALL)
_BREAKS = frozenset("nrt")
_OUTPUTS, _INPUTS, _CLOBBERS = (f"gnu_asm_{what}_list" for what in ("output_operand", "input_operand", "clobber"))


def assembly(ctx: Context, node: Node, lower: Callable[[Context, Node], Expr]) -> Assembly:
    """`asm(...)`; `lower` makes an expression of a node."""
    text: str | None = ""
    children: list[Expr] = []
    operands: dict[str, tuple[AssemblyOperand, ...]] = {}
    clobbers = ""
    for child in node.named_children:
        if child.type in (_OUTPUTS, _INPUTS):
            found = operands[child.type] = _operands(ctx, child, lower)
            children.append(unknown(child, tuple(operand.value for operand in found)))
        elif child.type == _CLOBBERS:
            clobbers = ctx.text(child)
        elif child.type.endswith("string_literal") or child.type == "concatenated_string":
            text = _text(ctx, child)
    return Assembly(
        span_of(node),
        tuple(children),
        text,
        operands.get(_OUTPUTS, ()),
        operands.get(_INPUTS, ()),
        '"memory"' in clobbers,
    )


def _operands(ctx: Context, node: Node, lower: Callable[[Context, Node], Expr]) -> tuple[AssemblyOperand, ...]:
    found = []
    for operand in node.named_children:
        parts = operand.named_children
        at = next((place for place, part in enumerate(parts) if part.type == "string_literal"), None)
        if at is not None and at + 1 < len(parts):
            name = ctx.text(parts[0]) if at else ""
            found.append(AssemblyOperand(_text(ctx, parts[at]) or "", lower(ctx, parts[at + 1]), name))
    return tuple(found)


def _text(ctx: Context, node: Node) -> str | None:
    """The content of a string, several concatenated; None if there is a name among them."""
    if node.type == "concatenated_string":
        parts = [_text(ctx, child) for child in node.named_children]
        return None if None in parts else "".join(part for part in parts if part)
    if node.type == "raw_string_literal":
        return "".join(ctx.text(child) for child in node.named_children if child.type == "raw_string_content")
    if node.type != "string_literal":
        return None
    inner = ctx.text(node)
    start, end = inner.find('"') + 1, inner.rfind('"')
    return _ESCAPE.sub(lambda match: "\n" if match[1] in _BREAKS else match[1], inner[start:end])
