"""Accesses to a private array in the copies of a loop whose iterations share it out among them, as nvcc joins them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Binary, Name, Update

if TYPE_CHECKING:
    from regpress_lint.cpp.environment import Environment
    from regpress_lint.cpp.syntax_tree import Expr, Variable
    from regpress_lint.model.passes.nvidia_work import Beside
    from regpress_lint.source.arrays import Access, PrivateArray
    from regpress_lint.source.loop_facts import LoopFacts

_WORD, _AT_ONCE = 4, 4
_IN_GROUPS = (2, 4, 8, 16)  # copies
_OF_EIGHT = 1.2


class Group(NamedTuple):
    """Accesses in the copies of a loop whose iterations share an array out among them. words: of each that is read or
    written at once; reached: how often that is done in an iteration.
    """

    loop: LoopFacts
    words: float
    reached: float


def group_of(array: PrivateArray, access: Access, env: Environment, around: Beside) -> Group | None:
    """The group of an access in the copies of the innermost loop around it, whose iterations have a known number."""
    loop = next((loop for loop in reversed(access.loops) if not loop.unrolled), None)
    if loop is None or loop.trip_count is None or not isinstance(loop.loop.step, Update):
        return None
    at = [number for number, index in enumerate(access.indices) if steps_with(index, loop.counter, env)]
    copies = around.copies.get(loop.loop, 1)
    if copies not in _IN_GROUPS or len(at) != 1 or not _is_whole(array, access, around):
        return None
    inner = [evaluate(size, env) for size in array.variable.dims[at[0] + 1 :] if size is not None]
    across, elements = math.prod(int(size or 0) for size in inner), array.elements or 1
    if len(access.indices) != len(array.variable.dims) or not across:
        return None
    left_over = loop.trip_count % copies
    shifted = left_over == copies - 1 > 1 and elements == (loop.trip_count + 1) * across
    if left_over and not shifted and access.kind != "write":
        return None  # where nvcc leaves the loop in the middle of its copies, it joins no reads
    if not shifted:
        copies = side_by_side(loop, around)
    words = copies * across * (array.element_bytes or 0) / _WORD
    if copies == 1 or elements % (copies * across) or words < 1 or words != int(words):
        return None
    at_once, most = min(words, _AT_ONCE, int(words) & -int(words)), around.copies.get(loop.loop, 1) / copies
    wide = _OF_EIGHT if words > _AT_ONCE and across == 1 else 1.0
    return Group(loop, at_once, (copies if shifted else words / at_once * most) * wide)


def step_in_copies(array: PrivateArray, access: Access, env: Environment, around: Beside) -> int:
    """Words by which an access steps in the copies of a loop that goes through all elements, as far as ptxas sees it:
    one member of each `float2` is reached in four copies, and each of these steps by 32 bytes.
    """
    loop = next((loop for loop in reversed(access.loops) if not loop.unrolled), None)
    if loop is None or loop.trip_count is None or not isinstance(loop.loop.step, Update) or not access.indices:
        return 1
    if not steps_with(access.indices[-1], loop.counter, env):
        return 1
    words = (array.element_bytes or 0) // _WORD * side_by_side(loop, around)
    return min(_AT_ONCE, words & -words) if words else 1


def side_by_side(loop: LoopFacts, around: Beside) -> int:
    """Copies of a loop that follow one another in every iteration: where some are left over, nvcc leaves it in the
    middle of them.
    """
    copies = around.copies.get(loop.loop, 1)
    left_over = (loop.trip_count or 0) % copies
    return copies if not left_over else 2 if left_over == 2 else 1


def _is_whole(array: PrivateArray, access: Access, around: Beside) -> bool:
    """True if an access reaches all of an element, or a member of which loops pick all others as well."""
    size = access.type.size if access.type is not None else None
    if size in (None, array.element_bytes):
        return True
    return size == _WORD and len(around.parts.get(array.variable, ())) * _WORD == array.element_bytes


def steps_with(index: Expr, counter: Variable | None, env: Environment) -> bool:
    """True for a counter, and a constant more or less."""
    if isinstance(index, Binary) and index.op in ("+", "-"):
        if evaluate(index.right, env) is not None:
            return steps_with(index.left, counter, env)
        return evaluate(index.left, env) is not None and steps_with(index.right, counter, env)
    return isinstance(index, Name) and counter is not None and index.variable is counter
