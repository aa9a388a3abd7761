"""Rules asked about a file: every rule about the file as a whole, then every rule about every kernel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from regpress_lint.api import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.core.diagnostics import Finding, Severity
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel


class Check(NamedTuple):
    """One rule that is to be asked about one kernel, or about the file (`kernel` is None); `ask` asks it."""

    rule: type[Rule]
    kernel: Kernel | None
    ask: Callable[[], Iterable[Finding]]

    @property
    def doing(self) -> str:
        """What goes on, for the report of a failure."""
        return _doing(self.rule)


def _doing(rule: type[Rule]) -> str:
    return f"rule {rule.code} ({rule.name})"


def checks(analysis: Analysis, rules: Sequence[type[Rule]]) -> Iterator[Check]:
    """All there is to ask, one after the other: what is known about a kernel is forgotten when the next one comes.

    A file that cannot be parsed, a rule that cannot be made and a kernel that cannot be analysed are failures of the
    analysis; the others go on.
    """
    file = analysis.attempt("parsing", lambda: analysis.file)
    made = [(rule, analysis.attempt(_doing(rule), rule)) for rule in rules if file is not None]
    if file is None:
        return
    ready = [(kind, rule) for kind, rule in made if rule is not None]
    for kind, rule in ready:
        if kind.check_file is not Rule.check_file:
            yield Check(kind, None, partial(rule.check_file, file))
    wanted = [(kind, rule) for kind, rule in ready if kind.check_kernel is not Rule.check_kernel]
    for kernel in file.kernels if wanted else ():
        facts = analysis.attempt(f"analysing kernel `{kernel.name}`", partial(analysis.facts, kernel), kernel)
        if facts is not None:
            for kind, rule in wanted:
                yield Check(kind, kernel, partial(rule.check_kernel, facts))
            analysis.done_with(kernel)
    analysis.close()


class _Severe(Protocol):
    @property
    def severity(self) -> Severity: ...


S = TypeVar("S", bound=_Severe)


def more_severe(known: S | None, found: S) -> S:
    """Of two equal findings the more severe one, of two that are alike in that, too, the first.

    A device function is seen from each kernel that calls it: what it costs the worst of them counts.
    """
    return found if known is None or found.severity > known.severity else known
