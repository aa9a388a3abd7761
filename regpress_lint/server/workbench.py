"""The side of the server that analyses: what is known of each open text. Only the worker's thread touches it."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Report
from regpress_lint.core.errors import UsageError
from regpress_lint.core.globs import matches
from regpress_lint.core.interruption import interruptible
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import read_header
from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse
from regpress_lint.lint.pipeline import judged, lint_bytes
from regpress_lint.lint.projects import project_root
from regpress_lint.lint.surroundings import surroundings
from regpress_lint.lint.work import Scope
from regpress_lint.server.kept_findings import kept, lost, opened
from regpress_lint.server.looks import Look, Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from regpress_lint.commands.pressure.data import Section
    from regpress_lint.lint.projects import Projects
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.open_texts import Text

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
        known = self._looks.get(text.path)
        if known is not None and known.text.data == text.data and not (known.hasty > hasty or known.partial > first):
            return known
        with interruptible(proceed):
            look = self._looks[text.path] = self._new(text, proceed, hasty, first)
        self._stale.discard(text.path)
        return look

    def taken_stale(self) -> frozenset[str]:
        """Paths of texts that have to be looked at again, since the last call."""
        found = frozenset(self._stale)
        self._stale.clear()
        return found

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
            names = lost(whole, look) | look.analysis.later
            if names:
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
            kept = (path, *surroundings((path,), (), settings.exclude, self.folders))
            self._around[key] = Scope(settings, kept, (root,)).projects(self._read)
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
        for other, look in tuple(self._looks.items()):
            if other != path and (any(known_otherwise) or path in look.uses):
                del self._looks[other]
                self._whole.pop(other, None)
                self._stale.add(other)
