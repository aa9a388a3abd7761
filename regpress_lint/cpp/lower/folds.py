"""Folds over a template's parameter packs: `(t + ...)`, `(0 + ... + t)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.patterns import OWN_WORD
from regpress_lint.cpp.lexical import split_template_arguments
from regpress_lint.cpp.lower.lowering_context import span_of
from regpress_lint.cpp.syntax_tree import Binary, Constant, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from regpress_lint.cpp.lower.lowering_context import Context
    from regpress_lint.cpp.syntax_tree import Expr

    Lower: TypeAlias = Callable[[Context, Node], Expr]


def fold(ctx: Context, node: Node, lower: Lower) -> Expr:
    """`(t + ...)` and `(0 + ... + t)`: the operation, with `...` for a side that there is not; of a pack whose elements
    a class's arguments say, the operations of those.
    """
    sides = [node.child_by_field_name(name) for name in ("left", "right")]
    present = [None if side is None or side.type == "..." else side for side in sides]
    operator = node.child_by_field_name("operator")
    op = "," if operator is None else ctx.text(operator)
    packs = [_pack_in(ctx, side) for side in present]
    if any(packs):
        return _unfolded(ctx, node, op, present, packs, lower)
    first, second = (Unknown(span_of(node), "...") if side is None else lower(ctx, side) for side in present)
    return Unknown(span_of(node), node.type, (Binary(span_of(node), op, first, second),))


def _pack_in(ctx: Context, side: Node | None) -> str:
    """The pack of known elements that a pattern names; empty without one, and with several."""
    if side is None or not ctx.bound:
        return ""
    named = {word for word in OWN_WORD.findall(ctx.text(side)) if f"{word}..." in ctx.bound}
    return named.pop() if len(named) == 1 else ""


def _unfolded(ctx: Context, node: Node, op: str, sides: list[Node | None], packs: list[str], lower: Lower) -> Expr:
    """The operations of a fold: from the left where the pattern is on the right, else from the right."""
    from_left = not packs[0]
    pack, written, start = (packs[1], sides[1], sides[0]) if from_left else (packs[0], sides[0], sides[1])
    assert written is not None
    outer = ctx.bound.get(pack)
    values: list[Expr] = []
    for element in split_template_arguments(f"{ctx.bound[f'{pack}...']}>"):
        ctx.alias(pack, element)
        values.append(lower(ctx, written))
    ctx.bound.pop(pack, None)
    ctx.spelled.clear()
    if outer is not None:
        ctx.bound[pack] = outer
    first = [lower(ctx, start)] if start is not None else []
    if not values and not first:
        return Constant(span_of(node), int(op == "&&"), "bool")
    ordered = [*first, *values] if from_left else [*first, *reversed(values)]
    result = ordered[0]
    for value in ordered[1:]:
        result = Binary(span_of(node), op, *((result, value) if from_left else (value, result)))
    return result
