"""RP002 unused-suppression."""

from __future__ import annotations

from regpress_lint.api import Rule, Severity


class UnusedSuppression(Rule):
    """A comment that silences a finding that there is not, or no longer is."""

    code = "RP002"
    name = "unused-suppression"
    severity = Severity.INFO
    precision = "very-high"
