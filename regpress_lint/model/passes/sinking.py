"""Where LLVM's sinking pass puts arithmetic, which the AMDGPU target runs once more: in front of its first use.

A value that no use needs before a branch is behind it moves there, whatever it holds meanwhile: a scheduler orders one
block at a time and does not bring it back. Reads stay, as others may write between. Sixteen pairs of `float4` from LDS,
summed up in a loop, take 62 VGPRs, with `if (c) o[t] = 3;` behind them 148 (`test_sunk_sums.py`).
"""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING

from regpress_lint.model.graph.ops import CONSTANT, EXIT, PHI, SELECT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.model.interpreter.machine import Machine


_NOWHERE = -1
_STAYING = frozenset((PHI, CONSTANT, SELECT))  # a chain of `?:` may be branches there
_MOST_STEPS = 64  # from one block to another that both come behind


def sunk(machine: Machine, needed: bytearray, users: Sequence[Sequence[int]]) -> dict[int, int]:
    """For values that may stand anywhere, the basic block in which the first of their uses are. Nothing sinks into a
    loop.
    """
    if not machine.forked:
        return {}
    graph, fixed, sunk_to = machine.graph, machine.block_of, dict[int, int]()
    for number in range(len(graph) - 1, -1, -1):
        op = graph.ops[number]
        if not needed[number] or number in fixed or number in machine.sides or op in _STAYING:
            continue
        blocks = {block for user in users[number] for block in _uses(machine, number, user, sunk_to)}
        place = _common(machine, blocks)
        if place != _NOWHERE:
            sunk_to[number] = place
    loops = sorted(machine.first[block] for block in machine.loop_starts)
    return {
        number: place
        for number, place in sunk_to.items()
        if number < machine.first[place] and bisect(loops, number) == bisect(loops, machine.first[place])
    }


def equal_reads(machine: Machine, users: Sequence[Sequence[int]], places: Mapping[int, int]) -> Iterator[int]:
    """Reads held for later blocks that equal an earlier one: LLVM keeps one of the two."""

    def held(number: int) -> bool:
        return bool(users[number]) and all(user in places for user in users[number])

    for number, twin in machine.memory.twins.items() if places else ():
        blocks = {machine.basic(machine.block_of[read]) for read in (number, twin) if read in machine.block_of}
        if len(blocks) == 1 and held(number) and held(twin):
            yield number


def _uses(machine: Machine, number: int, user: int, sunk_to: dict[int, int]) -> Iterator[int]:
    """The basic blocks in which a value is used for another one."""
    graph, op, home = machine.graph, machine.graph.ops[user], machine.graph.homes[number]
    if op is EXIT:  # of a loop, made behind its last block
        yield machine.basic(machine.block_of[user])
    elif op is PHI:
        loop = graph.homes[user]
        yield machine.basic(loop.latch) if loop is not None and loop is home else _NOWHERE
    elif graph.homes[user] is not home:
        yield _NOWHERE
    elif user in machine.sides:
        join = machine.sides[user]
        sides = zip(reversed(graph.args[user]), (join.other, join.then, _NOWHERE), strict=False)
        yield from (machine.basic(block) for arg, block in sides if arg == number)
    elif user in machine.block_of:
        yield machine.basic(machine.block_of[user])
    else:
        yield sunk_to.get(user, _NOWHERE)


def _common(machine: Machine, blocks: set[int]) -> int:
    """The last basic block through which every way to some others leads."""
    if _NOWHERE in blocks or not blocks:
        return _NOWHERE
    for _ in range(_MOST_STEPS):
        if len(blocks) == 1:
            return blocks.pop()
        last = max(blocks)
        blocks.remove(last)
        blocks.add(machine.basic(machine.above.get(last, _NOWHERE)))
        if _NOWHERE in blocks:
            break
    return _NOWHERE
