"""The cost of a finding for this kernel: its fix is applied to a copy of the file, and the kernel is estimated
again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.lint.advice.trying import Trials
from regpress_lint.targets.vocabulary import vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from regpress_lint.core.diagnostics import Edit, Finding
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import State
    from regpress_lint.lint.analysis import Analysis

_LARGEST = 1 << 18  # bytes of a file that is analysed once more
_MANY = {1: "the fix", 2: "both such fixes"}
_UNITS = {"amd": "VGPRs", "nvidia": "registers", "intel": "registers"}


def priced(
    analysis: Analysis, facts: KernelFacts, findings: Sequence[Finding], by_gain: Iterable[str], *, may_try: bool
) -> tuple[Finding, ...]:
    """Findings of one rule about a kernel. Those with a `cost` and a fix say what the kernel takes with all their fixes
    made together, the others what the table says that the cost is from.

    by_gain: vendors on whose GPUs a finding is a hint where its fix gains nothing by the estimate.
    """
    fixable = [found for found in findings if found.cost and found.fix is not None]
    small = len(analysis.source.data) <= _LARGEST
    states = _tried(analysis, facts, fixable) if fixable and may_try and small else None
    if states is None:
        return tuple(map(_by_table, findings))
    before, after = states
    many = _MANY.get(len(fixable), f"all {len(fixable)} such fixes")
    words = f"with {many} the estimate is {_words(before, after)}"
    vendors = tuple(by_gain)
    return tuple(
        _by_trial(found, words, vendors, before, after) if found.cost and found.fix is not None else _by_table(found)
        for found in findings
    )


def _tried(
    analysis: Analysis, facts: KernelFacts, findings: Sequence[Finding]
) -> tuple[Mapping[str, State], Mapping[str, State]] | None:
    """The kernel as it is and with the fixes, by target; None where that cannot be told."""
    targets = tuple(name for name in facts.targets if any(name in found.severities for found in findings))
    edits: dict[Edit, None] = {}
    for found in findings:
        edits.update(dict.fromkeys(found.fix.edits if found.fix is not None else ()))
    trials = Trials(analysis, facts.kernel, targets)
    after = trials.after((Change("fix", "", 0, tuple(edits), ""),))
    return None if after is None or not targets else ({name: trials.before[name] for name in targets}, after)


def _words(before: Mapping[str, State], after: Mapping[str, State]) -> str:
    return ", ".join(_word(name, before[name], after[name]) for name in before)


def _word(name: str, before: State, after: State) -> str:
    """`67 -> 21 VGPRs on gfx90a`, and what becomes of private memory and waves where they change."""
    unit = _UNITS[vendor_of((name,)) or "amd"]
    old, new = before.registers.estimate, after.registers.estimate
    text = f"{old} -> {new} {unit}" if old != new else f"{old} {unit} as before"
    if before.memory_bytes != after.memory_bytes:
        text += f" and {before.memory_bytes} -> {after.memory_bytes} bytes of private memory"
    if before.waves != after.waves:
        text += f" ({before.waves} -> {after.waves} waves per SIMD)"
    return f"{text} on {name}"


def _by_table(found: Finding) -> Finding:
    return found._replace(message=f"{found.message}: {found.cost}", cost="", timed="") if found.cost else found


def _by_trial(
    found: Finding,
    words: str,
    by_gain: tuple[str, ...],
    before: Mapping[str, State],
    after: Mapping[str, State],
) -> Finding:
    severities = {
        name: min(severity, Severity.HINT)
        if vendor_of((name,)) in by_gain and name in before and not _gains(before[name], after[name])
        else severity
        for name, severity in found.severities.items()
    }
    gains = any(_gains(before[name], after[name]) for name in before)
    message = f"{found.message}: {words}" + (f"; {found.timed}" if found.timed and not gains else "")
    return found._replace(message=message, cost="", timed="", severities=severities)


def _gains(before: State, after: State) -> bool:
    return (
        after.registers.estimate < before.registers.estimate
        or after.memory_bytes < before.memory_bytes
        or after.waves > before.waves
    )
