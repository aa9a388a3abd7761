"""How pointers and indices reach private arrays, where that decides whether a compiler takes them out of memory.

A pointer that a loop moves or exchanges is a phi of addresses to LLVM and to IGC, one that is chosen a select of them,
and one that is moved by two steps an address of an address: none of them is an index that a register can be picked by.
An index that is one constant or another by the path that was taken (`while (j && v[j - 1] > x)` in copies) becomes a
phi of addresses, too, where LLVM comes by it a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.objects import Dynamic, Element, Place, is_dynamic
from regpress_lint.model.graph.ops import ADD, SUBTRACT
from regpress_lint.model.graph.ranges import reach

if TYPE_CHECKING:
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Key, Path, Value
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.branches import Fork
    from regpress_lint.model.interpreter.machine import Machine

_ANYWHERE = range(1 << 31)  # an index of which nothing is known
_DEEP = 4  # sums between where a pointer is in an iteration and an element: `p[i + 1]`


class Point(NamedTuple):
    """A place in an execution. block: of its code; writes: to memory until then; loops: decisions about them."""

    block: int
    writes: int
    loops: int


class Reading(NamedTuple):
    """A read of an element, whose index is known at run time only (`moving`) or a constant. at: its place; before: that
    of the last read or write of the same element.
    """

    variable: Variable
    moving: bool
    at: Point
    before: Point | None

    def has_value(self, fork: Fork) -> bool:
        """Whether LLVM has the element's value in front of a branch (`fork`): it was read or written in the same block,
        with no write to memory and no loop in between, not even a loop that was unrolled.
        """
        if self.before is None or self.before.block not in (fork.block, self.at.block):
            return False
        return (self.before.writes, self.before.loops) == (self.at.writes, self.at.loops)


def element_of(machine: Machine, place: Place) -> Element | None:
    """Which element of an array in memory a place is, or is in, for a compiler that follows them one by one."""
    variable, path = place.variable, place.path
    if not machine.compiler.forwards_elements or not variable.dims:
        return None
    path = path[: len(variable.dims)]
    if not is_dynamic(path):
        return Element(variable, path)
    return Element(variable, None, _reach_of(machine, path))


def _reach_of(machine: Machine, path: Path) -> tuple[range | Key, ...]:
    """The possible indices of a path: LLVM knows the bounds of each, and that of `a[i][2]` no other column is meant,
    whatever `i` is; nvcc 13 reads all again of `a[1][n & 3]`.
    """
    first, *others = path
    if isinstance(first, Dynamic) and not is_dynamic(tuple(others)):
        within = reach(machine.graph, first.value)
        return (within if within is not None else _ANYWHERE, *others)
    bounds = [reach(machine.graph, key.value) if isinstance(key, Dynamic) else key for key in path]
    if machine.compiler.indexing != "vector" or None in bounds:
        return ()
    return tuple(key for key in bounds if key is not None)


class Pointed:
    """Notes of one execution; a trial may leave more of them than there are.

    starts: values that say where a pointer is at the start of an iteration of a loop that stays. moving: arrays of
    which an element is read or written through such a pointer. offset: those through a pointer that was moved twice, of
    which one step or both are known at run time only. either: two arrays of which a pointer points into one. joins:
    values that are one constant or another by the path through branches that write, or out of a loop. settled: accesses
    at run-time indices, by array and place, and whether each of these indices was such a value. joined: arrays that are
    written at one. walked: arrays that a loop of the library fills or copies; by_bytes:
    those of a run-time number of bytes, or from a run-time place on. elsewhere: those that a pointer leads to
    which may also lead out of the thread's own objects. last: where each element was read or written last; reads: the
    values of elements at run-time indices; reading: the last of all reads. paired: arrays of which a
    read meets one of another array where two paths come together, None for one of memory that others see. first: the
    elements of each array that are written before any is read or written at a run-time index; picked: those where one
    was.
    """

    __slots__ = (
        "by_bytes",
        "either",
        "elsewhere",
        "first",
        "joined",
        "joins",
        "last",
        "moving",
        "offset",
        "paired",
        "picked",
        "reading",
        "reads",
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
        self.last: dict[tuple[Variable, Path], Point] = {}
        self.reading: Reading | None = None
        self.reads: dict[int, Reading] = {}
        self.first: dict[Variable, set[Path]] = {}
        self.picked: set[Variable] = set()
        self.paired: set[tuple[Variable, Variable | None]] = set()

    def touched(self, graph: Graph, variable: Variable, path: Path, at: int) -> None:
        """An element is read or written at a run-time index, at a place in the source."""
        indices = [key.value for key in path if isinstance(key, Dynamic)]
        if self.starts and any(self._starts_in(graph, index) for index in indices):
            self.moving.add(variable)
        settled = all(self._is_settled(graph, index) for index in indices)
        self.settled[variable, at] = settled and self.settled.get((variable, at), True)

    def reached(self, variable: Variable, path: Path, at: Point) -> None:
        """An element is read or written here."""
        key, moving = (variable, path), is_dynamic(path)
        self.reading = Reading(variable, moving, at, self.last.get(key))
        if moving:
            self.picked.add(variable)
        self.last[key] = at

    def meets(self, fork: Fork, one: Reading, other: Reading | None) -> None:
        """Behind a branch a value is an element, or another one, or (None) what was read from memory that others see:
        LLVM makes one read of it, through a pointer that is a phi (`test_met_reads.py`). Not where it has the value
        already.
        """
        if other is None:
            if not one.has_value(fork):
                self.paired.add((one.variable, None))
        elif one.variable is not other.variable and (one.moving or other.moving):
            self.paired |= {(one.variable, other.variable), (other.variable, one.variable)}

    def written(self, graph: Graph, variable: Variable, path: Path, *, always: bool) -> None:
        """An element is written. always: under no condition, and in no loop that stays one."""
        if always and variable not in self.picked:
            self.first.setdefault(variable, set()).add(path)
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
        return any(self._starts_in(graph, arg, depth - 1) for arg in graph.args[value])

    def stepped(self, graph: Graph, variable: Variable, at: Key, distance: int) -> None:
        """A pointer to the element `at` of an array is moved on."""
        constant = graph.constants[distance]
        if constant == 0 or at == 0 or (constant is not None and not isinstance(at, Dynamic)):
            return
        self.offset.add(variable)

    def chosen(self, a: Value, b: Value) -> None:
        """A pointer is one of two."""
        if isinstance(a, Place) and isinstance(b, Place) and a.variable is not b.variable:
            self.either.add((a.variable, b.variable))
