"""Blocks whose size a tile determines: it has a halo around it, or the kernel is written for its shape."""

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


def is_fixed_tile(facts: KernelFacts, dims: Sequence[int]) -> bool:
    """True for a block of two dimensions of a kernel that never asks for its size: the code is written for that shape.

    More threads of such a block would have nothing to do. Two kernels of HeCBench with 6 x 6 threads took 1.00 and
    1.02 times as long with 8 x 8 (tools/measure/results/changes.csv).
    """
    if sum(length > 1 for length in dims) < 2 or facts.kernel.has_work_items:
        return False
    return not any(
        isinstance(node, Name) and node.name == "blockDim" for each in facts.functions for node in nodes_of(each)
    )


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
