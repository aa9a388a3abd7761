"""What ptxas has in registers for writes to local memory: sixteen bytes of adjacent elements leave in one store, from
registers side by side, so that a value which is written to several of them is copied first.
"""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.model.graph.ops import CONSTANT, LOAD_CONSTANT, LOAD_GLOBAL, LOAD_SHARED, SOURCE, store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.model.graph.values import Graph
    from regpress_lint.model.interpreter.machine import Machine
    from regpress_lint.model.passes.uniformity import ValueFacts


_STORE_PRIVATE = store("private")
_WORDS = 4  # of a store
# Reads of which ptxas makes copies at a time, by where they read, and registers beside the copies: 32 floats that each
# fill two, three and four words take 46, 66 and 90 registers (`test_constants_in_frames.py`).
_AT_A_TIME = {LOAD_GLOBAL: 20, LOAD_CONSTANT: 20, LOAD_SHARED: 12}
_BESIDE = 6


class FrameWrites(NamedTuple):
    """Of the block with most: words that leave from registers of their own, as they are constants or copies; and
    registers of a kernel that copies many reads.
    """

    words: int
    copies: int


def frame_writes(machine: Machine, facts: ValueFacts) -> FrameWrites:
    """What an executed kernel's writes to its frame take."""
    graph, words, copies = machine.graph, 0, 0
    for written in _by_block(machine, facts):
        times = Counter(value for values in written for value in values)
        words = max(words, sum(_apart(graph, values, times) for values in written))
        copies = max(copies, _copied(graph, times))
    return FrameWrites(words, copies)


def _by_block(machine: Machine, facts: ValueFacts) -> Iterator[Sequence[Sequence[int]]]:
    """By block, and in it by array, what is written to places that are known."""
    graph, last = machine.graph, -1
    written: dict[int, list[int]] = {}
    for number, block in machine.block_of.items():
        if graph.ops[number] is not _STORE_PRIVATE or not facts.needed[number] or len(graph.args[number]) < 2:
            continue
        if block != last and written:
            yield tuple(written.values())
            written = {}
        place, *values = graph.args[number]
        last = block
        if graph.ops[place] is SOURCE:
            written.setdefault(place, []).extend(value for value in values for _ in range(max(1, graph.widths[value])))
    yield tuple(written.values())


def _apart(graph: Graph, values: Sequence[int], times: Counter[int]) -> int:
    """Words of constants and copies: zeros need no register, and stores of equal constants share theirs."""
    seen: set[tuple[int, ...]] = set()
    words = 0
    for begin in range(0, len(values), _WORDS):
        store_ = tuple(values[begin : begin + _WORDS])
        constant = [value for value in store_ if graph.ops[value] is CONSTANT]
        if store_ in seen or not (constant or any(times[value] > graph.widths[value] for value in store_)):
            continue
        if len(constant) == len(store_):
            seen.add(store_)
        words += _WORDS if any(graph.constants[value] != 0 for value in store_) else 0
    return words


def _copied(graph: Graph, times: Counter[int]) -> int:
    """Registers of the reads that each fill several words."""
    filled: dict[int, list[int]] = {}
    for value, words in times.items():
        most = _AT_A_TIME.get(graph.ops[value])
        if most is not None and words > graph.widths[value]:
            filled.setdefault(most, []).append(min(words, _WORDS))
    return max((sum(nlargest(most, words)) + _BESIDE for most, words in filled.items()), default=0)
