"""One editor's session, on the loop's side: open texts, requests to the worker, diagnostics that go out.

Settings of the editor itself; configuration files decide which findings are reported, as everywhere.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from regpress_lint.core.diagnostics import texts as lines_of
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.running import interruptible
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_lint.server.actions import Pages, diagnostics
from regpress_lint.server.open_texts import Documents
from regpress_lint.server.workbench import Workbench
from regpress_lint.server.worker import ASKED, BESIDE, SHOWN, SLOW, SOON, Postponed, Schedule, Superseded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future

    from lsprotocol import types

    from regpress_lint.server.open_texts import Encoding, Text
    from regpress_lint.server.workbench import Look, Services
    from regpress_lint.server.worker import Timer, Worker


SECTION = "regpress-lint"


class Options(NamedTuple):
    """code_lens: the line above each kernel. inlay_hints: live registers behind the widest lines.

    first_answers: whether what is known at once is shown while kernels that take long are still looked at.
    """

    code_lens: bool = True
    inlay_hints: bool = False
    first_answers: bool = True


def options_of(sent: Any, options: Options = Options()) -> Options:  # noqa: B008
    """Options out of what an editor sends, `initializationOptions` or the section of its settings; what is no boolean
    leaves things as they are.
    """
    table = sent.get(SECTION, sent) if isinstance(sent, dict) else {}
    if not isinstance(table, dict):
        return options
    lens, hints, first = table.get("codeLens"), table.get("inlayHints"), table.get("firstAnswers")
    return Options(
        lens if isinstance(lens, bool) else options.code_lens,
        hints if isinstance(hints, bool) else options.inlay_hints,
        first if isinstance(first, bool) else options.first_answers,
    )


T = TypeVar("T")
_LONG = 1.0  # seconds after which an answer about one text lets those about others go first


class Outlet(Protocol):
    """Messages that the session sends to the editor unasked."""

    def publish(self, uri: str, version: int | None, shown: list[types.Diagnostic]) -> None:
        """Show these diagnostics of a text."""

    def tell(self, message: str, *, loud: bool) -> None:
        """Say something: loud where a person shall see it, else for the log."""

    def ask_again(self) -> None:
        """Have the editor refresh the diagnostics that it pulled before."""


class Session:
    """pushes: whether diagnostics are sent; an editor that pulls them is only told to refresh."""

    def __init__(
        self,
        services: Services,
        outlet: Outlet,
        runs: Worker,
        later: Callable[[float, Callable[[], object]], Timer],
        call: Callable[[Callable[[], object]], object],
    ) -> None:
        self.services = services
        self.documents = Documents()
        self.bench = Workbench(services)
        self.pages = Pages()
        self.options = Options()
        self.encoding: Encoding = "utf-16"
        self.pushes = True
        self.watches_files = False
        self._outlet = outlet
        self._runs = runs
        self._call = call  # a function in the loop's thread, from another one
        self._schedule = Schedule(self._begin, later)
        self._running: dict[str, Future[Look | None]] = {}
        self._told: set[str] = set()
        self._slow: set[str] = set()  # URIs of texts that have kept others waiting

    # ------------------------------------------------------------------------------------------------------- texts

    def started(self) -> None:
        """The editor is ready; the first text is yet to come."""
        self._runs.submit(self.bench.warm, BESIDE)

    def opened(self, uri: str, version: int, text: str) -> None:
        self.documents.open(uri, version, text)
        self._look_soon(uri, typed=False)

    def changed(self, uri: str, version: int, changes: Iterable[types.TextDocumentContentChangeEvent]) -> None:
        self.documents.change(uri, version, changes, self.encoding)
        self._look_soon(uri, typed=True)

    def saved(self, uri: str) -> None:
        """A text was saved. If nothing reports other changes on the disk, any file may have changed."""
        if self.watches_files:
            self._look_soon(uri, typed=False)
        else:
            self.reset()

    def closed(self, uri: str) -> None:
        """A text was closed; what is on the disk counts again."""
        self._schedule.drop(uri)
        self._slow.discard(uri)
        self.documents.close(uri)
        if self.pushes:
            self._outlet.publish(uri, None, [])

    def changed_on_disk(self, paths: Iterable[str]) -> None:
        """Files were written by another program."""
        open_ = {text.path for text in self.documents.all()}
        others = [path for path in paths if path not in open_]
        self._runs.submit(partial(self.bench.changed_on_disk, others), ASKED).add_done_callback(self._after)

    def reset(self) -> None:
        """The configuration, or which files there are, may have changed."""
        self._told.clear()
        self._runs.submit(self.bench.reset, ASKED).add_done_callback(self._after)

    def stop(self) -> None:
        """The editor is gone."""
        self._runs.stop()
        self.pages.close()

    # --------------------------------------------------------------------------------------------------- questions

    async def ask(self, uri: str, question: Callable[[Look], T]) -> T | None:
        """An answer about a text as it is now; None if it is not open, or moves on before there is an answer."""
        text = self.documents.get(uri)
        while text is not None:
            try:
                job = partial(self._answer, text, question)
                return await asyncio.wrap_future(self._runs.submit(job, self._urgency(uri, ASKED)))
            except Postponed:
                text = self.documents.get(uri)
        return None

    def is_current(self, text: Text) -> bool:
        """Whether a text is still what the editor shows."""
        return self.documents.version(text.uri) == text.version

    def _answer(self, text: Text, question: Callable[[Look], T], *, hasty: bool = True, first: bool = True) -> T | None:
        if not self.is_current(text):
            return None
        try:
            texts, proceed = self.documents.bytes_by_path(), partial(self._proceed, text, time.monotonic() + _LONG)
            first = first and self.options.first_answers
            look = self.bench.look(text, texts, proceed, hasty=hasty, first=first)
            with interruptible(proceed):
                return question(look)
        except Superseded:
            return None

    def _proceed(self, text: Text, patient_until: float) -> None:
        """In the worker, now and then: go on only while no request is waiting."""
        if not self.is_current(text):
            raise Superseded
        if self._runs.has_before(SLOW) and (text.uri in self._slow or time.monotonic() > patient_until):
            self._slow.add(text.uri)
            raise Postponed

    def _urgency(self, uri: str, urgency: int) -> int:
        return SLOW if uri in self._slow else urgency

    # ------------------------------------------------------------------------------------------------- diagnostics

    def _look_soon(self, uri: str, *, typed: bool) -> None:
        if self.pushes:
            (self._schedule.changed if typed else self._schedule.now)(uri)

    def _begin(self, uri: str, urgency: int = SHOWN, *, hasty: bool = True, first: bool = True) -> None:
        text = self.documents.get(uri)
        if text is None:
            return
        if (before := self._running.pop(uri, None)) is not None:
            before.cancel()
        job = partial(self._answer, text, _itself, hasty=hasty, first=first)
        future = self._runs.submit(job, self._urgency(uri, urgency))
        self._running[uri] = future
        again = partial(self._begin, uri, hasty=hasty, first=first)
        future.add_done_callback(partial(self._ended, text, time.monotonic() if first else None, again))

    def _ended(self, text: Text, since: float | None, again: Callable[[], None], future: Future[Look | None]) -> None:
        """In the worker: the loop goes on with it."""
        if not future.cancelled():
            self._call(partial(self._show, text, since, again, future))

    def _show(self, text: Text, since: float | None, again: Callable[[], None], future: Future[Look | None]) -> None:
        error = future.exception()
        if isinstance(error, Postponed):
            if self._running.get(text.uri) is future:  # else a newer text is being looked at
                again()
            return
        if error is not None:  # a defect of the server itself: the next change is a new chance
            self._outlet.tell(f"{text.path}: {type(error).__name__}: {error}", loud=True)
            return
        look = future.result()
        if look is None or not self.is_current(text):
            return
        if since is not None:
            self._schedule.took(text.uri, time.monotonic() - since)
        self._outlet.publish(text.uri, text.version, diagnostics(look, self.encoding))
        self.tell_about(look)
        self.look_closer(look)
        self._again()

    def look_closer(self, look: Look) -> None:
        """Look again: soon at kernels that were left out, at a broken text after a pause in typing."""
        if look.partial:
            self._schedule.rest(partial(self._closer, look.text, hasty=True), SOON)
        elif look.hasty:
            self._schedule.rest(partial(self._closer, look.text, hasty=False))

    def _closer(self, text: Text, *, hasty: bool) -> None:
        if not self.is_current(text):
            return
        if self.pushes:
            self._begin(text.uri, BESIDE, hasty=hasty, first=False)
            return
        job = partial(self._answer, text, _itself, hasty=hasty, first=False)
        again = partial(self._closer, text, hasty=hasty)
        self._runs.submit(job, self._urgency(text.uri, BESIDE)).add_done_callback(partial(self._shown, again))

    def _shown(self, again: Callable[[], None], future: Future[Look | None]) -> None:
        if future.cancelled():
            return
        error = future.exception()
        if isinstance(error, Postponed):
            self._call(again)
        elif error is None and future.result() is not None:
            self._call(self._outlet.ask_again)

    def _after(self, future: Future[None]) -> None:
        if not future.cancelled():
            self._call(self._again)

    def _again(self) -> None:
        """Look again at the texts that another one concerned, or have the editor ask."""
        stale = self.bench.taken_stale()
        uris = [text.uri for text in self.documents.all() if text.path in stale]
        if self.pushes:
            for uri in uris:
                self._begin(uri, BESIDE)
        elif uris:
            self._outlet.ask_again()

    def tell_about(self, look: Look) -> None:
        """Messages of a look other than its diagnostics, each once: a wrong configuration, a rule that failed."""
        report = look.report
        failed = [diagnostic.message for diagnostic in report.diagnostics if diagnostic.code == INTERNAL_ERROR]
        for line in (look.problem, *failed):
            self._tell_once(line, loud=True)
        for key in ("warnings", "notes", "tracebacks"):
            for line in lines_of(report, key):
                self._tell_once(line, loud=False)

    def _tell_once(self, line: str, *, loud: bool) -> None:
        if line and line not in self._told:
            self._told.add(line)
            self._outlet.tell(line, loud=loud)


def _itself(look: Look) -> Look:
    return look
