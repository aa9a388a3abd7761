"""Which private arrays a compiler takes out of memory, into registers: the only place that decides it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import Binary, Cast, Constant, InitList, Name, Unary, Update
from regpress_lint.model.passes.nvidia_arrays import NOTHING, Beside, frame_pays
from regpress_lint.targets.compilers.amdgpu import AMD_LDS_BYTES, AMD_VECTOR_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.constants import Environment
    from regpress_lint.cpp.syntax_tree import Expr, Function, Loop, Variable
    from regpress_lint.model.graph.objects import Indexed, Path
    from regpress_lint.model.interpreter.array_pointers import Pointed
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.source.arrays import Access, PrivateArray, Reach
    from regpress_lint.source.loop_facts import LoopFacts
    from regpress_lint.targets.compilers.traits import Compiler, Indexing
    from regpress_lint.targets.occupancy import Architecture


# Which private arrays at run-time indices IGC keeps in registers: the only place that says it for Intel.
#
# IGC gives a work-item 48 registers of 32 bits at 8 lanes for each of them (LowerGEPForPrivMem.cpp), fewer if a kernel
# sets more lanes, twice as many with 256 GRFs. It counts 8 lanes if the kernel sets none, whichever size it then
# chooses. `tools/measure/intel_arrays.py` compiles arrays at these limits with IGC 1.0.12504 for pvc.


_BYTES = 48 * 4
_LANES = 8
_GRFS = 128
# Where nothing asks for lanes IGC takes 32, and an array that is changed at run-time indices takes part in more than it
# counts: it spills, and IGC compiles again with the array in memory.
_CHANGED_BYTES = 132
_CHANGED_WIDE_BYTES = 96
_WORD = 4
_VECTOR, _FEW_WORDS = 32, (4, 12, 16)  # bytes that it sets at a time, and of arrays that are less than that
_COPIED = {2: (16, 32), 8: (16,)}  # by the bytes of an element, of arrays that it copies in one piece
_FOLDED = 8  # bytes: a constant table of so many is copied as one number, and then a variable


class Limits(NamedTuple):
    """Bytes up to which an array stays in registers. measured: with IGC 1.0.12504. newer: with versions that count the
    lanes that the device has at least, and the width of its registers (IGC 98fff7164). never: none of its kind does.
    in_pieces: its initialiser is what keeps it in memory, whatever its size.
    """

    measured: int
    newer: int
    never: bool
    in_pieces: bool


def limits(array: PrivateArray, compiler: Compiler, arch: Architecture, element_bytes: int | None) -> Limits:
    """The limits of an array that is indexed at run time, had its elements that many bytes."""
    grf_bytes = next((mode.bytes_per_register for mode in arch.grf_modes), 32)
    lanes = max(min(arch.wave_sizes), compiler.lanes or 0)
    newer = _BYTES * (grf_bytes // 32) * compiler.grfs // _GRFS * _LANES // lanes
    return Limits(_measured(array, compiler, element_bytes), newer, _never_promoted(array), _is_filled_in_pieces(array))


def stays_in_memory(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array at run-time indices, of known size, that IGC 1.0.12504 keeps in memory, at its first try at
    least. An array that is initialised with constants and only read is stored with the program: it takes no memory of a
    work-item, but for one that begins as zeros.
    """
    assert array.bytes is not None
    if array.table and array.bytes > _FOLDED and _filled(array) != "zeros":
        return False
    too_large = array.bytes > _counted(compiler)
    return not compiler.promotes or _never_promoted(array) or too_large or _is_filled_in_pieces(array)


def _filled(array: PrivateArray) -> Literal["zeros", "constants"] | None:
    """What an initialiser copies or sets in one piece, None for other arrays."""
    init = array.variable.init
    if not isinstance(init, InitList):
        return None
    values = list(_literals(init))
    if any(value is None for value in values):
        return None
    return "constants" if any(values) else "zeros"


def _literals(init: InitList) -> Iterator[int | float | None]:
    """The numbers of an initialiser, None for anything else."""
    for item in init.items:
        if isinstance(item, InitList):
            yield from _literals(item)
        else:
            bare = item.operand if isinstance(item, Unary) and item.op == "-" else item
            yield bare.value if isinstance(bare, Constant) else None


def _is_filled_in_pieces(array: PrivateArray) -> bool:
    """True where IGC sets an array, or copies what it begins with, piece by piece or by vectors of others than its own
    elements: that leaves the array in memory (`test_filled_arrays.py` has what ocloc made of it).
    """
    fill, size = _filled(array), array.bytes
    if fill is None or size is None:
        return False
    if array.element_bytes == _WORD:
        return size not in _FEW_WORDS and size % _VECTOR != 0
    return fill == "zeros" or size not in _COPIED.get(array.element_bytes or 0, ())


def spills(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array that IGC keeps in registers at first, though it is alone too much for them."""
    size = array.bytes or 0
    return is_changed(array) and _measured(array, compiler, array.element_bytes) < size <= _counted(compiler)


def keeps_object(accesses: Sequence[Indexed], compiler: Compiler) -> bool:
    """True for a local struct that is nothing but one array, at run-time indices: IGC takes it for the array."""
    size, element = accesses[0].bytes or 0, accesses[0].element_bytes
    if not compiler.promotes or accesses[0].variable.storage != "local" or element is None or element == 1:
        return False
    return size <= _limit(compiler, element, changed=any(access.write for access in accesses))


def is_changed(array: PrivateArray) -> bool:
    """True for an array that is written at run-time indices: while that is done it exists twice."""
    return any(access.kind in ("write", "update") for access in array.dynamic)


def _never_promoted(array: PrivateArray) -> bool:
    """True for elements that IGC never indexes in registers: 8 bits, and structs."""
    type_ = array.variable.type
    return array.element_bytes == 1 or (type_.struct and type_.lanes <= 1 and not type_.pointers)


def _counted(compiler: Compiler) -> int:
    """Bytes of an array that IGC takes out of memory at first."""
    return _BYTES * _LANES // (compiler.lanes or _LANES) * compiler.grfs // _GRFS


def _measured(array: PrivateArray, compiler: Compiler, element_bytes: int | None) -> int:
    return _limit(compiler, element_bytes, changed=is_changed(array))


def _limit(compiler: Compiler, element_bytes: int | None, *, changed: bool) -> int:
    limit = _counted(compiler)
    if changed and compiler.lanes is None and compiler.grfs == _GRFS:
        wide = (element_bytes or 0) > _WORD
        limit = min(limit, _CHANGED_WIDE_BYTES if wide else _CHANGED_BYTES)
    return limit


# Which arrays with an index known at run time clang makes vector registers of: not all of them, if there are many.
#
# LLVM's AMDGPUPromoteAlloca (19.1) runs twice, and each time spends up to a quarter of the registers that the launch
# bounds leave, on the arrays that are used most. Whatever finds no room stays in memory (checked on gfx906, gfx90a,
# gfx1030 and gfx1100 with up to 8 arrays, with and without bounds).


_RUNS = 2
_SHARE = 4  # of the registers, which have 4 bytes: a run may spend as many bytes as there are registers
_LOOP_WEIGHT = 4
_MOST_COPIES = 16
_WRITES = ("write", "update")
_OF_FUNCTIONS = 32  # bytes of vectors in a function that is no kernel: a quarter of 32 registers
_IN_KERNELS = frozenset(("global", "forceinline"))


def is_vector(array: PrivateArray) -> bool:
    """True for an array that clang makes a vector register of, whatever the index, if there is room."""
    type_ = array.variable.type
    scalars = len(array.variable.dims) == 1 and (type_.pointers > 0 or not (type_.struct or type_.lanes > 1))
    fits = scalars and (array.elements or 0) <= AMD_VECTOR_ELEMENTS and _in_whole_elements(array)
    return fits and not has_sums(array) and "offset" not in array.reached and not _is_split(array)


def _is_split(array: PrivateArray) -> bool:
    """True for an array that LLVM takes apart after it was inlined, because its indices are constants by then, except
    one that depends on the path taken: the parts stay in memory. In a function by itself it makes vectors of few
    registers only, and a function marked to be inlined anyway it sees in the kernel first (`test_split_arrays.py`).
    """
    if "joined" not in array.reached or array.function.qualifiers & _IN_KERNELS:
        return False
    return (array.bytes or 0) > _OF_FUNCTIONS


def has_sums(array: PrivateArray) -> bool:
    """True for an array that is indexed as `p[1 + s]` through a pointer: LLVM takes the constant out of the index into
    an address of its own, and AMDGPUPromoteAlloca takes neither a vector nor LDS where an index needs a sum
    (`test_pointer_sums.py`). By the array's name the index stays whole, and so it does where the sum can wrap
    around, where it is the next value of a loop's counter, and where two neighbours are written as one vector.
    """
    sums = [(access, base) for access in array.accesses if (base := _summed(access)) is not None]
    return any(not _is_pair(access, base, array, sums) for access, base in sums)


def _summed(access: Access) -> Expr | None:
    """The term that a constant is added to in an index that becomes an address of an address, None for others."""
    if not access.dynamic or not access.pointer or len(access.indices) != 1:
        return None
    index = _bare(access.indices[0])
    if not isinstance(index, Binary) or index.op not in ("+", "-"):
        return None
    base, more = (index.right, index.left) if isinstance(index.left, Constant) else (index.left, index.right)
    if not isinstance(more, Constant) or not more.value or _wraps(base):
        return None
    return None if index.op == "+" and more.value == 1 and _counts(base, access) else base


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def _wraps(base: Expr) -> bool:
    """True for a number of 32 bits without a sign."""
    type_ = base.variable.type if isinstance(base, Name) and base.variable is not None else None
    return type_ is not None and not type_.signed and not type_.pointers and type_.size == _WORD


def _counts(base: Expr, access: Access) -> bool:
    """True for the counter of a loop that stays, one more in each iteration."""
    if not isinstance(base, Name) or base.variable is None:
        return False
    loops = [loop.loop for loop in access.loops if not loop.unrolled and loop.counter is base.variable]
    return any(isinstance(loop.step, Update) and loop.step.op == "++" for loop in loops)


def _is_pair(access: Access, base: Expr, array: PrivateArray, sums: Iterable[tuple[Access, Expr]]) -> bool:
    """True for one of two neighbours, `p[s]` and `p[s + 1]`, that are written side by side."""
    if access.kind not in _WRITES or not isinstance(base, Name):
        return False
    others = [one for one, other in sums if isinstance(other, Name) and other.variable is base.variable]
    beside = (one for one in array.accesses if one.kind in _WRITES and len(one.indices) == 1)
    return others == [access] and any(_names(one.indices[0], base) for one in beside if one.loops == access.loops)


def _names(index: Expr, base: Name) -> bool:
    index = _bare(index)
    return isinstance(index, Name) and index.variable is base.variable


def _in_whole_elements(array: PrivateArray) -> bool:
    """False if a pointer of another type reads or writes a part of an element: LLVM then makes no vector."""
    size = array.element_bytes
    if not size:
        return True
    types = (access.type for access in array.described if access.dynamic)
    return all(type_ is None or not type_.size or type_.size % size == 0 for type_ in types)


def budget(registers: int) -> int:
    """Bytes of such arrays that a kernel can have with so many registers, if they fill it evenly."""
    return _RUNS * registers * _WORD // _SHARE


def crowded_out(
    arrays: Iterable[PrivateArray], memory: Collection[Variable], registers: int
) -> tuple[PrivateArray, ...]:
    """Arrays that would be vectors without the others. memory: those that stay there in any case; registers: the most
    that the launch bounds leave a thread.
    """
    waiting = [array for array in arrays if array.variable not in memory and _is_asked_for(array)]
    waiting.sort(key=_uses, reverse=True)
    for _ in range(_RUNS):
        room = registers * _WORD // _SHARE
        rest: list[PrivateArray] = []
        for array in waiting:
            size = array.bytes or 0
            if size <= room:
                room -= size
            else:
                rest.append(array)
        waiting = rest
    return tuple(waiting)


def _is_asked_for(array: PrivateArray) -> bool:
    return bool(array.dynamic and array.bytes) and is_vector(array) and not array.table


def _uses(array: PrivateArray) -> int:
    """How often an array is used, loops and copies counted as the pass weighs them."""
    total = 0
    for access in array.accesses:
        copies, depth = 1, 0
        for loop in access.loops:
            if loop.unrolled:
                copies *= loop.trip_count or 1
            else:
                depth += 1
        total += min(copies, _MOST_COPIES) * (1 + _LOOP_WEIGHT * depth)
    return total


# Which private arrays a compiler takes out of memory, into registers: the only place that decides it.
#
# The execution of a kernel notes every access to an array: whether its index is a constant in the copies that were
# made of the loops around it. Arrays with run-time indices stay in memory, except small arrays, which each compiler
# treats in its own way.

# Pointers that keep an array in memory, by what would take it out; the tests ask clang and ocloc.
_FRAMED: Mapping[Indexing, frozenset[Reach]] = {
    "vector": frozenset(("moving", "indexed either")),
    "select": frozenset(),
    "indirect": frozenset(("moving", "either", "indexed either")),
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
    accesses, as in `dynamic`, of which every index was one constant or another. within: by the places of `copied`, the
    loops that stay ones around accesses in functions.
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
    within: Mapping[tuple[str, int, int], Loop] = MappingProxyType({})


def notes_of(machine: Machine) -> Notes:
    """The notes of an execution."""
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
    moved = set(machine.handed_on)
    within: dict[tuple[str, int, int], Loop] = {}
    for variable, at, moving, path, pointer, loop in machine.tally.elements:
        key = variable, at.start
        if loop is not None:
            within[variable.name, variable.span.start, at.start] = loop
        dynamic[key] = moving or dynamic.get(key, False)
        if not pointer:
            touched.setdefault(variable, set()).add(path[: len(variable.dims)])
        if moving:
            moved.add(variable)
            if not pointer:
                places.setdefault((variable.name, variable.span.start), set()).add(at.start)
    counts = {variable: len(paths) for variable, paths in touched.items() if variable not in moved}
    copied = _copied(whole, dynamic, trips)
    reached = _reached(machine.pointed, {variable for (variable, _), moving in dynamic.items() if moving})
    settled = frozenset(key for key, always in machine.pointed.settled.items() if always)
    extents = machine.tally.extents
    return Notes(whole, dynamic, counts, copies, places, copied, extents, reached, settled, within)


def _reached(pointed: Pointed, indexed: AbstractSet[Variable]) -> dict[Variable, frozenset[Reach]]:
    """How pointers reach arrays. indexed: those with an index known at run time only."""
    found: dict[Variable, set[Reach]] = {}
    for variable in pointed.moving:
        found.setdefault(variable, set()).add("moving")
    for variable in pointed.offset:
        found.setdefault(variable, set()).add("offset")
    for variable in pointed.joined:
        found.setdefault(variable, set()).add("joined")
    for pair in pointed.either:
        how: Reach = "either" if indexed.isdisjoint(pair) else "indexed either"
        for variable in pair:
            found.setdefault(variable, set()).add(how)
    return {variable: frozenset(how) for variable, how in found.items()}


def _copied(
    whole: Mapping[Loop, bool],
    dynamic: Mapping[tuple[Variable, int], bool],
    trips: Mapping[Span, int | None],
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
    made: dict[LoopFacts, LoopFacts] = {}
    for loop in loops:
        parent = made[loop.parent] if loop.parent is not None else None
        whole = notes.whole.get(loop.loop)
        if whole is None:
            whole = notes.copied.whole.get(loop.loop.span, False)
        trips = notes.copied.trips.get(loop.loop.span, loop.trip_count)
        made[loop] = loop.resolved(parent, unrolled=whole, trip_count=trips)
    return tuple(made.values())


def resolved(
    arrays: Iterable[PrivateArray], notes: Notes, loops: Mapping[Function, tuple[LoopFacts, ...]]
) -> tuple[PrivateArray, ...]:
    """Arrays as the execution saw them. loops: of the functions in which an access stands, as the source shows them."""
    seen = {function: resolved_loops(found, notes) for function, found in loops.items()}
    result = []
    for array in arrays:
        accesses = []
        sized = array.sized(notes.extents)
        for access in array.accesses:
            inside = {loop.loop: loop for loop in seen[access.function]} if access.loops else {}
            around = tuple(inside.get(loop.loop, loop) for loop in access.loops)
            known = notes.dynamic.get((array.variable, access.span.start))
            here = array.variable.name, array.variable.span.start, access.span.start
            # What the execution did not come by, in a branch that is for others, costs nothing.
            moving = notes.copied.dynamic.get(here, False) if known is None else known
            pointer = access.pointer and (array.variable, access.span.start) not in notes.settled
            outside = notes.within.get(here)
            if outside is not None and any(loop.loop.span == outside.span for loop in around):
                outside = None
            seen_so = access._replace(loops=around, dynamic=moving and bool(access.indices))
            accesses.append(seen_so._replace(pointer=pointer, within=outside))
        handed = array.handed or _behind_pointers(array, notes)
        reached = notes.reached.get(array.variable, frozenset())
        result.append(sized.with_accesses(tuple(accesses), handed=handed, reached=reached))
    return tuple(result)


def filled_by_loops(arrays: Iterable[PrivateArray]) -> Iterator[Variable]:
    """Arrays that loops write at run-time indices, in an order that is not known either."""
    for array in arrays:
        if any(access.dynamic and access.kind in _WRITES and _is_uncounted(access) for access in array.accesses):
            yield array.variable


def _is_uncounted(access: Access) -> bool:
    """True for an access in a loop that runs as often as the data say."""
    kept = [loop for loop in access.loops if not loop.unrolled]
    return bool(kept) and kept[-1].trip_count is None


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
) -> frozenset[Variable]:
    """Arrays that a compiler keeps in memory; an array of unknown size counts as one in registers.

    lds: bytes per thread that clang for AMD may take of it, one array after the other. around: what else the kernel
    does.
    """
    framed = compiler.indexing == "select" and not frame_pays(arrays, env, around)
    found = set()
    for array in arrays:
        if _stays(array, compiler, lds, framed=framed):
            found.add(array.variable)
        elif _is_in_lds(array, compiler):
            lds -= array.bytes or 0
    return frozenset(found)


def _is_in_lds(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array that stays out of memory only because LDS takes it."""
    return compiler.indexing == "vector" and _stays(array, compiler, 0, framed=False)


def _stays(array: PrivateArray, compiler: Compiler, lds: int, *, framed: bool) -> bool:
    """True for an array that stays in memory. framed: a compiler that selects keeps its frame."""
    if array.variable.volatile_span is not None:
        return True
    if array.handed and (compiler.local is None or (array.bytes or 0) > lds):  # it is there for a function to find
        return True
    if array.bytes is not None and array.bytes > compiler.gives_up_beyond:
        return True
    if array.elements is not None and array.bytes is not None and array.reached & _FRAMED[compiler.indexing]:
        return True
    if not array.dynamic or array.elements is None or array.bytes is None:
        return False
    if compiler.indexing == "select":
        return framed
    if compiler.indexing == "indirect":
        return stays_in_memory(array, compiler)
    # A constant table is read from memory, per thread nothing is kept.

    return not (array.table or is_vector(array) or (array.bytes <= lds and not has_sums(array)))
