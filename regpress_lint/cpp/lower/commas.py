"""Assignments, also before a comma in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.source import Span
from regpress_lint.cpp.assigned_commas import assigned_comma
from regpress_lint.cpp.lower import sycl_calls
from regpress_lint.cpp.lower.comparisons import SPELLED
from regpress_lint.cpp.syntax_tree import Assign

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Expr

    Lower = Callable[[Context, Node], Expr]


def assignment(ctx: Context, span: Span, parts: tuple[Node, Node, Node], lower: Lower) -> Expr:
    """`target op value` of three nodes."""
    left, op, right = parts
    value = lower(ctx, right)
    symbol = ctx.text(op)
    target, spelled = lower(ctx, left), SPELLED.get(symbol, symbol)
    atomic = sycl_calls.atomic_assignment(span, target, spelled, value)
    return atomic or Assign(span, spelled, target, value)


def assignment_first(ctx: Context, node: Node, lower: Lower) -> tuple[Expr, Expr] | None:
    """The two operands of the comma in `(m = 0, k > 0)`."""
    parts = assigned_comma(node)
    if parts is None:
        return None
    span = Span(parts.target.start_byte, parts.value.end_byte)
    return assignment(ctx, span, (parts.target, parts.operator, parts.value), lower), lower(ctx, parts.rest)
