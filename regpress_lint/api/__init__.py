"""Public surface for rules, built-in and third-party."""

from __future__ import annotations

from regpress_lint.api.rule import DOCUMENTATION_URL, Rule
from regpress_lint.core.diagnostics import EVERY_TARGET, Edit, Finding, Fix, Note, RuleInfo, Severity
from regpress_lint.core.source import Span
from regpress_lint.facts.kernel import KernelFacts
from regpress_lint.program.model import File, Kernel, Launch, LaunchBounds

__all__ = [
    "DOCUMENTATION_URL",
    "EVERY_TARGET",
    "Edit",
    "File",
    "Finding",
    "Fix",
    "Kernel",
    "KernelFacts",
    "Launch",
    "LaunchBounds",
    "Note",
    "Rule",
    "RuleInfo",
    "Severity",
    "Span",
]
