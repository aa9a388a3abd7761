"""How many registers a kernel can take at most by what its source declares: cheaper than to execute it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.targets.costs import COSTS, SERVICES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from regpress_lint.cpp.syntax import Variable
    from regpress_lint.source_level.arrays import PrivateArray
    from regpress_lint.source_level.flow import Flow
    from regpress_lint.source_level.loop_facts import LoopFacts

_UNKNOWN = 2  # registers of a value whose type is not in view
_POINTER = 2
_MOST_COPIES = 16
_MOST_LOADS = 64


def most_registers(
    functions: Iterable[tuple[Flow, tuple[LoopFacts, ...]]], arrays: Mapping[Variable, PrivateArray], vendor: str
) -> int:
    """Registers of all variables of a kernel and of what it calls, of the dearest library call, and of its reads."""
    declared = dearest = loads = 0
    for flow, loops in functions:
        declared += sum(_width(variable, arrays, vendor) for variable in flow.declared)
        for block in flow.blocks:
            copies = _copies(loops[block.loop]) if block.loop >= 0 else 1
            for op in block.ops:
                loads += op.loads * copies
                for key in op.library:
                    if key not in SERVICES:
                        dearest = max(dearest, COSTS[vendor][key].in_loop, COSTS[vendor][key].once)
    return declared + dearest + min(loads, _MOST_LOADS)


def _width(variable: Variable, arrays: Mapping[Variable, PrivateArray], vendor: str) -> int:
    type_ = variable.type
    if variable.storage not in ("local", "constexpr"):
        return 0
    if variable.dims:
        array = arrays.get(variable)
        stays = array is not None and array.elements is not None and array.stays_in_registers(vendor)
        return (array.elements or 0) * (type_.registers or 1) if array is not None and stays else 0
    if type_.pointers or type_.reference:
        return _POINTER
    return type_.registers or _UNKNOWN


def _copies(loop: LoopFacts) -> int:
    copies = 1
    around: LoopFacts | None = loop
    while around is not None and around.unrolled:
        copies *= max(around.trip_count or 1, 1)
        around = around.parent
    return min(copies, _MOST_COPIES)
