"""The change that ends what a finding says is spilled, tried as `kernels --advise` tries it and said in its help."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.lint.advice.candidate_changes import changes
from regpress_lint.lint.advice.choosing import is_advised
from regpress_lint.lint.advice.trying import Trials

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import Change, State
    from regpress_lint.lint.analysis import Analysis

_MOST = 8  # changes for a kernel: each is an execution


def with_change(analysis: Analysis, facts: KernelFacts, finding: Finding) -> Finding:
    """The finding with the change in its help that takes most out of memory on its first target with a warning.

    A kernel of several instantiations is told by the one in the middle, which is not the one that spills.
    """
    target = next((name for name, each in finding.severities.items() if each >= Severity.WARNING), None)
    if target is None or facts.instances:
        return finding
    trials = Trials(analysis, facts.kernel, (target,))
    before, best, tried = trials.before[target], None, 0
    for change in islice(changes(facts), _MOST):
        states = trials.after((change,))
        after = states[target] if states is not None else None
        tried += after is not None
        if after is not None and is_advised(target, change, before, after) and (best is None or _left(after) < best[0]):
            best = _left(after), change, after
    if best is not None:
        return finding._replace(help=f"{finding.help}; tried: {_words(best[1], before, best[2])} on {target}")
    if not tried:
        return finding
    none = (
        f"none of {tried} changes that were tried ends it" if tried > 1 else "the change that was tried does not end it"
    )
    return finding._replace(help=f"{finding.help}; {none}")


def _left(state: State) -> int:
    return state.memory_bytes + 4 * state.excess


def _words(change: Change, before: State, after: State) -> str:
    registers = f"{before.registers.estimate} -> {after.registers.estimate} registers"
    waves = "" if before.waves == after.waves else f", {before.waves} -> {after.waves} waves per SIMD"
    return f"{change.title}: {registers}, {_left(before)} -> {_left(after)} bytes of private memory{waves}"
