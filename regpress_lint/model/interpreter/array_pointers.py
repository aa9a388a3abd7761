"""How pointers and indices reach private arrays, where that decides whether a compiler takes them out of memory.

A pointer that a loop moves or exchanges is a phi of addresses to LLVM and to IGC, one that is chosen a select of them,
and one that is moved by two steps an address of an address: none of them is an index that a register can be picked by.
An index that is one constant or another by the path that was taken (`while (j && v[j - 1] > x)` in copies) becomes a
phi of addresses, too, where LLVM comes by it a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.objects import Dynamic, Place
from regpress_lint.model.graph.ops import ADD, SUBTRACT

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Key, Path, Value
    from regpress_lint.model.graph.values import Graph

_DEEP = 4  # sums between where a pointer is in an iteration and an element: `p[i + 1]`


class Pointed:
    """Notes of one execution; a trial may leave more of them than there are.

    starts: values that say where a pointer is at the start of an iteration of a loop that stays. moving: arrays of
    which an element is read or written through such a pointer. offset: those through a pointer that was moved twice, of
    which one step or both are known at run time only. either: two arrays of which a pointer points into one. joins:
    values that are one constant or another by the path through branches that write, or out of a loop. settled: accesses
    at run-time indices, by array and place, and whether each of these indices was such a value. joined: arrays that are
    written at one. walked: arrays that a loop of the library fills or copies; by_bytes:
    those of a run-time number of bytes, or from a run-time place on. elsewhere: those that a pointer leads to
    which may also lead out of the thread's own objects.
    """

    __slots__ = (
        "by_bytes",
        "either",
        "elsewhere",
        "joined",
        "joins",
        "moving",
        "offset",
        "settled",
        "starts",
        "walked",
    )

    def __init__(self) -> None:
        self.starts: set[int] = set()
        self.moving: set[Variable] = set()
        self.offset: set[Variable] = set()
        self.either: set[tuple[Variable, Variable]] = set()
        self.by_bytes: set[Variable] = set()
        self.elsewhere: set[Variable] = set()
        self.joins: set[int] = set()
        self.settled: dict[tuple[Variable, int], bool] = {}
        self.joined: set[Variable] = set()
        self.walked: set[Variable] = set()

    def touched(self, graph: Graph, variable: Variable, path: Path, at: int) -> None:
        """An element is read or written at a run-time index, at a place in the source."""
        indices = [key.value for key in path if isinstance(key, Dynamic)]
        if self.starts and any(self._starts_in(graph, index) for index in indices):
            self.moving.add(variable)
        settled = all(self._is_settled(graph, index) for index in indices)
        self.settled[variable, at] = settled and self.settled.get((variable, at), True)

    def written(self, graph: Graph, variable: Variable, path: Path) -> None:
        """An element is written."""
        if self.joins and any(isinstance(key, Dynamic) and self._is_settled(graph, key.value) for key in path):
            self.joined.add(variable)

    def met(self, graph: Graph, value: int, a: int, b: int) -> None:
        """Two paths meet, and a number is what it was on either."""
        if graph.constants[value] is None and self._is_settled(graph, a) and self._is_settled(graph, b):
            self.joins.add(value)

    def _is_settled(self, graph: Graph, value: int) -> bool:
        if value in self.joins or graph.constants[value] is not None:
            return True
        sides = graph.args[value] if graph.ops[value] in (ADD, SUBTRACT) else ()
        return bool(sides) and all(side in self.joins or graph.constants[side] is not None for side in sides)

    def _starts_in(self, graph: Graph, value: int, depth: int = _DEEP) -> bool:
        if value in self.starts:
            return True
        if not depth or graph.ops[value] not in (ADD, SUBTRACT):
            return False
        return any(self._starts_in(graph, one, depth - 1) for one in graph.args[value])

    def stepped(self, graph: Graph, variable: Variable, at: Key, distance: int) -> None:
        """A pointer to the element `at` of an array is moved on."""
        known = graph.constants[distance]
        if known == 0 or at == 0 or (known is not None and not isinstance(at, Dynamic)):
            return
        self.offset.add(variable)

    def chosen(self, a: Value, b: Value) -> None:
        """A pointer is one of two."""
        if isinstance(a, Place) and isinstance(b, Place) and a.variable is not b.variable:
            self.either.add((a.variable, b.variable))
