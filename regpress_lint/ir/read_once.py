"""Answers about a kernel's source that are the same in each of its executions, for whichever compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Call, Declare, Expr, Index, Loop, Stmt, Type


class Inside(NamedTuple):
    """The nodes of a loop and the functions that it calls that queries need: few of all, in the order of a walk.

    changing: nodes that may write a variable, calls included. loops: including the loop itself.
    """

    changing: tuple[Expr | Stmt, ...]
    calls: tuple[Call, ...]
    indexes: tuple[Index, ...]
    declares: tuple[Declare, ...]
    loops: tuple[Loop, ...]


class ReadOnce:
    """Properties that the executions of one kernel have read.

    types: of expressions, as the known declarations give them. inside: of loops. changing: what may write a variable in
    a piece of code, without the functions that it calls.
    left: whether a loop has another exit than its test.
    operators: whether a known class may define one, by its spelling. ranges: loops over arrays that only the
    execution knows, as counted ones. numbers: whole numbers of expressions, as the file and its constants give them.
    """

    __slots__ = ("changing", "inside", "left", "numbers", "operators", "ranges", "types")

    def __init__(self) -> None:
        self.types: dict[Expr, Type | None] = {}
        self.inside: dict[Loop, Inside] = {}
        self.changing: dict[Expr | Stmt, tuple[Expr | Stmt, ...]] = {}
        self.left: dict[Loop, bool] = {}
        self.operators: dict[str, bool] = {}
        self.ranges: dict[Loop, Loop | None] = {}
        self.numbers: dict[Expr, int | None] = {}
