"""Accesses to private arrays as ptxas weighs them: the loops and conditions around them, and their copies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Assign, Binary, If, InitList, Name
from regpress_lint.cpp.traversal import nodes_of, walk
from regpress_lint.source.array_kinds import literals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.model.passes.nvidia_work import Beside
    from regpress_lint.source.arrays import Access, PrivateArray
    from regpress_lint.source.loop_facts import LoopFacts

_WORD, _AT_ONCE = 4, 4
_MOST_COPIES = 16
# Values of an array that no loop picks from and that is read at constant indices as well: by the words that are stored
# at once, for nvcc fills what is aligned so with fewer stores.
_FEW = 2  # elements a value: most of a store is then what another one stores as well
_MOST_FORWARDED, _MOST_CONSTANTS = {4: 26, 2: 52, 1: 58}, {4: 48, 2: 52, 1: 80}


def is_constant(access: Access) -> bool:
    """False also for an element that is read back where a loop has just written it: it is known, its place is not."""
    counters = {loop.counter for loop in loops_around(access)}
    moving = (node for index in access.indices for node in walk(index) if isinstance(node, Name))
    return not access.dynamic and not any(name.variable in counters for name in moving)


def is_one_body(loop: LoopFacts, env: Environment) -> bool:
    """True for a loop with `#pragma unroll 1`, which nvcc does not copy."""
    unroll = loop.loop.unroll
    return unroll is not None and evaluate(unroll.factor, env) == 1


def loops_around(access: Access) -> list[LoopFacts]:
    return [loop for loop in access.loops if not loop.unrolled]


def depth(access: Access) -> int:
    """Loops that stay ones around an access."""
    return len(loops_around(access)) + (access.within is not None)


def is_rolled(access: Access) -> bool:
    return depth(access) > 0


def conditions(access: Access) -> int:
    """Conditions around an access, from the innermost loop on that stays one; those that `&&` ties count each."""
    loops = loops_around(access)
    inside = loops[-1].loop.body if loops else access.function.body
    conditions = (node for node in walk(inside) if isinstance(node, If) and node.span.contains(access.span))
    return sum(
        sum(isinstance(part, Binary) and part.op == "&&" for part in walk(node.test)) + 1
        for node in conditions
        if not node.test.span.contains(access.span)
    )


def copies_of(access: Access, around: Beside) -> int:
    copies = 1
    for loop in access.loops:
        copies *= (loop.trip_count or 1) if loop.unrolled else around.copies.get(loop.loop, 1)
    if access.within is not None:
        copies *= around.copies.get(access.within, 1)
    return min(copies, _MOST_COPIES)


def is_masked(index: Expr, env: Environment) -> bool:
    """True for an index that a mask or a remainder keeps within the array."""
    return isinstance(index, Binary) and index.op in ("&", "%") and evaluate(index.right, env) is not None


def fills(access: Access) -> bool:
    return access.kind == "write" and not access.dynamic


def words_filled(array: PrivateArray) -> float:
    """Words that are written at constant indices, each time that one is."""
    copies = (
        math.prod(loop.trip_count or 1 for loop in access.loops if loop.unrolled) * _words_of(array, access)
        for access in array.accesses
        if access.indices and fills(access)
    )
    return sum(copies)


def _words_of(array: PrivateArray, access: Access) -> float:
    size = access.type.size if access.type is not None else None
    return (size or array.element_bytes or _WORD) / _WORD


def stored_at_once(array: PrivateArray) -> int:
    """Words that a store fills: four or two where the size of the array is a multiple of them."""
    return next(words for words in (4, 2, 1) if not (array.bytes or 0) % (4 * words))


def values_of(array: PrivateArray, env: Environment) -> int:
    """How many values the elements have: each constant counts once, of 40 zeros one."""
    constants, others = _values(array, env)
    return min(len(constants) + others, array.elements or 0)


def most_forwarded(array: PrivateArray, env: Environment) -> int:
    """The largest number of values of an array, and of others with it, for which nvcc forwards reads at constant
    indices; the other reads keep a select.
    """
    if values_of(array, env) * _FEW <= (array.elements or 0):
        return _MOST_CONSTANTS[1]
    return (_MOST_FORWARDED if _values(array, env)[1] else _MOST_CONSTANTS)[stored_at_once(array)]


def _values(array: PrivateArray, env: Environment) -> tuple[set[float], int]:
    """The constants that an array is filled with, and how many other values."""
    numbers: list[float | None] = []
    if isinstance(array.variable.init, InitList):
        numbers += literals(array.variable.init)
        numbers += [0] if len(numbers) < (array.elements or 0) else []
    assigned = {
        node.target.span: evaluate(node.value, env)
        for node in nodes_of(array.function)
        if isinstance(node, Assign) and node.op == "="
    }
    for access in array.accesses:
        if access.kind != "read" and access.indices and not access.dynamic:
            value = assigned.get(access.span)
            copies = math.prod(loop.trip_count or 1 for loop in access.loops if loop.unrolled)
            numbers += [value] * (copies if value is None else 1)
    return {number for number in numbers if number is not None}, numbers.count(None)


def step_of(array: PrivateArray, env: Environment, around: Beside) -> int:
    """Words of which ptxas reaches one at a time: it sees the low bits of an offset that are always zero, of 16 bytes
    at most, and selects among one word in 4 of `h[4 * (n & 15) + 1]`, of `f[n][1]` with rows of four words, and of
    `s[n].x` with a struct of four, but among all where it has three or five.
    """
    size = (array.element_bytes or _WORD) // _WORD
    if size < 1:
        return 1
    step, across = _AT_ONCE, size
    strides = around.strides.get(array.variable, {})
    for dimension in reversed(range(len(array.variable.dims))):
        if dimension in strides:
            moved = across * strides[dimension]
            step = min(step, moved & -moved)
        length = array.variable.dims[dimension]
        across *= int((evaluate(length, env) if length is not None else None) or 1)
    return step if strides else min(_AT_ONCE, size & -size)


def splits_words(array: PrivateArray, env: Environment) -> bool:
    """True where elements that are narrower than words are read or written at constant indices, a part of a word alone,
    behind a write at one that is known at run time; what stands in front of that, nvcc forwards.
    """
    first = min((access.span.start for access in array.dynamic if access.kind != "read"), default=math.inf)
    later = [access for access in array.accesses if access.indices and not access.dynamic and access.span.start > first]
    together = _WORD // (array.element_bytes or _WORD)
    for kinds in (("read", "update"), ("write", "update")):
        elements: set[int] = set()
        for access in later:
            if access.kind in kinds:
                if (of_access := _elements_of(array, access, env)) is None:
                    return False
                elements |= of_access
        if len(elements) < together * len({element // together for element in elements}):
            return True
    return False


def _elements_of(array: PrivateArray, access: Access, env: Environment) -> set[int] | None:
    """Numbers of the elements that an access at constant indices reaches in all copies of the loops around it."""
    elements = {0}
    if len(access.indices) != len(array.variable.dims):
        return None
    for index, dimension in zip(access.indices, array.variable.dims, strict=True):
        length = evaluate(dimension, env) if dimension is not None else None
        numbers = _numbers(index, access, env)
        if length is None or numbers is None:
            return None
        elements = {element * int(length) + number for element in elements for number in numbers}
    return elements


def _numbers(index: Expr, access: Access, env: Environment) -> Sequence[int] | None:
    """The values of an index that is a constant or the counter of a loop that is unrolled, and a constant more."""
    if (number := evaluate(index, env)) is not None:
        return (int(number),)
    by, more = 1, 0
    if isinstance(index, Binary) and index.op in ("+", "-"):
        number = evaluate(index.right, env)
        if number is None:
            return None
        more = int(number) if index.op == "+" else -int(number)
        index = index.left
    counter = index.variable if isinstance(index, Name) else None
    loop = next((loop for loop in access.loops if counter is not None and loop.counter is counter), None)
    if counter is None or loop is None or not loop.unrolled or not loop.trip_count:
        return None
    if isinstance(loop.loop.step, Assign):
        by = int(evaluate(loop.loop.step.value, env) or 0)
    start = evaluate(counter.init, env) if counter.init is not None else None
    return None if start is None or not by else [int(start) + more + by * k for k in range(loop.trip_count)]


def is_filled(array: PrivateArray) -> bool:
    """True if elements are written at constant indices; else the whole life of the array is in run-time loops."""
    if array.variable.init is not None:
        return True
    return any(map(fills, array.accesses))


def is_forwarded(array: PrivateArray, env: Environment) -> bool:
    """True if no index known at run time writes an array, but one in its last dimension reads it, and constant ones
    read most of it as well: for these nvcc has the values themselves, and the frame is there for one read.
    """
    if array.element_bytes != _WORD or any(access.kind != "read" for access in array.dynamic):
        return False
    reads = (access for access in array.accesses if access.kind == "read" and access.indices and not access.dynamic)
    copies = sum(math.prod(loop.trip_count or 1 for loop in access.loops if loop.unrolled) for access in reads)
    ends = (access.indices[-1] for access in array.dynamic)
    moves = any(evaluate(end, env) is None and not isinstance(end, Name) for end in ends)
    return moves and 2 * copies >= (array.elements or 0)
