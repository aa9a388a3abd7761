"""Which arrays with an index known at run time ptxas takes out of local memory.

ptxas sees one frame with everything in it that nvcc has left in local memory, and turns it into registers as a whole or
not at all: an access becomes a chain of selects over the frame's words. It does so while the selects are few beside
what the kernel executes anyway, both weighed by the loops around them: the same histogram of eight bins is in memory in
a loop that does nothing else, and in registers beside twenty operations. The numbers are a fit to 1,200 kernels. Most
ask one question each: how many words, beside how many sums, reads, roots or divisions. Two hundred are as people write
them (histograms, stacks, insertion, tables, rows of a dynamic program), with 3 to 32 elements, and 86 are random. Of
these nine in ten come out right, and of a quarter of all that a fit had not seen as well.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Assign, Binary, If, Jump, Name, Return, Update
from regpress_lint.cpp.traversal import walk, walk_outside_lambdas, written_alike
from regpress_lint.model.passes.nvidia_groups import group_of, steps_with
from regpress_lint.model.passes.nvidia_work import often

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from regpress_lint.cpp.constants import Environment, Number
    from regpress_lint.cpp.syntax_tree import Expr
    from regpress_lint.model.passes.nvidia_work import Beside, Picked
    from regpress_lint.source.arrays import Access, PrivateArray
    from regpress_lint.source.loop_facts import LoopFacts


_WORD = 4
_MOST_WORDS = 82
_CROWDING_WORDS, _CROWDED, _CROWDED_BEHIND = 20, 30, 90
_CLOSE = 2.0  # times as much or as little as selects may cost
_MOST_IN_LOOPS = 39  # elements that a loop indexes,
_MOST_CHANGED = 24  # that it both reads and writes so,
_MOST_BESIDE_DIVISION = 22  # or that it indexes where it divides: that branches off to a routine
_MOST_FILLED_INSIDE = 8  # that loops in loops write one after the other, all with a known number of iterations
_AT_ONCE, _MOST_IN_FOURS = 4, 32
# Of a loop whose iterations are counted at run time; one of four copies has another for what is left over.
_OF_COPIES = {("read", 1): 0.75, ("read", 2): 0.65, ("read", 4): 1.0, ("write", 4): 1.2}
_MASKED = 0.7
_MOST_FORWARDED = 31  # words
_MOST_OF_PAIRS = 13
# Places of four words each that the copies of a loop pick from: in a body of up to eight instructions, less for each
# time that it is twice as large; in a loop that is counted at run time, and where the elements are read one by one too.
_MOST_PLACES, _FEWER_PLACES, _LEAST_PLACES, _LEAST_BODY = 16.8, 2.5, 4, 8
_OF_UNCOUNTED, _OF_SEEN, _OF_CHANGED, _OF_WRITTEN = 0.38, 0.63, 0.85, 1.2
_MOST_ANYWHERE = 12  # elements of a table of which loops may step through any part
# Selects of an access for each word of the frame beyond some; a loop that stays one runs so often.
_FREE_WORDS = 2.4
_FREE_PLACES = 2.4  # of four words each, where a loop goes through all elements in order
_OF_NESTED = 0.6  # of those in a loop around that loop, which `often` counts as often again
_KINDS = {"write": 0.7, "update": 1.6}
_FILLING = 0.8
_OF_CONSTANTS = 0.6  # a select between constants, in a loop: nine of them stay in registers, ten do not
_MOST_COPIES = 16
# The slow path of a sine in single precision: words of its table, selects for each word of the frame, and its work.
_REDUCED_WORDS, _REDUCING, _REDUCTION = 7, 14.2, 150.0
# What there is of other instructions in any kernel, and what the loads and stores are worth that fill a frame, a word.
_BASE, _FILLED = 17.0, 1.0


def frame_pays(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> bool:
    """True if the frame with all arrays that nvcc has left in memory is turned into registers."""
    left = _left(arrays)
    if all(_in_fours(array, env) for array in left):
        return True
    weighed = _weighed(_framed(left, env), env, around)
    return weighed is not None and weighed.cost <= weighed.allowed


def is_too_large(arrays: Sequence[PrivateArray]) -> bool:
    """True for a frame that is too large to select from, whatever else there is: it stays in memory."""
    return sum(array.bytes or 0 for array in _left(arrays)) > _WORD * _MOST_WORDS


def close_calls(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> tuple[PrivateArray, ...]:
    """The arrays of a frame about which `frame_pays` may well be wrong, because the selects cost about as much as they
    may. Of 226 random kernels 50 have such a frame, and eleven of those come out wrong; of the others eight do.
    """
    left = _left(arrays)
    if all(_in_fours(array, env) for array in left):
        return ()
    left = _framed(left, env)
    weighed = _weighed(left, env, around)
    if weighed is None or not weighed.allowed / _CLOSE <= weighed.cost <= weighed.allowed * _CLOSE:
        return ()
    return tuple(left)


def crowding(arrays: Sequence[PrivateArray], held: int) -> tuple[PrivateArray, ...]:
    """The arrays of a frame that selects pay for, but that takes so many registers that ptxas may leave it in memory
    for the waves: one of 28 floats beside 9 to 19 values that wait for a loop of 80 sums with a single read, and not
    beside fewer or more; one of 12 never (`test_close_calls.py`). Behind the loops it does so beside far more.
    held: registers with it.
    """
    left = _left(arrays)
    words = sum(array.bytes or 0 for array in left) // _WORD
    in_loops = any(_rolled(access) for array in left for access in array.dynamic)
    return tuple(left) if words >= _CROWDING_WORDS and held >= (_CROWDED if in_loops else _CROWDED_BEHIND) else ()


def _left(arrays: Sequence[PrivateArray]) -> list[PrivateArray]:
    volatile = (array for array in arrays if array.variable.volatile_span is not None and not is_dropped(array))
    kept = {array.variable for array in volatile}
    return [array for array in arrays if array.bytes and (array.dynamic or array.variable in kept)]


def is_dropped(array: PrivateArray) -> bool:
    """True for a `volatile` array that nvcc has in registers all the same: at constant indices, and without sums of
    floating values that a loop of unknown length carries (`testdata/evidence/RP401`).
    """
    if array.dynamic or array.escapes:
        return False
    if not array.variable.type.floating:
        return True
    changed = (access for access in array.accesses if access.kind != "read")
    return not any(loop.trip_count is None for access in changed for loop in access.loops)


def _framed(arrays: Sequence[PrivateArray], env: Environment) -> list[PrivateArray]:
    return [array for array in arrays if not (_is_counted_at_run_time(array) and _in_fours(array, env))]


def _in_fours(array: PrivateArray, env: Environment) -> bool:
    """True for a small table that loops only step through from a multiple of four on: nvcc unrolls them four times,
    reads four words at once, and ptxas then has so few places to select from that it needs no frame. Of the smallest
    the loops may begin anywhere that is known, and step by any constant.
    """
    elements = array.elements
    if elements is None or elements % _AT_ONCE or elements > _MOST_IN_FOURS or array.element_bytes != _WORD:
        return False
    from regpress_lint.source.array_kinds import constant_table

    if array.variable.volatile_span is not None or array.escapes or constant_table(array, env) is None:
        return False
    if elements <= _MOST_ANYWHERE:
        return all(_steps_from(access, env, anyhow=True) is not None for access in array.dynamic)
    starts = [_steps_from(access, env) for access in array.dynamic]
    return all(start is not None and start % _AT_ONCE == 0 for start in starts)


def _is_counted_at_run_time(array: PrivateArray) -> bool:
    return all(access.loops and access.loops[-1].trip_count is None for access in array.dynamic)


def _steps_from(access: Access, env: Environment, *, anyhow: bool = False) -> Number | None:
    """The element with which a loop that stays one begins to go upwards through an array, one by one; None for any
    other way. anyhow: it may go by any constant, also downwards.
    """
    index, loop = access.indices[0], access.loops[-1] if access.loops else None
    step = loop.loop.step if loop is not None else None
    upwards = isinstance(step, Update) and (anyhow or step.op == "++")
    if loop is not None and _is_one_body(loop, env):
        return None
    by_constant = isinstance(step, Assign) and step.op in ("+=", "-=") and evaluate(step.value, env) is not None
    if loop is None or loop.unrolled or not (upwards or (anyhow and by_constant)) or len(access.indices) > 1:
        return None
    offset: Number = 0
    if isinstance(index, Binary) and index.op in ("+", "-") and (known := evaluate(index.right, env)) is not None:
        offset = known if index.op == "+" else -known
        index = index.left
    if not isinstance(index, Name) or index.variable is not loop.counter or loop.counter is None:
        return None
    start = evaluate(loop.counter.init, env)
    return None if start is None else start + offset


def _has_words(array: PrivateArray, env: Environment, around: Beside) -> bool:
    """True if all that is read and written has 32 bits: ptxas selects among nothing else. Bytes and halves are words
    where each group of them fills some.
    """
    if array.variable.volatile_span is not None:
        return False
    if _is_narrow(array):
        return all(group_of(array, access, env, around) for access in array.dynamic)
    rank = len(array.variable.dims)
    # A row that is handed on is no read: what is done with it are accesses of their own.
    return all(
        len(access.indices) < rank or _is_word(access) for access in array.accesses if access.indices
    ) and _is_plain(array)


def _is_narrow(array: PrivateArray) -> bool:
    type_ = array.variable.type
    return not (type_.pointers or type_.struct) and type_.lanes == 1 and (type_.size or _WORD) < _WORD


def _is_plain(array: PrivateArray) -> bool:
    type_ = array.variable.type
    return type_.pointers == 0 and (type_.struct or (type_.size or 0) == _WORD * type_.lanes)


def _is_word(access: Access) -> bool:
    type_ = access.type
    if type_ is None or type_.size is None or type_.struct:
        return True
    return type_.pointers == 0 and type_.size == _WORD * type_.lanes


class Weighed(NamedTuple):
    """Selects of a frame, and how many there may be beside what the kernel executes anyway."""

    cost: float
    allowed: float


def _weighed(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> Weighed | None:
    """None for a frame that stays in memory whatever it costs to select from it."""
    if any(array.variable in around.behind_calls for array in arrays):
        return None
    if not all(_has_words(array, env, around) for array in arrays) or not _may_pay(arrays, env, around):
        return None
    reduced = _REDUCED_WORDS if around.reduces else 0
    words = sum(array.bytes or 0 for array in arrays) // _WORD + reduced
    filled = (_worth(array, env, around) for array in arrays if _is_filled(array))
    allowed = _BASE + around.work + sum(filled) + (_REDUCTION if reduced else 0)
    pressed = max((_pressed(array, words, env, around) for array in arrays), default=0.0)
    cost = max(_cost(arrays, words, env, around), allowed * pressed**2)
    return Weighed(cost + (_REDUCING * (words - _FREE_WORDS) if reduced else 0), allowed)


def _may_pay(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> bool:
    step = min((_step(array, env, around) for array in arrays), default=1)
    words = sum(_touched(array, step, around) for array in arrays)
    if words > _MOST_WORDS:
        return False
    walked = [(array, access) for array in arrays for access in array.dynamic if _rolled(access)]
    if walked and not any(_is_seen_whole(array, around) for array in arrays):
        return False
    if looped := [(array, access) for array, access in walked if not group_of(array, access, env, around)]:
        step = min(_step(array, env, around) for array, _ in looped)
        places = sum(array.bytes or 0 for array in arrays) / _WORD / step
        if places > _most_in_loops(arrays, {access.kind for _, access in looped}, env, around):
            return False
    return words <= _MOST_FORWARDED or not any(_is_forwarded(array, env) for array in arrays)


def _most_in_loops(arrays: Sequence[PrivateArray], kinds: Collection[str], env: Environment, around: Beside) -> int:
    """Most places of a frame that loops pick; kinds: what they do with them."""
    inner = [
        (array, access)
        for array in arrays
        for access in array.dynamic
        if _depth(access) > 1 and _is_walked(access, env)
    ]
    fills = any(access.kind != "read" and not _is_in_fours(array, access, env) for array, access in inner)
    if fills and all(loop.trip_count is not None for _, access in inner for loop in _loops(access)):
        return _MOST_FILLED_INSIDE
    if len(kinds) > 1 or "update" in kinds:
        return _MOST_CHANGED if not around.divides else min(_MOST_CHANGED, _MOST_BESIDE_DIVISION)
    return _MOST_BESIDE_DIVISION if around.divides else _MOST_IN_LOOPS


def _is_walked(access: Access, env: Environment) -> bool:
    """True if loops that stay ones step through the array, unlike a histogram's."""
    counters = [loop.counter for loop in _loops(access)]
    return any(steps_with(index, counter, env) for index in access.indices for counter in counters)


def _step(array: PrivateArray, env: Environment, around: Beside) -> int:
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


def _touched(array: PrivateArray, step: int, around: Beside) -> float:
    """Words that some index known at run time may pick, where all such indices of the frame step by so many: of an
    array of four floats each only those of its members that are picked so, for ptxas has those with other low bits of
    their offsets apart.
    """
    words = (array.bytes or 0) / _WORD
    parts = around.parts.get(array.variable, ())
    return words if not parts or () in parts else words / step * min(step, len(parts))


def object_pays(words: int, reads: float, writes: float, work: float) -> bool:
    """The same for one struct, whose accesses count as often as the loops around them (`often`)."""
    cost = reads + _KINDS["write"] * writes
    return words <= _MOST_WORDS and cost * max(words - _FREE_WORDS, 0) <= _BASE + work + _FILLED * words


def _is_filled(array: PrivateArray) -> bool:
    """True if elements are written at constant indices; else the whole life of the array is in run-time loops."""
    if array.variable.init is not None:
        return True
    return any(map(_fills, array.accesses))


def _is_seen_whole(array: PrivateArray, around: Beside) -> bool:
    """True if an array is filled, also by a library, or read at constant indices in the end, or by two iterations."""
    own = sorted((access for access in array.accesses if access.indices), key=lambda access: access.span.start)
    if array.variable.init is not None or array.escapes or any(access.function is not array.function for access in own):
        return True
    if own and (_fills(own[0]) or _is_constant(own[-1])):
        return True
    if any(map(_is_constant, own)) and any(_depth(access) > 1 for access in array.dynamic):
        return True
    inner = {access.loops[-1] for access in array.dynamic if access.loops}
    copies = ((around.copies.get(loop.loop, 1), loop.trip_count) for loop in inner)
    return any(trips is not None and count < trips < 2 * count for count, trips in copies)


def _is_constant(access: Access) -> bool:
    """False also for an element that is read back where a loop has just written it: it is known, its place is not."""
    counters = {loop.counter for loop in _loops(access)}
    moving = (node for index in access.indices for node in walk(index) if isinstance(node, Name))
    return not access.dynamic and not any(name.variable in counters for name in moving)


def _is_forwarded(array: PrivateArray, env: Environment) -> bool:
    """True if no index known at run time writes an array, but one in its last dimension reads it, and constant ones
    read most of it as well: for these nvcc has the values themselves, and the frame is there for one read.
    """
    if array.element_bytes != _WORD or any(access.kind != "read" for access in array.dynamic):
        return False
    reads = (access for access in array.accesses if access.kind == "read" and access.indices and not access.dynamic)
    known = sum(math.prod(loop.trip_count or 1 for loop in access.loops if loop.unrolled) for access in reads)
    ends = (access.indices[-1] for access in array.dynamic)
    moves = any(evaluate(end, env) is None and not isinstance(end, Name) for end in ends)
    return moves and 2 * known >= (array.elements or 0)


def _goes_through(access: Access, env: Environment) -> bool:
    """True for a loop with one body that takes one element after the other."""
    loop = access.loops[-1] if access.loops else None
    return loop is not None and _is_one_body(loop, env) and steps_with(access.indices[-1], loop.counter, env)


def _fills_by_loop(array: PrivateArray, access: Access, env: Environment, around: Beside) -> bool:
    """True for an element a time that a loop with known iterations writes."""
    loop = access.loops[-1] if access.loops else None
    if access.kind != "write" or loop is None or loop.trip_count is None or len(access.indices) != 1:
        return False
    return steps_with(access.indices[0], loop.counter, env) and group_of(array, access, env, around) is None


def _worth(array: PrivateArray, env: Environment, around: Beside) -> float:
    """Selects that filling an array is worth: many where it is filled again in the loop that uses it, none where it is
    filled with constants.
    """
    from regpress_lint.source.array_kinds import constant_table

    if constant_table(array, env) is not None:
        return 0.0
    again = any(_fills(access) and _rolled(access) for access in array.accesses)
    return _FILLED * _touched(array, _step(array, env, around), around) * often(int(again))


def _fills(access: Access) -> bool:
    return access.kind == "write" and not access.dynamic


def _cost(arrays: Sequence[PrivateArray], words: int, env: Environment, around: Beside) -> float:
    """Selects of all accesses among the words of the frame, weighed."""
    from regpress_lint.source.array_kinds import constant_table

    total = 0.0
    for array in arrays:
        seen: set[Hashable] = set()
        table = constant_table(array, env) is not None
        for access in array.dynamic:
            written = tuple(map(written_alike, access.indices))
            key = (access.kind, access.loops[-1:], access.within, access.calls, written)
            if key not in seen:
                seen.add(key)
                picks = table and _rolled(access) and not _goes_through(access, env)
                weight = often(_depth_of_pick(array, access, around)) * (_OF_CONSTANTS if picks else 1.0)
                kind = _FILLING if _fills_by_loop(array, access, env, around) else _KINDS.get(access.kind, 1.0)
                total += kind * weight * _selects(array, access, words, env, around)
    return total


def _pressed(array: PrivateArray, words: float, env: Environment, around: Beside) -> float:
    """How many places loops pick four words at once from, beside as many as they may: more than 1 is too many."""
    from regpress_lint.source.array_kinds import constant_table

    if constant_table(array, env) is not None:
        return 0.0
    seen = any(access.kind == "read" and _is_constant(access) for access in array.accesses if access.indices)
    kinds = {access.kind for access in array.dynamic}
    of_seen = _OF_SEEN if kinds == {"read"} else _OF_WRITTEN if kinds == {"write"} else _OF_CHANGED
    most = 0.0
    for access in array.dynamic:
        group = group_of(array, access, env, around)
        if group is not None and group.words == _AT_ONCE:
            loop, share = group.loop, of_seen if seen else 1.0
        elif group is None and _is_in_fours(array, access, env):
            loop, share = access.loops[-1], _OF_UNCOUNTED
        else:
            continue
        larger = math.log2(max(around.bodies.get(loop.loop, 0.0) / _LEAST_BODY, 1.0))
        most = max(most, words / _AT_ONCE / (max(_MOST_PLACES - _FEWER_PLACES * larger, _LEAST_PLACES) * share))
    return most


def _selects(array: PrivateArray, access: Access, words: float, env: Environment, around: Beside) -> float:
    """Selects of one access among a frame of so many words, in all copies of the loops around it."""
    from regpress_lint.source.array_kinds import constant_table

    if (group := group_of(array, access, env, around)) is not None:
        outer = access.loops[: access.loops.index(group.loop)]
        places = words / group.words
        if group.words == 2 and places > _MOST_OF_PAIRS:
            return math.inf
        return _copies(access._replace(loops=outer), around) * group.reached * max(places - _FREE_WORDS, 0)
    if _is_in_fours(array, access, env):
        share = _OF_NESTED if _depth(access) > 1 else 1.0
        return _copies(access, around) * share * max(words / _AT_ONCE - _FREE_PLACES, 0)
    copies = _copies(access, around)
    if (picked := _picked(array, access, around)) is not None:
        copies = min(copies, picked.places)
    counted = not access.loops or access.loops[-1].trip_count is not None
    share = 1.0 if counted else _OF_COPIES.get((access.kind, copies), 1.0)
    masked = all(_is_masked(index, env) for index in access.indices)
    if copies == _AT_ONCE and access.kind == "read" and masked and constant_table(array, env) is None:
        share *= _MASKED
    return copies * share * max(words / _step(array, env, around) - _FREE_WORDS, 0)


def _is_masked(index: Expr, env: Environment) -> bool:
    """True for an index that a mask or a remainder keeps within the array."""
    return isinstance(index, Binary) and index.op in ("&", "%") and evaluate(index.right, env) is not None


def _is_in_fours(array: PrivateArray, access: Access, env: Environment) -> bool:
    """True for an access in a loop over the elements from the first on, in every iteration: nvcc copies the loop four
    times, and the four words of a copy begin at a multiple of four.
    """
    if (array.elements or 0) % _AT_ONCE or array.element_bytes != _WORD or not access.loops:
        return False
    loop = access.loops[-1]
    if access.pointer and "offset" in array.reached:
        return False
    if loop.trip_count is not None or _is_one_body(loop, env) or _conditions(access) or _steps_from(access, env) != 0:
        return False
    return not any(isinstance(node, (Jump, Return)) for node in walk_outside_lambdas(loop.loop.body))


def _is_one_body(loop: LoopFacts, env: Environment) -> bool:
    """True for a loop with `#pragma unroll 1`, of which nvcc makes no copies."""
    unroll = loop.loop.unroll
    return unroll is not None and evaluate(unroll.factor, env) == 1


def _loops(access: Access) -> list[LoopFacts]:
    return [loop for loop in access.loops if not loop.unrolled]


def _depth(access: Access) -> int:
    """Loops that stay ones around an access."""
    return len(_loops(access)) + (access.within is not None)


def _depth_of_pick(array: PrivateArray, access: Access, around: Beside) -> int:
    """Loops around an access; one that picks the same element in each iteration is made in front of them."""
    depth, picked = _depth(access), _picked(array, access, around)
    if picked is None or around.reduces or _conditions(access):
        return depth
    return min(depth, picked.loops)


def _picked(array: PrivateArray, access: Access, around: Beside) -> Picked | None:
    """How a read picks elements, where nothing that is written in the loops around it changes what it gives."""
    picked = around.picked.get((array.variable, access.span.start))
    if picked is None or access.kind != "read" or access.within is not None:
        return None
    if access.pointer and "moving" in array.reached:
        return None
    loops = {loop.loop for loop in access.loops}
    writes = (other for other in array.accesses if other.kind != "read")
    return None if any(loop.loop in loops for write in writes for loop in write.loops) else picked


def _rolled(access: Access) -> bool:
    return _depth(access) > 0


def _conditions(access: Access) -> int:
    """Conditions around an access, from the innermost loop on that stays one; those that `&&` ties count each."""
    loops = _loops(access)
    inside = loops[-1].loop.body if loops else access.function.body
    conditions = (node for node in walk(inside) if isinstance(node, If) and node.span.contains(access.span))
    return sum(
        sum(isinstance(part, Binary) and part.op == "&&" for part in walk(node.test)) + 1
        for node in conditions
        if not node.test.span.contains(access.span)
    )


def _copies(access: Access, around: Beside) -> int:
    copies = 1
    for loop in access.loops:
        copies *= (loop.trip_count or 1) if loop.unrolled else around.copies.get(loop.loop, 1)
    if access.within is not None:
        copies *= around.copies.get(access.within, 1)
    return min(copies, _MOST_COPIES)
