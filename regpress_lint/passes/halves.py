"""Upper halves of 64-bit integers that need no register: they are unused, or zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.ir.graph import SIGNED, UNSIGNED
from regpress_lint.ir.ops import (
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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.ir.graph import Graph

_LOAD = Kind.LOAD
_SHIFTS = frozenset((SHIFT_LEFT, SHIFT_RIGHT))
_HALF = 32
_WORD = (1 << _HALF) - 1
_BELOW = frozenset(
    (ADD, SUBTRACT, MULTIPLY, OR, XOR, AND, COMPLEMENT, SHIFT_LEFT, PHI, EXIT, SELECT)
)  # no bit goes down
_EXTENDED = (ZEXT, SOURCE, SELECT, DIVIDE)
_ROUNDS = 6  # of the fixed point; values of loops in loops


def empty_halves(graph: Graph, needed: bytearray, *, pairs: bool, narrows: bool) -> list[int]:
    """The 64-bit integers that take one register: a hash in `unsigned long` whose digest has words of 32 bits.

    pairs: an operand of 64 bits is a pair of registers, also if the upper one is zero (AMD): an extended index is one
    if an address uses it. narrows: only the lower half of 64 bits in memory is read if the upper one is unused.
    """
    wide = [n for n, form in enumerate(graph.forms) if form.width == 2 and form.kind in (SIGNED, UNSIGNED)]
    if not wide:
        return []
    zero = _zero(graph, wide)
    asked = _asked_for(graph, needed, wide, zero)
    # A read of 64 bits takes both halves, whatever is in the upper one.
    whole = _EXTENDED if pairs else ()
    return [
        n
        for n in wide
        if n not in asked or (n in zero and graph.ops[n] not in whole)
        if graph.ops[n].kind is not _LOAD or (narrows and n not in asked)
    ]


def _asked_for(graph: Graph, needed: bytearray, wide: Sequence[int], zero: set[int]) -> set[int]:
    """Values whose upper half some needed value depends on."""
    ops, args, own = graph.ops, graph.args, set(wide)
    asked: set[int] = set()
    for _ in range(_ROUNDS):
        before = len(asked)
        for user in range(len(graph) - 1, -1, -1):
            operands = args[user]
            if not operands or not needed[user] or ops[user] is TRUNCATE:
                continue
            if ops[user] in _BELOW and user in own and user not in asked:
                continue
            if ops[user] is AND and user in own and any(arg in zero for arg in operands):
                continue
            if ops[user] is SHIFT_LEFT and user in own and _shift(graph, operands) >= _HALF:
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
    found = {n for n, known in enumerate(graph.constants) if isinstance(known, int) and 0 <= known <= _WORD}
    for number in wide:
        operands = args[number]
        op = ops[number]
        if number in graph.limits:
            empty = graph.limits[number] <= _WORD
        elif op is ZEXT:
            empty = graph.forms[operands[0]].width < 2
        elif op is AND:
            empty = any(arg in found for arg in operands)
        elif op is OR or op is XOR:
            empty = all(arg in found for arg in operands)
        elif op is SELECT:
            empty = all(arg in found for arg in operands[1:])
        elif op is SHIFT_RIGHT:
            empty = operands[0] in found or (graph.kinds[number] == UNSIGNED and _shift(graph, operands) >= _HALF)
        else:
            empty = op is DIVIDE and operands[0] in found
        if empty:
            found.add(number)
    return found
