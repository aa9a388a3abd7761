"""Which expressions of a kernel are the same for all threads of a wave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Call, Expr, Name, Unknown
from regpress_lint.cpp.traversal import children
from regpress_lint.targets.builtins import LAUNCH, SPELLED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from regpress_lint.cpp.syntax_tree import Stmt
    from regpress_lint.source.cfg import Flow, Op


_OF_THE_BLOCK = LAUNCH | {"warpSize"} | {name for name, (place, _) in SPELLED.items() if place in LAUNCH}
_PURE = frozenset(("min", "max", "abs", "__ldg", "__mul24", "__umul24", "fminf", "fmaxf", "sqrtf", "ceil", "floor"))


class Uniform:
    """Answers for one function. An unknown name or call may differ.

    `held` are variables that are assumed to be uniform whatever their values are computed from; a device function's
    parameters are not, a kernel's are.
    """

    def __init__(self, flow: Flow, known: Callable[[str], bool], held: int = 0, *, kernel: bool = True) -> None:
        self._flow = flow
        self._known = known
        unsure = 0
        for block in flow.blocks:
            for op in block.ops:
                if op.defs and not self._understood(op):
                    unsure |= op.defs
        for parameter in flow.function.parameters if not kernel else ():
            unsure |= flow.bits[parameter]
        self._divergent = _divergent(flow, unsure & ~held, held)

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
            elif isinstance(node, Unknown) or (isinstance(node, Call) and node.name not in _PURE):
                return False
            stack += children(node)
        return True

    def _understood(self, op: Op) -> bool:
        if any(record.call.name not in _PURE for record in op.calls):
            return False
        return all(map(self._named, op.free))

    def _named(self, name: str) -> bool:
        return name in _OF_THE_BLOCK or name in _PURE or self._known(name)


def _divergent(flow: Flow, unsure: int, held: int) -> int:
    """Variables that may differ between the threads of a wave, as a bit mask.

    Narrower than the analysis that the register estimate was fitted with: a condition around a variable's whole life
    decides nothing about its value, for the threads that are alive in it run together.
    """
    found = unsure
    pending: list[tuple[int, int]] = []
    for block in flow.blocks:
        for op in block.ops:
            defined = op.defs & ~held
            if not defined:
                continue
            control, guarded = flow.scopes.get(op.defs, (0, False))
            if op.seed or (op.guarded and not guarded):
                found |= defined
            else:
                pending.append((defined, op.uses | (op.control & ~control)))
    changed = True
    while changed:
        changed = False
        for defined, needed in pending:
            if defined & ~found and needed & found:
                found |= defined
                changed = True
    return found
