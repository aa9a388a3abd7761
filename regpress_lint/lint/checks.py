"""Rules asked about a file: every rule about the file as a whole, then every rule about every kernel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.registry import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.api.rule import Rule
    from regpress_lint.core.diagnostics import Finding, Severity
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.lint.registry import Entry
    from regpress_lint.program.model import Kernel


_MOST_PRICED = 16  # kernels of a file, each of them and rule by rule: an analysis of the file each


class Check(NamedTuple):
    """One rule that will check one kernel, or about the file (`kernel` is None); `ask` runs it."""

    rule: Entry
    kernel: Kernel | None
    ask: Callable[[], Iterable[Finding]]

    @property
    def doing(self) -> str:
        """The current activity, for the report of a failure."""
        return _doing(self.rule)


def _doing(rule: Entry) -> str:
    return f"rule {rule.code} ({rule.name})"


def checks(analysis: Analysis, rules: Sequence[Entry]) -> Iterator[Check]:
    """All checks, one after the other: a kernel's facts are dropped before the next one.

    A file that cannot be parsed, a rule that cannot be made and a kernel that cannot be analysed are failures of the
    analysis; the others go on. A rule is loaded with the first kernel that it is for.
    """
    file = analysis.attempt("parsing", lambda: analysis.file)
    if file is None:
        return
    instances = _Made(analysis)
    for kind in rules:
        if "file" in kind.hooks and (rule := instances.rule(kind)) is not None:
            yield Check(kind, None, partial(rule.check_file, file))
    wanted = [kind for kind in rules if "kernel" in kind.hooks]
    wanted += [kind for kind in rules if "after" in kind.hooks]
    for kernel in file.kernels if wanted else ():
        if (findings := analysis.known(kernel)) is not None:
            for kind in (kind for kind in wanted if kind.code in findings):
                yield Check(kind, kernel, partial(findings.__getitem__, kind.code))
            continue
        facts = analysis.attempt(f"analysing kernel `{kernel.name}`", partial(_judgeable, analysis, kernel), kernel)
        if facts is not None:
            asked = _Asked(analysis, facts, instances)
            for kind in wanted:
                if analysis.attempt(_doing(kind), partial(kind.scope.covers, facts), kernel):
                    rule = instances.rule(kind)
                    if rule is not None:
                        yield Check(kind, kernel, partial(asked.ask, kind, rule))
            analysis.done_with(kernel)
    analysis.close()


def _judgeable(analysis: Analysis, kernel: Kernel) -> KernelFacts | None:
    """Facts of a kernel; None for what no chosen GPU can run: of that is only said what was not understood in it."""
    facts = analysis.facts(kernel)
    return facts if facts.targets or not kernel.complete else None


class _Asked:
    """One kernel, and what rules have said about it."""

    def __init__(self, analysis: Analysis, facts: KernelFacts, instances: _Made) -> None:
        self._analysis, self._facts, self._made = analysis, facts, instances
        self._said: dict[str, tuple[Finding, ...]] = {}

    def ask(self, kind: Entry, rule: Rule) -> tuple[Finding, ...]:
        """A rule's findings about the kernel, for the report."""
        findings = self._answer(kind, rule)
        if rule.tries_changes and any(finding.severities for finding in findings):
            from regpress_lint.lint.advice.tried_findings import tried

            findings = tuple(tried(self._analysis, self._facts, kind.code, finding) for finding in findings)
        if any(finding.cost for finding in findings):
            findings = self._priced(rule, findings)
        self._analysis.learn(self._facts.kernel, kind.code, findings)
        return findings

    def _priced(self, rule: Rule, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """Findings with their cost for this kernel, for the first few kernels of a file."""
        from regpress_lint.lint.advice.trials import priced

        may_try = rule.prices_fixes and self._made.priced < _MOST_PRICED and self._may_be_seen(findings)
        self._made.priced += may_try and any(
            finding.cost and (finding.fix or finding.trial) is not None for finding in findings
        )
        return priced(self._analysis, self._facts, findings, rule, may_try=may_try)

    def _may_be_seen(self, findings: tuple[Finding, ...]) -> bool:
        """Whether any of the findings is more than a hint, or may be by what its change gains, where hints count."""
        return self._facts.hints_count or any(
            finding.gained or any(finding.severities.values()) for finding in findings if finding.cost
        )

    def _answer(self, kind: Entry, rule: Rule) -> tuple[Finding, ...]:
        findings: tuple[Finding, ...] = ()
        if "kernel" in kind.hooks:
            findings += tuple(rule.check_kernel(self._facts))
        if "after" in kind.hooks:
            findings += tuple(rule.check_after(self._facts, self._other))
        name = self._facts.kernel.name
        findings = tuple(finding if finding.kernel else finding._replace(kernel=name) for finding in findings)
        if findings and rule.many_blocks:
            findings = _of_one_block(self._facts, findings)
        self._said[kind.code] = findings
        return findings

    def _other(self, code: str) -> tuple[Finding, ...]:
        """Findings of the rule with a code about the kernel; it need not be one of those that the run is for."""
        if code not in self._said:
            self._said[code] = ()
            kind = next((entry for entry in load().rules if entry.code == code), None)
            if kind is not None and kind.scope.covers(self._facts) and (rule := self._made.rule(kind)) is not None:
                return self._answer(kind, rule)
        return self._said[code]


def _of_one_block(facts: KernelFacts, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Findings without warnings where one block is all that runs; what cannot work stays an error."""
    from regpress_lint.core.diagnostics import Severity
    from regpress_lint.facts.warp_roles import runs_as_one_block

    warned = any(
        severity == Severity.WARNING
        for finding in findings
        for severity in (*finding.severities.values(), *(finding.gained or {}).values())
    )
    if not warned or not runs_as_one_block(facts):
        return findings
    return tuple(
        finding._replace(
            severities={
                target: Severity.INFO if severity == Severity.WARNING else severity
                for target, severity in finding.severities.items()
            },
            gained={target: min(severity, Severity.INFO) for target, severity in (finding.gained or {}).items()},
        )
        for finding in findings
    )


class _Made:
    """The rules of a run over a file, each made when it is first needed."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._rules: dict[str, Rule | None] = {}
        self.priced = 0  # kernels that were analysed once more with fixes made

    def rule(self, kind: Entry) -> Rule | None:
        """The rule; None if it cannot be made, which is said once."""
        if kind.code not in self._rules:
            self._rules[kind.code] = self._analysis.attempt(_doing(kind), lambda: kind.load()())
        return self._rules[kind.code]


class _Severe(Protocol):
    @property
    def severity(self) -> Severity: ...


S = TypeVar("S", bound=_Severe)


def more_severe(known: S | None, new: S) -> S:
    """The more severe of two equal findings; of two with the same severity, the first.

    A device function is seen from each kernel that calls it: the cost in the worst of them counts.
    """
    return new if known is None or new.severity > known.severity else known
