"""When a loop counts as the place where the kernel's registers are alive."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.api import KernelFacts
    from regpress_lint.api.facts import LoopFacts

AT_THE_PEAK = 0.9  # share of the kernel's most registers that a loop holds at its own widest place


def at_peak(facts: KernelFacts, target: str, loop: LoopFacts) -> bool:
    """True if a loop's own peak is the kernel's, or nearly."""
    peak = facts.peak(target)
    return (peak.in_loop(loop.loop) or 0) >= AT_THE_PEAK * max(peak.alive, default=0)
