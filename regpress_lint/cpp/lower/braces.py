"""Values in braces: lists of them, designated ones, and objects constructed from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.cpp.lexical import split_template_arguments, squeezed
from regpress_lint.cpp.lower import lowering_context, sycl_calls
from regpress_lint.cpp.lower.deduced_arguments import deduced
from regpress_lint.cpp.lower.lowering_context import operands, span_of
from regpress_lint.cpp.syntax_tree import DESIGNATED, Call, Cast, InitList, Name, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Expr

    Lower: TypeAlias = Callable[[Context, Node], Expr]


def initializer_list(ctx: Context, node: Node, lower: Lower) -> Expr:
    """`{a, b}`, with the values that an `#include` among them brings."""
    return InitList(span_of(node), tuple(lower(ctx, child) for child in listed(ctx, node)))


def listed(ctx: Context, node: Node) -> list[Node]:
    """The values of a list, those of an `#include` among them too."""
    children = operands(node)
    if ctx.annexes:
        for offset in sorted(ctx.annexes, reverse=True):
            block, values = ctx.annexes[offset], node.start_byte <= offset < node.end_byte
            if values and block.type == "initializer_list" and not any(_around(child, offset) for child in children):
                place = sum(child.start_byte < offset for child in children)
                children[place:place] = operands(block)
    return children


def designated(ctx: Context, node: Node, lower: Lower) -> Expr | None:
    """`.name = value` in braces; None for other designators."""
    named, value = node.named_children[0], node.child_by_field_name("value")
    if named.type != "field_designator" or value is None or node.named_child_count != 2:
        return None
    kind = f"{DESIGNATED}{ctx.text(named).lstrip('. ')}"
    return Unknown(span_of(node), kind, (lower(ctx, value),))


def _around(node: Node, offset: int) -> bool:
    return node.start_byte <= offset < node.end_byte


def compound_literal(ctx: Context, node: Node, lower: Lower) -> Expr | None:
    """`Type{a, b}`: a conversion, or a call of the constructor; None without a type or braces."""
    target, value = node.child_by_field_name("type"), node.child_by_field_name("value")
    if target is None or value is None:
        return None
    args = tuple(lower(ctx, child) for child in operands(value))
    text = ctx.substituted(squeezed(ctx.text(target)))
    if text.endswith("]"):  # `row{a, b}` after `using row = int[];`
        return InitList(span_of(node), args)
    named = ctx.types(text)
    if named is not None and not named.struct and named.lanes == 1 and len(args) == 1:
        return Cast(span_of(node), named, args[0])
    word = ctx.text(target)
    if word in ctx.parameters and (bound := lowering_context.of_parameter(ctx, span_of(node), word, args)) is not None:
        return bound
    name, _, behind = text.partition("<")
    template_args = split_template_arguments(behind) if behind else deduced(ctx, name, args)
    callee = Name(span_of(target), name, None, template_args)
    if (in_cuda := sycl_calls.function(span_of(node), callee, args)) is not None:
        return in_cuda
    return Call(span_of(node), callee, callee.last, name, args, template_args)
