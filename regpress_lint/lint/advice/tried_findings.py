"""Rules whose findings say what came of a change that was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.lint.advice.ending_spills import with_change
from regpress_lint.lint.advice.narrow_indices import with_narrower

if TYPE_CHECKING:
    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.analysis import Analysis

_TRIED = {"RP605": with_narrower}


def tried(analysis: Analysis, facts: KernelFacts, code: str, finding: Finding) -> Finding:
    """A finding of a rule that `tries_changes`, with what came of them."""
    return _TRIED.get(code, with_change)(analysis, facts, finding)
