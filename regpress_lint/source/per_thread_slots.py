"""Shared arrays of which every thread uses nothing but its own slots: thread-private data that lives in LDS.

Each subscript is taken apart into a sum of thread coordinates, counters of unrolled loops and a constant. The slots are
the thread's own if the coordinates tell the threads of a block apart, and the rest never reaches another thread's.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate_int, extents
from regpress_lint.cpp.syntax_tree import Binary, Cast, Declare, Expr, Index, Member, Name, Unary, Update, Variable
from regpress_lint.cpp.traversal import names_in, nodes_of
from regpress_lint.targets.builtins import AXES, THREAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.program.model import Launch
    from regpress_lint.source.cfg import AccessRecord, Flow
    from regpress_lint.source.loop_facts import LoopFacts


_UNKNOWN_EXTENT = 1 << 20  # stands for `blockDim.x` where no launch says it: more than any block has
_SMALLEST_STRIDE = 32  # between two slots of a thread, where no launch says how large a block is
_MAX_DEPTH = 8
_USES = ("read", "write", "update")


class _Remainder(NamedTuple):
    """`(k + 1) % 8`, of nothing but counters of unrolled loops: between `low` and `high`."""

    span: Span
    low: int
    high: int


# A loop's counter or what is made of several, or the axis of a thread's coordinate.
_Term: TypeAlias = "Variable | _Remainder | str"


class _Alias(NamedTuple):
    """`float* own = s + threadIdx.x * 8`: a pointer into an array, with the subscripts in front of its own."""

    pointer: Variable
    written: Span
    indices: tuple[Expr, ...]
    offset: Expr | None


class PerThreadSlots(NamedTuple):
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
        return _Sum(self.constant * factor, {term: share * factor for term, share in self.terms.items() if factor})

    @property
    def thread(self) -> dict[str, int]:
        return {term: factor for term, factor in self.terms.items() if isinstance(term, str)}

    @property
    def counters(self) -> dict[Variable | _Remainder, int]:
        return {term: factor for term, factor in self.terms.items() if not isinstance(term, str)}


_Subscripts: TypeAlias = "tuple[_Sum, ...]"


def per_thread_slots(
    flow: Flow,
    described: tuple[LoopFacts, ...],
    loops: Callable[[], tuple[LoopFacts, ...]],
    env: Environment,
    launches: Sequence[Launch],
) -> tuple[PerThreadSlots, ...]:
    """The arrays of a kernel's own body that are used in this way, in source order. described: the loops of its
    function as the source has them, loops: as an execution leaves them; asked for where an array may be such a one.
    """
    # Of SYCL's kernels, what they capture: local accessors; and what stands at file level.
    used = (record.variable for record in flow.accesses)
    seen = dict.fromkeys((*flow.declared, *flow.function.captures, *used))
    aliases = _aliases(flow)
    shared = [v for v in dict.fromkeys((*seen, *aliases)) if v.storage == "shared" and v.dims]
    unsized = [v for v in shared if v.unsized_shared]
    dynamic = _dynamic_bytes(launches) if len(unsized) == 1 else None
    if dynamic is None:
        shared = [v for v in shared if not v.unsized_shared]
    used_arrays = [_used(variable, aliases.get(variable, ()), flow, env, dynamic) for variable in shared]
    arrays = [array for array in used_arrays if array is not None]
    if not arrays:
        return ()
    block = _block(flow, launches)
    # With the counters of all loops, whether they are copied or not: with fewer, fewer subscripts are known.
    possible = [array for array in arrays if _subscripts_of(array, described, env, block, every=True) is not None]
    around = loops() if possible else ()
    slots = (_slots(array, around, env, block) for array in possible)
    return tuple(slot for slot in slots if slot is not None)


def _dynamic_bytes(launches: Sequence[Launch]) -> int | None:
    """What every launch gives the one array without a size; None where they differ, or the source does not say."""
    sizes = {launch.dynamic_lds_bytes for launch in launches}
    return (sizes.pop() or None) if len(sizes) == 1 else None


def _aliases(flow: Flow) -> dict[Variable, tuple[_Alias, ...]]:
    """Pointers into shared arrays that are set once, by array."""
    aliases: dict[Variable, tuple[_Alias, ...]] = {}
    for pointer in flow.declared:
        if pointer.type.pointers != 1 or pointer.dims or pointer.init is None or pointer in flow.modified:
            continue
        root, indices, offset = _pointed(pointer.init)
        if root is not None and root.storage == "shared" and root.dims:
            aliases[root] = (*aliases.get(root, ()), _Alias(pointer, pointer.init.span, indices, offset))
    return aliases


def _pointed(expr: Expr) -> tuple[Variable | None, tuple[Expr, ...], Expr | None]:
    """The array that a pointer is set to, the subscripts that choose a row of it, and what is added to its address."""
    if isinstance(expr, Binary) and expr.op == "+":
        for base, offset in ((expr.left, expr.right), (expr.right, expr.left)):
            if isinstance(base, Name) and base.variable is not None and base.variable.dims:
                return base.variable, (), offset
        return None, (), None
    address = isinstance(expr, Unary) and expr.op == "&"
    indices: list[Expr] = []
    base = expr.operand if isinstance(expr, Unary) and address else expr
    while isinstance(base, Index):
        indices.insert(0, base.index)
        base = base.base
    root = base.variable if isinstance(base, Name) else None
    if not address:
        return root, tuple(indices), None
    return (root, tuple(indices[:-1]), indices[-1]) if indices else (None, (), None)


def _block(flow: Flow, launches: Sequence[Launch]) -> Block:
    shapes = {_three(launch.block_dims) for launch in launches if launch.block_dims is not None}
    mentioned = {
        axis
        for node in nodes_of(flow.function)
        if isinstance(node, (Member, Name)) and (axis := _coordinate(node)) is not None
    }
    if len(shapes) == 1 and all(launch.block_dims is not None for launch in launches):
        dims = shapes.pop()
        return Block(dims, frozenset(axis for axis, extent in zip(AXES, dims, strict=True) if extent > 1))
    wide = {axis for dims in shapes for axis, extent in zip(AXES, dims, strict=True) if extent > 1}
    return Block(None, frozenset(mentioned | wide))


def _three(dims: tuple[int, ...]) -> tuple[int, int, int]:
    x, y, z = (*dims, 1, 1, 1)[:3]
    return x, y, z


def _coordinate(node: Expr) -> str | None:
    """The axis of `threadIdx.x` and its like."""
    named = isinstance(node, Member) and isinstance(node.base, Name) and node.base.name == THREAD
    return node.field if named and isinstance(node, Member) and node.field in AXES else None


class _Used(NamedTuple):
    """A shared array that is only read and written, its extents, and its accesses with the pointers of some."""

    variable: Variable
    extents: tuple[int, ...]
    records: Sequence[tuple[AccessRecord, _Alias | None]]


def _used(
    variable: Variable, aliases: tuple[_Alias, ...], flow: Flow, env: Environment, dynamic: int | None
) -> _Used | None:
    size, dims = variable.type.size, extents(variable, env)
    if size is None or variable.type.volatile:
        return None
    if variable.unsized_shared:
        dims = (dynamic // size if dynamic else None, *dims[1:])
    sizes = tuple(extent for extent in dims if extent is not None)
    records = _records(variable, aliases, flow) if len(sizes) == len(dims) else None
    kinds = {record.kind for record, _ in records or ()}
    if records is None or kinds - set(_USES) or not kinds - {"write"} or kinds == {"read"}:
        return None
    return _Used(variable, sizes, records)


def _slots(array: _Used, loops: tuple[LoopFacts, ...], env: Environment, block: Block) -> PerThreadSlots | None:
    subscripts = _subscripts_of(array, loops, env, block)
    if subscripts is None:
        return None
    elements, total = 1, array.variable.type.size or 1
    for position, extent in enumerate(array.extents):
        share = _own(extent, [subscript[position] for subscript in subscripts], block, loops, env)
        if share is None:
            return None
        elements *= share
        total *= extent
    return PerThreadSlots(array.variable, elements, total, tuple(record.span for record, _ in array.records))


def _subscripts_of(
    array: _Used, loops: tuple[LoopFacts, ...], env: Environment, block: Block, *, every: bool = False
) -> list[_Subscripts] | None:
    """The subscripts of all accesses, None if they do not tell threads apart. every: with the counters of all loops."""
    subscripts_of: list[_Subscripts] = []
    for record, alias in array.records:
        around = loops[record.loop].chain() if record.loop >= 0 else ()
        counters = frozenset(loop.counter for loop in around if (every or loop.unrolled) and loop.counter is not None)
        subscripts = _subscripts(record, alias, counters, env, block)
        if subscripts is None or len(subscripts) != len(array.extents):
            return None
        subscripts_of.append(subscripts)
    return subscripts_of if _tells_apart(subscripts_of, block) else None


def _records(
    variable: Variable, aliases: tuple[_Alias, ...], flow: Flow
) -> list[tuple[AccessRecord, _Alias | None]] | None:
    """The accesses to an array, those through pointers with the pointer; None where it is mentioned otherwise: passed
    on, or in text that was not understood.
    """
    names = [name.variable for name in names_in(flow.function.body)]
    direct = (record for record in flow.accesses if record.variable is variable)
    records: list[tuple[AccessRecord, _Alias | None]] = [
        (record, None) for record in direct if not any(alias.written.contains(record.span) for alias in aliases)
    ]
    if len(records) + len(aliases) != names.count(variable):
        return None
    for alias in aliases:
        through = [record for record in flow.accesses if record.variable is alias.pointer]
        if not through or len(through) != names.count(alias.pointer):
            return None
        records += ((record, alias) for record in through)
    return sorted(records, key=lambda pair: pair[0].span)


# ------------------------------------------------------------------------------------------------------ subscripts


def _subscripts(
    record: AccessRecord, alias: _Alias | None, counters: frozenset[Variable], env: Environment, block: Block
) -> _Subscripts | None:
    sums = _known([_sum(index, env, counters, block, 0) for index in record.indices])
    if sums is None or alias is None:
        return sums
    none: frozenset[Variable] = frozenset()
    front = _known([_sum(index, env, none, block, 0) for index in alias.indices])
    first = _sum(alias.offset, env, none, block, 0) if alias.offset is not None else _Sum(0, {})
    if front is None or first is None or not sums:
        return None
    return (*front, first.plus(sums[0], 1), *sums[1:])


def _known(sums: list[_Sum | None]) -> _Subscripts | None:
    """The sums, None if there is one that is not understood."""
    understood = tuple(sum_ for sum_ in sums if sum_ is not None)
    return understood if len(understood) == len(sums) else None


def _sum(expr: Expr, env: Environment, counters: frozenset[Variable], block: Block, depth: int) -> _Sum | None:
    """An index as a sum, None if it is anything else."""
    if (value := evaluate_int(expr, env)) is not None:
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
    if isinstance(expr, Binary) and expr.op == "%":
        return _remainder(expr, _sum(expr.left, env, counters, block, depth + 1), evaluate_int(expr.right, env))
    return None


def _remainder(expr: Binary, left: _Sum | None, modulus: int | None) -> _Sum | None:
    if left is None or left.thread or not modulus or modulus < 0:
        return None
    rising = left.constant >= 0 and all(factor >= 0 for factor in left.terms.values())
    return _Sum(0, {_Remainder(expr.span, 0 if rising else 1 - modulus, modulus - 1): 1})


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
    threads = [term.thread for term in subscripts[0]]
    if any([term.thread for term in access] != threads for access in subscripts[1:]):
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
    if len({total.constant for total in sums}) == 1 and not any(total.counters for total in sums):
        return 1 if factor else None
    if factor == 1:
        return _strided(extent, sums, block.threads(thread), block, loops, env)
    spans = [span for total in sums if (span := _span(total, loops, env)) is not None]
    if factor < 1 or len(spans) < len(sums):
        return None
    return factor if max(high for _, high in spans) - min(low for low, _ in spans) < factor else None


def _strided(
    extent: int, sums: Sequence[_Sum], threads: int, block: Block, loops: tuple[LoopFacts, ...], env: Environment
) -> int | None:
    """The slots of `k * stride + thread`, where a stride is as long as a block is wide."""
    stride = 0
    for terms in sums:
        stride = gcd(stride, terms.constant - sums[0].constant, *terms.counters.values())
    # `k * blockDim.x`: as many as `k` has values.
    if block.extents is None and stride and stride % _UNKNOWN_EXTENT == 0:
        spans = [span for terms in sums if (span := _span(terms, loops, env)) is not None]
        if len(spans) < len(sums):
            return None
        return (max(high for _, high in spans) - min(low for low, _ in spans)) // stride + 1
    enough = stride >= threads if block.extents is not None else stride >= _SMALLEST_STRIDE and extent % stride == 0
    return -(-extent // stride) if enough and stride <= extent else None


def _span(total: _Sum, loops: tuple[LoopFacts, ...], env: Environment) -> tuple[int, int] | None:
    """The least and the greatest value of a sum without its coordinates."""
    low = high = total.constant
    for counter, factor in total.counters.items():
        if isinstance(counter, _Remainder):
            values: tuple[int, int] | None = (counter.low, counter.high)
        else:
            values = next((ends for loop in loops if loop.counter is counter and (ends := _values(loop, env))), None)
        if values is None:
            return None
        reach = (factor * values[0], factor * values[1])
        low, high = low + min(reach), high + max(reach)
    return low, high


def _values(loop: LoopFacts, env: Environment) -> tuple[int, int] | None:
    """First and last value of the counter of `for (int k = first; ...; ++k)`."""
    counter, step = loop.counter, loop.loop.step
    declared = any(isinstance(init, Declare) and counter in init.variables for init in loop.loop.init)
    if counter is None or not loop.trip_count or not declared or not isinstance(step, Update) or step.op != "++":
        return None
    first = evaluate_int(counter.init, env)
    return (first, first + loop.trip_count - 1) if first is not None else None
