"""For those who write rules: expected findings as comments in a kernel's own file.

    volatile float band[8];  // expect: RP401 @3 "band"
    // expect-next-line: RP501 info @1 "width" "clang"
    #pragma unroll

An expectation is a rule's code, then, each optional and in this order: a severity, the column (1-based, in bytes) and
quoted texts that the message must contain. Several expectations of one line are separated by `;`. A line
`// targets: gfx90a, gfx1100` sets the architectures of the file. Every finding
counts, hints included. A finding without an expectation is as wrong as an expectation without a finding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Finding, ResolvedEdit, ResolvedFix, Severity
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.running import with_room
from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint.analysis import Analysis
from regpress_lint.lint.checks import checks, more_severe
from regpress_lint.lint.registry import entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.api import Fix, Rule
    from regpress_lint.core.settings import Language
    from regpress_lint.core.source import Span
    from regpress_lint.program.file import File

_COMMENT = pattern(r"//\s*(expect|expect-next-line):(.*)$")
_TARGETS = pattern(r"^//\s*targets:(.*)$", re.MULTILINE)
_EXPECTATION = pattern(
    r"\s*(?P<code>[A-Z]+\d+)(?:\s+(?P<severity>hint|info|warning|error))?(?:\s+@(?P<column>\d+))?"
    r"(?P<texts>(?:\s+\"(?:[^\"\\]|\\.)*\")*)\s*(?:;|$)"
)
_TEXT = pattern(r"\"((?:[^\"\\]|\\.)*)\"")


class Expectation(NamedTuple):
    """One expected finding; None and () mean that the comment leaves it open."""

    line: int
    code: str
    severity: Severity | None
    column: int | None
    texts: tuple[str, ...]

    def matches(self, found: Found) -> bool:
        """True if a finding is what this expectation describes."""
        return (
            (self.line, self.code) == (found.line, found.code)
            and self.severity in (None, found.severity)
            and self.column in (None, found.column)
            and all(text in found.message for text in self.texts)
        )


class Found(NamedTuple):
    """A finding with its place resolved; `severity` is the highest over the targets."""

    line: int
    column: int
    code: str
    severity: Severity
    message: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Expectations that nothing met, and findings that nothing expected."""

    missing: tuple[Expectation, ...]
    extra: tuple[Found, ...]

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra)

    def __str__(self) -> str:
        lines = [f"missing: line {e.line}: {e.code} @{e.column} {e.texts}" for e in self.missing]
        lines += [f"extra: {f.line}:{f.column}: {f.code} {f.severity.label}: {f.message}" for f in self.extra]
        return "\n".join(lines)


def expectations(text: str) -> tuple[Expectation, ...]:
    """Expectations of a text, in order. Raises ValueError for a comment that is not one."""
    result: list[Expectation] = []
    for number, line in enumerate(text.split("\n"), 1):
        if (comment := _COMMENT.search(line.rstrip("\r"))) is not None:
            result.extend(_of_comment(comment[2], number + (comment[1] != "expect")))
    return tuple(result)


def _of_comment(text: str, line: int) -> Iterator[Expectation]:
    position = 0
    while position < len(text) and text[position:].strip():
        match = _EXPECTATION.match(text, position)
        if match is None or match.end() == position:
            raise ValueError(f"line {line}: not an expectation: {text.strip()}")
        severity = Severity[match["severity"].upper()] if match["severity"] else None
        texts = tuple(re.sub(r"\\(.)", r"\1", found) for found in _TEXT.findall(match["texts"]))
        yield Expectation(line, match["code"], severity, int(match["column"]) if match["column"] else None, texts)
        position = match.end()


def without_expectations(text: str) -> str:
    """The text with its expectation comments blanked, so that they cannot influence what is found; no offset moves."""
    return "\n".join(_COMMENT.sub(lambda match: " " * len(match[0].encode()), line) for line in text.split("\n"))


def settings_of(text: str) -> Settings:
    """Settings with the architectures of a `// targets:` line, or the defaults."""
    match = _TARGETS.search(text)
    names = () if match is None else tuple(match[1].replace(",", " ").split())
    return Settings(architectures=names, min_severity=Severity.HINT)


def build(text: str, path: str = "example.hip", language: Language | None = None) -> File:
    """The model of a single text, without project headers. Raises ValueError for one without GPU code."""
    return _analysis(text, path, language, Settings()).file


def _analysis(text: str, path: str, language: Language | None, settings: Settings) -> Analysis:
    data = text.encode()
    chosen = language or detect_language(path, data)
    if chosen is None:
        raise ValueError(f"{path}: no kernel in it: fill it in, or delete it")
    return Analysis(Source(path, data), chosen, settings)


def run(
    rules: Iterable[type[Rule]],
    text: str,
    path: str = "example.hip",
    language: Language | None = None,
    settings: Settings | None = None,
) -> tuple[Found, ...]:
    """Everything that rules say about a text, hints included, in order of position. Exceptions of rules propagate."""
    return with_room(_run, rules, text, path, language, settings)


def _run(
    rules: Iterable[type[Rule]], text: str, path: str, language: Language | None, settings: Settings | None
) -> tuple[Found, ...]:
    chosen = settings if settings is not None else settings_of(text)
    analysis = _analysis(without_expectations(text), path, language, chosen)
    unique: dict[tuple[str, Span, str], Found] = {}
    for check in checks(analysis, tuple(map(entry, rules))):
        for finding in check.ask():
            if finding.severities:
                shown = _found(analysis.source, check.rule.code, finding)
                key = (shown.code, finding.span, shown.message)
                unique[key] = _of_both(unique.get(key), shown)
    for failure in analysis.failures:
        raise failure.error
    return tuple(sorted(unique.values(), key=lambda found: (found.line, found.column, found.code, found.message)))


def _of_both(known: Found | None, found: Found) -> Found:
    """The more severe of two equal findings, for each target as severe as the more severe of the two."""
    if known is None:
        return found
    severities = dict(known.finding.severities)
    for target, severity in found.finding.severities.items():
        severities[target] = max(severity, severities.get(target, severity))
    worse = more_severe(known, found)
    return worse._replace(finding=worse.finding._replace(severities=severities))


def _found(source: Source, code: str, finding: Finding) -> Found:
    start = source.position(finding.span.start)
    return Found(start.line, start.column, code, max(finding.severities.values()), finding.message, finding)


def compare(expected: Iterable[Expectation], found: Iterable[Found]) -> Mismatch:
    """Pair expectations and findings one to one; what is left over on either side is the mismatch."""
    missing, extra = list(expected), []
    for finding in found:
        hit = next((expectation for expectation in missing if expectation.matches(finding)), None)
        if hit is None:
            extra.append(finding)
        else:
            missing.remove(hit)
    return Mismatch(tuple(missing), tuple(extra))


def check(
    rules: Iterable[type[Rule]], text: str, path: str = "example.hip", threshold: Severity = Severity.HINT
) -> Mismatch:
    """Run rules on a text and compare with its comments, as far as these are about the rules.

    A finding below `threshold` need not be expected, but it may be.
    """
    chosen = list(rules)
    codes = {rule.code for rule in chosen}
    expected = [expectation for expectation in expectations(text) if expectation.code in codes]
    mismatch = compare(expected, run(chosen, text, path))
    return Mismatch(mismatch.missing, tuple(finding for finding in mismatch.extra if finding.severity >= threshold))


def fixed(text: str, found: Iterable[Found], *, unsafe: bool = False) -> str:
    """The text with the fixes of findings applied as `--fix` applies them in one round: safe ones only, unless asked;
    of fixes that touch each other the first by position.
    """
    from regpress_lint.core import fixes

    source = Source("", text.encode())
    wanted = [
        _resolved_fix(source, fix)
        for finding in found
        if (fix := finding.finding.fix) is not None and (unsafe or fix.applicability == "safe")
    ]
    return fixes.apply(source.data, wanted)[0].decode()


def _resolved_fix(source: Source, fix: Fix) -> ResolvedFix:
    place = source.position
    edits = (ResolvedEdit(place(edit.span.start), place(edit.span.end), edit.text) for edit in sorted(fix.edits))
    return ResolvedFix(fix.title, fix.applicability, tuple(edits))
