"""What the execution measures of a loop, and what it is told to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Function, LambdaExpr, Loop
    from regpress_lint.targets.codegen import Unrolling

ALL = 0  # factor of a pragma that names no number


class Shape(NamedTuple):
    """What is known of a loop.

    trips: iterations, None if they hang on what is known at run time. most: of these the largest number, if there is
    one. factor: of a pragma, `ALL` for one without a number, None without a pragma. size: of one copy. exits: the body
    may leave the loop. keeps: a loop inside stays a loop. inner: there is one inside, in the text. countable: the
    iterations can be counted before the loop runs. arrays: bytes of the private arrays that are indexed by what the
    loop changes. shared: arrays in LDS that it indexes. written: values of the graph so far. behind: the
    body is begun once more, up to a `break`. counted: iterations by the loop's own test and step, also where another
    exit is folded into them.
    """

    trips: int | None
    factor: int | None = None
    size: int = 0
    exits: bool = False
    keeps: bool = False
    inner: bool = False
    countable: bool = True
    arrays: tuple[int, ...] = ()
    shared: int = 0
    written: int = 0
    most: int | None = None
    behind: bool = False
    counted: int | None = None


class Plan(NamedTuple):
    """What becomes of a loop. copies: of its body; whole: they replace the loop. reason: in words. given_up: it is this
    program that makes no more copies, because the graph is large already; compilers may.
    """

    copies: int
    whole: bool
    reason: str
    given_up: bool = False


class LoopNote(NamedTuple):
    """What became of a loop. inside: the functions that were entered on the way to it. counted: as in `Shape`."""

    loop: Loop
    inside: tuple[Function | LambdaExpr, ...]
    trips: int | None
    plan: Plan
    counted: int | None = None


class Planner(Protocol):
    """Who decides: `passes.loop_plan`, as the execution sees it."""

    def settled(self, shape: Shape, table: Unrolling) -> Shape:
        """The shape with its most iterations as their number, where the compiler copies it as one of so many."""

    def most(self, shape: Shape, table: Unrolling) -> int:
        """Most that the copies which replace a loop may have together, 0 where none replace it. Its size is open."""

    def plan(self, shape: Shape, table: Unrolling) -> Plan:
        """Whether copies replace a loop of which one was measured."""

    def stays(self, shape: Shape, table: Unrolling) -> Plan:
        """Copies of the body in a loop that stays one."""

    def is_full(self, values: int) -> bool:
        """True for a graph in which a loop that stays one gets no further copy."""
