"""`union { double d; int i[2]; };` in a function: its members are names of the function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.lower.declared_types import Declarator, unwind
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.syntax_tree import Declare, Type, Variable, unnamed

if TYPE_CHECKING:
    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context


def lower_unnamed_union(ctx: Context, node: Node) -> Declare | None:
    """The object of a union without a name, whose members are known by their names; None for a union with a name."""
    body = node.child_by_field_name("body")
    if body is None or node.child_by_field_name("name") is not None:
        return None
    span = span_of(node)
    whole = Variable("", ctx.types(unnamed(span)) or Type("union", struct=True), span, span)
    for field in (child for child in body.named_children if child.type == "field_declaration"):
        for child in field.children_by_field_name("declarator"):
            declarator = Declarator()
            unwind(ctx, child, declarator)
            if declarator.name is not None:
                place = span_of(declarator.name)
                member = Variable(ctx.text(declarator.name), Type("auto"), place, span)
                ctx.declare(member)
                ctx.within[member] = whole
    return Declare(span, (whole,))
