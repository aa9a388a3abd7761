"""How large an integer can be, as far as a compiler sees it without knowing the arguments: a model of LLVM's known
bits, and no tighter. What a value is for every input, a rule proves from the source (RP406).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.integer_ranges import WORD_MAX, Range, arithmetic, masked, remainder
from regpress_lint.model.graph.ops import (
    ADD,
    AND,
    BINARY,
    DIVIDE,
    MULTIPLY,
    OR,
    PHI,
    REMAINDER,
    SELECT,
    SEXT,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SUBTRACT,
    TRUNCATE,
    XOR,
    ZEXT,
)
from regpress_lint.model.graph.values import SIGNED, UNSIGNED
from regpress_lint.targets.builtins import SMALLER

if TYPE_CHECKING:
    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.graph.values import Graph


_BOUNDED = frozenset((ADD, MULTIPLY, OR, XOR, AND, REMAINDER, DIVIDE, SHIFT_LEFT, SHIFT_RIGHT))
_KEEPING_ZEROS = frozenset((MULTIPLY, SHIFT_LEFT, ADD, AND, OR, XOR, SELECT))
_DEPTH = 6
_LESS, _GREATER = (BINARY["<"], BINARY["<="]), (BINARY[">"], BINARY[">="])


def largest(graph: Graph, value: int, depth: int = _DEPTH) -> int | None:
    """The largest value that an integer can have if it is never negative; None if nothing is known.

    LLVM's known bits: a thread's id is below 1,024, masks and remainders by constants are bounded, and so are sums,
    products and shifts of bounded values.
    """
    if (constant := graph.constants[value]) is not None:
        return constant if isinstance(constant, int) and constant >= 0 else None
    op, args = graph.ops[value], graph.args[value]
    if value in graph.limits:
        return graph.limits[value]
    if not depth or graph.kinds[value] not in (SIGNED, UNSIGNED):
        return None
    if op is ZEXT or op is SEXT or op is TRUNCATE:
        inner = largest(graph, args[0], depth - 1)
        if inner is None and op is ZEXT and graph.forms[args[0]].width == 1:
            return WORD_MAX
        return inner
    if op is SELECT:
        return _both(graph, args[1], args[2], depth)
    if op in _BOUNDED and len(args) == 2:
        return _operation(graph, value, op, args, depth)
    return None


def at_most(graph: Graph, value: int, depth: int = _DEPTH) -> int | None:
    """The upper bound of an integer that may also be negative: 8 of `min(n, 8)` and of `n < 8 ? n : 8`."""
    most = largest(graph, value, depth)
    if most is not None or not depth:
        return most
    op, args = graph.ops[value], graph.args[value]
    if op is SEXT or op is TRUNCATE:
        return at_most(graph, args[0], depth - 1)
    if op.about in SMALLER or (op is SELECT and _picks_smaller(graph, args)):
        limits = (at_most(graph, arg, depth - 1) for arg in args[-2:])
        return min((limit for limit in limits if limit is not None), default=None)
    if graph.kinds[value] == SIGNED and op in (ADD, SUBTRACT):  # `8 - i - 1`
        more = graph.constants[args[1]] if op is ADD else 0
        if (isinstance(more, int) and more < 0) or (op is SUBTRACT and largest(graph, args[1], depth - 1) is not None):
            left = at_most(graph, args[0], depth - 1)
            return left if left is None else left + int(more or 0)
    return None


def _picks_smaller(graph: Graph, args: tuple[int, ...]) -> bool:
    """True for the operands of `a < b ? a : b`, and the other ways to write it."""
    condition, chosen, other = args
    op, compared = graph.ops[condition], graph.args[condition]
    return (op in _LESS and compared == (chosen, other)) or (op in _GREATER and compared == (other, chosen))


def _both(graph: Graph, a: int, b: int, depth: int) -> int | None:
    left = largest(graph, a, depth - 1)
    right = largest(graph, b, depth - 1) if left is not None else None
    return None if left is None or right is None else max(left, right)


def _operation(graph: Graph, value: int, op: Op, args: tuple[int, ...], depth: int) -> int | None:
    left, right = largest(graph, args[0], depth - 1), largest(graph, args[1], depth - 1)
    unsigned = graph.kinds[value] == UNSIGNED
    if op is AND:
        return _high(masked(_from_zero(left), _from_zero(right)))
    if left is None and unsigned and graph.forms[value].width == 1:
        left = WORD_MAX
    if left is None or right is None:
        return None
    constant = graph.constants[args[1]] is not None
    if op is REMAINDER:
        return _high(remainder(Range(0, left), Range(right, right), signed=not unsigned)) if constant else None
    by = Range(right if constant else int(op is DIVIDE), right)
    result = _high(arithmetic(op, Range(0, left), by))
    most = (1 << 32 * max(graph.forms[value].width, 1) - (not unsigned)) - 1
    return result if result is not None and result <= most else None


def _from_zero(high: int | None) -> Range | None:
    return Range(0, high) if high is not None else None


def _high(values: Range | None) -> int | None:
    return values.high if values is not None else None


def low_zeros(graph: Graph, value: int, depth: int = _DEPTH) -> int:
    """A power of two that divides an integer, 1 if none is known: a sum with something smaller has no carry."""
    constant = graph.constants[value]
    if isinstance(constant, int):
        return constant & -constant if constant else 1 << 32
    op, args = graph.ops[value], graph.args[value]
    if depth and (op is ZEXT or op is SEXT):
        return low_zeros(graph, args[0], depth - 1)
    if not depth or op not in _KEEPING_ZEROS:
        return 1
    left, right = (low_zeros(graph, arg, depth - 1) for arg in args[-2:])
    if op is SHIFT_LEFT:
        by = graph.constants[args[1]]
        return left << by if isinstance(by, int) and 0 <= by < 32 else left
    if op is MULTIPLY:
        return left * right
    return max(left, right) if op is AND else min(left, right)


def stride(graph: Graph, index: int) -> int:
    """The power of two by which an index steps, whatever is added to it: 4 of `4 * (n & 3) + 1`."""
    op, args = graph.ops[index], graph.args[index]
    if op is ZEXT or op is SEXT:
        return stride(graph, args[0])
    if op is ADD and len(args) == 2:
        moving = [arg for arg in args if graph.constants[arg] is None]
        if len(moving) == 1:
            return stride(graph, moving[0])
    return low_zeros(graph, index)


def reach(graph: Graph, index: int, depth: int = _DEPTH) -> range | None:
    """The numbers that an index may be, as nvcc sees them where it asks which elements of an array a write may change:
    those from 8 to 15 of `(n & 7) + 8`, sixteen of `u % 10`, as it looks at bits, and all from 24 on of a sum with a
    carry, `(n & 15) + 24`. Of a loop's counter it sees none.
    """
    op, args = graph.ops[index], graph.args[index]
    if depth and (op is ZEXT or op is SEXT):
        return reach(graph, args[0], depth - 1)
    if depth and op is ADD and len(args) == 2:
        moving, fixed = args if graph.constants[args[0]] is None else args[::-1]
        by = graph.constants[fixed]
        if isinstance(by, int) and by >= 0:
            range_ = reach(graph, moving, depth - 1)
            if range_ is None:
                return None
            carries = by >= range_.step and by & (range_.stop - 1)
            return range(range_.start + by, WORD_MAX if carries else range_.stop + by, range_.step)
    if op is PHI or any(graph.ops[arg] is PHI for arg in args):
        return None
    most = largest(graph, index)
    return range(0, 1 << most.bit_length(), low_zeros(graph, index)) if most is not None else None
