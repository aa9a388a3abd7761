"""Answers about a kernel's source that are the same in each of its executions, for whichever compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax import Expr, Loop, Stmt, Type


class ReadOnce:
    """What the executions of one kernel have read.

    types: of expressions, as the declarations in view give them. nodes_of: all that is inside a loop and in the
    functions that it calls. operators: whether a class in view may define one, by what is written.
    """

    __slots__ = ("nodes_of", "operators", "types")

    def __init__(self) -> None:
        self.types: dict[Expr, Type | None] = {}
        self.nodes_of: dict[Loop, tuple[Expr | Stmt, ...]] = {}
        self.operators: dict[str, bool] = {}
