"""Which arrays with an index known at run time ptxas takes out of local memory.

ptxas sees one frame with everything in it that nvcc has left in local memory, and turns it into registers as a whole or
not at all: an access becomes a chain of selects over the frame's words. It does so while the selects are few beside
what the kernel executes anyway, both weighed by the loops around them: the same histogram of eight bins is in memory in
a loop that does nothing else, and in registers beside twenty operations. The numbers are a fit to small kernels; of
others like them they get 87 % right (`benchmarks/measure_promotion.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping  # noqa: TC003
from types import MappingProxyType
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.constants import evaluate
from regpress_lint.cpp.syntax_tree import Binary, If, Jump, Loop, Name, Return, Update
from regpress_lint.cpp.traversal import walk, written_alike
from regpress_lint.model.graph.ops import Kind
from regpress_lint.model.graph.values import FLOAT, PREDICATE
from regpress_lint.targets.costs import call_size

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from regpress_lint.cpp.constants import Environment, Number
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.model.graph.values import Graph
    from regpress_lint.source.arrays import Access, PrivateArray
    from regpress_lint.source.loop_facts import LoopFacts


_WORD = 4
_MOST_WORDS = 88
_MOST_IN_LOOPS = 40  # elements: of twenty random kernels with more whose loops index them 18 keep the frame
_AT_ONCE, _MOST_IN_FOURS = 4, 32
# Selects of an access for each word of the frame beyond some; a loop that stays one runs so often.
_FREE_WORDS = 3.1
_FREE_PLACES = 2.5  # of four words each, where a loop goes through all elements in order
_KINDS = {"write": 0.6, "update": 2.4}
_LOOP = 14.0
_CONDITION = 0.85  # of a condition around an access, how often it is executed
_MOST_COPIES = 16
# What there is of other instructions in any kernel, and what the loads and stores are worth that fill a frame, a word.
_BASE, _FILLED = 6.0, 1.5
# For a struct, whose kernel's work is not looked at: see `object_pays`.
IN_LOOP = 6
_OBJECT_FREE, _OBJECT_WRITE, _OBJECT_ALLOWED, _OBJECT_STORED = 4.5, 0.5, 25.0, 1.5
# What one of the graph's operations weighs; private arrays are left out: they are what is weighed against the rest.
_WORK = {
    Kind.ARITHMETIC: 0.35,
    Kind.CONVERSION: 0.6,
    Kind.SELECT: 0.35,
    Kind.BITS: 0.35,
    Kind.PHI: 0.75,
    Kind.BRANCH: 0.75,
    Kind.LOAD: 0.6,
    Kind.STORE: 0.6,
    Kind.ADDRESS: 0.1,
    Kind.CONVERGENT: 0.5,
    Kind.ROUTINE: 0.5,
    Kind.BEGUN: 0.5,
    Kind.CALL: 0.5,
    Kind.SERVICE: 0.5,
}
# Divisions and roots in single precision branch off to a routine for rare operands, which counts like all else.
_DIVISION, _INTEGER_DIVISION, _ROOT = 30.0, 10.0, 14.0
_ROUTINE = 0.1  # of a routine's instructions: a `powf` beside an access does not hide it
_NAMED = frozenset((Kind.ROUTINE, Kind.BEGUN, Kind.CALL, Kind.SERVICE))
_SUBROUTINES = frozenset(
    (
        *("sqrt", "sqrtf", "hypot", "hypotf", "sin", "sinf", "cos", "cosf", "tan", "tanf", "sincos", "sincosf"),
        *("atan2", "atan2f", "pow", "__fsqrt_rn", "__fdiv_rn", "__frcp_rn"),
    )
)
_ROOTS = frozenset(("sqrt", "sqrtf", "rsqrt", "rsqrtf", "hypot", "hypotf"))


class Beside(NamedTuple):
    """What an execution says of the kernel around its arrays. work: weighed instructions; copies: of the bodies of
    loops that stay loops. behind_calls: arrays with an index that comes out of a routine with a call in it.
    """

    work: float = 0.0
    copies: Mapping[Loop, int] = MappingProxyType({})
    behind_calls: frozenset[Variable] = frozenset()


NOTHING = Beside()


def beside(graph: Graph, copies: Mapping[Loop, int], picks: Sequence[tuple[Variable, tuple[int, ...]]] = ()) -> Beside:
    """What stands beside a kernel's arrays; picks: their indices known at run time."""
    work = 0.0
    for number, home in enumerate(graph.homes):
        work += _weight(graph, number) * _often(home is not None and home.depth > 0)
    behind: set[Variable] = set()
    clean: set[int] = set()
    for variable, indices in picks:
        if variable not in behind and any(_is_behind_call(graph, index, clean) for index in indices):
            behind.add(variable)
    return Beside(work, copies, frozenset(behind))


def _is_behind_call(graph: Graph, value: int, clean: set[int]) -> bool:
    """True if a value is made of what such a routine gives. Conditions do not count: they decide, and carry nothing.

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


def _often(in_loop: bool) -> float:
    """How often ptxas takes something to be executed; a loop inside of a loop counts no more."""
    return _LOOP if in_loop else 1.0


def _weight(graph: Graph, number: int) -> float:
    op = graph.ops[number]
    if op.about == "private":
        return 0.0
    weight = _WORK.get(op.kind, 0.0)
    if op.kind in _NAMED:
        name = op.about.rpartition("::")[2]
        return _ROOT if name in _ROOTS else weight + _ROUTINE * call_size(name)
    if op.kind is Kind.ARITHMETIC and op in ("/", "%") and graph.constants[graph.args[number][-1]] is None:
        return _DIVISION if graph.kinds[number] == FLOAT else _INTEGER_DIVISION
    return weight


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
    from regpress_lint.source.arrays import constant_table

    if array.variable.volatile_span is not None or array.escapes or constant_table(array, env) is None:
        return False
    starts = [_steps_from(access, env) for access in array.dynamic]
    return all(start is not None and start % _AT_ONCE == 0 for start in starts)


def _steps_from(access: Access, env: Environment) -> Number | None:
    """The element with which a loop that stays one begins to go upwards through an array, one by one; None for any
    other way.
    """
    index, loop = access.indices[0], access.loops[-1] if access.loops else None
    step = loop.loop.step if loop is not None else None
    if loop is None or loop.unrolled or not isinstance(step, Update) or step.op != "++" or len(access.indices) > 1:
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
    elements = sum(array.elements or 0 for array in arrays)  # a struct is selected as one
    filled = [array for array in arrays if _is_filled(array)]
    if words > _MOST_WORDS:
        return False
    looped = any(_rolled(access) for array in arrays for access in array.dynamic)
    if looped and (not filled or elements > _MOST_IN_LOOPS):
        return False
    allowed = _BASE + around.work + sum(_worth(array, env) for array in filled)
    return _cost(arrays, elements, env, around) <= allowed


def object_pays(words: int, reads: float, writes: float) -> bool:
    """The same for one struct; accesses in loops count `IN_LOOP` times."""
    cost = reads + _OBJECT_WRITE * writes
    return words <= _MOST_WORDS and cost * max(words - _OBJECT_FREE, 0) <= _OBJECT_ALLOWED + _OBJECT_STORED * words


def _is_filled(array: PrivateArray) -> bool:
    """True if elements are written at constant indices; else the whole life of the array is in run-time loops."""
    if array.variable.init is not None:
        return True
    return any(map(_fills, array.accesses))


def _worth(array: PrivateArray, env: Environment) -> float:
    """Selects that filling an array is worth: many where it is filled again in the loop that uses it, none where it is
    filled with constants.
    """
    from regpress_lint.source.arrays import constant_table

    if constant_table(array, env) is not None:
        return 0.0
    again = any(_fills(access) and _rolled(access) for access in array.accesses)
    return _FILLED * ((array.bytes or 0) // _WORD) * _often(again)


def _fills(access: Access) -> bool:
    return access.kind == "write" and not access.dynamic


def _cost(arrays: Sequence[PrivateArray], elements: int, env: Environment, around: Beside) -> float:
    """Selects of all accesses among the elements of the frame, weighed."""
    total = 0.0
    for array in arrays:
        seen: set[Hashable] = set()
        for access in array.dynamic:
            key = (access.kind, access.loops[-1:], tuple(map(written_alike, access.indices)))
            if key not in seen:
                seen.add(key)
                weight = _often(_rolled(access)) * _CONDITION ** _conditions(access)
                if _is_in_fours(array, access, env):
                    selects = max(elements / _AT_ONCE - _FREE_PLACES, 0)
                else:
                    selects = max(elements - _FREE_WORDS, 0)
                total += _KINDS.get(access.kind, 1.0) * _copies(access, around) * weight * selects
    return total


def _is_in_fours(array: PrivateArray, access: Access, env: Environment) -> bool:
    """True for an access in a loop over the elements from the first on, in every iteration: nvcc copies the loop four
    times, and the four words of a copy begin at a multiple of four.
    """
    if (array.elements or 0) % _AT_ONCE or array.element_bytes != _WORD or not access.loops:
        return False
    loop = access.loops[-1]
    if loop.trip_count is not None or _conditions(access) or _steps_from(access, env) != 0:
        return False
    return not any(isinstance(node, (Jump, Return)) for node in walk(loop.loop.body))


def _loops(access: Access) -> list[LoopFacts]:
    return [loop for loop in access.loops if not loop.unrolled]


def _rolled(access: Access) -> bool:
    return bool(_loops(access))


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
