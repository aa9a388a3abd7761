"""Selectors of command line and configuration against the rules that exist: who names a rule that there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cli.configured import COMMAND_LINE
from regpress_lint.cli.context import complain
from regpress_lint.config.options import OPTIONS
from regpress_lint.core.errors import UsageError
from regpress_lint.lint import registry
from regpress_lint.lint.selection import leaves_no_rule, wrong_selector

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.cli.configured import Resolved

_KEYS = {option.field: option.key for option in OPTIONS if option.field}


def check_rules(used: Iterable[Resolved]) -> None:
    """Raise UsageError for a selector that means no rule, naming file and key where a file says it, and for a command
    line that leaves no rule.
    """
    known = registry.load().rules
    for resolved in used:
        wrong = wrong_selector(known, resolved.settings)
        if wrong is not None:
            field, text, selector = wrong
            raise UsageError(f"{_where(resolved, field, selector)}{text}")
        if _said_here(resolved) and leaves_no_rule(known, resolved.settings):
            raise UsageError("the selection leaves no rule (`regpress-lint rule` lists them)")


def tell_of_no_rule(used: Iterable[Resolved]) -> None:
    """Warn of files that leave no rule: it may be intended for a folder, but should not go unnoticed."""
    known = registry.load().rules
    for resolved in used:
        if leaves_no_rule(known, resolved.settings):
            complain((f"{resolved.configuration.path}: the selection leaves no rule",), "warning")


def _said_here(resolved: Resolved) -> bool:
    return any(COMMAND_LINE in resolved.origins.get(field, "") for field in ("select", "extend_select", "ignore"))


def _where(resolved: Resolved, field: str, selector: str) -> str:
    """`FILE: KEY: ` of a selector that a file says."""
    said = resolved.configuration.settings.get(field, ())
    inside = said.values() if field == "per_file_ignores" and hasattr(said, "values") else (said,)
    if not any(selector in each for each in inside):
        return ""
    return f"{resolved.configuration.origins.get(field)}: {_KEYS[field]}: "
