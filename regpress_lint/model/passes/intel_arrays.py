"""Which private arrays at run-time indices IGC keeps in registers."""

from __future__ import annotations

from itertools import chain, dropwhile, zip_longest
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import (
    Assign,
    Block,
    Conditional,
    Constant,
    Declare,
    Evaluate,
    If,
    Index,
    InitList,
    Name,
)
from regpress_lint.cpp.traversal import nodes_of, uncast, walk, written_alike
from regpress_lint.source.array_kinds import literals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Expr, Stmt, Variable
    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.source.arrays import Access, PrivateArray
    from regpress_lint.targets.compilers.traits import Compiler
    from regpress_lint.targets.occupancy import Architecture


# IGC gives a work-item 48 registers of 32 bits at 8 lanes for each of them (LowerGEPForPrivMem.cpp), fewer if a kernel
# sets more lanes, twice as many with 256 GRFs. It counts 8 lanes if the kernel sets none, whichever size it then
# chooses. `tools/measure/intel_arrays.py` compiles arrays at these limits with IGC 1.0.12504 for pvc.


_BYTES = 48 * 4
_LANES = 8
GRFS = 128
# Where nothing asks for lanes IGC takes 32, and an array that exists twice is more than it counts: it spills, and IGC
# compiles again with the array in memory. That is so of one that a loop changes and of one that is only read, by the
# bytes of an element; as much of either stays where it exists once (`test_intel_arrays_twice.py`).
_CHANGED_BYTES = 132
_CHANGED_WIDE_BYTES = 96
_READ_BYTES = 112  # if all its elements have values of their own: as the array and as the values it is so much twice
_WORD = 4
_VECTOR, _FEW_WORDS = 32, (4, 12, 16)  # bytes that it sets at a time, and of arrays that are less than that
_FOLDED = 8  # bytes: LLVM's passes make one number of the copy of so small a table, and then it is a variable
_COPIED = {2: (16, 32), 8: (16,)}  # by the bytes of an element, of arrays that it copies in one piece


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
    newer = _BYTES * (grf_bytes // 32) * compiler.grfs // GRFS * _LANES // lanes
    return Limits(_measured(array, compiler, element_bytes), newer, _never_promoted(array), _is_filled_in_pieces(array))


def stays_in_memory(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array at run-time indices, of known size, that IGC 1.0.12504 keeps in memory, at its first try at
    least. An array that is initialised with constants and only read is stored with the program: it takes no memory of a
    work-item, unless it begins as zeros.
    """
    assert array.bytes is not None
    if array.bytes > _FOLDED and is_stored(array):
        return False
    too_large = array.bytes > _counted(compiler)
    return not compiler.promotes or _never_promoted(array) or too_large or _is_filled_in_pieces(array)


def is_stored(array: PrivateArray) -> bool:
    """True for a table of constants that is stored with the program, unless it is folded into a number."""
    return array.table and _filled(array) != "zeros"


def stays_uniform(array: PrivateArray, compiler: Compiler) -> bool:
    """The same for an array that all threads fill alike, of which they hold one copy in common. What is volatile, or
    handed to a function, stays where it is.
    """
    size, share = array.bytes, compiler.uniform_share
    if size is None or array.variable.volatile_span is not None or array.handed or array.escapes:
        return True
    too_large = -(-size // share) > _counted(compiler)
    return not compiler.promotes or _never_promoted(array) or too_large or _is_filled_in_pieces(array)


def _filled(array: PrivateArray) -> Literal["zeros", "constants"] | None:
    """What an initialiser copies or sets in one piece, None for other arrays."""
    init = array.variable.init
    if not isinstance(init, InitList):
        return None
    values = list(literals(init))
    if any(value is None for value in values):
        return None
    return "constants" if any(values) else "zeros"


def _is_filled_in_pieces(array: PrivateArray) -> bool:
    """True where IGC sets an array, or copies what it begins with, piece by piece or by vectors of others than its own
    elements: that leaves the array in memory (`test_filled_arrays.py` has what ocloc made of it).
    """
    fill, size = _filled(array), array.bytes
    if fill is None or size is None:
        return False
    ends = _written_ends(array, front=fill == "zeros") if size > _FOLDED else 0
    copied = size - (array.element_bytes or 0) * ends
    if array.element_bytes == _WORD:
        return copied not in _FEW_WORDS and copied % _VECTOR != 0
    if array.element_bytes == _FOLDED and copied <= _FOLDED:
        return False
    return fill == "zeros" or size not in _COPIED.get(array.element_bytes or 0, ())


def _written_ends(array: PrivateArray, *, front: bool) -> int:
    """Elements at the end of an array that are written before anything of it is read: LLVM takes them out of what is
    set or copied in one piece. front: those at its beginning as well, which it leaves in a copy.
    """
    first = _first_written(array)
    elements = array.elements or 0
    behind = next((count for count in range(elements) if elements - 1 - count not in first), elements)
    before = next((count for count in range(elements) if count not in first), elements) if front else 0
    return min(elements, behind + before)


def _first_written(array: PrivateArray) -> set[int]:
    """Elements that statements of the block of an array's declaration write before any reads of the array."""
    written: set[int] = set()
    blocks = (node.statements for node in nodes_of(array.function) if isinstance(node, Block))
    statements = next((block for block in blocks if any(_declares(statement, array) for statement in block)), ())
    for statement in dropwhile(lambda statement: not _declares(statement, array), statements):
        inside = [access for access in array.described if statement.span.contains(access.span)]
        if any(access.kind != "write" for access in inside):
            break
        places = [_place(array, access) for access in inside] if isinstance(statement, Evaluate) else []
        written.update(place for place in places if place is not None)
    return written


def _declares(statement: Stmt, array: PrivateArray) -> bool:
    return isinstance(statement, Declare) and array.variable in statement.variables


def _place(array: PrivateArray, access: Access) -> int | None:
    """The number of an element at constant indices, None for others."""
    place = 0
    for dim, index in zip_longest(array.variable.dims, access.indices):
        size, at = (uncast(expr) if expr is not None else None for expr in (dim, index))
        if not isinstance(size, Constant) or not isinstance(at, Constant):
            return None
        if not isinstance(size.value, int) or not isinstance(at.value, int):
            return None
        place = place * size.value + at.value
    return place


def spills(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array that IGC keeps in registers at first, though it is alone too much for them."""
    size = array.bytes or 0
    return _measured(array, compiler, array.element_bytes) < size <= _counted(compiler)


def holds_too_much(array: PrivateArray, compiler: Compiler) -> bool:
    """True for an array that is no longer held whatever its indices are: constants and equal values take nothing."""
    size = array.bytes or 0 if array.accesses else 0
    held = size if array.fill is None else min(size, array.fill.values * (array.element_bytes or _WORD))
    return held > compiler.gives_up_beyond


def keeps_object(accesses: Sequence[Indexed], compiler: Compiler) -> bool:
    """True for a local struct that is nothing but one array, at run-time indices: IGC takes it for the array."""
    size, element = accesses[0].bytes or 0, accesses[0].element_bytes
    if not compiler.promotes or accesses[0].variable.storage != "local" or element is None or element == 1:
        return False
    return size <= _limit(compiler, element, "changed" if any(access.write for access in accesses) else None)


def is_changed(array: PrivateArray) -> bool:
    """True for an array that is written at run-time indices."""
    return any(_writes(access) for access in array.dynamic)


def _writes(access: Access) -> bool:
    return access.kind in ("write", "update")


def _as_values(array: PrivateArray) -> Literal["read", "changed"] | None:
    """The use of an array most of whose elements are set one by one and used so again: IGC has them as values and as
    an array if it is only read at run-time indices, or if a loop changes it. None where it exists once.
    """
    fixed = [access for access in array.accesses if not access.dynamic]
    if array.variable.init is None and not any(map(_writes, fixed)):
        return None
    if 2 * sum(_copies(access) for access in fixed if access.kind in ("read", "update")) < (array.elements or 0):
        return None
    few = array.variable.init is None and array.fill is not None and 2 * array.fill.writes < (array.elements or 0)
    rolled = [access for access in array.accesses if not all(loop.unrolled for loop in access.loops)]
    if any(map(_writes, rolled)) and not (few and _only_fills(rolled)):
        return "changed"
    return None if few or is_changed(array) else "read"


def _only_fills(accesses: Sequence[Access]) -> bool:
    """True for accesses of loops that write what they do not read."""
    read = {access.loops[-1].loop for access in accesses if access.kind != "write"}
    return all(access.loops[-1].loop not in read for access in accesses if _writes(access))


def _copies(access: Access) -> int:
    """Copies of an access at a constant index."""
    return prod(loop.trip_count or 1 for loop in access.loops if loop.unrolled)


def read_by_either_side(arrays: Sequence[PrivateArray]) -> frozenset[Variable]:
    """Arrays of which one of two elements is read: `c ? a[i] : b[k]`, `c ? a[i][k] : a[k][i]`. LLVM reads once, by a
    pointer that is the one or the other, and IGC leaves what it points at in memory. Not where one index alone differs,
    which it then picks instead, and not where an element is at a constant index, which of two arrays is read before.
    """
    if not any(array.dynamic for array in arrays):
        return frozenset()
    reads = {access.span: (array, access) for array in arrays for access in array.accesses if access.kind == "read"}
    read: set[Variable] = set()
    for function in dict.fromkeys(access.function for _, access in reads.values()):
        for then, otherwise in chain.from_iterable(map(_sides, nodes_of(function))):
            read.update(array.variable for array, _ in _either(then, otherwise, reads))
    return frozenset(read)


def _sides(node: Expr | Stmt) -> Iterator[tuple[Expr, Expr]]:
    """The values of which a conditional is one, or a branch gives one to a variable."""
    if isinstance(node, Conditional) and not _reads_both(node):
        yield node.then, node.other
    elif isinstance(node, If) and node.other is not None:
        then, otherwise = dict(_given(node.then)), dict(_given(node.other))
        yield from ((then[variable], otherwise[variable]) for variable in then.keys() & otherwise.keys())


def _reads_both(node: Conditional) -> bool:
    """True if the condition has read what is on both sides."""
    inside = {written_alike(part) for part in walk(node.test) if isinstance(part, Index)}
    return written_alike(node.then) in inside and written_alike(node.other) in inside


def _given(branch: Stmt) -> Iterator[tuple[Variable, Expr]]:
    for statement in branch.statements if isinstance(branch, Block) else (branch,):
        expr = statement.expression if isinstance(statement, Evaluate) else None
        if isinstance(expr, Assign) and isinstance(expr.target, Name) and expr.target.variable is not None:
            yield expr.target.variable, expr.value


_Reads: TypeAlias = "Mapping[Span, tuple[PrivateArray, Access]]"


def _either(then: Expr, otherwise: Expr, reads: _Reads) -> list[tuple[PrivateArray, Access]]:
    """The elements that one pointer leads to by turns; [] where there is none."""
    first_reads, second_reads = _leaves(then, reads), _leaves(otherwise, reads)
    if not first_reads or not second_reads:
        return []
    (array, first), (beside, second) = first_reads[0], second_reads[0]
    if array.variable.type.lanes > 1 or array.variable.type.name != beside.variable.type.name:
        return []
    if array is not beside:
        return [*first_reads, *second_reads] if first.dynamic and second.dynamic else []
    differ = sum(written_alike(a) != written_alike(b) for a, b in zip(first.indices, second.indices, strict=False))
    return [*first_reads, *second_reads] if differ > 1 and (first.dynamic or second.dynamic) else []


def _leaves(side: Expr, reads: _Reads) -> list[tuple[PrivateArray, Access]]:
    side = uncast(side)
    if isinstance(side, Conditional):
        return _either(side.then, side.other, reads)
    return [reads[side.span]] if side.span in reads else []


def _never_promoted(array: PrivateArray) -> bool:
    """True for elements that IGC never indexes in registers: 8 bits, and structs."""
    type_ = array.variable.type
    return array.element_bytes == 1 or (type_.struct and type_.lanes <= 1 and not type_.pointers)


def _counted(compiler: Compiler) -> int:
    """Bytes of an array that IGC takes out of memory at first."""
    return _BYTES * _LANES // (compiler.lanes or _LANES) * compiler.grfs // GRFS


def _measured(array: PrivateArray, compiler: Compiler, element_bytes: int | None) -> int:
    use = _as_values(array)
    limit = _limit(compiler, element_bytes, use)
    if use != "read" or array.fill is None or isinstance(array.variable.init, InitList):
        return limit
    return max(limit, min(_counted(compiler), 2 * limit - array.fill.values * (element_bytes or _WORD)))


def _limit(compiler: Compiler, element_bytes: int | None, use: Literal["read", "changed"] | None) -> int:
    """Bytes up to which an array stays. use: see `_as_values`."""
    limit = _counted(compiler)
    if use is None or compiler.lanes is not None or compiler.grfs != GRFS:
        return limit
    wide = (element_bytes or 0) > _WORD
    return min(limit, _READ_BYTES if use == "read" else _CHANGED_WIDE_BYTES if wide else _CHANGED_BYTES)
