"""Shared arrays of which every thread uses nothing but its own slots: thread-private data that lives in LDS.

Each subscript is taken apart into a sum of thread coordinates, counters of unrolled loops and a constant. The slots are
the thread's own if the coordinates tell the threads of a block apart, and the rest never reaches another thread's.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import Environment, evaluate_int, extents
from regpress_lint.cpp.syntax_tree import Binary, Cast, Declare, Expr, Member, Name, Unary, Update, Variable
from regpress_lint.cpp.traversal import names_in, nodes_of
from regpress_lint.targets.builtins import AXES, THREAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.program.model import Launch
    from regpress_lint.source.cfg import AccessRecord, Flow
    from regpress_lint.source.loop_facts import LoopFacts


_UNKNOWN_EXTENT = 1 << 20  # stands for `blockDim.x` where no launch says it: more than any block has
_SMALLEST_STRIDE = 32  # between two slots of a thread, where no launch says how large a block is
_MAX_DEPTH = 8
_USES = ("read", "write", "update")

_Term: TypeAlias = "Variable | str"  # a loop's counter, or the axis of a thread's coordinate


class OwnSlots(NamedTuple):
    """A shared array used in this way: the elements that each thread has of it, its bytes, and its accesses."""

    variable: Variable
    elements: int
    bytes: int
    accesses: tuple[Span, ...]


class Block(NamedTuple):
    """Properties of a block: its extents along x, y and z, and the axes along which it has several threads."""

    extents: tuple[int, int, int] | None
    axes: frozenset[str]

    def extent(self, axis: str) -> int:
        """Threads along an axis, or a number that is larger."""
        return _UNKNOWN_EXTENT if self.extents is None else self.extents[AXES.index(axis)]

    def threads(self, axes: Iterable[str]) -> int:
        """Threads along some axes, or a number that is larger."""
        total = 1
        for axis in axes:
            total *= self.extent(axis)
        return total


class _Sum(NamedTuple):
    """A constant, and terms with their factors."""

    constant: int
    terms: Mapping[_Term, int]

    def plus(self, other: _Sum, sign: int) -> _Sum:
        total = dict(self.terms)
        for term, factor in other.terms.items():
            total[term] = total.get(term, 0) + sign * factor
        return _Sum(self.constant + sign * other.constant, {term: factor for term, factor in total.items() if factor})

    def times(self, factor: int) -> _Sum:
        return _Sum(self.constant * factor, {term: own * factor for term, own in self.terms.items() if factor})

    @property
    def thread(self) -> dict[str, int]:
        return {term: factor for term, factor in self.terms.items() if isinstance(term, str)}

    @property
    def counters(self) -> dict[Variable, int]:
        return {term: factor for term, factor in self.terms.items() if not isinstance(term, str)}


_Subscripts: TypeAlias = "tuple[_Sum, ...]"


def own_slots(
    flow: Flow, loops: Callable[[], tuple[LoopFacts, ...]], env: Environment, launches: Sequence[Launch]
) -> tuple[OwnSlots, ...]:
    """The arrays of a kernel's own body that are used in this way, in source order. loops: of its function; asked for
    where there is such an array at all.
    """
    # Of SYCL's kernels, what they capture: local accessors; and what stands at file level.
    used = (record.variable for record in flow.accesses)
    seen = dict.fromkeys((*flow.declared, *flow.function.captures, *used))
    shared = [v for v in seen if v.storage == "shared" and v.dims and not v.unsized_shared]
    if not shared:
        return ()
    block = _block(flow, launches)
    around = loops()
    found = (_slots(variable, flow, around, env, block) for variable in shared)
    return tuple(each for each in found if each is not None)


def _block(flow: Flow, launches: Sequence[Launch]) -> Block:
    known = {_three(launch.block_dims) for launch in launches if launch.block_dims is not None}
    mentioned = {
        axis
        for node in nodes_of(flow.function)
        if isinstance(node, (Member, Name)) and (axis := _coordinate(node)) is not None
    }
    if len(known) == 1 and all(launch.block_dims is not None for launch in launches):
        dims = known.pop()
        return Block(dims, frozenset(axis for axis, extent in zip(AXES, dims, strict=True) if extent > 1))
    wide = {axis for dims in known for axis, extent in zip(AXES, dims, strict=True) if extent > 1}
    return Block(None, frozenset(mentioned | wide))


def _three(dims: tuple[int, ...]) -> tuple[int, int, int]:
    x, y, z = (*dims, 1, 1, 1)[:3]
    return x, y, z


def _coordinate(node: Expr) -> str | None:
    """The axis of `threadIdx.x` and its like."""
    named = isinstance(node, Member) and isinstance(node.base, Name) and node.base.name == THREAD
    return node.field if named and isinstance(node, Member) and node.field in AXES else None


def _slots(
    variable: Variable, flow: Flow, loops: tuple[LoopFacts, ...], env: Environment, block: Block
) -> OwnSlots | None:
    size, dims = variable.type.size, extents(variable, env)
    records = [record for record in flow.accesses if record.variable is variable]
    kinds = {record.kind for record in records}
    if size is None or variable.type.volatile or not kinds - {"write"} or kinds == {"read"}:
        return None
    # Every mention of the array is one of these accesses: it is not passed on, nor in text that was not understood.
    if kinds - set(_USES) or len(records) != sum(n.variable is variable for n in names_in(flow.function.body)):
        return None
    known = [extent for extent in dims if extent is not None]
    if len(known) < len(dims) or any(len(record.indices) != len(dims) for record in records):
        return None
    taken = [_subscripts(record, loops, env, block) for record in records]
    subscripts = [each for each in taken if each is not None]
    if len(subscripts) < len(taken) or not _tells_apart(subscripts, block):
        return None
    elements = total = 1
    for position, extent in enumerate(known):
        own = _own(extent, [each[position] for each in subscripts], block, loops, env)
        if own is None:
            return None
        elements *= own
        total *= extent
    return OwnSlots(variable, elements, total * size, tuple(record.span for record in records))


# ------------------------------------------------------------------------------------------------------ subscripts


def _subscripts(
    record: AccessRecord, loops: tuple[LoopFacts, ...], env: Environment, block: Block
) -> _Subscripts | None:
    around = loops[record.loop].chain() if record.loop >= 0 else ()
    counters = frozenset(loop.counter for loop in around if loop.unrolled and loop.counter is not None)
    sums = [_sum(index, env, counters, block, 0) for index in record.indices]
    known = tuple(each for each in sums if each is not None)
    return known if len(known) == len(sums) else None


def _sum(expr: Expr, env: Environment, counters: frozenset[Variable], block: Block, depth: int) -> _Sum | None:
    """An index as a sum, None if it is anything else."""
    value = evaluate_int(expr, env)
    if value is not None:
        return _Sum(value, {})
    if depth > _MAX_DEPTH:
        return None
    if (axis := _coordinate(expr)) is not None:
        return _Sum(0, {axis: 1})
    if isinstance(expr, Member):
        of_block = isinstance(expr.base, Name) and expr.base.name == "blockDim" and expr.field in AXES
        return _Sum(block.extent(expr.field), {}) if of_block else None
    if isinstance(expr, Name):
        if expr.variable is None:
            return None
        if expr.variable in counters:
            return _Sum(0, {expr.variable: 1})
        init = env.variable(expr.variable)
        return _sum(init, env, counters, block, depth + 1) if init is not None else None
    if isinstance(expr, Cast):
        return None if expr.type.floating else _sum(expr.operand, env, counters, block, depth + 1)
    if isinstance(expr, Unary):
        inner = _sum(expr.operand, env, counters, block, depth + 1) if expr.op in "+-" else None
        return inner.times(-1 if expr.op == "-" else 1) if inner is not None else None
    if isinstance(expr, Binary) and expr.op in ("+", "-", "*", "<<"):
        left = _sum(expr.left, env, counters, block, depth + 1)
        right = _sum(expr.right, env, counters, block, depth + 1)
        return _combined(expr.op, left, right) if left is not None and right is not None else None
    return None


def _combined(op: str, left: _Sum, right: _Sum) -> _Sum | None:
    if op in "+-":
        return left.plus(right, 1 if op == "+" else -1)
    if op == "<<":
        return left.times(1 << right.constant) if not right.terms and 0 <= right.constant < 32 else None
    if not right.terms:
        return left.times(right.constant)
    return right.times(left.constant) if not left.terms else None


# -------------------------------------------------------------------------------------------------- whose slot it is


def _tells_apart(subscripts: Sequence[_Subscripts], block: Block) -> bool:
    """True if every access has the same coordinates in the same places, each axis of the block once, and coordinates
    that share a place do so as in `threadIdx.y * blockDim.x + threadIdx.x`.
    """
    threads = [each.thread for each in subscripts[0]]
    if any([each.thread for each in access] != threads for access in subscripts[1:]):
        return False
    axes = [axis for place in threads for axis in place]
    if not axes or len(axes) != len(set(axes)) or not block.axes <= set(axes):
        return False
    return all(_linear(place, block) for place in threads if len(place) > 1)


def _linear(place: Mapping[str, int], block: Block) -> bool:
    ordered = sorted(place)
    expected = place[ordered[0]]
    for axis in ordered:
        if place[axis] != expected:
            return False
        expected *= block.extent(axis)
    return True


def _own(extent: int, sums: Sequence[_Sum], block: Block, loops: tuple[LoopFacts, ...], env: Environment) -> int | None:
    """How many values of one subscript belong to a thread; None if it may reach another thread's."""
    thread = sums[0].thread
    if not thread:
        return extent
    factor = thread[min(thread)]
    if len({each.constant for each in sums}) == 1 and not any(each.counters for each in sums):
        return 1 if factor else None
    if factor == 1:
        return _strided(extent, sums, block.threads(thread), block)
    spans = [span for each in sums if (span := _span(each, loops, env)) is not None]
    if factor < 1 or len(spans) < len(sums):
        return None
    return factor if max(high for _, high in spans) - min(low for low, _ in spans) < factor else None


def _strided(extent: int, sums: Sequence[_Sum], threads: int, block: Block) -> int | None:
    """The slots of `k * stride + thread`, where a stride is as long as a block is wide."""
    stride = 0
    for each in sums:
        stride = gcd(stride, each.constant - sums[0].constant, *each.counters.values())
    enough = stride >= threads if block.extents is not None else stride >= _SMALLEST_STRIDE and extent % stride == 0
    return -(-extent // stride) if enough and stride <= extent else None


def _span(each: _Sum, loops: tuple[LoopFacts, ...], env: Environment) -> tuple[int, int] | None:
    """The least and the greatest value of a sum without its coordinates."""
    low = high = each.constant
    for counter, factor in each.counters.items():
        values = next((found for loop in loops if loop.counter is counter and (found := _values(loop, env))), None)
        if values is None:
            return None
        ends = (factor * values[0], factor * values[1])
        low, high = low + min(ends), high + max(ends)
    return low, high


def _values(loop: LoopFacts, env: Environment) -> tuple[int, int] | None:
    """First and last value of the counter of `for (int k = first; ...; ++k)`."""
    counter, step = loop.counter, loop.loop.step
    declared = any(isinstance(init, Declare) and counter in init.variables for init in loop.loop.init)
    if counter is None or not loop.trip_count or not declared or not isinstance(step, Update) or step.op != "++":
        return None
    first = evaluate_int(counter.init, env)
    return (first, first + loop.trip_count - 1) if first is not None else None
