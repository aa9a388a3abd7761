"""RP901 multidimensional-accessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity
from regpress_lint.api.report import place
from regpress_lint.api.targets import gpu
from regpress_lint.api.text import count, listing
from regpress_rules.intel._accessors import Used, used_accessors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# 32-bit registers of a work-item for the addresses of one accessor, by its dimensions (`benchmarks/intel_live.py`).
_SAVED = {2: 2, 3: 4}
_MOST_NOTES = 3


class MultidimensionalAccessor(Rule):
    """Accessors of two or three dimensions, whose every access multiplies and adds ranges in 64 bits."""

    code = "RP901"
    name = "multidimensional-accessor"
    severity = Severity.HINT
    languages = ("sycl",)
    needs = ("kernel.buffer_accessors",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """At most one finding a kernel, at its first such access."""
        used = [each for each in used_accessors(facts) if each.dimensions > 1]
        if not used:
            return
        saved = sum(_SAVED[each.dimensions] for each in used)
        severities = {target: _severity(facts, target, saved) for target in facts.targets}
        if facts.wants_hints or any(severity > Severity.HINT for severity in severities.values()):
            yield _finding(facts, used, saved, severities)


def _severity(facts: KernelFacts, name: str, saved: int) -> Severity:
    """Information where the addresses are what IGC has no room for; no other kernel was seen to lose anything."""
    own = facts.target(name)
    if not gpu(name).is_intel:
        return Severity.HINT
    low, high = own.registers.low, own.registers.high
    crowded = low <= own.budget < high + saved and own.registers.estimate + saved > own.budget
    return Severity.INFO if crowded else Severity.HINT


def _finding(facts: KernelFacts, used: Sequence[Used], saved: int, severities: dict[str, Severity]) -> Finding:
    first = min((access for each in used for access in each.accesses), key=lambda access: access.span)
    where = place(facts, first.span, facts.kernel.path, "the access")
    accesses = sum(len(each.accesses) for each in used)
    names = listing(f"`{each.name}`" for each in used)
    dimensions = listing(str(number) for number in sorted({each.dimensions for each in used}))
    what = "is an accessor" if len(used) == 1 else "are accessors"
    plural = "1 access makes its address" if accesses == 1 else f"{accesses} accesses make their addresses"
    message = f"{names} {what} of {dimensions} dimensions: {plural} of 64-bit indices and ranges"
    intel = [target for target in severities if gpu(target).is_intel]
    if intel:
        message += f", up to {count(saved, 'register')} ({saved * 4} bytes) of a work-item on {listing(intel)}"
    help_ = (
        "work out one 32-bit index for all of them where their shapes are the same, and use pointers (USM, or "
        "`get_multi_ptr`) or accessors of one dimension: `x[row * width + column]`"
    )
    notes = [Note(each.declared, f"`{each.name}` is declared here") for each in used[:_MOST_NOTES] if where.here]
    return Finding(where.span, message, severities, help_, (*where.notes, *notes), None, facts.kernel.name)
