"""Which arrays with an index known at run time ptxas takes out of local memory.

ptxas sees one frame with everything in it that nvcc has left in local memory, and turns it into registers as a whole or
not at all: an access becomes a chain of selects over the frame's words. The numbers are a fit to 2,200 small kernels;
of others like them they get 93 % right (`benchmarks/measure_promotion.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax import Binary, Name, Update
from regpress_lint.cpp.traversal import written_alike
from regpress_lint.source_level.tables import constant_table

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from regpress_lint.cpp.constants import Environment
    from regpress_lint.source_level.arrays import Access, PrivateArray

_WORD = 4
_MOST_WORDS = 88
_AT_ONCE, _MOST_IN_FOURS = 4, 32
# Selects of an access for each word of the frame beyond some, and how often they run in a loop that stays one.
_FREE_WORDS = 4.5
_KINDS = {"write": 0.5, "update": 2.0}
IN_LOOP = 6
_MOST_COPIES = 16
# What the selects may cost: more for a frame that is filled by single stores, less for a table that is copied there.
_ALLOWED, _UNFILLED = 25.0, 20.0
_STORED, _STORED_AGAIN, _COPIED = 1.5, 15.0, -0.6


def frame_pays(arrays: Sequence[PrivateArray], env: Environment) -> bool:
    """True if the frame with all arrays that nvcc has left in memory is turned into registers."""
    found = [array for array in arrays if array.bytes and (array.dynamic or array.variable.volatile_span is not None)]
    found = [array for array in found if not _in_fours(array, env)]
    return not found or (all(map(_has_words, found)) and _pays(found, env))


def _in_fours(array: PrivateArray, env: Environment) -> bool:
    """True for a small table that loops only step through from a constant on: nvcc unrolls them four times, reads four
    words at once, and ptxas then has so few places to select from that it needs no frame.
    """
    elements = array.elements
    if elements is None or elements % _AT_ONCE or elements > _MOST_IN_FOURS or array.element_bytes != _WORD:
        return False
    if array.variable.volatile_span is not None or array.escapes or constant_table(array, env) is None:
        return False
    return all(len(access.indices) == 1 and _steps_through(access, env) for access in array.dynamic)


def _steps_through(access: Access, env: Environment) -> bool:
    index, loop = access.indices[0], access.loops[-1] if access.loops else None
    if loop is None or loop.unrolled or not isinstance(loop.loop.step, Update):
        return False
    if isinstance(index, Binary) and index.op in ("+", "-") and evaluate(index.right, env) is not None:
        index = index.left
    if not isinstance(index, Name) or index.variable is not loop.counter or loop.counter is None:
        return False
    return evaluate(loop.counter.init, env) is not None


def _has_words(array: PrivateArray) -> bool:
    """True if all that is read and written has 32 bits: ptxas selects among nothing else."""
    if array.variable.volatile_span is not None:
        return False
    return all(_is_word(access) for access in array.accesses if access.indices) and _is_plain(array)


def _is_plain(array: PrivateArray) -> bool:
    type_ = array.variable.type
    return type_.pointers == 0 and (type_.struct or (type_.size or 0) == _WORD * type_.lanes)


def _is_word(access: Access) -> bool:
    type_ = access.type
    if type_ is None or type_.size is None or type_.struct:
        return True
    return type_.pointers == 0 and type_.size == _WORD * type_.lanes


def _pays(arrays: Sequence[PrivateArray], env: Environment) -> bool:
    words = sum(array.bytes or 0 for array in arrays) // _WORD
    elements = sum(array.elements or 0 for array in arrays)  # a struct is selected as one
    filled = [array for array in arrays if _is_filled(array)]
    if words > _MOST_WORDS:
        return False
    if not filled and any(_rolled(access) for array in arrays for access in array.dynamic):
        return False
    allowed = _ALLOWED if filled else _UNFILLED
    allowed += sum((array.bytes or 0) // _WORD * _worth(array, env) for array in filled)
    return _cost(arrays) * max(elements - _FREE_WORDS, 0) <= allowed


def object_pays(words: int, reads: float, writes: float) -> bool:
    """`_pays` for one struct; accesses in loops count `IN_LOOP` times."""
    cost = reads + _KINDS["write"] * writes
    return words <= _MOST_WORDS and cost * max(words - _FREE_WORDS, 0) <= _ALLOWED + _STORED * words


def _is_filled(array: PrivateArray) -> bool:
    """True if elements are written at constant indices; else the whole life of the array is in run-time loops."""
    if array.variable.init is not None:
        return True
    return any(map(_fills, array.accesses))


def _worth(array: PrivateArray, env: Environment) -> float:
    """Selects that a word's store is worth: many where the array is filled again in the loop that uses it, none where
    constants are stored.
    """
    if constant_table(array, env) is not None:
        return _COPIED
    used = max(sum(not loop.unrolled for loop in access.loops) for access in array.dynamic)
    filled = max(
        (sum(not loop.unrolled for loop in access.loops) for access in array.accesses if _fills(access)), default=0
    )
    return _STORED_AGAIN if 0 < used <= filled else _STORED


def _fills(access: Access) -> bool:
    return access.kind == "write" and not access.dynamic


def _cost(arrays: Sequence[PrivateArray]) -> float:
    total = 0.0
    for array in arrays:
        seen: set[Hashable] = set()
        for access in array.dynamic:
            key = (access.kind, access.loops[-1:], tuple(map(written_alike, access.indices)))
            if key not in seen:
                seen.add(key)
                total += _KINDS.get(access.kind, 1.0) * _copies(access) * (IN_LOOP if _rolled(access) else 1)
    return total


def _rolled(access: Access) -> bool:
    return any(not loop.unrolled for loop in access.loops)


def _copies(access: Access) -> int:
    copies = 1
    for loop in access.loops:
        if loop.unrolled:
            copies *= max(loop.trip_count or 1, 1)
    return min(copies, _MOST_COPIES)
