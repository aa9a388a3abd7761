"""Which arrays with an index known at run time clang makes vector registers of: not all of them, if there are many.

LLVM's AMDGPUPromoteAlloca (19.1) runs twice, and each time spends up to a quarter of the registers that the launch
bounds leave, on the arrays that are used most. Whatever finds no room stays in memory (checked on gfx906, gfx90a,
gfx1030 and gfx1100 with up to 8 arrays, with and without bounds).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Cast, Constant
from regpress_lint.source_level.arrays import AMD_VECTOR_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.source_level.arrays import Access, PrivateArray

_RUNS = 2
_SHARE = 4  # of the registers, which have 4 bytes: a run may spend as many bytes as there are registers
_WORD = 4
_LOOP_WEIGHT = 4
_MOST_COPIES = 16


def is_vector(array: PrivateArray) -> bool:
    """True for an array that clang makes a vector register of, whatever the index, if there is room."""
    type_ = array.variable.type
    scalars = len(array.variable.dims) == 1 and (type_.pointers > 0 or not (type_.struct or type_.lanes > 1))
    fits = scalars and (array.elements or 0) <= AMD_VECTOR_ELEMENTS and _in_whole_elements(array)
    return fits and not has_sums(array)


def has_sums(array: PrivateArray) -> bool:
    """True for an array that is indexed as `p[1 + s]` through a pointer: LLVM takes the constant out of the index into
    an address of its own, and AMDGPUPromoteAlloca takes neither a vector nor LDS where an index needs a sum
    (`tests/test_pointer_sums.py`). By the array's name the index stays whole.
    """
    return any(map(_is_sum, array.accesses))


def _is_sum(access: Access) -> bool:
    if not access.dynamic or not access.pointer or len(access.indices) != 1:
        return False
    index = access.indices[0]
    while isinstance(index, Cast):
        index = index.operand
    sides = (index.left, index.right) if isinstance(index, Binary) and index.op in ("+", "-") else ()
    return any(isinstance(side, Constant) and bool(side.value) for side in sides)


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
