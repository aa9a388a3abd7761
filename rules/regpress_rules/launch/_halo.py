"""Blocks that overlap: each is a tile with a halo around it, and the tile determines its size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.syntax import Binary, Member, Name, evaluate, nodes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.api import KernelFacts
    from regpress_lint.api.syntax import Expr, Stmt

_AXES = "xyz"


def overlaps(facts: KernelFacts, dims: Sequence[int]) -> bool:
    """True if a block begins less than its own width behind the one before it (`blockIdx.x * 60` of 64 threads), and
    more than half of it: its other lanes read what lies around the tile.
    """
    return any(_is_step(facts, node, dims) for each in facts.functions for node in nodes_of(each))


def _is_step(facts: KernelFacts, node: Expr | Stmt, dims: Sequence[int]) -> bool:
    if not isinstance(node, Binary) or node.op != "*":
        return False
    for block, other in ((node.left, node.right), (node.right, node.left)):
        axis = _axis(block)
        if axis is not None and axis < len(dims):
            step = evaluate(other, facts.environment)
            if isinstance(step, int) and dims[axis] < 2 * step < 2 * dims[axis]:
                return True
    return False


def _axis(expr: Expr) -> int | None:
    """Of `blockIdx.x` and its like."""
    if not isinstance(expr, Member) or not isinstance(expr.base, Name) or expr.base.name != "blockIdx":
        return None
    return _AXES.index(expr.field) if expr.field in _AXES else None
