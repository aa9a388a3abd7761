"""Answers about a kernel's source that are the same in each of its executions, for whichever compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Call, Declare, Expr, Index, Loop, Stmt, Type


class Inside(NamedTuple):
    """What a loop and the functions that it calls hold of what is asked for: few of all nodes, in the order of a walk.

    changing: what may write a variable, calls included. loops: the loop itself, too.
    """

    changing: tuple[Expr | Stmt, ...]
    calls: tuple[Call, ...]
    indexes: tuple[Index, ...]
    declares: tuple[Declare, ...]
    loops: tuple[Loop, ...]


class ReadOnce:
    """What the executions of one kernel have read.

    types: of expressions, as the declarations in view give them. inside: of loops. changing: what may write a variable
    in a piece of code, without the functions that it calls. left: whether a loop has another exit than its test.
    operators: whether a class in view may define one, by what is written. ranges: loops over arrays that only the
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
