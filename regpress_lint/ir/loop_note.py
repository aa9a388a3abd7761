"""The outcome of a loop in an execution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function, LambdaExpr, Loop
    from regpress_lint.targets.loop_plan import Plan


class LoopNote(NamedTuple):
    """The outcome of a loop. inside: the functions that were entered on the way to it. counted: as in `Shape`."""

    loop: Loop
    inside: tuple[Function | LambdaExpr, ...]
    trips: int | None
    plan: Plan
    counted: int | None = None
