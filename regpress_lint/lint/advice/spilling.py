"""Values that a loop only carries through, kept in LDS while it runs: a spill by hand, with the room that there is.

Compilers see what was stored and keep it in its register all the same, unless a barrier separates the two: with one,
clang 19 and nvcc 13 went from 124 to 72 and from 86 to 56 registers (`lds_spill` in testdata/seeds), without one the
number stayed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit
from regpress_lint.core.source import Span
from regpress_lint.facts.carried import carried_through, free_lds
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.lint.advice.array_in_lds import Lane, lane_of
from regpress_lint.lint.advice.moving import Around, around, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.facts.carried import CarriedVariable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source_level.loop_facts import LoopFacts


def spilled_by_hand(facts: KernelFacts) -> Iterator[Change]:
    """For each loop that stays one: the values that it carries through and that are used least after it."""
    lane = lane_of(facts)
    if facts.kernel.path != facts.file.path or lane is None:
        return
    for loop in facts.loops:
        here = None if loop.unrolled or loop.parent is not None else around(facts.kernel.function, loop.loop)
        held = _held(facts, loop, here) if here is not None else []
        if held:
            yield _change(facts, loop, held, lane)


def _held(facts: KernelFacts, loop: LoopFacts, here: Around) -> list[CarriedVariable]:
    """Values that the loop carries to the code right after it."""
    end = here.behind[-1].span.end if here.behind else 0
    found = carried_through(facts, loop, facts.targets)
    return [each for each in found if all(span.end <= end for span in each.uses)]


def _change(facts: KernelFacts, loop: LoopFacts, held: Sequence[CarriedVariable], lane: Lane) -> Change:
    source, start = facts.file.source, loop.loop.span.start
    line = source.line_of(start)
    stored = "".join(_stored(facts, each, lane) for each in held)
    edits = [Edit(Span(start, start), f"\n{stored}{lane.barrier}\n")]
    for each in held:
        edits += _used(each, lane)
    names = [each.variable.name for each in held]
    total = sum(each.bytes for each in held)
    spans = (_spanned(facts, each) for each in held[:3])
    return Change(
        "value-to-lds",
        f"{listed(names)} in LDS while the loop at line {line} runs ({', '.join(spans)})",
        source.line_of(held[0].variable.span.start),
        tuple(edits),
        f"{total} bytes of LDS a thread and a barrier before the loop{_free(facts)}",
    )


def _spanned(facts: KernelFacts, held: CarriedVariable) -> str:
    source = facts.file.source
    first, last = source.line_of(held.variable.span.start), source.line_of(held.uses[-1].start)
    return f"`{held.variable.name}`: {held.registers} registers, lines {first} to {last}"


def _free(facts: KernelFacts) -> str:
    """LDS that a thread may take without a wave lost, on the target with the least."""
    room = free_lds(facts, facts.targets)
    return f"; {room} bytes a thread are free in blocks of {max(facts.block_size, 1)}" if room is not None else ""


def _stored(facts: KernelFacts, held: CarriedVariable, lane: Lane) -> str:
    name, type_ = held.variable.name, held.variable.type.name
    extents = f"[{held.array.elements}][{facts.block_size}]" if held.array is not None else f"[{facts.block_size}]"
    declared = f"{lane.declared(type_, f'{name}_kept', extents)}\n"
    if held.array is None:
        return f"{declared}{name}_kept[{lane.number}] = {name};\n"
    loop = f"for (int at = 0; at < {held.array.elements}; ++at)"
    return f"{declared}#pragma unroll\n{loop} {name}_kept[at][{lane.number}] = {name}[at];\n"


def _used(held: CarriedVariable, lane: Lane) -> Iterator[Edit]:
    kept = f"{held.variable.name}_kept"
    if held.array is None:
        for span in held.uses:
            yield Edit(span, f"{kept}[{lane.number}]")
        return
    starts = {span.start for span in held.uses}
    for access in held.array.described:
        if access.span.start in starts:
            yield Edit(Span(access.span.end, access.span.end), f"[{lane.number}]")
    for span in held.uses:
        yield Edit(span, kept)
