"""Launch bounds: their arguments as they are written, what a cap does to an estimate, HIP's second argument, and caps
that are no launch bounds: attributes of the kernel and options of its compile command.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, NamedTuple, Severity
from regpress_lint.api.facts import has_assembly
from regpress_lint.api.preprocessor import for_one_vendor
from regpress_lint.api.report import place
from regpress_lint.api.syntax import names_in
from regpress_lint.api.targets import amd_and_nvidia_targets, gpu, habits, register_cap
from regpress_lint.api.text import pattern, registers_of
from regpress_lint.api.worth import SURELY

if TYPE_CHECKING:
    from regpress_lint.api import LaunchBounds
    from regpress_lint.api.facts import TargetFacts
    from regpress_lint.api.targets import Architecture


# Names that say that their author counts waves.
_OWN_UNIT = pattern(r"EU\b|_EU_|EXECUTION_UNIT|WAVES|WARPS", re.IGNORECASE)


def shown(bounds: LaunchBounds) -> str:
    """The attribute as code."""
    return f"`__launch_bounds__({', '.join(bounds.texts)})`"


def spill_severity(facts: KernelFacts, target: TargetFacts, cap: int) -> Severity:
    """How sure it is that a kernel spills under a default cap: a warning if the estimate says so by a margin, or the
    whole band does; info if it is only just above, or if assembly language makes the estimate unsure; else a hint.
    """
    if not target.crowded and cap >= _CROWDED:
        return Severity.HINT
    registers = target.registers
    if registers.estimate <= cap:
        return Severity.HINT
    sure = registers.estimate > SURELY[target.architecture.vendor] * cap or registers.low > cap
    return Severity.WARNING if sure and not has_assembly(facts) else Severity.INFO


def deliberate(facts: KernelFacts, target: TargetFacts) -> Severity:
    """The same for a deliberate cap, whose author mostly saw that the kernel fits: it needs stronger evidence."""
    if (measured := target.measured) is not None and measured.spills is not None:
        return Severity.WARNING if measured.spills else Severity.HINT
    severity = spill_severity(facts, target, target.budget)
    if severity is Severity.HINT:
        return severity
    estimate = target.registers.estimate
    if estimate <= SURELY[target.architecture.vendor] * target.budget:
        return Severity.HINT
    return severity if estimate > _FAR * target.budget else min(severity, Severity.INFO)


# Of the bounds of HeCBench and flashinfer whose cap is up to so much below the estimate hardly any makes a spill.
_FAR = 1.5
# A kernel that is not crowded has an estimate below that (see TargetFacts).
_CROWDED = 90


# ------------------------------------------------------------------------------------------------ the second argument


class Misread(NamedTuple):
    """A second argument that looks like CUDA's blocks per multiprocessor, on an AMD target.

    waves: what it asks HIP for, None where the source does not settle it. meant: waves per SIMD that CUDA's meaning
    would be. dropped: more than there are, so that clang does not listen.
    """

    severity: Severity
    waves: int | None
    meant: int | None
    dropped: bool
    cap: int
    meant_cap: int


def misread(facts: KernelFacts, name: str) -> Misread | None:
    """HIP's reading of a second argument that was written for CUDA; None if it is not one, or the same in both."""
    bounds = facts.kernel.launch_bounds
    if bounds is None or bounds.required or len(bounds.texts) != 2 or not gpu(name).is_amd:
        return None
    if _own_unit(facts, bounds):
        return None
    target = facts.target(name)
    arch, threads, waves = target.architecture, bounds.max_threads, bounds.min_blocks
    if not threads or not waves or threads < 1:
        return _unsettled(facts, bounds, target)
    unit = threads_of_one_wave_each(arch)
    meant = max(1, waves * threads // unit)
    if waves < 2 or meant == waves:
        return None
    cap, meant_cap = register_cap(arch, threads, waves), register_cap(arch, threads, min(meant, waves))
    dropped = waves > arch.max_waves_per_simd
    severity = Severity.HINT
    if not dropped and meant_cap > cap:
        severity = spill_severity(facts, target, cap)
    return Misread(severity, waves, meant, dropped, cap, meant_cap)


def threads_of_one_wave_each(arch: Architecture) -> int:
    """Threads that put one wave on every SIMD of a unit: with blocks of that size both meanings agree."""
    return arch.default_wave_size * arch.modes[-1].simds


def _unsettled(facts: KernelFacts, bounds: LaunchBounds, target: TargetFacts) -> Misread | None:
    """An argument worked out from the block size, of a template for instance: CUDA's threads per multiprocessor."""
    if not _of_block_size(facts, bounds):
        return None
    arch = target.architecture
    least = register_cap(arch, None, arch.max_waves_per_simd)
    severity = min(spill_severity(facts, target, least), Severity.INFO)
    return Misread(severity, None, None, False, least, register_cap(arch))


def _of_block_size(facts: KernelFacts, bounds: LaunchBounds) -> bool:
    first, second = (facts.file.expression(text) for text in bounds.texts)
    if first is None or second is None or "/" not in bounds.texts[1]:
        return False
    names = {name.name for name in names_in(first)}
    return any(name.name in names for name in names_in(second))


def _own_unit(facts: KernelFacts, bounds: LaunchBounds) -> bool:
    """True if the author meant HIP: names that count waves, or an `#if` for the vendor around the bounds or around the
    macro that is their second argument.
    """
    text, source = bounds.texts[1], facts.file.source
    if _OWN_UNIT.search(text):
        return True
    if facts.kernel.path != source.path:
        return False
    if for_one_vendor(source, bounds.span.start):
        return True
    if not text.isidentifier():
        return False
    define = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+" + text.encode() + rb"\b", re.MULTILINE)
    return any(for_one_vendor(source, match.start()) for match in define.finditer(source.data))


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
    block = facts.launch.block_size if facts.launch.block_size_from == "launch" else SUGGESTED_BLOCK
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
