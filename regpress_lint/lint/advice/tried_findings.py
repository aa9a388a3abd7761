"""Rules whose findings say what came of a change that was tried.

The change that ends what a finding says is spilled, tried as `kernels --advise` tries it and said in its help.

Whether 64-bit indices in 32 bits gain something: tried on a copy of the file, and said in the finding's help.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint.api.rewrite import WIDE_INTEGER
from regpress_lint.core.diagnostics import Edit, Severity
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import lex
from regpress_lint.lint.advice.advice_data import Change, gains
from regpress_lint.lint.advice.candidate_changes import changes
from regpress_lint.lint.advice.code_motion import apart, later
from regpress_lint.lint.advice.ranking import is_advised
from regpress_lint.lint.advice.trials import Trials, affordable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import State
    from regpress_lint.lint.analysis import Analysis


_CLASS = pattern(r"\b(?:struct|class)\s+(\w+)[^;{}()]*\{")
_BRACES = pattern(r"[{}]")
_MOST = 8  # changes for a kernel: each is an execution


def with_change(analysis: Analysis, facts: KernelFacts, finding: Finding) -> Finding:
    """The finding with the change in its help that takes most out of memory on its first target with a warning.

    A kernel of several instantiations is told by the one in the middle, which is not the one that spills.
    """
    target = next((name for name, severity in finding.severities.items() if severity >= Severity.WARNING), None)
    if target is None or facts.instances or finding.fix is not None:
        return finding
    trials = Trials(analysis, facts.kernel, (target,))
    before, best, tried = trials.before[target], None, 0
    most = min(_MOST, affordable(facts.work(target)))
    if not most:
        return finding._replace(help=f"{finding.help}; no change was tried, for the kernel is large")
    for change in islice(changes(facts), most):
        states = trials.after((change,))
        after = states[target] if states is not None else None
        tried += after is not None
        if after is not None and is_advised(target, change, before, after) and (best is None or _left(after) < best[0]):
            best = _left(after), change, after
    if best is not None:
        return finding._replace(help=f"{finding.help}; tried: {_spill_words(best[1], before, best[2])} on {target}")
    if not tried:
        return finding
    none = (
        f"none of {tried} changes that were tried ends it" if tried > 1 else "the change that was tried does not end it"
    )
    return finding._replace(help=f"{finding.help}; {none}")


def _left(state: State) -> int:
    return state.memory_bytes + 4 * state.excess


def _spill_words(change: Change, before: State, after: State) -> str:
    registers = f"{before.registers.estimate} -> {after.registers.estimate} registers"
    waves = "" if before.waves == after.waves else f", {before.waves} -> {after.waves} waves per SIMD"
    return f"{change.title}: {registers}, {_left(before)} -> {_left(after)} bytes of private memory{waves}"


def with_narrower(analysis: Analysis, facts: KernelFacts, finding: Finding) -> Finding:
    """The finding with what 32 bits save; a hint on each target where they bring no wave and leave the private memory
    about as large as it is.
    """
    change = _change(facts)
    trials = Trials(analysis, facts.kernel, tuple(finding.severities))
    states = trials.after((change,)) if change.edits else None
    severities, sentences = dict(finding.severities), []
    for target in finding.severities:
        before, after = trials.before[target], states[target] if states is not None else None
        if after is None or not (gains(before, after) or _shrinks(before, after)):
            severities[target] = Severity.HINT
        if after is not None:
            sentences.append(f"{_words(before, after)} on {target}")
    words = f"{finding.help}; tried: {'; '.join(sentences)}" if sentences else finding.help
    return finding._replace(severities=severities, help=words)


def _shrinks(before: State, after: State) -> bool:
    """True for private memory, spills included, that gets smaller by a third, and for as many waves."""
    return after.waves >= before.waves and 3 * _left(after) <= 2 * _left(before) and _left(before) > 0


def _change(facts: KernelFacts) -> Change:
    """`int` and `unsigned` for all 64-bit integers that the kernel and its functions name, pointees excepted."""
    source = facts.file.source
    return Change("narrow-type", "", source.line_of(facts.kernel.name_span.start), tuple(_edits(facts)), "")


def _edits(facts: KernelFacts) -> Iterator[Edit]:
    source = facts.file.source
    code = lex(source.data).code
    functions = [function for function in facts.source.functions if function.path in ("", facts.file.path)]
    classes = _classes(code, facts, [function.span for function in functions])
    outside = (function.span for function in functions if not any(class_.contains(function.span) for class_ in classes))
    for start, end in sorted((span.start, span.end) for span in (*outside, *classes)):
        text = code[start:end]
        for match in WIDE_INTEGER.finditer(text):
            if not text[match.end() :].lstrip().startswith(("*", ">", "const *")):
                word = "unsigned" if match["unsigned"] else "int"
                yield Edit(Span(start + match.start(), start + match.end()), word)


def _classes(code: str, facts: KernelFacts, functions: Sequence[Span]) -> tuple[Span, ...]:
    """Classes of the file whose members the kernel reads: those of its functions, and of its parameters."""
    names = {
        parameter.type.name.partition("<")[0] for parameter in facts.kernel.function.parameters if parameter.type.struct
    }
    spans: list[Span] = []
    for match in _CLASS.finditer(code):
        end = _closing(code, match.end())
        span = Span(match.start(), end)
        used = match[1] in names or any(span.contains(function) for function in functions)
        if used and not any(spanned.contains(span) for spanned in spans):
            spans.append(span)
    return tuple(spans)


def _closing(code: str, at: int) -> int:
    """The end of a block that is open at a place."""
    deep = 1
    for match in _BRACES.finditer(code, at):
        deep += 1 if match[0] == "{" else -1
        if not deep:
            return match.end()
    return len(code)


def _words(before: State, after: State) -> str:
    registers = f"{before.registers.estimate} -> {after.registers.estimate} registers"
    waves = f", {before.waves} -> {after.waves} waves per SIMD" if before.waves != after.waves else ""
    memory = f", {_left(before)} -> {_left(after)} bytes of private memory" if _left(before) != _left(after) else ""
    return f"{registers}{memory}{waves}"


def with_move(analysis: Analysis, facts: KernelFacts, finding: Finding) -> Finding:
    """The finding with the effect of loading behind the loop, where the text can be moved."""
    return _with_own(analysis, facts, finding, later(facts, facts.kernel.function))


def with_split(analysis: Analysis, facts: KernelFacts, finding: Finding) -> Finding:
    """The finding with the effect of a loop for each group, where the text can be taken apart."""
    return _with_own(analysis, facts, finding, apart(facts))


def _with_own(analysis: Analysis, facts: KernelFacts, finding: Finding, changes: Iterator[Change]) -> Finding:
    """A finding with the change that is its own, on targets where that gains: information becomes what the rule names
    under `gained`. Its own text moved as a whole may hold more than the values one by one would, so that a trial
    without a gain decides nothing; and a hint has a reason that a trial does not see.
    """
    if facts.kernel.function.path not in ("", facts.file.path) or facts.instances:
        return finding
    change = next(
        (candidate for candidate in changes if any(edit.span.contains(finding.span) for edit in candidate.edits)), None
    )
    if change is None or not all(affordable(facts.work(name)) for name in finding.severities):
        return finding
    trials = Trials(analysis, facts.kernel, tuple(finding.severities))
    states = trials.after((change,))
    if states is None:
        return finding
    severities, sentences = dict(finding.severities), []
    for name, severity in finding.severities.items():
        before, after = trials.before[name], states[name]
        if severity > Severity.HINT and gains(before, after):
            severities[name] = max(severity, (finding.gained or {}).get(name, severity))
            sentences.append(f"{_words(before, after)} on {name}")
    help_ = f"{finding.help}; tried: {'; '.join(sentences)}" if sentences else finding.help
    return finding._replace(severities=severities, help=help_, gained=None)


_TRIED = {"RP301": with_move, "RP303": with_split, "RP605": with_narrower}


def tried(analysis: Analysis, facts: KernelFacts, code: str, finding: Finding) -> Finding:
    """A finding of a rule that `tries_changes`, with what came of them."""
    return _TRIED.get(code, with_change)(analysis, facts, finding)
