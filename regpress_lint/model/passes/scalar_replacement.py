"""Which private arrays a compiler takes out of memory, into registers: the only place that decides it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Assign
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.model.graph.objects import Placement
from regpress_lint.model.passes.amd_arrays import has_sums, is_table, is_vector
from regpress_lint.model.passes.intel_arrays import holds_too_much, read_by_either_side, stays_in_memory, stays_uniform
from regpress_lint.model.passes.nvidia_arrays import frame_pays, is_dropped
from regpress_lint.model.passes.nvidia_work import NOTHING, Beside
from regpress_lint.source.arrays import Fill
from regpress_lint.targets.compilers.amdgpu import AMD_LDS_BYTES, AMD_VECTOR_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet

    from regpress_lint.core.diagnostics import Edit
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Function, Loop, Variable
    from regpress_lint.model.graph.objects import Indexed, Path
    from regpress_lint.model.graph.values import Region
    from regpress_lint.model.interpreter.array_pointers import Pointed
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.source.arrays import Access, PrivateArray, Reach
    from regpress_lint.source.loop_facts import LoopFacts
    from regpress_lint.targets.compilers.traits import Compiler, Indexing


# The execution of a kernel notes every access to an array: whether its index is a constant in the copies that were
# made of the loops around it. Arrays with run-time indices stay in memory, except small arrays, which each compiler
# treats in its own way.

# Pointers that keep an array in memory, by what would take it out; the tests ask clang and ocloc.
_FRAMED: Mapping[Indexing, frozenset[Reach]] = {
    "vector": frozenset(("moving", "walked", "by bytes", "indexed either")),
    "select": frozenset(("by bytes", "elsewhere")),
    "indirect": frozenset(("moving", "by bytes", "either", "indexed either")),
}


class Copied(NamedTuple):
    """Notes about loops by their span, and about accesses by the array's name, its declaration and their own place.
    trips: iterations of each loop, None if they are not known before the kernel runs, or others from time to time.
    """

    whole: Mapping[Span, bool] = MappingProxyType({})
    trips: Mapping[Span, int | None] = MappingProxyType({})
    dynamic: Mapping[tuple[str, int, int], bool] = MappingProxyType({})


class Notes(NamedTuple):
    """An execution's notes on loops and indices.

    whole: loops, and whether copies replace each of them wherever it was reached. dynamic: accesses by array and place
    in the source, and whether an index was known at run time only. elements: how many elements of an array were read or
    written, where elements are known one by one. copies: of the bodies of loops that stay loops. moving: where elements
    of an array are read or written at run-time indices. copied: what `whole` and `dynamic` say, by places in the
    source: a function template that a call instantiates is executed as a tree of its own. extents: elements of arrays
    by name and declaration, where only the executed call says how many. reached: how pointers reach arrays. settled:
    accesses, as in `dynamic`, whose every index was one constant or another. within: by the places of `copied`, the
    loops that stay ones around accesses in functions. fills: by array, how its elements are set one by one, where
    a compiler's model needs it. called: by name and declaration, the functions around a variable that are not inlined.
    first: how many elements are written before any is picked at a run-time index.
    """

    whole: Mapping[Loop, bool]
    dynamic: Mapping[tuple[Variable, int], bool]
    elements: Mapping[Variable, int] = MappingProxyType({})
    copies: Mapping[Loop, int] = MappingProxyType({})
    moving: Mapping[tuple[str, int], AbstractSet[int]] = MappingProxyType({})
    copied: Copied = Copied()
    extents: Mapping[tuple[str, int], int] = MappingProxyType({})
    reached: Mapping[Variable, frozenset[Reach]] = MappingProxyType({})
    settled: frozenset[tuple[Variable, int]] = frozenset()
    within: Mapping[tuple[str, int, int], Region] = MappingProxyType({})
    complete: bool = False
    read: AbstractSet[tuple[str, int]] = frozenset()
    fills: Mapping[tuple[str, int], Fill] = MappingProxyType({})
    called: Mapping[tuple[str, int], tuple[str, ...]] = MappingProxyType({})
    first: Mapping[Variable, int] = MappingProxyType({})


def notes_of(machine: Machine) -> Notes:
    """The notes of an execution that has ended; several passes ask for them."""
    notes: Notes | None = machine.known.notes
    if notes is None:
        notes = machine.known.notes = _notes_of(machine)
    return notes


def _notes_of(machine: Machine) -> Notes:
    whole: dict[Loop, bool] = {}
    copies: dict[Loop, int] = {}
    trips: dict[Span, int | None] = {}
    for note in machine.tally.plans:
        span = note.loop.span
        trips[span] = note.counted if trips.get(span, note.counted) == note.counted else None
        replaced = note.plan.whole or note.plan.given_up
        whole[note.loop] = replaced and whole.get(note.loop, True)
        if not replaced:
            copies[note.loop] = note.plan.copies
    dynamic: dict[tuple[Variable, int], bool] = {}
    touched: dict[Variable, set[Path]] = {}
    places: dict[tuple[str, int], set[int]] = {}
    moved = set(machine.arrays.handed_on)
    within: dict[tuple[str, int, int], Region] = {}
    for variable, at, moving, path, pointer, region, _ in machine.tally.elements:
        key = variable, at.start
        if region is not None:
            within[variable.name, variable.span.start, at.start] = region
        dynamic[key] = moving or dynamic.get(key, False)
        if not pointer:
            touched.setdefault(variable, set()).add(path[: len(variable.dims)])
        if moving:
            moved.add(variable)
            if not pointer:
                places.setdefault((variable.name, variable.span.start), set()).add(at.start)
    counts = {variable: len(paths) for variable, paths in touched.items() if variable not in moved}
    copied = _copied(whole, dynamic, trips)
    reached = _reached(machine.arrays.pointed, {variable for (variable, _), moving in dynamic.items() if moving})
    settled = frozenset(key for key, always in machine.arrays.pointed.settled.items() if always)
    extents = machine.tally.extents
    complete, learned = machine.tally.complete, machine.known
    read = {(variable.name, variable.span.start) for variable in learned.elements.read | machine.arrays.handed_on}
    fills = _fills(machine)
    return Notes(
        *(whole, dynamic, counts, copies, places, copied, extents, reached, settled, within, complete, read, fills),
        called=machine.arrays.called,
        first={variable: len(paths) for variable, paths in machine.arrays.pointed.first.items()},
    )


def _fills(machine: Machine) -> dict[tuple[str, int], Fill]:
    """How the elements of each array are set at indices that are constants."""
    constants, fills = machine.graph.constants, dict[tuple[str, int], list[int]]()
    for write in machine.tally.writes:
        if not write.moving:
            place = write.variable.name, write.variable.span.start
            fills.setdefault(place, []).extend(write.values[: write.written])
    return {
        place: Fill(len(own), len({value for value in own if constants[value] is None})) for place, own in fills.items()
    }


def _reached(pointed: Pointed, indexed: AbstractSet[Variable]) -> dict[Variable, frozenset[Reach]]:
    """How pointers reach arrays. indexed: those with an index known at run time only."""
    ways: dict[Variable, set[Reach]] = {}
    for variable in pointed.moving:
        ways.setdefault(variable, set()).add("moving")
    for variable in pointed.walked:
        ways.setdefault(variable, set()).add("walked")
    for variable in pointed.by_bytes:
        ways.setdefault(variable, set()).add("by bytes")
    for variable in pointed.elsewhere:
        ways.setdefault(variable, set()).add("elsewhere")
    for variable in pointed.offset:
        ways.setdefault(variable, set()).add("offset")
    for variable in pointed.joined:
        ways.setdefault(variable, set()).add("joined")
    for variable, other in pointed.paired:
        if variable in indexed and (other is None or other in indexed):
            ways.setdefault(variable, set()).add("met")
    for pair in pointed.either:
        how: Reach = "either" if indexed.isdisjoint(pair) else "indexed either"
        for variable in pair:
            ways.setdefault(variable, set()).add(how)
    return {variable: frozenset(how) for variable, how in ways.items()}


def _copied(
    whole: Mapping[Loop, bool], dynamic: Mapping[tuple[Variable, int], bool], trips: Mapping[Span, int | None]
) -> Copied:
    loops: dict[Span, bool] = {}
    for loop, is_whole in whole.items():
        loops[loop.span] = is_whole and loops.get(loop.span, True)
    accesses: dict[tuple[str, int, int], bool] = {}
    for (variable, at), moving in dynamic.items():
        key = variable.name, variable.span.start, at
        accesses[key] = moving or accesses.get(key, False)
    return Copied(loops, trips, accesses)


def resolved_loops(loops: Iterable[LoopFacts], notes: Notes) -> tuple[LoopFacts, ...]:
    """Loops of a function as the execution saw them; one that it never reached stays a loop."""
    resolved_of: dict[LoopFacts, LoopFacts] = {}
    for loop in loops:
        parent = resolved_of[loop.parent] if loop.parent is not None else None
        whole = notes.whole.get(loop.loop)
        if whole is None:
            whole = notes.copied.whole.get(loop.loop.span, False)
        trips = notes.copied.trips.get(loop.loop.span, loop.trip_count)
        resolved_of[loop] = loop.resolved(parent, unrolled=whole, trip_count=trips)
    return tuple(resolved_of.values())


def resolved(
    arrays: Iterable[PrivateArray], notes: Notes, loops: Mapping[Function, tuple[LoopFacts, ...]]
) -> tuple[PrivateArray, ...]:
    """Arrays as the execution saw them. loops: of the functions in which an access stands, as the source shows them."""
    seen = {function: resolved_loops(described, notes) for function, described in loops.items()}
    result = []
    for array in arrays:
        accesses = []
        sized = array.sized(lambda: notes.extents)
        for access in array.accesses:
            inside = {loop.loop: loop for loop in seen[access.function]} if access.loops else {}
            around = tuple(inside.get(loop.loop, loop) for loop in access.loops)
            seen_moving = notes.dynamic.get((array.variable, access.span.start))
            key = array.variable.name, array.variable.span.start, access.span.start
            # What the execution did not come by, in a branch that is for others, costs nothing.
            moving = notes.copied.dynamic.get(key, False) if seen_moving is None else seen_moving
            pointer = access.pointer and (array.variable, access.span.start) not in notes.settled
            outside = _outside(notes.within.get(key), {loop.loop.span for loop in around})
            dynamic = moving and bool(access.indices)
            accesses.append(access._replace(loops=around, dynamic=dynamic, pointer=pointer, within=outside))
        reached = notes.reached.get(array.variable, frozenset())
        if (array.variable.name, array.variable.span.start) in notes.called:
            reached |= {"called"}
        if notes.first.get(array.variable, 0) == sized.elements:
            reached |= {"replaced"}
        handed = array.handed or "by bytes" in reached or _behind_pointers(array, notes)
        if not array.handed and reached <= {"called"} and _is_never_read(array, notes):
            handed = False
            accesses = [access._replace(dynamic=False) for access in accesses]
        fill = notes.fills.get((array.variable.name, array.variable.span.start))
        result.append(sized.with_accesses(tuple(accesses), handed=handed, reached=reached, fill=fill))
    return tuple(result)


def _outside(region: Region | None, around: AbstractSet[Span]) -> Loop | None:
    """The innermost loop that stays one around the call of the function in which an access stands; around: its loops
    there.
    """
    while region is not None and region.node is not None and region.node.span in around:
        region = region.parent
    return region.node if region is not None else None


def _is_never_read(array: PrivateArray, notes: Notes) -> bool:
    """True for an array whose reads all found what was written at the same index (`object_writes._remember`), or
    that has none: clang, nvcc and IGC drop it, unless it is `volatile`.
    """
    if array.variable.volatile_span is not None:
        return False
    name, start = array.variable.name, array.variable.span.start
    writes, by_pointer = set(), False
    for access in array.accesses:
        at = access.span.start
        seen = (array.variable, at) in notes.dynamic or (name, start, at) in notes.copied.dynamic
        if access.pointer or (access.kind == "read" and seen):
            return False
        by_pointer = by_pointer or access.kind == "address"
        writes.add(at)
    moving = notes.moving.get((name, start), frozenset())
    never = notes.complete and not array.escapes and (name, start) not in notes.read
    return never and bool(moving) and (by_pointer or moving <= writes)


def filled_by_loops(arrays: Iterable[PrivateArray], compiler: Compiler, env: Environment) -> Iterator[Variable]:
    """Arrays that loops write at run-time indices, in an order that is not known either. Where a pragma leaves some
    iterations of a counted loop, clang for AMD and ptxas hold all elements just so, unless it writes a constant; of
    IGC nothing is known.
    """
    counted = compiler.indexing != "indirect"
    for array in arrays:
        writes = (access for access in array.accesses if access.dynamic and access.kind in ("write", "update"))
        if any(_stays_uncounted(access) or (counted and _is_filled_by(array, access, env)) for access in writes):
            yield array.variable


def _stays_uncounted(access: Access) -> bool:
    """True for an access in a loop that runs as often as the data say."""
    rolled = [loop for loop in access.loops if not loop.unrolled]
    return bool(rolled) and rolled[-1].trip_count is None


def _is_filled_by(array: PrivateArray, access: Access, env: Environment) -> bool:
    """True for an access in a loop that stays one and writes more than a constant."""
    if all(loop.unrolled for loop in access.loops):
        return False
    assigned = (node for node in nodes_of(array.function) if isinstance(node, Assign) and node.op == "=")
    return not any(node.target.span == access.span and evaluate(node.value, env) is not None for node in assigned)


def _behind_pointers(array: PrivateArray, notes: Notes) -> bool:
    """True for a long array that is indexed at run time through pointers that stand for it by turns, so that the source
    does not name it there: like one that a function is handed, it is in memory, whatever its other indices are.
    """
    if (array.elements or 0) <= AMD_VECTOR_ELEMENTS:
        return False
    named = {access.span.start for access in array.accesses}
    return not notes.moving.get((array.variable.name, array.variable.span.start), frozenset()) <= named


def in_memory(
    arrays: Sequence[PrivateArray],
    compiler: Compiler,
    env: Environment,
    lds: int = AMD_LDS_BYTES,
    around: Beside = NOTHING,
    uniform: Collection[Variable] = (),
) -> frozenset[Variable]:
    """Arrays that a compiler keeps in memory; an array of unknown size counts as one in registers.

    lds: bytes per thread that clang for AMD may take of it, one array after the other. around: what else the kernel
    does. uniform: arrays to which all threads write the same.
    """
    framed = compiler.indexing == "select" and not frame_pays(arrays, env, around)
    variables = set(read_by_either_side(arrays)) if compiler.indexing == "indirect" else set()
    for array in arrays:
        if array.variable in uniform and _is_shared_out(array, compiler):
            continue
        if _stays(array, compiler, lds, framed=framed):
            variables.add(array.variable)
        elif _is_in_lds(array, compiler):
            lds -= array.bytes or 0
    return frozenset(variables)


def if_indexed(arrays: Iterable[PrivateArray], compiler: Compiler, lds: int) -> frozenset[Variable]:
    """Arrays that one run-time index takes to memory, whatever else the kernel does. None for ptxas: which loops write
    its frame is shown by an execution with all arrays in registers (`loops._announced`); without it all takes longer.
    """
    sized = (array for array in arrays if array.bytes and array.elements and not array.table)
    if compiler.indexing == "select":
        return frozenset()
    if compiler.indexing == "indirect":
        stays = (array for array in sized if stays_in_memory(array, compiler) and stays_uniform(array, compiler))
        return frozenset(array.variable for array in stays)
    room = max(lds, 0)
    long = (array for array in sized if (array.elements or 0) > AMD_VECTOR_ELEMENTS and (array.bytes or 0) > room)
    return frozenset(array.variable for array in long)


def beyond(arrays: Iterable[PrivateArray], compiler: Compiler, lds: int) -> dict[Variable, int]:
    """Arrays of which only the executed call says the size, with the elements beyond which that takes them to memory,
    for clang for AMD.
    """
    if compiler.indexing != "vector":
        return {}
    unsized = (array.variable for array in arrays if array.elements is None and not array.table)
    return {each: max(AMD_VECTOR_ELEMENTS, max(lds, 0) // each.type.bytes) for each in unsized if each.type.bytes}


def _is_shared_out(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array to which all threads write the same, that a compiler has in registers once for all of them."""
    return not array.reached & _FRAMED[compiler.indexing] and not stays_uniform(array, compiler)


def bytes_in_lds(arrays: Iterable[PrivateArray], compiler: Compiler, memory: Collection[Variable]) -> int:
    """Bytes per thread of the arrays that clang for AMD moves to LDS; memory: those for which it has no room there."""
    moved = (array for array in arrays if array.variable not in memory and _is_in_lds(array, compiler))
    return sum(array.bytes or 0 for array in moved)


def _is_in_lds(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array that stays out of memory only because LDS takes it."""
    return compiler.indexing == "vector" and _stays(array, compiler, 0, framed=False)


def _stays(array: PrivateArray, compiler: Compiler, lds: int, *, framed: bool) -> bool:
    """True for an array that stays in memory. framed: a compiler that selects keeps its frame."""
    if array.variable.volatile_span is not None and not (compiler.drops_volatile and is_dropped(array)):
        return True
    if array.handed and (compiler.local is None or (array.bytes or 0) > lds):  # it is there for a function to find
        return True
    if holds_too_much(array, compiler):
        return True
    if array.elements is not None and array.bytes is not None and array.reached & _FRAMED[compiler.indexing]:
        return True
    if not array.dynamic or array.elements is None or array.bytes is None:
        return False
    if compiler.indexing == "select":
        return framed or "called" in array.reached
    if "called" in array.reached:
        lds = 0
    if compiler.indexing == "indirect":
        return stays_in_memory(array, compiler)
    # A constant table is read from memory, per thread nothing is kept.

    return not (is_table(array) or is_vector(array) or (array.bytes <= lds and not has_sums(array)))


# Where executions have left arrays and objects, for the next ones of the kernel.


# Arrays by name and place: those of a `Placement`.
_Places: TypeAlias = "tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]"


class Seen(NamedTuple):
    """What an execution of a function saw, for whichever compiler: its arrays, all of them if it is complete; what it
    noted of its objects, beside so much `work`; led_out: as in `ArrayUse`.
    """

    arrays: Sequence[PrivateArray] = ()
    complete: bool = False
    indexed: tuple[Indexed, ...] = ()
    work: float = 0.0
    led_out: frozenset[Variable] = frozenset()


class SettledMemory:
    """Where the last execution left arrays, by compiler: by name and place, for each instantiation of a template has a
    tree of its own. The next one is executed with them at first: where it sees them as well, which is the rule, it need
    not be executed a second time. seen: what the last execution of a function saw, whatever it was for. cut_off:
    compilers by which some instantiation was too large to be executed whole.
    """

    __slots__ = ("_found", "cut_off", "seen")

    def __init__(self) -> None:
        self.seen: dict[Function, Seen] = {}
        self.cut_off: set[Compiler] = set()
        self._found: dict[Compiler, _Places] = {}

    def like(self, arrays: tuple[PrivateArray, ...], compiler: Compiler) -> Placement | None:
        """Where the arrays of an instantiation were in another, None if none has said so."""
        places = self._found.get(compiler)
        if places is None:
            return None
        memory, filled = (
            frozenset(array.variable for array in arrays if _place(array.variable) in part) for part in places
        )
        return Placement(memory, filled)

    def note(self, arrays: Placement, compiler: Compiler) -> None:
        """An execution has settled: its arrays are there."""
        self._found[compiler] = frozenset(map(_place, arrays.memory)), frozenset(map(_place, arrays.filled))

    def forget(self, compiler: Compiler) -> None:
        """Another instantiation has come to something else."""
        self._found.pop(compiler, None)

    def moved(self, edits: Sequence[Edit]) -> SettledMemory:
        """The same for a text with these edits, where arrays are further on or back."""
        settled = SettledMemory()
        grown = [(edit.span.start, len(edit.text.encode()) - (edit.span.end - edit.span.start)) for edit in edits]

        def later(places: frozenset[tuple[str, int]]) -> frozenset[tuple[str, int]]:
            return frozenset((name, start + sum(more for at, more in grown if at <= start)) for name, start in places)

        for compiler, (memory, filled) in self._found.items():
            settled._found[compiler] = later(memory), later(filled)
        return settled


def _place(variable: Variable) -> tuple[str, int]:
    return variable.name, variable.span.start
