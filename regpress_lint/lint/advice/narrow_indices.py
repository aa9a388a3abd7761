"""Whether 64-bit indices in 32 bits gain something: tried on a copy of the file, and said in the finding's help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Edit, Severity
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import lex
from regpress_lint.facts.narrow_reads import WIDE_INTEGER
from regpress_lint.lint.advice.advice_data import Change
from regpress_lint.lint.advice.choosing import gains
from regpress_lint.lint.advice.trying import Trials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import Finding
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.advice.advice_data import State
    from regpress_lint.lint.analysis import Analysis


def with_narrower(analysis: Analysis, facts: KernelFacts, finding: Finding) -> Finding:
    """The finding with what 32 bits save; a hint on each target where they bring no wave and take nothing out of
    memory.
    """
    change = _change(facts)
    trials = Trials(analysis, facts.kernel, tuple(finding.severities))
    states = trials.after((change,)) if change.edits else None
    severities, told = dict(finding.severities), []
    for target in finding.severities:
        before, after = trials.before[target], states[target] if states is not None else None
        if after is None or not gains(before, after):
            severities[target] = Severity.HINT
        if after is not None:
            told.append(f"{_words(before, after)} on {target}")
    words = f"{finding.help}; tried: {'; '.join(told)}" if told else finding.help
    return finding._replace(severities=severities, help=words)


def _change(facts: KernelFacts) -> Change:
    """`int` and `unsigned` for all 64-bit integers that the kernel and its functions name, pointees excepted."""
    source = facts.file.source
    return Change("narrow-type", "", source.line_of(facts.kernel.name_span.start), tuple(_edits(facts)), "")


def _edits(facts: KernelFacts) -> Iterator[Edit]:
    source = facts.file.source
    code = lex(source.data).code
    for function in facts.functions:
        if function.path not in ("", facts.file.path):
            continue
        start, end = function.span.start, function.span.end
        text = code[start:end]
        for match in WIDE_INTEGER.finditer(text):
            if not text[match.end() :].lstrip().startswith(("*", ">", "const *")):
                word = "unsigned" if match["unsigned"] else "int"
                yield Edit(Span(start + match.start(), start + match.end()), word)


def _words(before: State, after: State) -> str:
    registers = f"{before.registers.estimate} -> {after.registers.estimate} registers"
    waves = f", {before.waves} -> {after.waves} waves per SIMD" if before.waves != after.waves else ""
    return f"{registers}{waves}"
