"""Upper halves of 64-bit integers that need no register: nobody asks for them, or they are zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.ir.graph import SIGNED, UNSIGNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from regpress_lint.ir.graph import Graph

_HALF = 32
_WORD = (1 << _HALF) - 1
_BELOW = frozenset(("+", "-", "*", "|", "^", "&", "~", "<<", "phi", "exit", "select"))  # no bit goes down
_ROUNDS = 6  # of the fixed point; values of loops in loops


def empty_halves(graph: Graph, needed: bytearray) -> list[int]:
    """The 64-bit integers that take one register: a hash in `unsigned long` whose digest has words of 32 bits."""
    wide = [n for n, width in enumerate(graph.widths) if width == 2 and graph.kinds[n] in (SIGNED, UNSIGNED)]
    if not wide:
        return []
    zero = _zero(graph, wide)
    asked = _asked_for(graph, needed, wide, zero)
    # A read takes both halves, whoever asks for them.
    return [n for n in wide if (n in zero or n not in asked) and not graph.ops[n].startswith("load")]


def _asked_for(graph: Graph, needed: bytearray, wide: Sequence[int], zero: set[int]) -> set[int]:
    """Values of whose upper half something hangs on that is needed."""
    ops, args, own = graph.ops, graph.args, set(wide)
    asked: set[int] = set()
    for _ in range(_ROUNDS):
        before = len(asked)
        for user in range(len(graph) - 1, -1, -1):
            operands = args[user]
            if not operands or not needed[user] or ops[user] == "truncate":
                continue
            if ops[user] in _BELOW and user in own and user not in asked:
                continue
            if ops[user] == "&" and user in own and any(arg in zero for arg in operands):
                continue
            if ops[user] == "<<" and user in own and _shift(graph, operands) >= _HALF:
                continue
            asked.update(operands[:1] if ops[user] in ("<<", ">>") else operands)
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
        elif op == "zext":
            empty = graph.widths[operands[0]] < 2
        elif op == "&":
            empty = any(arg in found for arg in operands)
        elif op in ("|", "^"):
            empty = all(arg in found for arg in operands)
        elif op == "select":
            empty = all(arg in found for arg in operands[1:])
        elif op == ">>":
            empty = operands[0] in found or (graph.kinds[number] == UNSIGNED and _shift(graph, operands) >= _HALF)
        else:
            empty = op == "/" and operands[0] in found
        if empty:
            found.add(number)
    return found
