"""Which arrays with an index known at run time clang makes vector registers of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.syntax_tree import Binary, Block, Constant, Evaluate, InitList, Name, Update
from regpress_lint.cpp.traversal import uncast
from regpress_lint.source.array_kinds import literals
from regpress_lint.targets.compilers.amdgpu import AMD_VECTOR_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from regpress_lint.cpp.syntax_tree import Expr, Function, Variable
    from regpress_lint.source.arrays import Access, PrivateArray


# LLVM's AMDGPUPromoteAlloca (19.1) runs twice, and each time spends up to a quarter of the registers that the launch
# bounds leave, on the arrays that are used most. Whatever finds no room stays in memory (checked on gfx906, gfx90a,
# gfx1030 and gfx1100 with up to 8 arrays, with and without bounds).


_RUNS = 2
_SHARE = 4  # of the registers, which have 4 bytes: a run may spend as many bytes as there are registers
_LOOP_WEIGHT = 4
_MOST_COPIES = 16
_WORD = 4
# What clang does with constants that an array begins with (`shouldUseBZeroPlusStoresToInitialize` of CGDecl.cpp, 19.1).
_FEW_BYTES, _FEW_STORES = 32, 6
_ONE_COPY = 8  # bytes of a `memcpy` that becomes one read and one write
_WRITES = ("write", "update")
_OF_FUNCTIONS = 32  # bytes of vectors in a function that is no kernel: a quarter of 32 registers
_IN_KERNELS = frozenset(("global", "forceinline"))


def is_vector(array: PrivateArray) -> bool:
    """True for an array that clang makes a vector register of, whatever the index, if there is room."""
    type_ = array.variable.type
    scalars = len(array.variable.dims) == 1 and (type_.pointers > 0 or not (type_.struct or type_.lanes > 1))
    fits = scalars and (array.elements or 0) <= AMD_VECTOR_ELEMENTS and _in_whole_elements(array)
    in_parts = not array.reached.isdisjoint(("offset", "met")) or _is_split(array)
    fits = fits and ("called" not in array.reached or (array.bytes or 0) <= _OF_FUNCTIONS)
    return fits and not has_sums(array) and not in_parts and not _is_copied(array)


def is_table(array: PrivateArray) -> bool:
    """True for a table of constants of which clang reads the copy that the program has; one that it sets to zero, and
    then writes to, each thread has for itself.
    """
    return array.table and not _is_set(array)


def _is_set(array: PrivateArray) -> bool:
    """True for an array that clang begins as zeros, with a few stores behind that."""
    init = array.variable.init
    if not isinstance(init, InitList):
        return False
    others = sum(value != 0 for value in literals(init))
    return not others or ((array.bytes or 0) > _FEW_BYTES and others <= _FEW_STORES)


def _is_copied(array: PrivateArray) -> bool:
    """True for an array that begins as a copy of constants and is changed later: no vector is made where memory is
    copied, unless the copy is small enough to be one read and one write, or all of it is written over before an element
    is picked (`test_copied_constants.py`).
    """
    init = array.variable.init
    if not isinstance(init, InitList) or array.table or (array.bytes or 0) <= _ONE_COPY or _is_set(array):
        return False
    return all(value is not None for value in literals(init)) and "replaced" not in array.reached


def _is_split(array: PrivateArray) -> bool:
    """True for an array that LLVM takes apart after it was inlined, because its indices are constants by then, except
    one that depends on the path taken: the parts stay in memory. In a function by itself it makes vectors of few
    registers only, and a function marked to be inlined anyway it sees in the kernel first (`test_reached_arrays.py`).
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
    return any(not (_is_pair(access, base, array, sums) or _is_carried(access, base, array)) for access, base in sums)


def _summed(access: Access) -> Expr | None:
    """The term that a constant is added to in an index that becomes an address of an address, None for others."""
    if not access.dynamic or not access.pointer or len(access.indices) != 1:
        return None
    index = uncast(access.indices[0])
    if not isinstance(index, Binary) or index.op not in ("+", "-"):
        return None
    base, more = (index.right, index.left) if isinstance(index.left, Constant) else (index.left, index.right)
    if not isinstance(more, Constant) or not more.value or _wraps(base):
        return None
    return None if index.op == "+" and more.value == 1 and _counts(base, access) else base


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
    others = [read for read, expr in sums if isinstance(expr, Name) and expr.variable is base.variable]
    beside = (write for write in array.accesses if write.kind in _WRITES and len(write.indices) == 1)
    return others == [access] and any(_names(one.indices[0], base) for one in beside if one.loops == access.loops)


def _is_carried(access: Access, base: Expr, array: PrivateArray) -> bool:
    """True for the read of `p[q] = p[q - 1] + x` in a counted loop that stays: LLVM keeps what the last iteration
    wrote, if every iteration does and nothing else of the array is written there.
    """
    if access.kind != "read" or not access.loops or not isinstance(base, Name):
        return False
    loop, index = access.loops[-1], uncast(access.indices[0])
    if loop.trip_count is None or loop.counter is not base.variable or not _counts(base, access):
        return False
    if not isinstance(index, Binary) or index.op != "-":
        return False
    if not isinstance(index.right, Constant) or index.right.value != 1:
        return False
    writes = [write for write in array.accesses if write.kind in _WRITES and loop in write.loops]
    if [_names(index, base) for write in writes for index in write.indices] != [True]:
        return False
    body = loop.loop.body
    statements = body.statements if isinstance(body, Block) else (body,)
    return any(isinstance(statement, Evaluate) and statement.span.contains(writes[0].span) for statement in statements)


def _names(index: Expr, base: Name) -> bool:
    index = uncast(index)
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
        room: dict[Function | None, int] = {}
        crowded: list[PrivateArray] = []
        for array in waiting:
            size, holder = array.bytes or 0, array.function if "called" in array.reached else None
            room_left = room.setdefault(holder, registers * _WORD // _SHARE if holder is None else _OF_FUNCTIONS)
            if size <= room_left:
                room[holder] = room_left - size
            else:
                crowded.append(array)
        waiting = crowded
    return tuple(waiting)


def _is_asked_for(array: PrivateArray) -> bool:
    return bool(array.dynamic and array.bytes) and is_vector(array) and not is_table(array)


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
