"""Register tiles: private arrays of two dimensions or more into which the loops of a kernel accumulate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Call, Index, Unary
from regpress_lint.cpp.traversal import depends_on, walk, written_alike

if TYPE_CHECKING:
    from regpress_lint.source_level.arrays import Access, PrivateArray

_TILE_LOOPS = 2


def is_tile(array: PrivateArray) -> bool:
    """True for an array that a loop adds to, element by element of at least two other loops, as a blocked matrix
    product does with its accumulators.
    """
    reads = {_key(access) for access in array.described if access.kind == "read"}
    return any(
        access.kind == "update" or (access.kind == "write" and _key(access) in reads)
        for access in array.described
        if _picked_by_loops(access)
    )


def _key(access: Access) -> tuple[object, ...]:
    return access.loops, tuple(map(written_alike, access.indices))


def _picked_by_loops(access: Access) -> bool:
    if len(access.loops) <= _TILE_LOOPS or not access.indices:
        return False
    if any(isinstance(node, (Call, Index, Unary)) for index in access.indices for node in walk(index)):
        return False  # whose element it is lies in memory: a histogram
    picking = [
        loop.counter is not None and any(depends_on(index, loop.counter) for index in access.indices)
        for loop in access.loops
    ]
    return sum(picking) >= _TILE_LOOPS and not all(picking)
