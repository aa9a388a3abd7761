"""Upper halves of 64-bit integers that need no register: they are unused, or zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import (
    ADD,
    AND,
    COMPLEMENT,
    DIVIDE,
    EXIT,
    MULTIPLY,
    OR,
    PHI,
    SELECT,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SOURCE,
    SUBTRACT,
    TRUNCATE,
    XOR,
    ZEXT,
    Kind,
)
from regpress_lint.model.graph.values import SIGNED, UNSIGNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.model.graph.ops import Op
    from regpress_lint.model.graph.values import Graph


_SHIFTS = frozenset((SHIFT_LEFT, SHIFT_RIGHT))
_HALF = 32
WORD = (1 << _HALF) - 1
# No bit goes down.
_BELOW = frozenset((ADD, SUBTRACT, MULTIPLY, OR, XOR, AND, COMPLEMENT, SHIFT_LEFT, PHI, EXIT, SELECT))
_EXTENDED = (ZEXT, SOURCE, SELECT, DIVIDE)
ROUNDS = 6  # of the fixed point; values of loops in loops


def empty_halves(graph: Graph, needed: bytearray, *, pairs: bool, narrows: bool) -> list[int]:
    """The 64-bit integers that take one register: a hash in `unsigned long` whose digest has words of 32 bits.

    pairs: an operand of 64 bits is a pair of registers, also if the upper one is zero (AMD): an extended index is one
    if an address uses it, and a value that a loop carries is always one (`test_sums_of_products.py`). narrows: only the
    lower half of 64 bits in memory is read if the upper one is unused.
    """
    wide = [n for n, form in enumerate(graph.forms) if form.width == 2 and form.kind in (SIGNED, UNSIGNED)]
    if not wide:
        return []
    zero = _zero(graph, wide)
    asked = _asked_for(graph, needed, wide, zero, _BELOW - {PHI} if pairs else _BELOW)
    # A read of 64 bits takes both halves, whatever is in the upper one.
    whole = _EXTENDED if pairs else ()
    return [
        n
        for n in wide
        if n not in asked or (n in zero and graph.ops[n] not in whole)
        if graph.ops[n].kind is not Kind.LOAD or (narrows and n not in asked)
    ]


def _asked_for(graph: Graph, needed: bytearray, wide: Sequence[int], zero: set[int], below: frozenset[Op]) -> set[int]:
    """Values whose upper half some needed value depends on. below: values that only an upper half uses."""
    ops, args, wide_values = graph.ops, graph.args, set(wide)
    asked: set[int] = set()
    for _ in range(ROUNDS):
        before = len(asked)
        for user in range(len(graph) - 1, -1, -1):
            operands = args[user]
            if not operands or not needed[user] or ops[user] is TRUNCATE:
                continue
            if ops[user] in below and user in wide_values and user not in asked:
                continue
            if ops[user] is AND and user in wide_values and any(arg in zero for arg in operands):
                continue
            if ops[user] is SHIFT_LEFT and user in wide_values and _shift(graph, operands) >= _HALF:
                continue
            asked.update(operands[:1] if ops[user] in _SHIFTS else operands)
        if len(asked) == before:
            break
    return asked


def _shift(graph: Graph, operands: tuple[int, ...]) -> int:
    by = graph.constants[operands[1]] if len(operands) > 1 else None
    return by if isinstance(by, int) else 0


def _zero(graph: Graph, wide: Sequence[int]) -> set[int]:
    """Values whose upper half is zero whatever the operands are; constants among them."""
    ops, args = graph.ops, graph.args
    zero = {n for n, constant in enumerate(graph.constants) if isinstance(constant, int) and 0 <= constant <= WORD}
    for number in wide:
        operands = args[number]
        op = ops[number]
        if number in graph.limits:
            empty = graph.limits[number] <= WORD
        elif op is ZEXT:
            empty = graph.forms[operands[0]].width < 2
        elif op is AND:
            empty = any(arg in zero for arg in operands)
        elif op is OR or op is XOR:
            empty = all(arg in zero for arg in operands)
        elif op is SELECT:
            empty = all(arg in zero for arg in operands[1:])
        elif op is SHIFT_RIGHT:
            empty = operands[0] in zero or (graph.kinds[number] == UNSIGNED and _shift(graph, operands) >= _HALF)
        else:
            empty = op is DIVIDE and operands[0] in zero
        if empty:
            zero.add(number)
    return zero
