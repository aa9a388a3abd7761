"""Public surface for rules, built-in and third-party."""

from __future__ import annotations

from regpress_lint.api.report import Place, place
from regpress_lint.api.rule import API_VERSION, DOCUMENTATION_URL, Rule
from regpress_lint.core.diagnostics import (
    EVERY_TARGET,
    Applicability,
    Edit,
    Finding,
    Fix,
    Note,
    RuleInfo,
    Severity,
    Trial,
)
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import File, Kernel, Launch, LaunchBounds

__all__ = [
    "API_VERSION",
    "DOCUMENTATION_URL",
    "EVERY_TARGET",
    "Applicability",
    "Edit",
    "File",
    "Finding",
    "Fix",
    "Kernel",
    "KernelFacts",
    "Launch",
    "LaunchBounds",
    "NamedTuple",
    "Note",
    "Place",
    "Rule",
    "RuleInfo",
    "Severity",
    "Span",
    "Trial",
    "place",
]

# Most rules name these in annotations only, and a run that has all its answers already needs none of them.
_LATE = {
    "KernelFacts": "regpress_lint.facts.kernel",
    **dict.fromkeys(("File", "Kernel", "Launch", "LaunchBounds"), "regpress_lint.program.model"),
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)
