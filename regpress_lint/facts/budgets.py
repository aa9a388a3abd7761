"""The budgets of a kernel, and whether its estimate keeps them on a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span
from regpress_lint.targets.budget_text import ORDER, Budget, BudgetError, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.facts.target import TargetFacts

Verdict = Literal["kept", "may", "exceeded"]
_BREAKS = frozenset(";{}")


class KernelBudget(NamedTuple):
    """A limit of a kernel. span: the comment that says so, None for the configuration's."""

    budget: Budget
    span: Span | None = None


def budgets_of(facts: KernelFacts) -> tuple[KernelBudget, ...]:
    """All limits that hold for a kernel: those of comments above it, then those of the configuration."""
    return (*_written(facts), *_configured(facts))


def _written(facts: KernelFacts) -> Iterator[KernelBudget]:
    """Limits of comments between which and the kernel no other code ends."""
    from regpress_lint.cpp.lexical import without_comments

    kernel, source = facts.kernel, facts.file.source
    if kernel.path != source.path:
        return
    starts = [kernel.name_span.start, kernel.function.span.start, *([kernel.entry.start] if kernel.entry else [])]
    begin = min(start for start in starts if start > 0) if any(starts) else 0
    for match in ORDER.finditer(source.data, 0, begin):
        span = Span(match.start(), match.end(1))
        head = source.text(Span(source.line_span(source.line_of(span.start)).start, span.start))
        between = source.text(Span(source.line_span(source.line_of(span.start)).start, begin))
        if not ("//" in head or "/*" in head) or _BREAKS.intersection(without_comments(between)):
            continue
        try:
            yield from (KernelBudget(budget, span) for budget in parse(match[1].decode("utf-8", "replace")))
        except BudgetError:
            continue  # suppressions are read with all other orders, and say so


def _configured(facts: KernelFacts) -> Iterator[KernelBudget]:
    from fnmatch import fnmatchcase

    for pattern, texts in facts.settings.budgets.items():
        if fnmatchcase(facts.kernel.name, pattern):
            yield from (KernelBudget(budget) for text in texts for budget in parse(text))


def verdict(facts: KernelFacts, target: TargetFacts, budget: Budget) -> Verdict:
    """Whether a limit is kept: `may` where a part of the estimate's band says that it is not."""
    if budget.resource == "registers":
        low, high = _registers(target)
        return _between(low > budget.limit, high > budget.limit)
    if budget.resource == "waves":
        best, worst = (now.waves / now.simds < budget.limit for now in (target.best, target.worst))
        return _between(best, worst)
    taken = target.registers.scratch_bytes if budget.resource == "scratch" else facts.lds_at_least
    return _between(taken > budget.limit, taken > budget.limit)


def _registers(target: TargetFacts) -> tuple[int, int]:
    """Ends of the band. A measured allocation takes precedence, though a kernel that spills needed more."""
    if target.measured is not None:
        return target.measured.registers, target.measured.registers
    return target.registers.low, target.registers.high


def _between(surely: bool, perhaps: bool) -> Verdict:
    return "exceeded" if surely else "may" if perhaps else "kept"


def taken(facts: KernelFacts, target: TargetFacts, budget: Budget) -> str:
    """The estimate's or a compiler's number that a limit is compared with, in words."""
    registers = target.registers
    if budget.resource == "registers":
        if target.measured is not None:
            return target.measured.words
        return f"the estimate is {registers.estimate} ({registers.low} to {registers.high})"
    if budget.resource == "waves":
        low, now, high = (each.waves / each.simds for each in (target.worst, target.occupancy, target.best))
        band = "" if low == high else f" ({low:g} to {high:g})"
        return f"{now:g}{band} waves per SIMD fit"
    if budget.resource == "scratch":
        if target.measured is not None and target.measured.scratch_bytes is not None:
            return f"measured: {registers.scratch_bytes:,} bytes of scratch"
        return f"{registers.scratch_bytes:,} bytes go to scratch memory"
    return f"it takes {facts.lds_at_least:,} bytes of LDS"
