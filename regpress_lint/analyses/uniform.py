"""Which expressions of a kernel are the same for all threads of a wave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.analyses.registers import divergent_variables
from regpress_lint.syntax import Call, Expr, Name
from regpress_lint.traversal import children

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from regpress_lint.analyses.flow import Flow, Op
    from regpress_lint.syntax import Stmt

_OF_THE_BLOCK = frozenset(
    (
        *("blockIdx", "blockDim", "gridDim", "warpSize"),
        *("hipBlockIdx_x", "hipBlockIdx_y", "hipBlockIdx_z", "hipBlockDim_x", "hipBlockDim_y", "hipBlockDim_z"),
        *("hipGridDim_x", "hipGridDim_y", "hipGridDim_z"),
    )
)
_PURE = frozenset(("min", "max", "abs", "__ldg", "__mul24", "__umul24", "fminf", "fmaxf", "sqrtf", "ceil", "floor"))


class Uniform:
    """Answers for one kernel. What is not understood (a name or call that is not in view) may differ.

    `held` are variables that are taken to be uniform whatever they are made from.
    """

    def __init__(self, flow: Flow, known: Callable[[str], bool], held: int = 0) -> None:
        self._flow = flow
        self._known = known
        unsure = 0
        for block in flow.blocks:
            for op in block.ops:
                if op.defs and not self._understood(op):
                    unsure |= op.defs
        self._divergent = divergent_variables(flow, kernel=True, also=unsure & ~held, never=held)

    def __call__(self, expr: Expr, but: Collection[Expr] = ()) -> bool:
        """True if an expression is the same for all threads, if those in `but` are."""
        stack: list[Expr | Stmt] = [expr]
        while stack:
            node = stack.pop()
            if node in but:
                continue
            if isinstance(node, Name):
                variable = node.variable
                if variable is None:
                    if not self._named(node.name):
                        return False
                elif variable.storage == "shared" or self._flow.bits.get(variable, 0) & self._divergent:
                    return False
            elif isinstance(node, Call) and node.name not in _PURE:
                return False
            stack += children(node)
        return True

    def _understood(self, op: Op) -> bool:
        if any(record.call.name not in _PURE for record in op.calls):
            return False
        return all(map(self._named, op.free))

    def _named(self, name: str) -> bool:
        return name in _OF_THE_BLOCK or name in _PURE or self._known(name)
