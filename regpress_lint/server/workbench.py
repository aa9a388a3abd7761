"""The side of the server that analyses: what is known of each open text. Only the worker's thread touches it.

The state of one text: its analysis, which takes over from the text before, and its report.
"""

from __future__ import annotations

import os
import time
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from regpress_lint.commands.kernels.rows import kernel_row
from regpress_lint.core.diagnostics import Report
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import matches
from regpress_lint.core.reading import read_header
from regpress_lint.core.running import interruptible
from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.discovery import surroundings
from regpress_lint.lint.pipeline import judged, lint_bytes
from regpress_lint.lint.projects import project_root
from regpress_lint.lint.work import Scope
from regpress_lint.server.open_texts import edit_between, kept, lost, opened, rebased

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from regpress_lint.commands.kernels.rows import KernelRow
    from regpress_lint.commands.pressure.data import Section
    from regpress_lint.core.diagnostics import Diagnostic, Finding
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.lint.projects import Projects
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.open_texts import Found, Text


T = TypeVar("T")


class Watched(Analysis):
    """An analysis that asks, before each of its steps, whether it shall go on, and keeps what was found by kernel.

    earlier: the look at the text of before, if nothing but that text has changed since. patience: seconds that kernels
    may take, by the time that they took before; one that takes longer is left for a second look, `later` has its name.
    """

    def __init__(
        self, proceed: Callable[[], None], earlier: Watched | None, patience: float | None, *arguments: Any
    ) -> None:
        super().__init__(*arguments)
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
        findings = self.found.get(kernel)
        if findings is None and self._patience is not None and kernel in self.took:
            self._patience -= self.took[kernel]
            if self._patience < 0:
                self.later.add(kernel.name)
                return {}
        self._begun = time.perf_counter()
        return findings

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
        _ = self.parsed_file
        failed = {failure.kernel for failure in self.failures}
        for kernel in self.found.keys() & failed:
            if kernel is not None:
                del self.found[kernel]
        super().close()

    def _take_over(self, earlier: Watched) -> None:
        from regpress_lint.server import reuse

        before, after = earlier.parsed_file, self.parsed_file
        if before is None or after is None or earlier.file.language != self.file.language or earlier.file.settled():
            return  # what libclang was not sure of would be forgotten
        old = reuse.by_name(earlier.file.kernels)
        pairs = [(old[key], kernel) for key, kernel in reuse.by_name(self.file.kernels).items() if key in old]
        self.took.update((kernel, earlier.took[old]) for old, kernel in pairs if old in earlier.took)
        edit = edit_between(before.source.data, after.source.data)
        texts = before.source.data, after.source.data
        same = reuse.untouched(edit, reuse.Parsed(before, earlier.file.kernels), reuse.Parsed(after, self.file.kernels))
        if same is None:
            return
        for old_kernel, kernel in pairs:
            if old_kernel not in earlier.found or not same.holds(old_kernel, kernel):
                continue
            if not reuse.same_kernel(old_kernel, kernel, texts):
                continue
            if (findings := rebased(earlier.found[old_kernel], edit, self.source.path)) is not None:
                self.found[kernel] = findings
                self.taken += 1
                if old_kernel in earlier.rows:
                    self.rows[kernel] = earlier.rows[old_kernel]

    @cached_property
    def is_broken(self) -> bool:
        """Whether the parser did not understand all of the text."""
        parsed = self._tree
        return parsed is None or any(parse.has_error for parse in parsed.parses)

    @property
    def is_whole(self) -> bool:
        """Whether no tree was left out."""
        parsed = self._tree
        return parsed is None or parsed.whole

    @property
    def _tree(self) -> ParsedFile | None:
        return self.project.parsed(self.source.path, self.source.data) if self.parsed else None

    @cached_property
    def parsed_file(self) -> ParsedFile | None:
        """The text as it was parsed; asked while it is the newest one."""
        return self._tree if self.file.kernels else None


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
    def parsed(self) -> Source:
        """The text that places of kernels are in: that of kernels in literals is behind the file's own."""
        analysis = self.analysis
        return analysis.file.source if analysis is not None and analysis.parsed else self.source

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, with earlier ones about kernels that the parser has lost for the moment."""
        if self.standing is not None:
            return tuple(sorted(self.kept, key=lambda diagnostic: diagnostic.sort_key))
        if not self.kept:
            return self.report.diagnostics
        by_path = {
            (diagnostic.code, diagnostic.location, diagnostic.message): diagnostic
            for diagnostic in (*self.kept, *self.report.diagnostics)
        }
        return tuple(sorted(by_path.values(), key=lambda diagnostic: diagnostic.sort_key))

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


PATIENCE = 0.03  # seconds for kernels that have changed, before what was found about the others is shown
_SMALLEST = b"""#include <hip/hip_runtime.h>
__global__ void small(float *x) { float own[4]; for (int i = 0; i < 4; ++i) own[i] = x[i]; x[threadIdx.x] = own[1]; }
"""


class Services(NamedTuple):
    """Services of the command line: its one reading of the configuration, and its view of a kernel.

    settings_of: of a file; raises UsageError. sections: a kernel on each of its targets, as `pressure` shows it.
    """

    settings_of: Callable[[str], Settings]
    sections: Callable[[Analysis, Kernel], Iterable[Section]]


class Workbench:
    """Settings, projects and looks of the open texts.

    Files are read in one place: an open text replaces the file on the disk for its includers.
    folders: those that the editor has open; outside of version control they are the projects.
    """

    folders: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        self.services = services
        self.patience = PATIENCE
        self._texts: dict[str, bytes] = {}
        self._settings: dict[str, Settings] = {}
        self._around: dict[tuple[str, str], Projects] = {}
        self._looks: dict[str, Look] = {}
        self._whole: dict[str, Look] = {}  # the last look in which no kernel was lost
        self._stale: set[str] = set()

    @staticmethod
    def warm() -> None:
        """Load what the first look would have to: half of the time that it takes."""
        lint_bytes(_SMALLEST, "small.hip", Settings())

    def look(
        self,
        text: Text,
        texts: Mapping[str, bytes],
        proceed: Callable[[], None],
        *,
        hasty: bool = False,
        first: bool = False,
    ) -> Look:
        """Analyse a text, beside `texts`, all that are open. It raises nothing but what `proceed` does, which
        is called now and then. hasty: the text is being typed; where it is broken, one tree is enough. first: kernels
        that take long may be left for a second look.
        """
        self._take(texts)
        last = self._looks.get(text.path)
        if last is not None and last.text.data == text.data and not (last.hasty > hasty or last.partial > first):
            return last
        with interruptible(proceed):
            look = self._looks[text.path] = self._new(text, proceed, hasty, first)
        self._stale.discard(text.path)
        return look

    def taken_stale(self) -> frozenset[str]:
        """Paths of texts that have to be looked at again, since the last call."""
        stale = frozenset(self._stale)
        self._stale.clear()
        return stale

    def changed_on_disk(self, paths: Iterable[str]) -> None:
        """Files that are not open were written."""
        for path in paths:
            self._forget(path)

    def reset(self) -> None:
        """Forget everything: the configuration, or which files there are, may have changed."""
        self._stale |= self._looks.keys()
        self._settings.clear()
        self._around.clear()
        self._looks.clear()
        self._whole.clear()

    # ------------------------------------------------------------------------------------------------------ inside

    def _new(self, text: Text, proceed: Callable[[], None], hasty: bool, first: bool) -> Look:
        whole = self._whole.get(text.path)
        try:
            settings = self._settings_of(text.path)
            if matches(text.path, settings.exclude):
                return Look(text, None, Report())
            around = self._projects(text.path, settings)
            project = around.of(text.path)
            project.hasty = hasty
            try:
                with project.recording() as recording:
                    patience = self.patience if first else None
                    watched = partial(Watched, proceed, whole.analysis if whole is not None else None, patience)
                    analysis = analyse(text.data, text.path, settings, partial(around.of, text.path), watched)
                    report = judged(analysis, text.path, settings)
                look = Look(text, analysis if isinstance(analysis, Watched) else None, report)
                look.hasty = hasty and look.analysis is not None and not look.analysis.is_whole
                return self._compared(look, whole, frozenset(recording.dependencies.files))
            finally:
                project.hasty = False
        except UsageError as error:
            return Look(text, None, Report(), str(error))

    def _compared(self, look: Look, whole: Look | None, uses: frozenset[str]) -> Look:
        """A look with the results that it takes over from the last one that saw all kernels."""
        look.uses = uses
        if whole is not None and look.analysis is not None:
            if look.analysis.taken:
                look.uses |= whole.uses
            look.partial = bool(look.analysis.later)
            if opened(whole, look):
                look.standing = whole
                look.kept = kept(whole, look, {*(kernel.name for kernel in whole.kernels), None})
                return look
            if names := lost(whole, look) | look.analysis.later:
                look.kept = kept(whole, look, names)
                return look
        self._whole[look.text.path] = look
        return look

    def _settings_of(self, path: str) -> Settings:
        folder = os.path.dirname(path)
        if folder not in self._settings:
            self._settings[folder] = self.services.settings_of(path)
        return self._settings[folder]

    def _projects(self, path: str, settings: Settings) -> Projects:
        """The project of a file with all its sources, as a run over the whole work tree sees it."""
        root = project_root(path, self.folders)
        key = (root, repr(settings))
        if key not in self._around:
            paths = (path, *surroundings((path,), (), settings.exclude, self.folders))
            self._around[key] = Scope(settings, paths, (root,)).projects(self._read)
        return self._around[key]

    def _read(self, path: str) -> bytes | None:
        text = self._texts.get(path)
        return read_header(path) if text is None else text

    def _take(self, texts: Mapping[str, bytes]) -> None:
        """Let these texts be the open ones."""
        before, self._texts = self._texts, dict(texts)
        for path in before.keys() | texts.keys():
            if before.get(path) != texts.get(path):
                self._forget(path)
                if path not in texts:
                    self._looks.pop(path, None)
                    self._whole.pop(path, None)

    def _forget(self, path: str) -> None:
        """Drop what came from a file, as far as others know it."""
        known_otherwise = [projects.forget(path) for projects in self._around.values()]
        for open_path, look in tuple(self._looks.items()):
            if open_path != path and (any(known_otherwise) or path in look.uses):
                del self._looks[open_path]
                self._whole.pop(open_path, None)
                self._stale.add(open_path)
