"""Variables that a loop only carries through, widest for their uses first: what LDS could hold while the loop runs."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.occupancy import architecture, headroom

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax_tree import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source_level.arrays import PrivateArray
    from regpress_lint.source_level.loop_facts import LoopFacts

_LEAST, _MOST_VALUES = 2, 16
_UNKNOWN = 8  # registers that a variable may have whose type is not in view


class CarriedVariable(NamedTuple):
    """A variable that a loop carries through: registers, where it is used behind the loop, the array if it is one."""

    variable: Variable
    registers: int
    uses: tuple[Span, ...]
    array: PrivateArray | None

    @property
    def bytes(self) -> int:
        """Bytes of memory per thread."""
        size = self.variable.type.size or 4
        return size * (self.array.elements or 1) if self.array is not None else size


def carried_through(facts: KernelFacts, loop: LoopFacts, targets: tuple[str, ...]) -> list[CarriedVariable]:
    """Plain local variables and arrays of one dimension that a loop holds and does not touch, and the code behind it
    uses by their names; those with most registers for each use first.
    """
    widths: dict[Variable, int] = {}
    for name in targets:
        for value in facts.peak(name).through(loop.loop):
            if value.variable is not None and architecture(name).has_register_steps:
                widths[value.variable] = max(value.registers, widths.get(value.variable, 0))
    found = []
    for variable, registers in widths.items():
        uses = _uses_behind(facts, variable, loop) if _is_plain(facts, variable) else ()
        written = all(facts.file.source.text(span) == variable.name for span in uses)
        if registers >= _LEAST and uses and written:
            found.append(CarriedVariable(variable, registers, uses, facts.array_of(variable)))
    return sorted(found, key=lambda each: (-each.registers / len(each.uses), each.variable.span))[:_MOST_VALUES]


def may_be_carried(facts: KernelFacts, loop: LoopFacts) -> int:
    """Registers that variables may take of which `carried_through` can speak, as the source shows: it names them behind
    the loop and not in it. Nothing is executed for it.
    """
    return sum(_most_registers(facts, variable) for variable in passing_by(facts, loop) if _is_plain(facts, variable))


def passing_by(facts: KernelFacts, loop: LoopFacts) -> Iterator[Variable]:
    """Local variables of the body that are declared before a loop and named after it and not in it."""
    start, end = loop.loop.span.start, loop.loop.span.end
    for variable, places in facts.named_at.items():
        if variable.span.start < start and places[-1] >= end and bisect_left(places, start) == bisect_left(places, end):
            yield variable


def _most_registers(facts: KernelFacts, variable: Variable) -> int:
    array, width = facts.array_of(variable), variable.type.registers
    if array is not None:
        return (array.elements or 1) * (width or _LEAST)
    if width is None:
        return _UNKNOWN
    return width if width >= _LEAST else 0


def _is_plain(facts: KernelFacts, variable: Variable) -> bool:
    """True for a local number or an array of one dimension that nothing points to."""
    type_ = variable.type
    if variable.storage != "local" or type_.pointers or type_.reference or type_.struct or type_.lanes > 1:
        return False
    array = facts.array_of(variable)
    return array is None or (len(variable.dims) == 1 and not array.escapes and bool(array.elements))


def _uses_behind(facts: KernelFacts, variable: Variable, loop: LoopFacts) -> tuple[Span, ...]:
    names = facts.flow_of(facts.kernel.function).names
    return tuple(each.span for each in names if each.variable is variable and each.span.start >= loop.loop.span.end)


def free_lds(facts: KernelFacts, targets: tuple[str, ...]) -> int | None:
    """Bytes of LDS that a thread may take without a wave lost, on the target with the least; None for Intel alone."""
    block = max(facts.block_size, 1)
    owns = [facts.target(name) for name in targets if architecture(name).has_register_steps]
    rooms = [headroom(own.architecture, own.use(own.registers.estimate), "lds_bytes") for own in owns]
    return min(rooms) // block if rooms else None
