"""RP009 internal-error."""

from __future__ import annotations

from regpress_lint.api import Rule, Severity


class InternalError(Rule):
    """A rule or the linter itself failed on a file."""

    code = "RP009"
    name = "internal-error"
    severity = Severity.ERROR
