"""Public surface for rules, built-in and third-party."""

from __future__ import annotations

from regpress_lint.api.report import Place as Place, place as place
from regpress_lint.api.rule import API_VERSION as API_VERSION, DOCUMENTATION_URL as DOCUMENTATION_URL, Rule as Rule
from regpress_lint.core.diagnostics import (
    EVERY_TARGET as EVERY_TARGET,
    Applicability as Applicability,
    Edit as Edit,
    Finding as Finding,
    Fix as Fix,
    Note as Note,
    RuleInfo as RuleInfo,
    Severity as Severity,
    Trial as Trial,
)
from regpress_lint.core.named import NamedTuple as NamedTuple
from regpress_lint.core.source import Span as Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts as KernelFacts
    from regpress_lint.program.file import File as File
    from regpress_lint.program.model import Kernel as Kernel, Launch as Launch, LaunchBounds as LaunchBounds


# Most rules name these in annotations only, and a run that has all its answers already needs none of them.
_LATE = {
    "KernelFacts": "regpress_lint.facts.kernel",
    "File": "regpress_lint.program.file",
    **dict.fromkeys(("Kernel", "Launch", "LaunchBounds"), "regpress_lint.program.model"),
}


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)
