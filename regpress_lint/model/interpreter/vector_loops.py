"""Loops that LLVM runs as vectors: each lane is an iteration of its own, with sums of its own that are added up behind
the loop (LoopVectorize.cpp; `testdata/golden/vector_loops.cu`).

On AMD most of it is still done lane by lane, and still it is taken for cheaper, because the lanes share a counter, a
test and a branch. It costs registers: what all lanes read, and their sums, are there at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.objects import Parts
from regpress_lint.model.graph.ops import (
    ADD,
    ADDRESS,
    AND,
    BINARY,
    BRANCH,
    MULTIPLY,
    OR,
    PHI,
    SCALED,
    SUBTRACT,
    XOR,
    Kind,
    instruction,
)
from regpress_lint.model.graph.values import BOOL, FLOAT, Region, made_form
from regpress_lint.targets.builtins import CHOOSERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.objects import Value
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine

_SUMMED = frozenset((ADD, SUBTRACT, MULTIPLY, AND, OR, XOR))
_MOVED = frozenset((ADD, SUBTRACT, ADDRESS))
_COMPARED = frozenset(("<", ">", "<=", ">="))
_DONE_BY_LANES = (Kind.PHI, Kind.SELECT, Kind.CONVERSION, Kind.ARITHMETIC, Kind.BITS, Kind.ADDRESS, Kind.ROUTINE)
_VECTORS = frozenset((*_DONE_BY_LANES, Kind.LOAD, Kind.STORE, Kind.SOURCE, Kind.CONSTANT, Kind.BRANCH))
# Functions of floats that LLVM knows as instructions, or that are short and without a branch (clang 19.1.7 of 30 with
# one in a loop each).
_ROUNDED = ("abs", "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "copysign")
_LOGARITHMS = ("exp", "exp2", "log", "log2", "log10")
_OF_FLOATS = frozenset(
    (*_ROUNDED, *_LOGARITHMS, *CHOOSERS, "fmax", "fmin", "fma", "sqrt", "atan", "atan2", "__sin", "__cos")
)
_ACCESSES = (Kind.LOAD, Kind.STORE)
_COMPUTES = (Kind.ARITHMETIC, Kind.BITS, Kind.SELECT, Kind.ROUTINE)
_OPAQUE = (Kind.SOURCE, Kind.LOAD)
_TWICE, _PAIR = instruction("twice"), made_form(2, FLOAT)
_MADE = 1  # see `Head`
_COUNTED = 3  # what loops hold is taken off four registers without a sign: more than that leaves plenty
_OF_ADDRESS, _WORD = 4, 4  # see `addresses`: base, start, counter and bytes


class Sum(NamedTuple):
    """Where a loop adds up: a variable and the part of it; the value of its phi."""

    variable: Variable
    part: Any
    phi: int


class Count(NamedTuple):
    """Iterations that differ between threads. start, total: where the counter begins, and how many there are; whole:
    how many of them vectors do; left: these, less what was done so far; counters: of the lanes but the first, where
    each finds its numbers by itself.
    """

    start: int
    total: int
    whole: int
    left: int
    counters: tuple[int, ...]


class Lanes:
    """The lanes of a loop, with the sums of each so far; those of the first are the loop's own variables.
    fixed: what `_invariants` finds; an instruction for two floats takes it twice. beside: what the lanes read and write
    is beside each other. count: see `_counted`.
    """

    def __init__(
        self,
        machine: Machine,
        region: Region,
        sums: list[Sum],
        lanes: int,
        fixed: Iterable[int],
        *,
        beside: bool,
        count: Count | None,
    ) -> None:
        graph = machine.graph
        self._fixed = sorted(fixed)
        self._sums, self._active, self._region = sums, 0, region
        self._count = count
        self.beside = beside
        self.phis = [[sum_.phi for sum_ in sums]]
        for _ in range(1, lanes):
            forms = [graph.form(sum_.phi) for sum_ in sums]
            self.phis.append([graph.add(PHI, (graph.constant(0, form),), form, region) for form in forms])
        self.now: list[list[int]] = [list(phis) for phis in self.phis]

    def __len__(self) -> int:
        return len(self.phis)

    def switch(self, machine: Machine, copy: int) -> None:
        """In front of a copy of the body: it goes on with the sums of its own lane."""
        self.now[self._active] = [_held(machine, sum_) or 0 for sum_ in self._sums]
        self._active = copy % len(self)
        for sum_, value in zip(self._sums, self.now[self._active], strict=True):
            _put(machine, sum_, value)

    def end(self, machine: Machine) -> None:
        """Behind the last copy: the variables are those of the first lane, and no lane's write is in the way of what
        another one reads.
        """
        self.switch(machine, 0)
        graph, count = machine.graph, self._count
        if count is not None:
            after = graph.pure(SUBTRACT, (count.left, graph.constant(len(self))), graph.form(count.left))
            graph.args[count.left] = (count.whole, after)
            for phi in count.counters:
                graph.args[phi] = (count.start, phi)
            held = [graph.pure(_TWICE, (number,), _PAIR) for number in self._fixed] if count.counters else ()
            machine.effect(BRANCH, (graph.pure(BINARY["=="], (after, graph.constant(0)), BOOL), *count.counters, *held))
        accesses = machine.memory.accesses
        for item in self._region.items:
            if isinstance(item, int) and machine.graph.ops[item].kind is Kind.STORE and item in accesses:
                accesses[item] = accesses[item]._replace(root=-item)

    def add_up(self, machine: Machine, ends: list[list[int]]) -> None:
        """Behind the loop: `ends` are what each lane but the first has left there."""
        graph = machine.graph
        for lane in ends:
            for sum_, value in zip(self._sums, lane, strict=True):
                _put(machine, sum_, graph.pure(ADD, (_held(machine, sum_) or 0, value), graph.form(value)))
        if (count := self._count) is not None:  # what is left over goes on from there
            machine.effect(BRANCH, (count.total, count.whole, count.start))


def lanes_of(
    machine: Machine, region: Region, phis: Mapping[Variable, Value], first: int, *, wide: bool
) -> Lanes | None:
    """The lanes of a loop that becomes one of vectors; None for one that stays as it is. One iteration of it was
    executed; its values begin with `first`. wide: its counter has 64 bits.
    """
    graph = machine.graph
    if any(isinstance(item, Region) for item in region.items) or not _is_plain(machine, region, first):
        return None
    cells = [
        (Sum(variable, part, phi if phi is not None else -1))
        for variable, whole in phis.items()
        for part, phi in _parts(whole)
    ]
    if any(cell.phi < 0 or _held(machine, cell) is None for cell in cells):
        return None
    ends = [_held(machine, cell) or 0 for cell in cells]
    users = _users(graph, [*(item for item in region.items if isinstance(item, int)), *ends], first)
    sums: list[Sum] = []
    for cell, now in zip(cells, ends, strict=True):
        if now == cell.phi or _is_moved(graph, region, cell.phi, now) or not _depends(graph, now, cell.phi):
            continue
        if not _adds_up(graph, cell.phi, now, users):
            return None
        sums.append(cell)
    return _made_lanes(
        machine, region, sums, first, {cell.phi: now for cell, now in zip(cells, ends, strict=True)}, wide=wide
    )


def _made_lanes(
    machine: Machine, region: Region, sums: list[Sum], first: int, ends: Mapping[int, int], *, wide: bool
) -> Lanes | None:
    """ends: the values that the phis of the loop have at its end."""
    graph, places = machine.graph, _places(machine, region, first)
    counters = {phi for phi, now in ends.items() if _steps_by_one(graph, region, phi, now)}
    beside = all(_is_beside(machine, region, place, counters) for place in places)
    lanes = machine.compiler.unrolling.lanes
    if not sums:  # else numbers of 32 bits are there as well
        lanes *= _of_numbers(machine, region, first, beside=beside, wide=wide)
    if not lanes:
        return None
    head = _head_of(machine, region, ends)
    bases = sum(_is_made(graph, base) for base in {_base(machine, region, place) for place in places})
    few = beside and len(places) == 1 and len(sums) <= 1
    alone = not sums or len(places) == len(sums) == 1
    few = few or (wide and alone and not _is_about(machine, first, "shared"))
    of_head, fixed = head.made if head is not None else 0, _invariants(graph, region, first)
    many = bool(sums) and len(fixed) + of_head > _COUNTED
    if many or (few and bases + of_head <= _MADE):
        lanes *= (
            2  # of what takes so few registers LLVM does two vectors at a time, and of so many: it takes them off 4
        )
    count = _counted(machine, region, head, lanes, beside=beside) if head is not None else None
    return Lanes(machine, region, sums, lanes, fixed, beside=beside, count=count)


class Head(NamedTuple):
    """The first value of a loop's counter, and its bound. made: how many of start, bound and step are neither
    constants nor arguments, which LLVM counts among the registers that a loop holds.
    """

    start: int
    bound: int
    made: int


def _head_of(machine: Machine, region: Region, ends: Mapping[int, int]) -> Head | None:
    """ends: the values that the phis of a loop have at its end."""
    graph = machine.graph
    (branch,) = (item for item in region.items if isinstance(item, int) and graph.ops[item] is BRANCH)
    sides = graph.args[graph.args[branch][0]]
    counter = next((side for side in sides if side in ends and _is_moved(graph, region, side, ends[side])), None)
    bound = next((side for side in sides if graph.homes[side] is not region), None)
    if counter is None or bound is None:
        return None
    start, step = graph.args[counter][0], next((arg for arg in graph.args[ends[counter]] if arg != counter), counter)
    widened = graph.widths[bound] != graph.widths[counter] and graph.constants[bound] is None
    return Head(start, bound, sum(_is_made(graph, number) for number in (start, bound, step)) + widened)


def _invariants(graph: Graph, region: Region, first: int) -> set[int]:
    """Numbers that an iteration computes with and does not change: floats from in front of the loop that are neither
    constants nor arguments. LLVM takes factors that are integers out of a sum.
    """
    inside = (value for value in range(first, len(graph)) if graph.homes[value] is region)
    used = {arg for value in inside if graph.ops[value].kind in _COMPUTES for arg in graph.args[value]}
    fixed = {arg for arg in used if graph.homes[arg] is not region and graph.kinds[arg] == FLOAT}
    return {arg for arg in fixed if _is_made(graph, arg)}


def _base(machine: Machine, region: Region, place: int) -> int:
    """What an address in a loop is counted from."""
    graph = machine.graph
    for (around, key), address in machine.loops.inductions.items():
        if address == place and around is region and len(key) == _OF_ADDRESS:
            place = key[0] or place
    while graph.ops[place] is ADDRESS and graph.homes[place] is region:
        place = graph.args[place][0]
    return place


def _is_made(graph: Graph, value: int) -> bool:
    key = graph.sources.get(value)
    return graph.constants[value] is None and not (isinstance(key, tuple) and key[0] == "argument")


def _counted(machine: Machine, region: Region, head: Head, lanes: int, *, beside: bool) -> Count | None:
    """The number of iterations where it differs between threads: vector registers hold it all through the loop, and
    what vectors do of it; None where it is the same for all of them.
    """
    graph, form = machine.graph, machine.graph.form(head.bound)
    total = graph.pure(SUBTRACT, (head.bound, head.start), form)
    if not graph.divergent[total]:
        return None
    whole = graph.pure(AND, (total, graph.constant(-lanes, form)), form)
    remaining = graph.add(PHI, (whole,), form, region, divergent=True)
    counters_apart = 0 if beside or graph.widths[total] > 1 else lanes - 1
    counters = tuple(graph.add(PHI, (head.start,), form, region, divergent=True) for _ in range(counters_apart))
    return Count(head.start, total, whole, remaining, counters)


def _is_about(machine: Machine, first: int, space: str) -> bool:
    ops = (machine.graph.ops[value] for value in range(first, len(machine.graph)))
    return any(op.kind in _ACCESSES and op.about == space for op in ops)


def _of_numbers(machine: Machine, region: Region, first: int, *, beside: bool, wide: bool) -> int:
    """How many times as many registers a vector has where its numbers are narrow; 0 where LLVM makes none: of bytes
    beside each other, and of numbers that an index of 64 bits finds here and there, unless one side is LDS or whole
    words are worked on (clang 19.1.7).
    """
    size, graph = max(_bytes(machine, region, first), default=_WORD), machine.graph
    if beside and size < _WORD:
        return size - 1  # two numbers of 16 bits share a register, as one of 32 bits has it
    if wide and not beside and not _is_about(machine, first, "shared"):
        accesses = (value for value in range(first, len(graph)) if graph.ops[value].kind in _ACCESSES)
        read = {value for value in accesses if graph.ops[value].kind is Kind.LOAD}
        stored = {graph.args[value][1] for value in range(first, len(graph)) if graph.ops[value].kind is Kind.STORE}
        return 0 if size == 1 or stored <= read else _WORD // size
    if size < _WORD and wide and not beside:
        return 2
    return _WORD // size


def _places(machine: Machine, region: Region, first: int) -> set[int]:
    """The addresses that a loop reads and writes, without those that are the same in each iteration."""
    graph = machine.graph
    accessed = (value for value in range(first, len(graph)) if graph.ops[value].kind in _ACCESSES)
    return {graph.args[value][0] for value in accessed if graph.homes[graph.args[value][0]] is region}


def _bytes(machine: Machine, region: Region, first: int) -> Iterator[int]:
    """Bytes of each number that a loop reads and writes, up to 32 bits."""
    graph, sizes = machine.graph, machine.memory.sizes
    for value in range(first, len(graph)):
        if graph.ops[value].kind in _ACCESSES and graph.homes[graph.args[value][0]] is region:
            yield sizes.get(value, _WORD)


def _is_beside(machine: Machine, region: Region, place: int, counters: set[int]) -> bool:
    """True if the next iteration accesses the element behind this one."""
    graph = machine.graph
    while graph.ops[place] is ADDRESS and counters.isdisjoint(graph.args[place]):
        for arg in graph.args[place]:
            if graph.ops[arg] is SCALED and graph.args[arg][0] in counters:
                return (graph.constants[graph.args[arg][1]] or _WORD) <= _WORD
        place = graph.args[place][0]
    if graph.ops[place] is ADDRESS:
        return (graph.constants[graph.args[place][-1]] or _WORD) <= _WORD
    return any(
        induction == place and around is region and len(key) == _OF_ADDRESS and key[2] in counters and key[3] == _WORD
        for (around, key), induction in machine.loops.inductions.items()
    )


def _steps_by_one(graph: Graph, region: Region, phi: int, now: int) -> bool:
    """True for a counter that goes one by one, or by a number such as `blockDim.x` of which nothing is known: LLVM has
    vectors for the case that it is 1 (`getStrideFromPointer` of LoopAccessAnalysis.cpp).
    """
    if graph.ops[now] is not ADD or phi not in graph.args[now]:
        return False
    for step in graph.args[now]:
        constant = graph.constants[step]
        while graph.ops[step].kind is Kind.CONVERSION and len(graph.args[step]) == 1:
            (step,) = graph.args[step]
        if constant == 1 or (constant is None and graph.ops[step].kind in _OPAQUE and graph.homes[step] is not region):
            return True
    return False


def _users(graph: Graph, needed: list[int], first: int) -> dict[int, list[int]]:
    """The values that an iteration computes from each value, as far as its effects and results need them."""
    users: dict[int, list[int]] = {}
    pending, seen = needed, set(needed)
    while pending:
        value = pending.pop()
        for arg in dict.fromkeys(graph.args[value]):
            users.setdefault(arg, []).append(value)
            if arg >= first and arg not in seen:
                seen.add(arg)
                pending.append(arg)
    return users


def _is_plain(machine: Machine, region: Region, first: int) -> bool:
    """True if nothing in an iteration forbids that the next one runs beside it."""
    graph, accesses = machine.graph, machine.memory.accesses
    branches = [item for item in region.items if isinstance(item, int) and graph.ops[item] is BRANCH]
    if len(branches) != 1 or not _is_bounded(graph, region, branches[0]):
        return False
    for value in range(first, len(graph)):
        op = graph.ops[value]
        if op.kind not in _VECTORS or (op.kind in _ACCESSES and not _is_of_words(machine, region, value)):
            return False
        if op.kind is Kind.ROUTINE and graph.kinds[value] == FLOAT and op.about.removesuffix("f") not in _OF_FLOATS:
            return False
    inside = [item for item in region.items if isinstance(item, int) and item in accesses]
    stores = [item for item in inside if graph.ops[item].kind is Kind.STORE]
    return all(_is_apart(machine, region, store, other) for store in stores for other in inside)


def _is_of_words(machine: Machine, region: Region, access: int) -> bool:
    """True for a read or a write of 32 bits or less, and for a read that moves in front of the loop."""
    graph = machine.graph
    place, *stored = graph.args[access]
    if graph.ops[access].about in ("private", "texture"):
        return False
    if not stored and graph.homes[place] is not region:
        return True
    small = len(stored) <= 1 and machine.memory.sizes.get(access, _WORD) <= _WORD
    return small and all(graph.widths[value] <= 1 for value in (access, *stored))


def _is_bounded(graph: Graph, region: Region, branch: int) -> bool:
    """True if what the counter is compared with does not change in the loop."""
    test = graph.args[branch][0]
    return any(graph.homes[side] is not region for side in graph.args[test])


def _is_apart(machine: Machine, region: Region, store: int, other: int) -> bool:
    """True if a write of one iteration is surely none of what another one reads or writes: LLVM would have to compare
    pointers before the loop, which it does not for threads that may differ.
    """
    graph, memory = machine.graph, machine.memory
    if not memory.accesses[store].meets(memory.accesses[other]):
        return True
    place = graph.args[store][0]
    arrays = [_array_in_lds(graph, graph.args[access][0]) for access in (store, other)]
    if None not in arrays and arrays[0] != arrays[1]:
        return True
    same = place == graph.args[other][0] and memory.offsets.get(store) == memory.offsets.get(other)
    return same and graph.homes[place] is region


def _array_in_lds(graph: Graph, place: int) -> object:
    """The array in LDS that an address is in, None for one that is in none or may be in several."""
    while graph.ops[place] is ADDRESS:
        place = graph.args[place][0]
    key = graph.sources.get(place)
    return key[1] if isinstance(key, tuple) and key[0] == "lds" else None


def _parts(whole: Value) -> Iterator[tuple[Any, int | None]]:
    """The parts of a variable with their values; None for a part that has parts of its own."""
    if isinstance(whole, int):
        yield None, whole
    elif isinstance(whole, tuple):
        yield from enumerate(whole)
    elif isinstance(whole, Parts):
        yield from ((path, part if isinstance(part, int) else None) for path, part in whole.parts.items())
    else:
        yield None, None


def _held(machine: Machine, sum_: Sum) -> int | None:
    value = machine.variables.get(sum_.variable)
    if isinstance(value, Parts):
        value = value.parts.get(sum_.part)
    elif isinstance(value, tuple):
        value = value[sum_.part]
    return value if isinstance(value, int) else None


def _put(machine: Machine, sum_: Sum, number: int) -> None:
    value = machine.variables[sum_.variable]
    if isinstance(value, Parts):
        value = value.copy(machine.owner)
        value.parts[sum_.part] = number
        machine.variables[sum_.variable] = value
    elif isinstance(value, tuple):
        machine.variables[sum_.variable] = (*value[: sum_.part], number, *value[sum_.part + 1 :])
    else:
        machine.variables[sum_.variable] = number


def _is_moved(graph: Graph, region: Region, phi: int, now: int) -> bool:
    """True for a counter, and whatever else moves on by the same distance each time."""
    if graph.ops[now] not in _MOVED or graph.kinds[now] == FLOAT or phi not in graph.args[now]:
        return False
    return all(arg == phi or graph.homes[arg] is not region for arg in graph.args[now])


def _depends(graph: Graph, value: int, phi: int) -> bool:
    pending, seen = [value], {value}
    while pending:
        one = pending.pop()
        if one == phi:
            return True
        more = [arg for arg in graph.args[one] if arg >= phi and arg not in seen] if graph.ops[one] is not PHI else []
        seen.update(more)
        pending += more
    return False


def _adds_up(graph: Graph, phi: int, now: int, users: Mapping[int, list[int]]) -> bool:
    """True for a sum, product, minimum or so of whole numbers, with no use of the values in between."""
    if graph.kinds[phi] == FLOAT or graph.widths[phi] > 1:
        return False
    value, summed = phi, None
    while value != now:
        using = users.get(value, [])
        chosen = [user for user in using if graph.ops[user].kind is Kind.SELECT and value in graph.args[user][1:]]
        others = [user for user in using if user not in chosen]
        if len(others) != 1 or len(chosen) > 1:
            return False
        op = graph.ops[others[0]]
        if op.kind is Kind.CONVERSION and not chosen and graph.widths[others[0]] == 1:
            value = others[0]
            continue
        if op in _COMPARED and chosen and users.get(others[0]) == chosen:
            kind, value = "chosen", chosen[0]  # `x > s ? x : s`
        elif op in _SUMMED or op.about in CHOOSERS:
            kind, value = ("+" if op is SUBTRACT else op), others[0]
            if chosen and users.get(value) == chosen:  # `if (c) s += x`
                value = chosen[0]
            elif chosen:
                return False
        else:
            return False
        if kind != (summed or kind):
            return False
        summed = kind
    return not users.get(now)
