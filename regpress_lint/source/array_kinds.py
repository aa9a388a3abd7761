"""Kinds of private arrays, by their contents and accesses: a table of constants, a register tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Assign, Call, Constant, Index, InitList, Unary
from regpress_lint.cpp.traversal import depends_on, nodes_of, walk, written_alike
from regpress_lint.source.cfg import root_variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.environment import Environment
    from regpress_lint.source.arrays import Access, PrivateArray

# A table of constants is one that every thread makes for itself.
Fill = Literal["initialiser", "assignments"]


def constant_table(array: PrivateArray, env: Environment) -> Fill | None:
    """How an array gets its constants if all that is ever in it are constants; None for an array with other contents.

    An array that is filled by assignments is one if each of them stores a constant at a constant index, and nothing
    else can write to it.
    """
    if array.table:
        return "initialiser"
    if array.variable.init is not None or array.escapes or not array.described:
        return None
    if {access.kind for access in array.described} != {"read", "write"}:
        return None
    values = [
        node.value
        for node in nodes_of(array.function)
        if isinstance(node, Assign) and root_variable(node.target) is array.variable
    ]
    stored = sum(access.kind == "write" for access in array.described)
    if len(values) != stored or any(evaluate(value, env) is None for value in values):
        return None
    # What an execution says comes last: it may not have happened yet.
    written = [access for access in array.accesses if access.kind == "write"]
    late = any(access.dynamic or any(not loop.unrolled for loop in access.loops) for access in written)
    return None if late else "assignments"


def literals(init: InitList) -> Iterator[int | float | None]:
    """The numbers of an initialiser, None for anything else."""
    for item in init.items:
        if isinstance(item, InitList):
            yield from literals(item)
        else:
            bare = item.operand if isinstance(item, Unary) and item.op == "-" else item
            yield bare.value if isinstance(bare, Constant) else None


# Register tiles: private arrays of two dimensions or more into which the loops of a kernel accumulate.
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
