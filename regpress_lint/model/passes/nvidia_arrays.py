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
from regpress_lint.cpp.syntax_tree import Assign, Binary, Jump, Name, Return, Update
from regpress_lint.cpp.traversal import walk_outside_lambdas, written_alike
from regpress_lint.model.passes.nvidia_accesses import (
    conditions,
    copies_of,
    depth,
    fills,
    is_constant,
    is_filled,
    is_forwarded,
    is_masked,
    is_one_body,
    is_rolled,
    loops_around,
    most_forwarded,
    splits_words,
    step_of,
    stored_at_once,
    values_of,
    words_filled,
)
from regpress_lint.model.passes.nvidia_groups import group_of, step_in_copies, steps_with
from regpress_lint.model.passes.nvidia_work import often

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from regpress_lint.cpp.environment import Environment, Number
    from regpress_lint.model.passes.nvidia_work import Beside, Picked
    from regpress_lint.source.arrays import Access, PrivateArray


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
# The slow path of a sine in single precision: words of its table, selects for each word of the frame, and its work.
_REDUCED_WORDS, _REDUCING, _REDUCTION = 7, 14.2, 150.0
# Where no loop picks: selects of an access for each word beyond some, and how many more under a condition; what stands
# against them for each store that fills the frame, and for each word that is filled with unknown values, after an
# initialiser, or with constants alone.
_OUTSIDE = {"read": (1.0, -0.6), "write": (0.4, 0.7), "update": (1.85, 0.7)}
_FREE_OUTSIDE, _BASE_OUTSIDE, _WORK_OUTSIDE, _MARGIN = 5.6, 1.0, 0.85, 28.0
_OF_STORE, _OF_FILLED, _OF_BEGUN, _OF_TABLE = 1.25, 1.25, 0.5, 0.3
_BEYOND = 3.0  # selects for each value beyond those that may be forwarded
# What there is of other instructions in any kernel, and what the loads and stores are worth that fill a frame, a word.
_BASE, _FILLED = 17.0, 1.0


def frame_pays(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> bool:
    """True if the frame with all arrays that nvcc has left in memory is turned into registers."""
    in_frame = _left(arrays)
    if all(_in_fours(array, env) for array in in_frame):
        return True
    weighed = _weighed(_framed(in_frame, env), env, around)
    return weighed is not None and weighed.cost <= weighed.allowed


def is_too_large(arrays: Sequence[PrivateArray]) -> bool:
    """True for a frame that is too large to select from, whatever else there is: it stays in memory."""
    return sum(array.bytes or 0 for array in _left(arrays)) > _WORD * _MOST_WORDS


def close_calls(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> tuple[PrivateArray, ...]:
    """The arrays of a frame about which `frame_pays` may well be wrong, because the selects cost about as much as they
    may. Of 226 random kernels 50 have such a frame, and eleven of those come out wrong; of the others eight do.
    """
    in_frame = _left(arrays)
    if all(_in_fours(array, env) for array in in_frame):
        return ()
    in_frame = _framed(in_frame, env)
    weighed = _weighed(in_frame, env, around)
    return tuple(in_frame) if weighed is not None and weighed.is_close else ()


def crowding(arrays: Sequence[PrivateArray], held: int) -> tuple[PrivateArray, ...]:
    """The arrays of a frame that selects pay for, but that takes so many registers that ptxas may leave it in memory
    for the waves: one of 28 floats beside 9 to 19 values that wait for a loop of 80 sums with a single read, and not
    beside fewer or more; one of 12 never (`test_close_calls.py`). Behind the loops it does so beside far more.
    held: registers with it.
    """
    in_frame = _left(arrays)
    words = sum(array.bytes or 0 for array in in_frame) // _WORD
    in_loops = any(is_rolled(access) for array in in_frame for access in array.dynamic)
    return tuple(in_frame) if words >= _CROWDING_WORDS and held >= (_CROWDED if in_loops else _CROWDED_BEHIND) else ()


def _left(arrays: Sequence[PrivateArray]) -> list[PrivateArray]:
    """The arrays of the kernel's own frame that are indexed; ptxas takes none out of that of a function it calls."""
    volatile = (array for array in arrays if array.variable.volatile_span is not None and not is_dropped(array))
    kept_volatile = {array.variable for array in volatile}
    framed = (array for array in arrays if array.bytes and "called" not in array.reached)
    return [array for array in framed if array.dynamic or array.variable in kept_volatile]


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
    if loop is not None and is_one_body(loop, env):
        return None
    by_constant = isinstance(step, Assign) and step.op in ("+=", "-=") and evaluate(step.value, env) is not None
    if loop is None or loop.unrolled or not (upwards or (anyhow and by_constant)) or len(access.indices) > 1:
        return None
    offset: Number = 0
    if isinstance(index, Binary) and index.op in ("+", "-") and (constant := evaluate(index.right, env)) is not None:
        offset = constant if index.op == "+" else -constant
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
        grouped = all(group_of(array, access, env, around) for access in array.dynamic)
        return grouped and not splits_words(array, env)
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
    """Selects of a frame, and how many there may be beside what the kernel executes anyway. margin: by how many more
    or less it may well be otherwise, None where that is a share of them.
    """

    cost: float
    allowed: float
    margin: float | None = None

    @property
    def is_close(self) -> bool:
        """Whether the selects cost about as much as they may."""
        if self.margin is not None:
            return abs(self.cost - self.allowed) <= self.margin
        return self.allowed / _CLOSE <= self.cost <= self.allowed * _CLOSE


def _weighed(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> Weighed | None:
    """None for a frame that stays in memory whatever it costs to select from it."""
    if any(array.variable in around.behind_calls for array in arrays):
        return None
    if not all(_has_words(array, env, around) for array in arrays) or not _may_pay(arrays, env, around):
        return None
    if _is_outside(arrays, env, around):
        return _outside(arrays, env, around)
    reduced = _REDUCED_WORDS if around.reduces else 0
    words = sum(array.bytes or 0 for array in arrays) // _WORD + reduced
    filled = (_worth(array, env, around) for array in arrays if is_filled(array))
    allowed = _BASE + around.work + sum(filled) + (_REDUCTION if reduced else 0)
    pressed = max((_pressed(array, words, env, around) for array in arrays), default=0.0)
    cost = max(_cost(arrays, words, env, around), allowed * pressed**2)
    return Weighed(cost + (_REDUCING * (words - _FREE_WORDS) if reduced else 0), allowed)


def _is_outside(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> bool:
    """True for arrays of words that are picked where no loop is, nor copies of one."""
    if around.reduces or any(step_of(array, env, around) > 1 or array.element_bytes != _WORD for array in arrays):
        return False
    return not any(is_rolled(access) or copies_of(access, around) > 1 for array in arrays for access in array.dynamic)


def _outside(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> Weighed:
    """The same of a frame that no loop picks from: of 380 kernels that it was not fitted to 39 come out wrong."""
    values = {array: values_of(array, env) for array in arrays if is_forwarded(array, env)}
    words = sum(values.get(array, (array.bytes or 0) / _WORD) for array in arrays)
    cost, worth = 0.0, 0.0
    for array in arrays:
        worth += _filling(array, env)
        places = max(words - _FREE_OUTSIDE, 0)
        least = min(map(conditions, array.accesses), default=0)  # a guard around all that is done with the array
        for access in array.dynamic:
            usual, more = _OUTSIDE[access.kind]
            cost += (usual + (more if conditions(access) > least else 0.0)) * places
    allowed = _BASE_OUTSIDE + _WORK_OUTSIDE * around.work + worth
    beyond = max((words - most_forwarded(array, env) for array in values), default=-math.inf)
    cost = max(cost, allowed + _BEYOND * beyond)
    return Weighed(cost, allowed, _MARGIN)


def _filling(array: PrivateArray, env: Environment) -> float:
    """Selects that an array is worth because it need not be stored."""
    from regpress_lint.source.array_kinds import constant_table

    words, begun = (array.bytes or 0) / _WORD, array.variable.init is not None
    per_word = _OF_BEGUN if begun else _OF_FILLED
    per_word = (per_word if constant_table(array, env) is None else _OF_TABLE) + _OF_STORE / stored_at_once(array)
    return per_word * (words if begun else min(words, words_filled(array)))


def _may_pay(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> bool:
    step = min((step_of(array, env, around) for array in arrays), default=1)
    words = sum(_touched(array, step, around) for array in arrays)
    if words > _MOST_WORDS:
        return False
    walked = [(array, access) for array in arrays for access in array.dynamic if is_rolled(access)]
    if not _is_found(arrays, around):
        return False
    if looped := [(array, access) for array, access in walked if not group_of(array, access, env, around)]:
        step = min(step_of(array, env, around) for array, _ in looped)
        places = sum(array.bytes or 0 for array in arrays) / _WORD / step
        if places > _most_in_loops(arrays, {access.kind for _, access in looped}, env, around):
            return False
    outside = _is_outside(arrays, env, around)
    return outside or words <= _MOST_FORWARDED or not any(is_forwarded(array, env) for array in arrays)


def _most_in_loops(arrays: Sequence[PrivateArray], kinds: Collection[str], env: Environment, around: Beside) -> int:
    """Most places of a frame that loops pick; kinds: what they do with them."""
    inner = [
        (array, access) for array in arrays for access in array.dynamic if depth(access) > 1 and _is_walked(access, env)
    ]
    fills = any(access.kind != "read" and not _is_in_fours(array, access, env) for array, access in inner)
    if fills and all(loop.trip_count is not None for _, access in inner for loop in loops_around(access)):
        return _MOST_FILLED_INSIDE
    if len(kinds) > 1 or "update" in kinds:
        return _MOST_CHANGED if not around.divides else min(_MOST_CHANGED, _MOST_BESIDE_DIVISION)
    return _MOST_BESIDE_DIVISION if around.divides else _MOST_IN_LOOPS


def _is_walked(access: Access, env: Environment) -> bool:
    """True if loops that stay ones step through the array, unlike a histogram's."""
    counters = [loop.counter for loop in loops_around(access)]
    return any(steps_with(index, counter, env) for index in access.indices for counter in counters)


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


def _is_found(arrays: Sequence[PrivateArray], around: Beside) -> bool:
    """True if ptxas finds an access at a constant address to a frame; without one it leaves it in memory. The address
    of the array with which the frame begins it has everywhere, those of others in the block that computes them
    (`test_constant_addresses.py`).
    """
    if any(array.variable.init is not None or array.escapes or array.variable in around.found for array in arrays):
        return True
    return any(array.variable in around.found_first for array in arrays[:1])


def _goes_through(access: Access, env: Environment) -> bool:
    """True for a loop with one body that takes one element after the other."""
    loop = access.loops[-1] if access.loops else None
    return loop is not None and is_one_body(loop, env) and steps_with(access.indices[-1], loop.counter, env)


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
    again = any(fills(access) and is_rolled(access) for access in array.accesses)
    return _FILLED * _touched(array, step_of(array, env, around), around) * often(int(again))


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
                picks = table and is_rolled(access) and not _goes_through(access, env)
                weight = often(_depth_of_pick(array, access, around)) * (_OF_CONSTANTS if picks else 1.0)
                kind = _FILLING if _fills_by_loop(array, access, env, around) else _KINDS.get(access.kind, 1.0)
                total += kind * weight * _selects(array, access, words, env, around)
    return total


def _pressed(array: PrivateArray, words: float, env: Environment, around: Beside) -> float:
    """How many places loops pick four words at once from, beside as many as they may: more than 1 is too many."""
    from regpress_lint.source.array_kinds import constant_table

    if constant_table(array, env) is not None:
        return 0.0
    seen = any(access.kind == "read" and is_constant(access) for access in array.accesses if access.indices)
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
        return copies_of(access._replace(loops=outer), around) * group.reached * max(places - _FREE_WORDS, 0)
    if _is_in_fours(array, access, env):
        share = _OF_NESTED if depth(access) > 1 else 1.0
        return copies_of(access, around) * share * max(words / _AT_ONCE - _FREE_PLACES, 0)
    copies = copies_of(access, around)
    if (picked := _picked(array, access, around)) is not None:
        copies = min(copies, picked.places)
    counted = not access.loops or access.loops[-1].trip_count is not None
    share = 1.0 if counted else _OF_COPIES.get((access.kind, copies), 1.0)
    masked = all(is_masked(index, env) for index in access.indices)
    if copies == _AT_ONCE and access.kind == "read" and masked and constant_table(array, env) is None:
        share *= _MASKED
    step = max(step_of(array, env, around), step_in_copies(array, access, env, around))
    return copies * share * max(words / step - _FREE_WORDS, 0)


def _is_in_fours(array: PrivateArray, access: Access, env: Environment) -> bool:
    """True for an access in a loop over the elements from the first on, in every iteration: nvcc copies the loop four
    times, and the four words of a copy begin at a multiple of four.
    """
    if (array.elements or 0) % _AT_ONCE or array.element_bytes != _WORD or not access.loops:
        return False
    loop = access.loops[-1]
    if access.pointer and "offset" in array.reached:
        return False
    if loop.trip_count is not None or is_one_body(loop, env) or conditions(access) or _steps_from(access, env) != 0:
        return False
    return not any(isinstance(node, (Jump, Return)) for node in walk_outside_lambdas(loop.loop.body))


def _depth_of_pick(array: PrivateArray, access: Access, around: Beside) -> int:
    """Loops around an access; one that picks the same element in each iteration is hoisted in front of them."""
    around_it, picked = depth(access), _picked(array, access, around)
    if picked is None or around.reduces or conditions(access):
        return around_it
    return min(around_it, picked.loops)


def _picked(array: PrivateArray, access: Access, around: Beside) -> Picked | None:
    """How a read picks elements, where nothing that is written in the loops around it changes what it gives."""
    picked = around.picked.get((array.variable, access.span.start))
    if picked is None or access.kind != "read" or access.within is not None:
        return None
    if access.pointer and "moving" in array.reached:
        return None
    loops = {loop.loop for loop in access.loops}
    writes = (candidate for candidate in array.accesses if candidate.kind != "read")
    return None if any(loop.loop in loops for write in writes for loop in write.loops) else picked
