"""Where in a kernel the most registers are live, by the source alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_rules._place import vendor_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from regpress_lint.api import KernelFacts
    from regpress_lint.cpp.syntax import Variable
    from regpress_lint.source_level.loop_facts import LoopFacts

_AT_THE_PEAK = 0.9


class Pressure:
    """Most registers live at a time, in the kernel's body and in each of its loops."""

    def __init__(self, facts: KernelFacts) -> None:
        function = facts.kernel.function
        self._flow = facts.flow_of(function)
        self._loops = facts.loops
        classes = _widths(facts, self._flow.bits)
        self._blocks = [0] * len(self._flow.blocks)
        for live, op, block in facts.liveness_of(function).points:
            held = op.temps
            for width, members in classes:
                if found := live & members:
                    held += width * found.bit_count()
            if held > self._blocks[block]:
                self._blocks[block] = held

    def at_peak(self, loop: LoopFacts) -> bool:
        """True if the loop's own peak is the kernel's, or nearly."""
        record = self._flow.loops[self._loops.index(loop)]
        inside = max(self._blocks[record.first : record.last], default=0)
        return inside >= _AT_THE_PEAK * max(self._blocks, default=0)


def _widths(facts: KernelFacts, bits: Mapping[Variable, int]) -> list[tuple[int, int]]:
    """(registers, set of the variables that take so many)."""
    vendor = vendor_of(facts.targets[0])
    kept = {array.variable: array for array in facts.arrays if array.stays_in_registers(vendor)}
    result: dict[int, int] = {}
    for variable, bit in bits.items():
        width = 2 if variable.type.pointers else variable.type.registers or 1
        if variable.storage in ("parameter", "capture"):
            continue
        if variable.is_array:
            array = kept.get(variable)
            width = width * array.elements if array is not None and array.elements is not None else 0
        if width:
            result[width] = result.get(width, 0) | bit
    return list(result.items())
