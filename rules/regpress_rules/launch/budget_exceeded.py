"""RP107 budget-exceeded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Finding, KernelFacts, Rule, Severity
from regpress_lint.api.facts import KernelBudget, taken, verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

_SEVERITIES = {"exceeded": Severity.WARNING, "may": Severity.INFO}


class BudgetExceeded(Rule):
    """A kernel that takes more than its budget says."""

    code = "RP107"
    name = "budget-exceeded"
    needs = ("budgets",)

    def check_kernel(self, facts: KernelFacts) -> Iterator[Finding]:
        """One finding for each limit that is not kept, at the comment that sets it, else at the kernel's name."""
        for budget in facts.budgets:
            if (finding := _finding(facts, budget)) is not None:
                yield finding


def _finding(facts: KernelFacts, stated: KernelBudget) -> Finding | None:
    budget = stated.budget
    said = {name: verdict(facts, facts.target(name), budget) for name in facts.targets if budget.is_for(name)}
    broken = {name: _SEVERITIES[outcome] for name, outcome in said.items() if outcome != "kept"}
    if not broken:
        return None
    worst = max(broken, key=lambda name: broken[name])
    surely = broken[worst] is Severity.WARNING
    verb = "exceeds" if surely else "may exceed"
    message = f"`{facts.kernel.name}` {verb} its budget `{budget.text}`: {taken(facts, facts.target(worst), budget)}"
    help_ = "bring it below, or say in the budget why it may be more; `regpress-lint pressure` shows what is live"
    return Finding(stated.span or facts.kernel.name_span, f"{message} on {worst}", broken, help_)
