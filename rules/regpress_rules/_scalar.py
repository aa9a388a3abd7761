"""The gain on AMD if loads that are equal for all threads of a wave use scalar registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api import Severity
from regpress_lint.api.facts import WORD
from regpress_lint.api.targets import occupancy

if TYPE_CHECKING:
    from regpress_lint.api import KernelFacts

# VGPRs that a word of these loads takes, by our own pairs (testdata/evidence/RP604): 0.1 to 1.6, 0.6 in the middle.
_SHARE, _AT_LEAST, _AT_MOST = 0.6, 0.4, 0.8
# A quarter of the estimate: 18 words in a kernel of 116 and more registers changed nothing at its peak (HeCBench mcmd).
_A_GOOD_PART = 4


def saved_registers(size: int) -> float:
    """VGPRs that loads of so many bytes were measured to cost and scalar loads do not."""
    return size / WORD * _SHARE


def scalar_severity(facts: KernelFacts, name: str, size: int) -> Severity:
    """The severity for so many bytes that could be in scalar registers: a warning if few of them already cost a step or
    spill, info if many of them would, else a hint.

    The register estimate of such a kernel is near its use with scalar loads (19 pairs: 0.6 to 1.3 times): the loads in
    flight come on top of it.
    """
    target, words = facts.target(name), size / WORD
    estimate = target.registers.estimate
    much = words * _A_GOOD_PART >= estimate
    if estimate > target.budget:
        return Severity.INFO if much else Severity.HINT
    for share, severity in ((_AT_LEAST, Severity.WARNING), (_AT_MOST, Severity.INFO)):
        before = round(estimate + words * share)
        if before > target.budget or occupancy(target.architecture, target.use(before)).waves < target.occupancy.waves:
            return severity if much else Severity.INFO
    return Severity.HINT
