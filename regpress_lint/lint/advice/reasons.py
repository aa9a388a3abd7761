"""Why something is reported at a line as it is, or not at all: each smell of the text there, with the change tried.

Changes that a finding without a fix suggests, so that a compiler can try them; and why there are none. Smells that no
rule reports at the line: the change that a rule would ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit, ResolvedEdit, ResolvedFix, Severity
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.syntax_tree import Call, Constant, Evaluate
from regpress_lint.cpp.traversal import nodes_of
from regpress_lint.cpp.typing_rules import types_within
from regpress_lint.facts.loop_groups import indexes_array
from regpress_lint.facts.math_functions import is_fp64_transcendental
from regpress_lint.lint.advice.advice_data import Change, memory_after
from regpress_lint.lint.advice.candidate_changes import changes, every_finding
from regpress_lint.lint.advice.trials import Trials, edited
from regpress_lint.targets.compilers import habits
from regpress_lint.targets.vocabulary import gpu

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.cpp.syntax_tree import Function
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import Kind, State
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel


_MOST_CHANGES = 6  # changes for one finding: each is compiled
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
    "RP403": ("unroll-loop", "block-histogram", "array-to-lds"),
    "RP406": ("narrow-type",),
    "RP407": ("unroll-loop",),
    "RP501": ("roll-loop",),
    "RP603": ("restrict",),
    "RP604": ("restrict",),
    "RP802": ("value-to-lds", "array-to-lds"),
}
_OF_ARRAYS = frozenset(("array-to-lds", "block-histogram"))
_ARRAYS = frozenset(("RP402", "RP403"))  # stand at the declaration of the array that they are about
_LAUNCH = "another block size or grid changes host code and the use of its indices in the kernel"
REASONS: Mapping[str, str] = {
    "RP102": _LAUNCH,
    "RP106": _LAUNCH,
    "RP108": _LAUNCH,
    "RP201": "the power is in another file, or has an exponent whose replacement rounds otherwise",
    "RP203": "whether single precision is enough is for the author to say",
    "RP204": "what the output or the assertion is for is for the author to say",
    "RP205": "the results go to places that one call cannot write",
    "RP404": "the table is changed, filled by assignments, or depends on something that is not constant",
    "RP405": "another layout of a structure changes all who use it",
    "RP701": "which functions the call may reach is not visible",
    "RP702": "whether a function can be separate depends on the values that cross the call",
}
UNKNOWN = "the right code depends on the meaning of the kernel"


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
    by_kernel: dict[str, tuple[Change, ...]] = {}
    answered = []
    for finding in findings:
        kinds, named = KINDS.get(finding.code, ()), kernels.get(finding.kernel or "", [])
        if not kinds:
            answered.append(Answers(finding, (), REASONS.get(finding.code, UNKNOWN)))
        elif len(named) != 1:
            why = "the finding is about no kernel of its own" if not named else "several kernels have the name"
            answered.append(Answers(finding, (), why))
        else:
            if named[0].name not in by_kernel:
                by_kernel[named[0].name] = _changes(analysis, analysis.facts(named[0]))
            answered.append(_answered(analysis, finding, kinds, by_kernel[named[0].name]))
    analysis.close()
    return answered


def _changes(analysis: Analysis, facts: KernelFacts) -> tuple[Change, ...]:
    """Those that can be made: edits do not touch each other, and something is another after them."""
    data = analysis.source.data
    return tuple(change for change in changes(facts) if edited(data, change.edits) not in (None, data))


def _answered(analysis: Analysis, finding: Diagnostic, kinds: tuple[Kind, ...], possible: Sequence[Change]) -> Answers:
    line = finding.location.start.line
    about = (
        change
        for change in possible
        if change.kind not in _OF_ARRAYS or change.line == line or finding.code not in _ARRAYS
    )
    wanted = sorted((change for change in about if change.kind in kinds), key=lambda change: kinds.index(change.kind))
    fixes = tuple(_resolved(analysis, change) for change in wanted[:_MOST_CHANGES])
    return Answers(finding, fixes, "" if fixes else f"nothing in the kernel for {' or '.join(kinds)} to be written at")


def _resolved(analysis: Analysis, change: Change) -> ResolvedFix:
    place = analysis.source.position
    edits = (ResolvedEdit(place(edit.span.start), place(edit.span.end), edit.text) for edit in sorted(change.edits))
    return ResolvedFix(change.title, "unsafe", tuple(edits))


# Why a smell that would gain something is not a finding.
_NOT_SAID: Mapping[str, str] = {
    "RP201": "not reported: few products do not replace this exponent, and whether float is enough is for the author",
    "RP202": "not reported: an operand is double by itself, and whether float is enough is for the author",
    "RP203": "not reported: its argument is double, and whether float is enough is for the author",
    "RP204": "not reported: the release build may leave it out, or the kernel does nothing else",
    "RP501": "not reported: the copies fit, and a loop that stays costs time",
}
_VOLATILE = pattern(r"\bvolatile\b\s*")
_MOST = 4  # changes for one finding


class Tried(NamedTuple):
    """A change made in a copy, and the kernel before and after it by target; no `after` where it cannot be judged."""

    title: str
    before: Mapping[str, State]
    after: Mapping[str, State]


class Reason(NamedTuple):
    """A finding at a line, or a smell of its text that is not a finding (`code` is empty), of a kernel.

    severity: None for anything but a finding. why: in a sentence how that came about.
    """

    code: str
    name: str
    line: int
    kernel: str
    severity: Severity | None
    message: str
    tried: tuple[Tried, ...]
    why: str


def reasons(analysis: Analysis, line: int) -> list[Reason]:
    """All that is known about a line of a file: findings of all rules, hidden ones too, then other smells."""
    listed: list[Reason] = []
    findings = [
        diagnostic for diagnostic in every_finding(analysis) if _stands_at(diagnostic, analysis.source.path, line)
    ]
    for kernel in analysis.file.kernels:
        mine = [finding for finding in findings if finding.kernel == kernel.name]
        inside = kernel.path == analysis.source.path and kernel.line <= line <= kernel.end_line
        if mine or inside or _reaches(analysis, kernel, line):
            listed += _of_kernel(analysis, kernel, mine, line)
            analysis.done_with(kernel)
    names = {kernel.name for kernel in analysis.file.kernels}
    listed += [_untried(finding) for finding in findings if finding.kernel not in names]
    analysis.close()
    return listed


def _stands_at(finding: Diagnostic, path: str, line: int) -> bool:
    at = finding.location
    return at.path == path and at.start.line <= line <= at.end.line


def _reaches(analysis: Analysis, kernel: Kernel, line: int) -> bool:
    """True if a device function of the file that a kernel calls has the line."""
    source = analysis.source
    return any(
        function.path in ("", source.path)
        and source.line_of(function.span.start) <= line <= source.line_of(function.span.end)
        for function in analysis.facts(kernel).source.functions
    )


def _of_kernel(analysis: Analysis, kernel: Kernel, findings: Sequence[Diagnostic], line: int) -> Iterator[Reason]:
    """Findings, with the changes that answer them; then other changes at the line; then kept arrays."""
    facts = analysis.facts(kernel)
    if not facts.targets:
        return
    trials = Trials(analysis, kernel, tuple(facts.targets))
    bare = () if any(diagnostic.code == "RP401" for diagnostic in findings) else tuple(_without_volatile(facts, line))
    codes = {diagnostic.code for diagnostic in findings}
    silent = tuple(change for change in silent_smells(facts, line) if change.code not in codes)
    possible = (*bare, *silent, *changes(facts))
    messages: set[str] = set()
    for finding in findings:
        wanted = _asked(finding, possible, line)
        tried = tuple(outcome for change in wanted if (outcome := _tried(trials, change)) is not None)
        messages.update(change.title for change in wanted)
        yield Reason(
            *(finding.code, finding.name, finding.location.start.line, kernel.name, finding.severity, finding.message),
            tried,
            _why(finding, tried),
        )
    for change in possible:
        if change.line == line and change.title not in messages and change.kind not in ("restrict", "launch-bounds"):
            once = _tried(trials, change)
            if once is not None:
                yield Reason("", "", line, kernel.name, None, change.title, (once,), _silence(once, change))
    for message, why in kept_arrays(facts, line) if not codes & _ARRAYS else ():
        yield Reason("", "", line, kernel.name, None, message, (), why)


def _asked(finding: Diagnostic, possible: Sequence[Change], line: int) -> list[Change]:
    """The changes that a finding suggests: its fix, else those of the kinds that its rule advises, those here first."""
    if finding.fix is not None:
        edits = tuple(Edit(Span(edit.start.byte, edit.end.byte), edit.text) for edit in finding.fix.edits)
        return [Change("fix", finding.fix.title, line, edits, "", finding.code)]
    kinds = KINDS.get(finding.code, ())
    about = [change for change in possible if change.kind in kinds]
    return sorted(about, key=lambda change: (change.line != line, kinds.index(change.kind)))[:_MOST]


def _tried(trials: Trials, change: Change) -> Tried | None:
    after = trials.after((change,))
    return None if after is None else Tried(change.title, trials.before, after)


def _without_volatile(facts: KernelFacts, line: int) -> Iterator[Change]:
    """The line without its `volatile`: rules report the word itself for its effect on the compiler."""
    source = facts.file.source
    span = source.line_span(line)
    edits = tuple(
        Edit(Span(span.start + match.start(), span.start + match.end()), "")
        for match in _VOLATILE.finditer(source.text(span))
    )
    if edits and "volatile" in source.text(span).partition("//")[0]:
        yield Change("fix", "without `volatile`", line, edits, "", "RP401")


# ------------------------------------------------------------------------------------------------------------- words


def _untried(finding: Diagnostic) -> Reason:
    why = f"{finding.severity.label}: {REASONS.get(finding.code, UNKNOWN)}, so that no change was tried"
    at = finding.location.start.line
    return Reason(finding.code, finding.name, at, finding.kernel or "", finding.severity, finding.message, (), why)


def _why(finding: Diagnostic, tried: Sequence[Tried]) -> str:
    label = finding.severity.label
    if not tried:
        reason = REASONS.get(finding.code, UNKNOWN) if finding.code not in KINDS else UNKNOWN
        # The message may name a change and its estimate: it has none that the tool could write for the author.
        return f"{label}: {'no change could be tried' if finding.fix else 'no fix is offered'}, {reason}"
    if gained := [gain for outcome in tried for name in finding.targets if (gain := gain_of(outcome, name))]:
        return f"{label}: {gained[0]}"
    shown = (
        "hidden unless `--profile strict`" if finding.severity is Severity.HINT else "by the measurements of the rule"
    )
    return f"{label} ({shown}): by the estimate nothing is gained on {' and '.join(finding.targets)}"


def _silence(tried: Tried, change: Change) -> str:
    gained = [gain for name in tried.after if (gain := gain_of(tried, name))]
    if gained and change.code in _NOT_SAID:
        return f"{_NOT_SAID[change.code]}: {gained[0]}"
    if gained:
        return f"no rule reports it; `kernels --advise` weighs it: {gained[0]}"
    if change.code == "RP202":
        return "not reported: nothing is gained, an operand is double anyway or the compiler works in float by itself"
    if change.title == "without `volatile`":
        dropped = [name for name in tried.after if habits(name).drops_volatile]
        if dropped:
            compilers = dict.fromkeys(gpu(name).compiler for name in dropped)
            return f"not reported: {' and '.join(compilers)} drops `volatile` here"
    return "not reported: nothing is gained"


def gain_of(tried: Tried, name: str) -> str:
    """The gain of a change on a target, in words; empty for nothing."""
    before, after = tried.before[name], tried.after[name]
    if not after.waves:
        return ""
    if memory_after(before, after) < before.memory_bytes:
        return f"{before.memory_bytes} -> {after.memory} bytes of private memory on {name}"
    if before.excess and after.excess < before.excess:
        return f"{before.excess} -> {after.excess} registers beyond what a thread may have on {name}"
    if memory_after(before, after) == before.memory_bytes and after.waves > before.waves:
        return f"{before.waves} -> {after.waves} waves per SIMD on {name}"
    if memory_after(before, after) == before.memory_bytes and after.registers.estimate < before.registers.estimate:
        return f"{before.registers.estimate} -> {after.registers.estimate} registers on {name}, and no more waves"
    return ""


_PRINTS = frozenset(("printf", "assert"))


def silent_smells(facts: KernelFacts, line: int) -> Iterator[Change]:
    """A change for each smell of a line, of a kernel and of the functions that it calls in its file."""
    for function in facts.source.functions:
        if function.path in ("", facts.file.path):
            yield from _literals(facts, function, line)
            yield from _calls(facts, function, line)
            yield from _prints(facts, function, line)
            yield from _pragmas(facts, function, line)


def _literals(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    source = facts.file.source
    edits: dict[Span, Edit] = {}
    for node in nodes_of(function):
        if isinstance(node, Constant) and node.kind == "double" and source.line_of(node.span.start) == line:
            text = source.text(node.span)
            if "." in text and not text.startswith("0x"):
                edits[node.span] = Edit(node.span, f"{text}f")
    if edits:
        texts = " and ".join(f"`{source.text(span)}`" for span in sorted(edits))
        yield Change("fix", f"{texts} with the suffix `f`", line, tuple(edits.values()), "", "RP202")


def _calls(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    """Functions of the library in double precision, in single."""
    if facts.kernel.has_work_items:  # a function follows the type of its argument
        return
    source, types = facts.file.source, types_within(function, facts.file.type_of)
    for node in nodes_of(function):
        if not isinstance(node, Call):
            continue
        if source.line_of(node.span.start) != line or not is_fp64_transcendental(node, types):
            continue
        if source.text(node.callee.span) == node.name:
            code = "RP201" if node.name == "pow" else "RP203"
            edit = Edit(node.callee.span, f"{node.name}f")
            yield Change("fix", f"`{node.name}f` for `{node.name}`", line, (edit,), "", code)


def _prints(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    source = facts.file.source
    for node in nodes_of(function):
        call = node.expression if isinstance(node, Evaluate) else None
        if isinstance(call, Call) and call.name in _PRINTS and source.line_of(node.span.start) == line:
            yield Change("fix", f"without `{call.name}`", line, (Edit(node.span, ";"),), "", "RP204")


def _pragmas(facts: KernelFacts, function: Function, line: int) -> Iterator[Change]:
    source = facts.file.source
    for loop in facts.loops_of(function):
        unroll = loop.loop.unroll
        if unroll is None or source.line_of(unroll.span.start) != line or indexes_array(facts, loop):
            continue
        whole = source.line_span(line)
        text = source.text(whole)
        start = whole.start + len(text) - len(text.lstrip())
        if text.lstrip().startswith("#"):
            edit = Edit(Span(start, whole.start + len(text.rstrip().encode())), "#pragma unroll 1")
            yield Change("fix", "`#pragma unroll 1`", line, (edit,), "", "RP501")


def kept_arrays(facts: KernelFacts, line: int) -> Iterator[tuple[str, str]]:
    """Arrays that are declared at a line, with what becomes of them: no change could gain anything."""
    source = facts.file.source
    for array in facts.arrays:
        if array.function.path not in ("", facts.file.path) or source.line_of(array.variable.span.start) != line:
            continue
        names = [name for name in facts.targets if not facts.array_for(name, array).dynamic]
        if names and not array.escapes and array.bytes:
            registers = -(-array.bytes // 4)
            room = ", ".join(f"{facts.target(name).budget} on {name}" for name in names)
            yield (
                f"private array `{array.variable.name}`",
                f"not reported: every index is a constant once the loops are unrolled, so that it can stay in "
                f"registers: {registers} of {room}",
            )
