"""Causes of a kernel's registers on one GPU, and which of them explain a change between two versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.passes.peak import Peak

_MOST_HOLDERS = 12  # of the peak: further ones hold little
_LEAST = 4  # registers that a holder must gain or lose to explain anything


class Loop(NamedTuple):
    """A loop by the text of its head. copies: of its body; whole: they replace the loop."""

    head: str
    copies: int
    whole: bool


class Array(NamedTuple):
    """A private array by its name, with its bytes per thread if they are known."""

    name: str
    bytes: int | None
    in_memory: bool


class Pressure(NamedTuple):
    """The causes of registers on one GPU. holders: registers at the peak by variable, widest first."""

    target: str
    loops: tuple[Loop, ...] = ()
    arrays: tuple[Array, ...] = ()
    holders: tuple[tuple[str, int], ...] = ()


def pressure_of(analysis: Analysis, facts: KernelFacts, target: str, peak: Peak) -> Pressure:
    """The causes of a kernel's registers on a GPU; `peak` is that of its graph."""
    notes = facts.execution(target).notes
    loops: dict[str, Loop] = {}
    for loop in (*notes.whole, *notes.given_up):
        source = analysis.source_of(facts.kernel.path)
        if source is None or not loop.span.end <= len(source.data):
            continue
        head = " ".join(source.text(loop.span).partition("{")[0].split())[:60]
        whole = notes.whole.get(loop, False)
        loops[head] = Loop(head, 0 if whole else notes.copies.get(loop, 1), whole)
    memory = facts.settled(target).in_memory
    arrays = {
        each.variable.name: Array(each.variable.name, each.bytes, each.variable in memory) for each in facts.arrays
    }
    held: dict[str, int] = {}
    for value in peak.values:
        if value.variable is not None:
            held[value.variable.name] = held.get(value.variable.name, 0) + value.registers
    return Pressure(target, tuple(loops.values()), tuple(arrays.values()), tuple(held.items())[:_MOST_HOLDERS])


def explained(before: Pressure, after: Pressure) -> str:
    """The difference that explains a change of registers or scratch best, in one clause; "" if none does."""
    return next(_explanations(before, after), "")


def _explanations(before: Pressure, after: Pressure) -> Iterator[str]:
    was = {each.name: each for each in before.arrays}
    for array in after.arrays:
        old = was.get(array.name)
        if old is None and array.in_memory:
            yield f"`{array.name}` is new, and in private memory"
        elif old is not None and array.in_memory != old.in_memory:
            yield f"`{array.name}` is {'now in private memory' if array.in_memory else 'no longer in private memory'}"
        elif old is not None and array.in_memory and array.bytes != old.bytes and None not in (array.bytes, old.bytes):
            yield f"`{array.name}` in private memory: {old.bytes} -> {array.bytes} bytes"
    now = {each.name for each in after.arrays}
    for array in before.arrays:
        if array.in_memory and array.name not in now:
            yield f"`{array.name}`, which was in private memory, is gone"
    heads = {each.head: each for each in before.loops}
    for loop in after.loops:
        other = heads.get(loop.head)
        if other is not None and (loop.whole, loop.copies) != (other.whole, other.copies):
            yield f"`{loop.head}`: {_unrolled(other)} -> {_unrolled(loop)}"
    yield from _held(dict(before.holders), dict(after.holders))


def _unrolled(loop: Loop) -> str:
    if loop.whole:
        return "unrolled completely"
    return "not unrolled" if loop.copies == 1 else f"unrolled {loop.copies} times"


def _held(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[str]:
    """The variable whose share of the peak changed most."""
    changes = {name: after.get(name, 0) - before.get(name, 0) for name in {**before, **after}}
    name = max(changes, key=lambda each: (abs(changes[each]), each), default=None)
    if name is not None and abs(changes[name]) >= _LEAST:
        yield f"`{name}` holds {before.get(name, 0)} -> {after.get(name, 0)} registers at the peak"
