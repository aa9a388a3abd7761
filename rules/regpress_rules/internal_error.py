"""RP009 internal-error."""

from __future__ import annotations

from regpress_lint.api import Rule, Severity


class InternalError(Rule):
    """A rule or the linter itself failed on a file.

    ## What it does
    Says that a part of the work on this file was not done because the linter, or a plugin, raised an error. The other
    rules and the other files of the run are not affected. The exit status is 2, so that a run which has not looked
    at everything never passes for a clean one. This diagnostic is made by the linter, cannot be switched off, and no
    kernel can cause it by being slow.

    ## Why it costs
    Findings may be missing.

    ## Targets
    All.

    ## Example
    There is no kernel that should cause it.

    ## Use instead
    Run again with `--verbose`: it prints where the error happened. Please report it with the smallest kernel that
    shows it.

    ## When to ignore
    Never.

    ## Fix safety
    There is no fix.

    ## Sources
    DESIGN.md, "Rules".
    """

    code = "RP009"
    name = "internal-error"
    severity = Severity.ERROR
