"""Loops that LLVM runs as vectors: each lane is an iteration of its own, with sums of its own that are added up behind
the loop (LoopVectorize.cpp; `testdata/golden/vector_loops.cu`).

On AMD most of it is still done lane by lane, and still it is taken for cheaper, because the lanes share a counter, a
test and a branch. It costs registers: what all lanes read, and their sums, are there at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.objects import Parts
from regpress_lint.model.graph.ops import ADD, ADDRESS, AND, BRANCH, MULTIPLY, OR, PHI, SUBTRACT, XOR, Kind
from regpress_lint.model.graph.values import FLOAT, Region
from regpress_lint.targets.builtins import CHOOSERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
_OF_ADDRESS, _WORD = 4, 4  # see `addresses`: base, start, counter and bytes


class Sum(NamedTuple):
    """Where a loop adds up: a variable and the part of it; the value of its phi."""

    variable: Variable
    part: Any
    phi: int


class Lanes:
    """The lanes of a loop, with what each has added up so far; those of the first are the loop's own variables.
    beside: what they read and write is beside each other.
    """

    def __init__(self, machine: Machine, region: Region, sums: list[Sum], lanes: int, *, beside: bool) -> None:
        graph = machine.graph
        self._sums, self._active, self._region = sums, 0, region
        self.beside = beside
        self.phis = [[one.phi for one in sums]]
        for _ in range(1, lanes):
            forms = [graph.form(one.phi) for one in sums]
            self.phis.append([graph.add(PHI, (graph.constant(0, form),), form, region) for form in forms])
        self.now: list[list[int]] = [list(phis) for phis in self.phis]

    def __len__(self) -> int:
        return len(self.phis)

    def switch(self, machine: Machine, copy: int) -> None:
        """In front of a copy of the body: it goes on with the sums of its own lane."""
        self.now[self._active] = [_held(machine, one) or 0 for one in self._sums]
        self._active = copy % len(self)
        for one, value in zip(self._sums, self.now[self._active], strict=True):
            _put(machine, one, value)

    def end(self, machine: Machine) -> None:
        """Behind the last copy: the variables are those of the first lane, and no lane's write is in the way of what
        another one reads.
        """
        self.switch(machine, 0)
        accesses = machine.memory.accesses
        for item in self._region.items:
            if isinstance(item, int) and machine.graph.ops[item].kind is Kind.STORE and item in accesses:
                accesses[item] = accesses[item]._replace(root=-item)

    def add_up(self, machine: Machine, ends: list[list[int]]) -> None:
        """Behind the loop: `ends` are what each lane but the first has left there."""
        graph = machine.graph
        for lane in ends:
            for one, value in zip(self._sums, lane, strict=True):
                _put(machine, one, graph.pure(ADD, (_held(machine, one) or 0, value), graph.form(value)))


def lanes_of(machine: Machine, region: Region, phis: Mapping[Variable, Value], first: int) -> Lanes | None:
    """The lanes of a loop that becomes one of vectors; None for one that stays as it is. One iteration of it was
    executed; its values begin with `first`.
    """
    graph = machine.graph
    if any(isinstance(item, Region) for item in region.items) or not _is_plain(machine, region, first):
        return None
    cells = [
        (Sum(variable, part, phi if phi is not None else -1))
        for variable, whole in phis.items()
        for part, phi in _parts(whole)
    ]
    if any(one.phi < 0 or _held(machine, one) is None for one in cells):
        return None
    ends = [_held(machine, one) or 0 for one in cells]
    users = _users(graph, [*(item for item in region.items if isinstance(item, int)), *ends], first)
    sums: list[Sum] = []
    for one, now in zip(cells, ends, strict=True):
        if now == one.phi or _is_moved(graph, region, one.phi, now) or not _depends(graph, now, one.phi):
            continue
        if not _adds_up(graph, one.phi, now, users):
            return None
        sums.append(one)
    counters = {one.phi for one, now in zip(cells, ends, strict=True) if _steps_by_one(graph, one.phi, now)}
    places = _places(machine, region, first)
    beside = all(_is_beside(machine, region, place, counters) for place in places)
    lanes = machine.compiler.unrolling.lanes
    if not sums:  # else numbers of 32 bits are there as well
        lanes *= _WORD // max(_bytes(machine, region, first), default=_WORD)
    if beside and len(places) == 1 and len(sums) <= 1:  # of what takes so few registers LLVM does two vectors at a time
        lanes *= 2
    return Lanes(machine, region, sums, lanes, beside=beside)


def _places(machine: Machine, region: Region, first: int) -> set[int]:
    """The addresses that a loop reads and writes, without those that are the same in each iteration."""
    graph = machine.graph
    accessed = (value for value in range(first, len(graph)) if graph.ops[value].kind in _ACCESSES)
    return {graph.args[value][0] for value in accessed if graph.homes[graph.args[value][0]] is region}


def _bytes(machine: Machine, region: Region, first: int) -> Iterator[int]:
    """Bytes of each number that a loop reads and writes, up to 32 bits."""
    graph, narrow = machine.graph, machine.memory.narrow
    for value in range(first, len(graph)):
        if graph.ops[value].kind in _ACCESSES and graph.homes[graph.args[value][0]] is region:
            yield narrow.get(value, _WORD)


def _is_beside(machine: Machine, region: Region, place: int, counters: set[int]) -> bool:
    """True if the next iteration accesses the element behind this one."""
    graph = machine.graph
    while graph.ops[place] is ADDRESS and counters.isdisjoint(graph.args[place]):
        place = graph.args[place][0]
    if graph.ops[place] is ADDRESS:
        return (graph.constants[graph.args[place][-1]] or _WORD) <= _WORD
    return any(
        made == place and around is region and len(key) == _OF_ADDRESS and key[2] in counters and key[3] == _WORD
        for (around, key), made in machine.loops.inductions.items()
    )


def _steps_by_one(graph: Graph, phi: int, now: int) -> bool:
    return (
        graph.ops[now] is ADD and phi in graph.args[now] and any(graph.constants[arg] == 1 for arg in graph.args[now])
    )


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
        if op.kind not in _VECTORS or (op.kind in _ACCESSES and not _is_of_words(graph, region, value)):
            return False
        if op.kind is Kind.ROUTINE and graph.kinds[value] == FLOAT and op.about.removesuffix("f") not in _OF_FLOATS:
            return False
    inside = [item for item in region.items if isinstance(item, int) and item in accesses]
    stores = [item for item in inside if graph.ops[item].kind is Kind.STORE]
    return all(_is_apart(machine, region, store, other) for store in stores for other in inside)


def _is_of_words(graph: Graph, region: Region, access: int) -> bool:
    """True for a read or a write of 32 bits, and for a read that moves in front of the loop."""
    place, *stored = graph.args[access]
    if graph.ops[access].about in ("private", "texture"):
        return False
    before = not stored and graph.homes[place] is not region
    return before or all(graph.widths[value] <= 1 for value in (access, *stored))


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
    same = place == graph.args[other][0] and memory.offsets.get(store) == memory.offsets.get(other)
    return same and graph.homes[place] is region


def _parts(whole: Value) -> Iterator[tuple[Any, int | None]]:
    """The parts of a variable with their values; None for a part that has parts of its own."""
    if isinstance(whole, int):
        yield None, whole
    elif isinstance(whole, tuple):
        yield from enumerate(whole)
    elif isinstance(whole, Parts):
        yield from ((path, one if isinstance(one, int) else None) for path, one in whole.parts.items())
    else:
        yield None, None


def _held(machine: Machine, one: Sum) -> int | None:
    value = machine.variables.get(one.variable)
    if isinstance(value, Parts):
        value = value.parts.get(one.part)
    elif isinstance(value, tuple):
        value = value[one.part]
    return value if isinstance(value, int) else None


def _put(machine: Machine, one: Sum, number: int) -> None:
    value = machine.variables[one.variable]
    if isinstance(value, Parts):
        value = value.copy(machine.owner)
        value.parts[one.part] = number
        machine.variables[one.variable] = value
    elif isinstance(value, tuple):
        machine.variables[one.variable] = (*value[: one.part], number, *value[one.part + 1 :])
    else:
        machine.variables[one.variable] = number


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
