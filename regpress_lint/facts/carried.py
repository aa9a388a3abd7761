"""Variables that a loop only carries through, widest for their uses first: what LDS could hold while the loop runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.targets.gpu import gpu
from regpress_lint.targets.occupancy import headroom

if TYPE_CHECKING:
    from regpress_lint.core.source import Span
    from regpress_lint.cpp.syntax import Variable
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source_level.arrays import PrivateArray
    from regpress_lint.source_level.loop_facts import LoopFacts

_LEAST, _MOST_VALUES = 2, 16


class CarriedVariable(NamedTuple):
    """A variable that a loop carries through: registers, where it is used behind the loop, the array if it is one."""

    variable: Variable
    registers: int
    uses: tuple[Span, ...]
    array: PrivateArray | None

    @property
    def bytes(self) -> int:
        """What a thread of it takes in memory."""
        size = self.variable.type.size or 4
        return size * (self.array.elements or 1) if self.array is not None else size


def carried_through(facts: KernelFacts, loop: LoopFacts, targets: tuple[str, ...]) -> list[CarriedVariable]:
    """Plain local variables and arrays of one dimension that a loop holds and does not touch, and the code behind it
    uses by their names; those with most registers for each use first.
    """
    widths: dict[Variable, int] = {}
    for name in targets:
        for value in facts.peak(name).through(loop.loop):
            if value.variable is not None and not gpu(name).is_intel:
                widths[value.variable] = max(value.registers, widths.get(value.variable, 0))
    found = []
    for variable, registers in widths.items():
        type_ = variable.type
        if variable.storage != "local" or type_.pointers or type_.reference or type_.struct or type_.lanes > 1:
            continue
        names = [each.span for each in facts.flow_of(facts.kernel.function).names if each.variable is variable]
        uses = tuple(span for span in names if span.start >= loop.loop.span.end)
        array = facts.array_of(variable)
        plain = array is None or (len(variable.dims) == 1 and not array.escapes and bool(array.elements))
        written = all(facts.file.source.text(span) == variable.name for span in uses)
        if registers >= _LEAST and uses and plain and written:
            found.append(CarriedVariable(variable, registers, uses, array))
    return sorted(found, key=lambda each: (-each.registers / len(each.uses), each.variable.span))[:_MOST_VALUES]


def free_lds(facts: KernelFacts, targets: tuple[str, ...]) -> int | None:
    """Bytes of LDS that a thread may take without a wave lost, on the target with the least; None for Intel alone."""
    block = max(facts.block_size, 1)
    owns = [facts.target(name) for name in targets if not gpu(name).is_intel]
    rooms = [headroom(own.architecture, own.use(own.registers.estimate), "lds_bytes") for own in owns]
    return min(rooms) // block if rooms else None
