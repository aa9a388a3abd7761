"""Changes that a finding without a fix suggests, so that a compiler can try them; and why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import ResolvedEdit, ResolvedFix
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.advice.candidate_changes import changes
from regpress_lint.lint.advice.trying import edited

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import Change, Kind
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel

_MOST = 6  # changes for one finding: each is compiled
_LESS_ALIVE: tuple[Kind, ...] = ("compute-later", "recompute", "roll-loop", "narrow-type")
# What the advice of a rule is, as far as it can be written without knowing what the kernel means.
KINDS: Mapping[str, tuple[Kind, ...]] = {
    "RP101": ("launch-bounds",),
    "RP104": (*_LESS_ALIVE, "array-to-lds", "value-to-lds"),
    "RP105": _LESS_ALIVE,
    "RP202": ("narrow-type",),
    "RP206": ("narrow-type",),
    "RP301": ("compute-later", "recompute"),
    "RP302": ("compute-later", "recompute"),
    "RP303": ("split-loop",),
    "RP304": ("recompute",),
    "RP402": ("array-to-lds", "narrow-type"),
    "RP403": ("unroll-loop", "array-to-lds"),
    "RP406": ("narrow-type",),
    "RP407": ("unroll-loop",),
    "RP501": ("roll-loop",),
    "RP603": ("restrict",),
    "RP604": ("restrict",),
    "RP802": ("value-to-lds", "array-to-lds"),
}
_ARRAYS = frozenset(("RP402", "RP403"))  # stand at the declaration of the array that they are about
_LAUNCH = "another block size or grid stands in host code, and in what the kernel makes of its indices"
REASONS: Mapping[str, str] = {
    "RP102": _LAUNCH,
    "RP106": _LAUNCH,
    "RP108": _LAUNCH,
    "RP201": "the power is in another file, or has an exponent whose replacement rounds otherwise",
    "RP203": "whether single precision is enough is for the author to say",
    "RP204": "what the output or the assertion is for is for the author to say",
    "RP205": "the results go to places that one call cannot write",
    "RP404": "the table is changed, or hangs on something that is no constant",
    "RP405": "another layout of a structure changes all who use it",
    "RP701": "which functions the call may reach is not in view",
    "RP702": "whether a function may stand by itself hangs on what crosses the call",
}
UNKNOWN = "what to write hangs on what the kernel means"


class Answers(NamedTuple):
    """Changes for a finding, each to be tried by itself; `reason` says why there are none."""

    finding: Diagnostic
    fixes: tuple[ResolvedFix, ...]
    reason: str = ""


def answers(analysis: Analysis, findings: Sequence[Diagnostic]) -> list[Answers]:
    """For findings of one file that have no fix of their own, in their order."""
    kernels: dict[str, list[Kernel]] = {}
    for kernel in analysis.file.kernels:
        kernels.setdefault(kernel.name, []).append(kernel)
    known: dict[str, tuple[Change, ...]] = {}
    found = []
    for finding in findings:
        kinds, named = KINDS.get(finding.code, ()), kernels.get(finding.kernel or "", [])
        if not kinds:
            found.append(Answers(finding, (), REASONS.get(finding.code, UNKNOWN)))
        elif len(named) != 1:
            why = "the finding is about no kernel of its own" if not named else "several kernels have the name"
            found.append(Answers(finding, (), why))
        else:
            if named[0].name not in known:
                known[named[0].name] = _changes(analysis, analysis.facts(named[0]))
            found.append(_answered(analysis, finding, kinds, known[named[0].name]))
    analysis.close()
    return found


def _changes(analysis: Analysis, facts: KernelFacts) -> tuple[Change, ...]:
    """Those that can be made: edits do not touch each other, and something is another after them."""
    data = analysis.source.data
    return tuple(each for each in changes(facts) if edited(data, each.edits) not in (None, data))


def _answered(analysis: Analysis, finding: Diagnostic, kinds: tuple[Kind, ...], known: Sequence[Change]) -> Answers:
    line = finding.location.start.line
    about = (each for each in known if each.kind != "array-to-lds" or each.line == line or finding.code not in _ARRAYS)
    wanted = sorted((each for each in about if each.kind in kinds), key=lambda each: kinds.index(each.kind))
    fixes = tuple(_resolved(analysis, each) for each in wanted[:_MOST])
    return Answers(finding, fixes, "" if fixes else f"nothing in the kernel for {' or '.join(kinds)} to be written at")


def _resolved(analysis: Analysis, change: Change) -> ResolvedFix:
    place = analysis.source.position
    edits = (ResolvedEdit(place(each.span.start), place(each.span.end), each.text) for each in sorted(change.edits))
    return ResolvedFix(change.title, "unsafe", tuple(edits))
