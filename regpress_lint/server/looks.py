"""The state of one text: its analysis, which takes over from the text before, and its report."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from regpress_lint.commands.kernels.rows import kernel_row
from regpress_lint.lint.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.commands.kernels.rows import KernelRow
    from regpress_lint.core.diagnostics import Diagnostic, Finding, Report
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.edits import Found
    from regpress_lint.server.open_texts import Text

T = TypeVar("T")


class Watched(Analysis):
    """An analysis that asks, before each of its steps, whether it shall go on, and keeps what was found by kernel.

    earlier: the look at the text of before, if nothing but that text has changed since. patience: seconds that kernels
    may take, by the time that they took before; one that takes longer is left for a second look, `later` has its name.
    """

    def __init__(
        self, proceed: Callable[[], None], earlier: Watched | None, patience: float | None, *given: Any
    ) -> None:
        super().__init__(*given)
        self._proceed: Callable[[], None] | None = proceed
        self._earlier = earlier
        self._patience = patience
        self._begun = 0.0
        self.took: dict[Kernel, float] = {}
        self.later: set[str] = set()
        self.found: dict[Kernel, Found] = {}
        self.rows: dict[Kernel, KernelRow] = {}
        self.taken = 0  # kernels that were not looked at again

    def attempt(self, doing: str, action: Callable[[], T], kernel: Kernel | None = None) -> T | None:
        """See `Analysis`."""
        if self._proceed is not None:
            self._proceed()
        return super().attempt(doing, action, kernel)

    def known(self, kernel: Kernel) -> Found | None:
        """See `Analysis`: what was found before, of a kernel that the last edit does not concern."""
        if self._earlier is not None:
            earlier, self._earlier = self._earlier, None
            self.attempt("comparing it with the text before", lambda: self._take_over(earlier))
        found = self.found.get(kernel)
        if found is None and self._patience is not None and kernel in self.took:
            self._patience -= self.took[kernel]
            if self._patience < 0:
                self.later.add(kernel.name)
                return {}
        self._begun = time.perf_counter()
        return found

    def learn(self, kernel: Kernel, code: str, findings: tuple[Finding, ...]) -> None:
        """See `Analysis`."""
        self.found.setdefault(kernel, {})[code] = findings

    def done_with(self, kernel: Kernel) -> None:
        """See `Analysis`: a kernel that no rule applies to also counts as done."""
        if self._proceed is not None:
            self.found.setdefault(kernel, {})
            self.took[kernel] = time.perf_counter() - self._begun
        super().done_with(kernel)

    @property
    def asked_all(self) -> bool:
        """See `Analysis`."""
        return not self.later

    def close(self) -> None:
        """See `Analysis`: all rules have run."""
        self._proceed = self._earlier = None
        _ = self.unit
        failed = {failure.kernel for failure in self.failures}
        for kernel in self.found.keys() & failed:
            if kernel is not None:
                del self.found[kernel]
        super().close()

    def _take_over(self, earlier: Watched) -> None:
        from regpress_lint.server import edits, reuse

        before, after = earlier.unit, self.unit
        if before is None or after is None or earlier.file.language != self.file.language or earlier.file.settled():
            return  # what libclang was not sure of would be forgotten
        old = reuse.by_name(earlier.file.kernels)
        pairs = [(old[key], kernel) for key, kernel in reuse.by_name(self.file.kernels).items() if key in old]
        self.took.update((kernel, earlier.took[other]) for other, kernel in pairs if other in earlier.took)
        edit = edits.edit_between(before.source.data, after.source.data)
        texts = before.source.data, after.source.data
        left = reuse.untouched(edit, reuse.Parsed(before, earlier.file.kernels), reuse.Parsed(after, self.file.kernels))
        if left is None:
            return
        for other, kernel in pairs:
            if other not in earlier.found or not left.holds(other, kernel):
                continue
            if not reuse.same_kernel(other, kernel, texts):
                continue
            found = edits.rebased(earlier.found[other], edit, self.source.path)
            if found is not None:
                self.found[kernel] = found
                self.taken += 1
                if other in earlier.rows:
                    self.rows[kernel] = earlier.rows[other]

    @cached_property
    def is_broken(self) -> bool:
        """Whether the parser did not understand all of the text."""
        unit = self._parsed_unit
        return unit is None or any(each.has_error for each in unit.parses)

    @property
    def is_whole(self) -> bool:
        """Whether no tree was left out."""
        unit = self._parsed_unit
        return unit is None or unit.whole

    @property
    def _parsed_unit(self) -> Unit | None:
        return self.project.unit(self.source.path, self.source.data) if self.parsed else None

    @cached_property
    def unit(self) -> Unit | None:
        """The text as it was parsed; asked while it is the newest one."""
        return self._parsed_unit if self.file.kernels else None


class Look:
    """One text, looked at: its report, and its analysis for who wants to know more.

    problem: why it was not looked at; empty if it was. uses: files that it came from. hasty: the text is broken, and a
    second look may see more of it. partial: kernels were left for a second look. kept: what was found before about
    those, and about kernels that are lost for the moment. standing: the last look at the whole text, where this
    one is in the middle of being typed: what that one found holds.
    """

    def __init__(self, text: Text, analysis: Watched | None, report: Report, problem: str = "") -> None:
        self.text = text
        self.analysis = analysis
        self.report = report
        self.problem = problem
        self.uses: frozenset[str] = frozenset()
        self.kept: tuple[Diagnostic, ...] = ()
        self.standing: Look | None = None
        self.hasty = False
        self.partial = False
        self._at_hand: Kernel | None = None

    @property
    def source(self) -> Source:
        """The text with its lines."""
        return self.analysis.source if self.analysis is not None else self.text.source

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, with earlier ones about kernels that the parser has lost for the moment."""
        if self.standing is not None:
            return tuple(sorted(self.kept, key=lambda each: each.sort_key))
        if not self.kept:
            return self.report.diagnostics
        found = {(each.code, each.location, each.message): each for each in (*self.kept, *self.report.diagnostics)}
        return tuple(sorted(found.values(), key=lambda each: each.sort_key))

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """Its kernels; none of a text that was not looked at or could not be parsed."""
        return self.analysis.file.kernels if self.analysis is not None and self.analysis.parsed else ()

    def facts(self, kernel: Kernel) -> KernelFacts:
        """Facts of a kernel; those of one kernel are kept."""
        assert self.analysis is not None
        if self._at_hand is not None and self._at_hand is not kernel:
            self.analysis.done_with(self._at_hand)
        self._at_hand = kernel
        return self.analysis.facts(kernel)

    def known_row(self, kernel: Kernel) -> KernelRow | None:
        """The row of `kernels` for a kernel if it was computed; else None."""
        return None if self.analysis is None else self.analysis.rows.get(kernel)

    def row(self, kernel: Kernel) -> KernelRow | None:
        """The row of `kernels` for a kernel; None if that fails."""
        assert self.analysis is not None
        if kernel not in self.analysis.rows:
            analysis, facts = self.analysis, self.facts(kernel)
            row = analysis.attempt(
                "measuring a kernel", lambda: kernel_row(facts, analysis.targets, analysis.line_of), kernel
            )
            if row is None:
                return None
            self.analysis.rows[kernel] = row
        return self.analysis.rows[kernel]
