"""Which arrays with an index known at run time ptxas takes out of local memory.

ptxas sees one frame with everything in it that nvcc has left in local memory, and turns it into registers as a whole or
not at all: an access becomes a chain of selects over the frame's words. It does so while the selects are few beside
what the kernel executes anyway, both weighed by the loops around them: the same histogram of eight bins is in memory in
a loop that does nothing else, and in registers beside twenty operations. A frame of which no place is a constant
anywhere keeps its memory, whatever its size. The numbers are a fit to 900 small kernels that ask one question each
(how many words, beside how many additions, loads, roots, in how many loops) and to random ones of which 86 % come out
right; `benchmarks/random_kernels.py` and `benchmarks/measure_promotion.py` make others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping  # noqa: TC003
from types import MappingProxyType
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Binary, If, Jump, Loop, Name, Return, Update
from regpress_lint.cpp.traversal import walk, written_alike
from regpress_lint.ir.graph import FLOAT, PREDICATE
from regpress_lint.ir.ops import MULTIPLY, Kind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from regpress_lint.cpp.constants import Environment, Number
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.ir.graph import Graph
    from regpress_lint.source_level.arrays import Access, PrivateArray
    from regpress_lint.source_level.loop_facts import LoopFacts

_WORD = 4
_MOST_WORDS = 84
_MOST_IN_LOOPS = 34  # words of a frame that a loop reads
_AT_ONCE, _MOST_IN_FOURS = 4, 32
# Selects of an access for each word of the frame beyond some; what a loop executes counts so often, in a loop inside of
# a loop once more, and what is deeper no more than that.
_FREE_WORDS = 1.5
# The same where a loop goes through all elements in order, four words at a time: where its iterations are counted, and
# where they are not.
_FREE_PLACES, _FREE_UNCOUNTED, _UNCOUNTED = 2.5, 2.0, 3.3
_KINDS = {"write": 1.0, "update": 2.05}
_LOOP, _DEEPEST = 24.0, 2
_MOST_MIXED = (
    72.0  # selects, of a loop those of one copy, where elements are both read and written at places known at run time
)
_CONDITION = 0.85  # of a condition around an access, how often it is executed
_MOST_COPIES = 16
# How much more a copy costs in a loop with four of them or more, which share its counter.
_COPIED = 1.6
# What there is of other instructions in any kernel, and the selects that an instruction is worth.
_BASE, _WORTH = 4.0, 1.2
# For a struct, whose kernel's work is not looked at: see `object_pays`.
IN_LOOP = 6
_MOST_OBJECT = 88
_OBJECT_FREE, _OBJECT_WRITE, _OBJECT_ALLOWED, _OBJECT_STORED = 4.5, 0.5, 25.0, 1.5
# Instructions of one of the graph's operations. Private arrays are left out: they are what is weighed against the rest.
# So are addresses, which loads and stores have with them, and what loops carry.
_WORK = {
    Kind.ARITHMETIC: 1.0,
    Kind.CONVERSION: 1.0,
    Kind.SELECT: 1.5,
    Kind.BITS: 0.5,
    Kind.BRANCH: 1.0,
    Kind.LOAD: 1.0,
    Kind.STORE: 2.0,
    Kind.ATOMIC: 2.0,
    Kind.CONVERGENT: 1.0,
    Kind.ROUTINE: 5.0,
    Kind.BEGUN: 5.0,
    Kind.CALL: 5.0,
    Kind.SERVICE: 5.0,
}
_DIVISION, _INTEGER_DIVISION, _ROOT = 12.0, 10.0, 15.0
_NAMED = frozenset((Kind.ROUTINE, Kind.BEGUN, Kind.CALL, Kind.SERVICE))
_SUBROUTINES = frozenset(
    (
        *("sqrt", "sqrtf", "hypot", "hypotf", "sin", "sinf", "cos", "cosf", "tan", "tanf", "sincos", "sincosf"),
        *("atan2", "atan2f", "pow", "__fsqrt_rn", "__fdiv_rn", "__frcp_rn"),
    )
)
# The slow path of these has a frame of its own, which is no work that hides one.
_SLOW_PATHS = frozenset(("sinf", "cosf", "tanf", "sincosf"))
_ROOTS = frozenset(("sqrt", "sqrtf", "rsqrt", "rsqrtf", "hypot", "hypotf"))


class Beside(NamedTuple):
    """An execution's results for the kernel around its arrays. work: weighed instructions; copies: of the bodies of
    loops that stay loops. behind_calls: arrays with an index that results from a routine with a call in it.
    """

    work: float = 0.0
    copies: Mapping[Loop, int] = MappingProxyType({})
    behind_calls: frozenset[Variable] = frozenset()


NOTHING = Beside()


def beside(graph: Graph, copies: Mapping[Loop, int], picks: Sequence[tuple[Variable, tuple[int, ...]]] = ()) -> Beside:
    """The surroundings of a kernel's arrays; picks: their indices known at run time."""
    work, uses = 0.0, Counter(value for values in graph.args for value in values)
    for number, home in enumerate(graph.homes):
        work += _weight(graph, number, uses[number]) * _often(home.depth if home is not None else 0)
    behind: set[Variable] = set()
    clean: set[int] = set()
    for variable, indices in picks:
        if variable not in behind and any(_is_behind_call(graph, index, clean) for index in indices):
            behind.add(variable)
    return Beside(work, copies, frozenset(behind))


def _is_behind_call(graph: Graph, value: int, clean: set[int]) -> bool:
    """Whether a value is computed from the result of such a routine. Conditions do not count: they decide, and carry
    nothing.

    `clean` are values of which it is known that they are not.
    """
    pending, walked = [value], set[int]()
    while pending:
        number = pending.pop()
        if number in walked or number in clean or graph.kinds[number] == PREDICATE:
            continue
        if _has_call(graph, number):
            return True
        walked.add(number)
        pending += graph.args[number]
    clean |= walked
    return False


def _has_call(graph: Graph, number: int) -> bool:
    """True for what nvcc makes with a subroutine for rare operands."""
    op = graph.ops[number]
    if op.kind in _NAMED:
        return op.about.rpartition("::")[2] in _SUBROUTINES
    if op.kind is not Kind.ARITHMETIC or op not in ("/", "%"):
        return False
    divisor = graph.constants[graph.args[number][-1]]
    if graph.kinds[number] == FLOAT:
        return divisor is None or math.frexp(divisor)[0] not in (0.5, -0.5)
    return divisor is None and graph.forms[number].width > 1


def _often(loops: int) -> float:
    """How often ptxas assumes that code in so many loops is executed."""
    return _LOOP ** min(loops, _DEEPEST)


def _weight(graph: Graph, number: int, uses: int) -> float:
    op = graph.ops[number]
    if op.about == "private":
        return 0.0
    if op.kind in _NAMED:
        name = op.about.rpartition("::")[2]
        return _ROOT if name in _ROOTS else 0.0 if name in _SLOW_PATHS else _WORK[op.kind]
    if op.kind is not Kind.ARITHMETIC:
        return _WORK.get(op.kind, 0.0)
    if op == MULTIPLY and uses == 1:
        return 0.0  # one instruction with the sum that it goes into
    if op in ("/", "%") and graph.constants[graph.args[number][-1]] is None:
        return _DIVISION if graph.kinds[number] == FLOAT else _INTEGER_DIVISION
    return _WORK[op.kind] * (max(graph.forms[number].width, 1) if graph.kinds[number] != FLOAT else 1)


def frame_pays(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> bool:
    """True if the frame with all arrays that nvcc has left in memory is turned into registers."""
    found = [array for array in arrays if array.bytes and (array.dynamic or array.variable.volatile_span is not None)]
    found = [array for array in found if not _in_fours(array, env)]
    if any(array.variable in around.behind_calls for array in found):
        return False
    return not found or (all(map(_has_words, found)) and _pays(found, env, around))


def _in_fours(array: PrivateArray, env: Environment) -> bool:
    """True for a small table that loops only step through from a multiple of four on: nvcc unrolls them four times,
    reads four words at once, and ptxas then has so few places to select from that it needs no frame.
    """
    elements = array.elements
    if elements is None or elements % _AT_ONCE or elements > _MOST_IN_FOURS or array.element_bytes != _WORD:
        return False
    from regpress_lint.source_level.tables import constant_table

    if array.variable.volatile_span is not None or array.escapes or constant_table(array, env) is None:
        return False
    if len(array.variable.dims) > 1:
        return False
    starts = [_steps_from(access, env) for access in array.dynamic]
    return all(start is not None and start % _AT_ONCE == 0 for start in starts)


def _steps_from(access: Access, env: Environment) -> Number | None:
    """The element with which a loop that stays one begins to go upwards through an array, one by one; None for any
    other way.
    """
    index, loop = access.indices[-1], access.loops[-1] if access.loops else None
    step = loop.loop.step if loop is not None else None
    if loop is None or loop.unrolled or not isinstance(step, Update) or step.op != "++":
        return None
    offset: Number = 0
    if isinstance(index, Binary) and index.op in ("+", "-") and (known := evaluate(index.right, env)) is not None:
        offset = known if index.op == "+" else -known
        index = index.left
    if not isinstance(index, Name) or index.variable is not loop.counter or loop.counter is None:
        return None
    start = evaluate(loop.counter.init, env)
    return None if start is None else start + offset


def _has_words(array: PrivateArray) -> bool:
    """True if all that is read and written has 32 bits: ptxas selects among nothing else."""
    if array.variable.volatile_span is not None:
        return False
    rank = len(array.variable.dims)
    # A row that is handed on is no read: what is done with it are accesses of their own.
    return all(len(each.indices) < rank or _is_word(each) for each in array.accesses if each.indices) and _is_plain(
        array
    )


def _is_plain(array: PrivateArray) -> bool:
    type_ = array.variable.type
    return type_.pointers == 0 and (type_.struct or (type_.size or 0) == _WORD * type_.lanes)


def _is_word(access: Access) -> bool:
    type_ = access.type
    if type_ is None or type_.size is None or type_.struct:
        return True
    return type_.pointers == 0 and type_.size == _WORD * type_.lanes


def _pays(arrays: Sequence[PrivateArray], env: Environment, around: Beside) -> bool:
    words = sum(array.bytes or 0 for array in arrays) // _WORD
    if words > _MOST_WORDS or not any(map(_has_constant_places, arrays)):
        return False
    if words > _MOST_IN_LOOPS and any(each.kind != "write" and _loops(each) for one in arrays for each in one.dynamic):
        return False
    selects = list(_selects(arrays, words, env, around))
    kinds = {kind for kind, _, copies, _ in selects if copies}
    mixed = len(kinds) > 1 or "update" in kinds
    if (
        mixed
        and sum(count / (copies if copies and often > 1 else 1) for _, count, copies, often in selects) > _MOST_MIXED
    ):
        return False
    return sum(count * often for _, count, _, often in selects) <= _BASE + _WORTH * around.work


def object_pays(words: int, reads: float, writes: float) -> bool:
    """The same for one struct; accesses in loops count `IN_LOOP` times."""
    cost = reads + _OBJECT_WRITE * writes
    return words <= _MOST_OBJECT and cost * max(words - _OBJECT_FREE, 0) <= _OBJECT_ALLOWED + _OBJECT_STORED * words


def _has_constant_places(array: PrivateArray) -> bool:
    """True if the array's declaration fills it, or an element's index is a constant somewhere."""
    return array.variable.init is not None or any(each.indices and not each.dynamic for each in array.accesses)


def _selects(
    arrays: Sequence[PrivateArray], words: int, env: Environment, around: Beside
) -> Iterator[tuple[str, float, float, float]]:
    """One entry for all accesses that are alike: the kind, selects, copies (0: four are one), how often it runs."""
    for array in arrays:
        seen: set[Hashable] = set()
        for access in array.dynamic:
            key = (access.kind, access.loops[-1:], tuple(map(written_alike, access.indices)))
            if key in seen:
                continue
            seen.add(key)
            often = _often(len(_loops(access))) * _CONDITION ** _conditions(access)
            in_fours = _is_in_fours(array, access, env, around)
            if not in_fours:
                count = max(words / _stride(array, access, env) - _FREE_WORDS, 0)
            elif access.loops[-1].trip_count is None:
                count = _UNCOUNTED * max(words / _AT_ONCE - _FREE_UNCOUNTED, 0)
            else:
                count = max(words / _AT_ONCE - _FREE_PLACES, 0)
            copies: float = 1 if in_fours else _copies(access, around)
            if copies >= _AT_ONCE < words and _loops(access):
                copies *= _COPIED
            yield access.kind, _KINDS.get(access.kind, 1.0) * copies * count, 0 if in_fours else copies, often


def _stride(array: PrivateArray, access: Access, env: Environment) -> int:
    """Words between the places that an access may mean, as far as it is a power of two: of structs of two numbers one
    member, of rows of four the same column.
    """
    words = max((array.element_bytes or _WORD) // _WORD, 1)
    if access.pointer:
        return words & -words
    counters = {loop.counter for loop in access.loops if loop.unrolled}
    for index, size in zip(reversed(access.indices), reversed(array.variable.dims), strict=False):
        names = {node.variable for node in walk(index) if isinstance(node, Name)}
        extent = evaluate(size, env) if size is not None else None
        if (evaluate(index, env) is None and not (names and names <= counters)) or not isinstance(extent, int):
            break
        words *= extent
    return words & -words


def _is_in_fours(array: PrivateArray, access: Access, env: Environment, around: Beside) -> bool:
    """True for an access in a loop over the elements one by one: nvcc copies the loop four times, or a pragma has it
    done, and the words of a copy lie side by side. In a loop whose iterations are not counted they have to be all of
    them in every iteration, from the first on.
    """
    loop = access.loops[-1] if access.loops else None
    start = _steps_from(access, env) if loop is not None and array.element_bytes == _WORD else None
    if loop is None or start is None:
        return False
    whole = (array.elements or 0) % _AT_ONCE == 0
    if loop.trip_count is not None:
        filled = access.kind == "write" and start == 0
        return around.copies.get(loop.loop, 1) % _AT_ONCE == 0 and (whole or filled)
    if not whole or start != 0:
        return False
    return not any(isinstance(node, (Jump, Return)) for node in walk(loop.loop.body))


def _loops(access: Access) -> list[LoopFacts]:
    return [loop for loop in access.loops if not loop.unrolled]


def _conditions(access: Access) -> int:
    """Conditions around an access, from the innermost loop on that stays one; those that `&&` ties count each."""
    loops = _loops(access)
    inside = loops[-1].loop.body if loops else access.function.body
    found = (node for node in walk(inside) if isinstance(node, If) and node.span.contains(access.span))
    return sum(
        sum(isinstance(part, Binary) and part.op == "&&" for part in walk(node.test)) + 1
        for node in found
        if not node.test.span.contains(access.span)
    )


def _copies(access: Access, around: Beside) -> int:
    copies = 1
    for loop in access.loops:
        copies *= (loop.trip_count or 1) if loop.unrolled else around.copies.get(loop.loop, 1)
    return min(copies, _MOST_COPIES)
