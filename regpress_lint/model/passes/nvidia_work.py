"""The work of a kernel around its private arrays, as ptxas weighs it against selects: see `nvidia_arrays`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping  # noqa: TC003
from types import MappingProxyType
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.objects import Dynamic
from regpress_lint.model.graph.ops import MULTIPLY, Kind
from regpress_lint.model.graph.ranges import stride
from regpress_lint.model.graph.values import FLOAT, PREDICATE
from regpress_lint.targets.costs import call_size

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence, Set as AbstractSet

    from regpress_lint.cpp.syntax_tree import Loop, Variable
    from regpress_lint.model.graph.objects import ElementNote, Path
    from regpress_lint.model.graph.values import Graph, Region


IN_LOOP, _MOST_DEEP = 14.0, 2  # so often a loop that stays one runs, and in how many of them that counts
# What one of the graph's operations weighs; private arrays are left out: they are what is weighed against the rest.
_WORK = {
    Kind.ARITHMETIC: 0.57,
    Kind.CONVERSION: 0.3,
    Kind.SELECT: 1.0,
    Kind.BITS: 0.55,
    Kind.PHI: 0.5,
    Kind.BRANCH: 1.8,
    Kind.LOAD: 0.25,
    Kind.STORE: 1.6,
    Kind.CONVERGENT: 0.5,
    Kind.ROUTINE: 1.0,
    Kind.BEGUN: 1.0,
    Kind.CALL: 1.0,
    Kind.SERVICE: 1.0,
}
_UNITS = {
    **dict.fromkeys((Kind.ARITHMETIC, Kind.CONVERSION, Kind.SELECT, Kind.BITS), 1.0),
    **dict.fromkeys((Kind.LOAD, Kind.STORE), 2.0),
}
# Divisions and roots in single precision branch off to a routine for rare operands, which counts like all else.
_PRODUCT = 0.15  # one instruction with the sum that it goes into
_DIVISION, _INTEGER_DIVISION, _ROOT = 26.0, 11.5, 18.0
_ROUTINE = 0.1  # of a routine's instructions: a `powf` beside an access does not hide it
_CARRIES = frozenset((Kind.PHI, Kind.EXIT, Kind.SELECT))
_NAMED = frozenset((Kind.ROUTINE, Kind.BEGUN, Kind.CALL, Kind.SERVICE))
_SUBROUTINES = frozenset(
    (
        *("sqrt", "sqrtf", "hypot", "hypotf", "sin", "sinf", "cos", "cosf", "tan", "tanf", "sincos", "sincosf"),
        *("atan2", "atan2f", "pow", "__fsqrt_rn", "__fdiv_rn", "__frcp_rn"),
    )
)
_ROOTS = frozenset(("sqrt", "sqrtf", "rsqrt", "rsqrtf", "hypot", "hypotf"))


class Picked(NamedTuple):
    """How an access picks elements of an array. places: how many, where copies of a loop pick the same one. loops: in
    so many loops that stay ones its index changes.
    """

    places: int
    loops: int


class Beside(NamedTuple):
    """What an execution says of the kernel around its arrays. work: weighed instructions; copies: of the bodies of
    loops that stay loops. behind_calls: arrays with an index that results from a routine with a call in it. divides: a
    loop that stays one divides floats. reduces: the argument of a sine, on a slow path with a table of its own.
    strides: by how much the index of each dimension of an array steps at least, whatever is added to it. parts: the
    known paths to picked parts of an array, `x` of `v[n].x`. picked: of each access by its array and place.
    bodies: instructions in the copies of a loop, without loops inside, reads and writes counted double. found: arrays
    that ptxas finds accesses at constant addresses to, wherever they are in the frame; found_first: where the frame
    begins with them.
    """

    work: float = 0.0
    copies: Mapping[Loop, int] = MappingProxyType({})
    behind_calls: frozenset[Variable] = frozenset()
    divides: bool = False
    reduces: bool = False
    strides: Mapping[Variable, Mapping[int, int]] = MappingProxyType({})
    parts: Mapping[Variable, AbstractSet[Path]] = MappingProxyType({})
    picked: Mapping[tuple[Variable, int], Picked] = MappingProxyType({})
    bodies: Mapping[Loop, float] = MappingProxyType({})
    found_first: frozenset[Variable] = frozenset()
    found: frozenset[Variable] = frozenset()


NOTHING = Beside()


def beside(
    graph: Graph,
    copies: Mapping[Loop, int],
    picks: Sequence[tuple[Variable, Path]] = (),
    around: Mapping[Loop, int] = MappingProxyType({}),
    hoisted: Mapping[int, tuple[Region, Region]] = MappingProxyType({}),
    elements: Sequence[ElementNote] = (),
    above: Mapping[int, int] = MappingProxyType({}),
    *,
    reduces: bool = False,
) -> Beside:
    """The work beside a kernel's arrays; picks: what is reached of them at run time. around: copies of loops around
    others that are gone, of which one counts: beside four copies of 80 sums an array would have registers that is in
    memory. hoisted: reads in front of loops, which count where they are written (`Machine.hoisted`).
    """
    work, divides, carried = 0.0, False, _carried_elements(graph, {variable for variable, _ in picks})
    uses = Counter(value for values in graph.args for value in values)
    bodies: dict[Loop, float] = {}
    for number, home in enumerate(graph.homes):
        if number in carried:
            continue
        if home is not None and home.node is not None:
            bodies[home.node] = bodies.get(home.node, 0.0) + _units(graph, number, uses[number])
        if number in hoisted:
            home = hoisted[number][1]
        depth = home.depth if home is not None else 0
        copied = around.get(home.node, 1) if home is not None and home.node is not None else 1
        work += _weight(graph, number, uses[number]) * often(depth) / copied
        divides = divides or (depth > 0 and _divides(graph, number))
    behind: set[Variable] = set()
    clean: set[int] = set()
    for variable, path in picks:
        if variable not in behind and any(_is_behind_call(graph, index, clean) for _, index in _dynamic(path)):
            behind.add(variable)
    strides, parts, picked = _strides(graph, picks), _parts(picks), _picked(graph, elements)
    found = _found(graph, elements, above)
    return Beside(work, copies, frozenset(behind), divides, reduces, strides, parts, picked, bodies, *found)


def _found(
    graph: Graph, elements: Sequence[ElementNote], above: Mapping[int, int]
) -> tuple[frozenset[Variable], frozenset[Variable]]:
    """See `Beside.found_first` and `found`."""
    notes: dict[Variable, list[ElementNote]] = {}
    for note in elements:
        if not note.pointer:
            notes.setdefault(note.variable, []).append(note)
    first = (variable for variable, own in notes.items() if not _walks(graph, own[-1].path))
    found_first = frozenset(variable for variable in first if not all(note.dynamic for note in notes[variable]))
    return found_first, frozenset(variable for variable, own in notes.items() if _is_found(own, above))


def _is_found(notes: Sequence[ElementNote], above: Mapping[int, int]) -> bool:
    """Whether an array is reached at a constant index where nvcc computes its address: in the block, outside of loops,
    through which every way to its other accesses leads.
    """
    blocks = {note.block for note in notes}
    fixed = {note.block for note in notes if not note.dynamic and (note.within is None or not note.within.depth)}
    return any(all(_leads_to(block, other, above) for other in blocks) for block in fixed)


def _leads_to(block: int, other: int, above: Mapping[int, int]) -> bool:
    while other > block:
        other = above.get(other, -1)
    return other == block


def _walks(graph: Graph, path: Path) -> bool:
    """True for the counter of a loop that begins with the first element: nvcc then steps the array's own address."""
    indices = [index for _, index in _dynamic(path)]
    if len(indices) != 1 or graph.ops[indices[0]].kind is not Kind.PHI:
        return False
    return graph.constants[graph.args[indices[0]][0]] == 0


def _picked(graph: Graph, elements: Sequence[ElementNote]) -> dict[tuple[Variable, int], Picked]:
    places: dict[tuple[Variable, int], set[Path]] = {}
    loops: dict[tuple[Variable, int], int] = {}
    for variable, at, moving, path, pointer, *_ in elements:
        if moving and not pointer:
            key = variable, at.start
            places.setdefault(key, set()).add(path)
            homes = (graph.homes[index] for _, index in _dynamic(path))
            loops[key] = max(loops.get(key, 0), *(home.depth for home in homes if home is not None), 0)
    return {key: Picked(len(paths), loops[key]) for key, paths in places.items()}


def _strides(graph: Graph, picks: Sequence[tuple[Variable, Path]]) -> dict[Variable, dict[int, int]]:
    strides: dict[Variable, dict[int, int]] = {}
    for variable, path in picks:
        for dimension, index in _dynamic(path):
            steps, step = strides.setdefault(variable, {}), stride(graph, index)
            steps[dimension] = min(step, steps.get(dimension, step))
    return strides


def _parts(picks: Sequence[tuple[Variable, Path]]) -> dict[Variable, set[Path]]:
    parts: dict[Variable, set[Path]] = {}
    for variable, path in picks:
        if any(isinstance(key, Dynamic) for key in path):
            parts.setdefault(variable, set()).add(tuple(key for key in path if not isinstance(key, Dynamic)))
    return parts


def _dynamic(path: Path) -> Iterator[tuple[int, int]]:
    """The indices of a path that are known at run time, each behind its place in it."""
    return ((at, key.value) for at, key in enumerate(path) if isinstance(key, Dynamic))


def _carried_elements(graph: Graph, arrays: Collection[Variable]) -> Collection[int]:
    """Elements of arrays as loops carry them on and branches choose between them: in memory there is no such value."""
    carried_elements: set[int] = set()
    if arrays:
        holders = graph.holders
        for number, op in enumerate(graph.ops):
            if op.kind in _CARRIES:
                for arg in graph.args[number]:
                    held = holders.get(arg)
                    if arg in carried_elements or (held is not None and held.variable in arrays):
                        carried_elements.add(number)
                        break
    return carried_elements


def _is_behind_call(graph: Graph, value: int, clean: set[int]) -> bool:
    """True if a value depends on the result of such a routine. Conditions do not count: they decide, and carry nothing.

    `clean` are values of which it is known that they are not.
    """
    pending, walked = [value], set[int]()
    while pending:
        number = pending.pop()
        if number in walked or number in clean or graph.kinds[number] == PREDICATE:
            continue
        if _has_call(graph, number):
            return True
        walked.add(number)
        pending += graph.args[number]
    clean |= walked
    return False


def _has_call(graph: Graph, number: int) -> bool:
    """True for what nvcc makes with a subroutine for rare operands."""
    op = graph.ops[number]
    if op.kind in _NAMED:
        return op.about.rpartition("::")[2] in _SUBROUTINES
    if op.kind is not Kind.ARITHMETIC or op not in ("/", "%"):
        return False
    divisor = graph.constants[graph.args[number][-1]]
    if graph.kinds[number] == FLOAT:
        return divisor is None or math.frexp(divisor)[0] not in (0.5, -0.5)
    return divisor is None and graph.forms[number].width > 1


def _divides(graph: Graph, number: int) -> bool:
    """True for a division of floats by an unknown number."""
    op = graph.ops[number]
    if op.kind is not Kind.ARITHMETIC or op not in ("/", "%") or graph.kinds[number] != FLOAT:
        return False
    return graph.constants[graph.args[number][-1]] is None


def often(loops: int) -> float:
    """How often ptxas takes something in so many loops to be executed: in more than two it counts no more. Work in the
    outer one of two hardly hides a select in the inner one: 32 sums there let two elements more stay in registers, in
    the inner loop four sums let four (250 kernels, `test_selects_in_loops.py`).
    """
    return IN_LOOP ** min(loops, _MOST_DEEP)


def _units(graph: Graph, number: int, uses: int) -> float:
    """Instructions of a value, reads and writes of memory counted double."""
    op = graph.ops[number]
    if op.about == "private" or (op == MULTIPLY and uses == 1):
        return 0.0
    if op.kind in _NAMED:
        return 1.0 + call_size(op.about.rpartition("::")[2])
    return _UNITS.get(op.kind, 0.0)


def _weight(graph: Graph, number: int, uses: int) -> float:
    op = graph.ops[number]
    if op.about == "private":
        return 0.0
    weight = _WORK.get(op.kind, 0.0)
    if op.kind in _NAMED:
        name = op.about.rpartition("::")[2]
        return _ROOT if name in _ROOTS else weight + _ROUTINE * call_size(name)
    if op.kind is Kind.ARITHMETIC and op in ("/", "%"):
        divisor = graph.constants[graph.args[number][-1]]
        if divisor is None:
            return _DIVISION if graph.kinds[number] == FLOAT else _INTEGER_DIVISION
    return _PRODUCT if op == MULTIPLY and uses == 1 else weight
