"""Caps on registers that are no launch bounds: attributes of the kernel and options of its compile command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Severity
from regpress_lint.api.report import place
from regpress_lint.api.targets import amd_and_nvidia_targets, gpu, register_cap
from regpress_lint.api.text import registers_of
from regpress_rules.launch._bounds import deliberate

if TYPE_CHECKING:
    from regpress_lint.api.facts import TargetFacts


def other_cap(facts: KernelFacts) -> Finding | None:
    """What an attribute or an option makes spill that the launch bounds by themselves would not."""
    severities: dict[str, Severity] = {}
    for name in amd_and_nvidia_targets(facts):
        target = facts.target(name)
        if target.budget < _otherwise(facts, target):
            severity = deliberate(facts, target)
            if severity > Severity.HINT:
                severities[name] = severity
    if not severities:
        return None
    worst = max(severities, key=lambda name: severities[name])
    target, kernel, limits = facts.target(worst), facts.kernel, facts.kernel.register_limits
    arch = target.architecture
    what = f"`{limits.text}`" if limits is not None else f"`-maxrregcount={facts.settings.registers.max_registers}`"
    where = place(facts, limits.span if limits is not None else kernel.name_span, kernel.path, "the cap")
    verb = "the rest spills" if severities[worst] == Severity.WARNING else "it may spill"
    message = f"{what} caps `{kernel.name}` at {target.budget} registers on {arch.name}, {registers_of(target)}"
    if target.measured is None:
        message += f": {verb}"
    help_ = f"raise it, or drop it: the cap becomes {_otherwise(facts, target)}"
    if limits is None:
        help_ += "; launch bounds on this kernel alone take it out of the option"
    return Finding(where.span, message, severities, help_, where.notes, None, kernel.name)


def _otherwise(facts: KernelFacts, target: TargetFacts) -> int:
    """The cap by launch bounds alone, or by what the compiler assumes without."""
    bounds, threads = facts.kernel.launch_bounds, None
    if bounds is not None:
        threads = bounds.max_threads
    elif gpu(target.architecture.name).is_amd:
        threads = facts.settings.registers.max_threads
        limits = facts.kernel.register_limits
        threads = limits.max_threads if limits is not None and limits.max_threads else threads
    blocks = bounds.min_blocks if bounds is not None else None
    return register_cap(target.architecture, threads or None, blocks or None)
