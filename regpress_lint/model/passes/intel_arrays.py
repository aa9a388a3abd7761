"""Which private arrays at run-time indices IGC keeps in registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.syntax_tree import InitList
from regpress_lint.source.arrays import literals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.model.graph.objects import Indexed
    from regpress_lint.source.arrays import PrivateArray
    from regpress_lint.targets.compilers.traits import Compiler
    from regpress_lint.targets.occupancy import Architecture


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
