"""Caps on registers that are no launch bounds: attributes of the kernel and options of its compile command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Severity
from regpress_lint.api.report import place
from regpress_lint.api.targets import amd_and_nvidia_targets, habits, register_cap
from regpress_lint.api.text import registers_of
from regpress_rules.launch._bounds import deliberate

if TYPE_CHECKING:
    from regpress_lint.api.facts import TargetFacts

SUGGESTED_BLOCK = 256  # what most launches of the corpus use


def other_cap(facts: KernelFacts) -> Finding | None:
    """A finding for a cap by an attribute or an option that causes spills which the launch bounds alone would not."""
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
    also = _declared_besides(facts, target)
    how = f"raise it, or drop it and declare `__launch_bounds__({also})`" if also else "raise it, or drop it"
    help_ = f"{how}: the cap becomes {_otherwise(facts, target)}"
    if limits is None:
        help_ += "; launch bounds on this kernel alone take it out of the option"
    return Finding(where.span, message, severities, help_, where.notes, None, kernel.name)


def _otherwise(facts: KernelFacts, target: TargetFacts) -> int:
    """The cap from only launch bounds, from those that could be declared, or from the compiler's default assumption."""
    bounds = facts.kernel.launch_bounds
    threads = bounds.max_threads if bounds is not None else _assumed(facts, target)
    blocks = bounds.min_blocks if bounds is not None else None
    return register_cap(target.architecture, _declared_besides(facts, target) or threads or None, blocks or None)


def _assumed(facts: KernelFacts, target: TargetFacts) -> int | None:
    """Threads of a block that clang counts on where there are no launch bounds; None for its default."""
    if not habits(target.architecture.name).assumes_full_blocks:
        return None
    limits = facts.kernel.register_limits
    return (limits.max_threads if limits is not None else None) or facts.settings.registers.max_threads


def _declared_besides(facts: KernelFacts, target: TargetFacts) -> int | None:
    """Launch bounds without which an attribute of clang's holds down no more than its assumption does; None where
    they are there, or say no more.
    """
    if facts.kernel.launch_bounds is not None or _assumed(facts, target):
        return None
    if not habits(target.architecture.name).assumes_full_blocks:
        return None
    block = facts.block_size if facts.block_size_from == "launch" else SUGGESTED_BLOCK
    arch = target.architecture
    if not 0 < block <= arch.max_threads_per_group or register_cap(arch, block) <= register_cap(arch):
        return None
    return block if attribute_binds(facts, target, block) else None


def attribute_binds(facts: KernelFacts, target: TargetFacts, block: int) -> bool:
    """True if an attribute of clang's holds a kernel to its budget also with launch bounds of that many threads."""
    limits = facts.kernel.register_limits
    if limits is None:
        return False
    arch = target.architecture
    return bool(limits.vgprs) or register_cap(arch, block, limits.waves or None) <= target.budget
