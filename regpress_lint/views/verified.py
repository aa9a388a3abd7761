"""What `verify` shows: a finding with a fix, and what a compiler says of the fix on each target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.measured.trial import Change, Result


class VerifiedRow(NamedTuple):
    """verdict: confirmed, refuted, no change, broken or unverified. kept: whether `--fix` applies it.

    how: `alone` or `together`, where only other fixes of the kernel make it good. changes: by target.
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
    """The row of one finding, whose fix is one of the result's group."""
    assert finding.fix is not None
    kept = finding.fix in result.kept
    return VerifiedRow(
        finding.code,
        finding.name,
        finding.severity.label,
        finding.location.path,
        finding.location.start.line,
        finding.kernel or "",
        finding.fix.title,
        finding.fix.applicability,
        result.verdict if kept or result.verdict != "confirmed" else "refuted",
        kept,
        result.how,
        tuple(result.changes.items()),
    )
