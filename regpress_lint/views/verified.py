"""The data of `verify`: a finding with a fix, and a compiler's results for the fix on each target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.lint.advice.asked_changes import Answers
    from regpress_lint.measured.trial import Change, Result


class VerifiedRow(NamedTuple):
    """verdict: confirmed, refuted, no change, broken or unverified. kept: whether `--fix` applies it.

    how: `alone` or `together`, where only other fixes of the kernel make it good; `advice` for a change that the rule
    has no fix for. changes: by target.
    """

    code: str
    name: str
    severity: str
    path: str
    line: int
    kernel: str
    title: str
    applicability: str
    verdict: str
    kept: bool
    how: str
    changes: tuple[tuple[str, Change], ...]


def row_of(finding: Diagnostic, result: Result) -> VerifiedRow:
    """The row of one finding, whose fix is one of the result's group; of advice the group's only one."""
    fix = finding.fix if result.how != "advice" else result.group.fixes[0]
    assert fix is not None
    kept = fix in result.kept
    refuted = result.verdict == "confirmed" and not kept and result.how != "advice"
    return VerifiedRow(
        finding.code,
        finding.name,
        finding.severity.label,
        finding.location.path,
        finding.location.start.line,
        finding.kernel or "",
        fix.title,
        fix.applicability,
        "refuted" if refuted else result.verdict,
        kept,
        result.how,
        tuple(result.changes.items()),
    )


class UntriedRow(NamedTuple):
    """A finding whose advice was not compiled, and why."""

    code: str
    path: str
    line: int
    kernel: str
    reason: str


def untried(answers: Iterable[Answers]) -> list[UntriedRow]:
    """Findings for which nothing could be tried."""
    return [
        UntriedRow(found.code, found.location.path, found.location.start.line, found.kernel or "", reason)
        for found, fixes, reason in answers
        if not fixes
    ]
