"""RP701 indirect-call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Note, Rule, Severity, Span
from regpress_rules._gates import small_grid
from regpress_rules._place import place, targets_of, vendor_of
from regpress_rules._words import count, listing
from regpress_rules.memory._late_calls import Late, through_pointers
from regpress_rules.memory._recursion import recursive

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_MOST_NOTES = 5


class IndirectCall(Rule):
    """A call whose target the compiler does not know: virtual, through a pointer, or recursive."""

    code = "RP701"
    name = "indirect-call"
    languages = ("cuda", "hip")
    vendors = ("amd", "nvidia")
    needs = ("calls",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding per call site and recursive function; those that stand in headers are one, at the kernel."""
        targets = targets_of(facts, "amd", "nvidia")
        if facts.kernel.language == "sycl" or not targets:
            return
        found = [*through_pointers(facts), *recursive(facts)]
        if not found:
            return
        launches = facts.kernel.launches
        small = bool(launches) and all(small_grid(launch) for launch in launches)
        severities = dict.fromkeys(targets, Severity.HINT if small else Severity.WARNING)
        groups: dict[Span, list[tuple[Late, tuple[Note, ...]]]] = {}
        for late in found:
            where = place(facts, late.span, late.function.path, "the call")
            notes = (*where.notes, *(late.notes if where.here else ()))
            groups.setdefault(where.span, []).append((late, notes))
        for span, group in groups.items():
            (late, _), *others = group
            more = f" (and {count(len(others), 'more such call')} in headers)" if others else ""
            message = f"{late.what}{more}: it is not inlined and costs {_costs(late, targets)}"
            notes = tuple(note for _, each in group for note in each)[:_MOST_NOTES]
            yield Finding(span, message, severities, late.instead, notes, None, facts.kernel.name)


def _costs(late: Late, targets: Sequence[str]) -> str:
    words: list[str] = []
    amd = [target for target in targets if vendor_of(target) == "amd"]
    nvidia = [target for target in targets if vendor_of(target) == "nvidia"]
    if amd:
        words.append(f"at least 44 to 58 VGPRs and a stack of unknown depth in scratch on {listing(amd)}")
    if nvidia:
        words.append(f"time on {listing(nvidia)} ({late.time} on an H200)")
    return ", ".join(words)
