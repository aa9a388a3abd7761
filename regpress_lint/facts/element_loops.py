"""Loops whose counter picks an element of a private array: as loops they keep it out of registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.traversal import depends_on

if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.source_level.loop_facts import LoopFacts


def indexes_array(facts: KernelFacts, loop: LoopFacts) -> bool:
    """True if the loop must be unrolled, because its counter picks an element of a private array."""
    for array in facts.arrays:
        for access in array.accesses:
            if not any(each.loop is loop.loop for each in access.loops):
                continue
            if loop.counter is None or any(depends_on(index, loop.counter) for index in access.indices):
                return True
    return False
