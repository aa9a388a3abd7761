"""Whether an index is the same for all threads of a wave, as far as the source shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.syntax import Call, Name, Unknown
from regpress_lint.traversal import walk

if TYPE_CHECKING:
    from regpress_lint.analyses.flow import Flow, Op
    from regpress_lint.constants import Environment
    from regpress_lint.syntax import Expr

# What all threads of a block agree on, besides arguments and constants.
_SHARED = frozenset(("blockIdx", "blockDim", "gridDim", "warpSize"))
_PURE = frozenset(("min", "max", "abs"))


def divergent(flow: Flow, *, kernel: bool) -> int:
    """Variables that may differ between the threads of a wave, as a bit mask.

    Narrower than what the register estimate was fitted with: a condition around a variable's whole life decides
    nothing about its value, for the threads that are alive in it run together.
    """
    found = 0
    for parameter in flow.function.parameters if not kernel else ():
        found |= flow.bits[parameter]
    pending: list[tuple[Op, int]] = []
    for block in flow.blocks:
        for op in block.ops:
            if not op.defs:
                continue
            control, guarded = flow.scopes.get(op.defs, (0, False))
            if op.seed or (op.guarded and not guarded):
                found |= op.defs
            else:
                pending.append((op, op.control & ~control))
    changed = True
    while changed:
        changed = False
        for op, control in pending:
            if op.defs & ~found and (op.uses | control) & found:
                found |= op.defs
                changed = True
    return found


def is_uniform(expr: Expr, flow: Flow, mask: int, env: Environment) -> bool:
    """True if an expression surely has one value for a wave; `mask` is from `divergent`."""
    for node in walk(expr):
        if isinstance(node, Unknown) or (isinstance(node, Call) and node.name not in _PURE):
            return False
        if isinstance(node, Name) and not _name(node, flow, mask, env):
            return False
    return True


def _name(node: Name, flow: Flow, mask: int, env: Environment) -> bool:
    """A name that is not in view, as a macro's, may be anything."""
    variable = node.variable
    if variable is None:
        return node.name in _SHARED or node.name in _PURE or env.names(node.name) is not None
    return variable.storage != "shared" and not flow.bits.get(variable, 0) & mask
