"""One thread that does all analysis, so that the loop which talks to the editor never waits.

When a text is looked at: soon after it was changed, once for many changes, and not while it is still typed.
"""

from __future__ import annotations

import gc
import sys
import threading
from concurrent.futures import Future
from itertools import count
from queue import PriorityQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from regpress_lint.core.running import with_room

if TYPE_CHECKING:
    from collections.abc import Callable


LEAST, MOST = 0.01, 0.3  # seconds between a change and the look at it
SOON = 0.05  # until a second look at kernels that the first one left out: whoever types on does not pay for it
_SHARE = 0.1  # of what the last look took: it is not begun anew for each of many changes at once


class Timer(Protocol):
    """A timer that can still be cancelled."""

    def cancel(self) -> object:
        """Call it off."""


class Schedule:
    """Waits after the changes of each text. later: calls something after so many seconds (the loop's `call_later`)."""

    def __init__(self, start: Callable[[str], object], later: Callable[[float, Callable[[], object]], Timer]) -> None:
        self._start = start
        self._later = later
        self._timers: dict[str, Timer] = {}
        self._took: dict[str, float] = {}

    def changed(self, uri: str) -> None:
        """A text was changed: start to wait, from the beginning if it was already waiting."""
        self._set(uri, min(max(self._took.get(uri, 0) * _SHARE, LEAST), MOST))

    def now(self, uri: str) -> None:
        """A text was opened or saved, or something else changed that concerns it."""
        self._set(uri, 0)

    def rest(self, action: Callable[[], object], seconds: float = MOST) -> None:
        """Something to do when typing has paused."""
        self._later(seconds, action)

    def took(self, uri: str, seconds: float) -> None:
        """Record the duration of a look at a text."""
        self._took[uri] = seconds

    def drop(self, uri: str) -> None:
        """A text was closed."""
        if (timer := self._timers.pop(uri, None)) is not None:
            timer.cancel()
        self._took.pop(uri, None)

    def _set(self, uri: str, seconds: float) -> None:
        if (timer := self._timers.pop(uri, None)) is not None:
            timer.cancel()
        self._timers[uri] = self._later(seconds, lambda: self._fire(uri))

    def _fire(self, uri: str) -> None:
        self._timers.pop(uri, None)
        self._start(uri)


T = TypeVar("T")
# Somebody waits for it; diagnostics; diagnostics of a text that another one concerns; anything about a slow text.
ASKED, SHOWN, BESIDE, SLOW = 0, 1, 2, 3
_SWITCH = 0.001  # seconds until the loop gets its turn beside an analysis (5 ms by default, several times a message)


class Superseded(BaseException):
    """The text has moved on: what is being worked out is of no use. No part of the pipeline takes it for a failure."""


class Postponed(BaseException):
    """Others wait, and this takes long: it begins again when nothing else is left to do. As with `Superseded`."""


class Worker:
    """A thread with a queue. A job that is cancelled before it begins is dropped."""

    def __init__(self) -> None:
        sys.setswitchinterval(_SWITCH)
        gc.set_threshold(50_000, 10, 20)  # as for other runs (`lint/work.py`)
        self._jobs: PriorityQueue[tuple[int, int, Future[Any], Callable[[], Any] | None]] = PriorityQueue()
        self._numbers = count()
        threading.Thread(target=self._run, name="analysis", daemon=True).start()

    def submit(self, job: Callable[[], T], urgency: int) -> Future[T]:
        """The result of a job to come; the more urgent one (a smaller number) goes first, else the earlier one."""
        future: Future[T] = Future()
        self._jobs.put((urgency, next(self._numbers), future, job))
        return future

    def has_before(self, urgency: int) -> bool:
        """Whether a job waits that is more urgent."""
        try:
            return self._jobs.queue[0][0] < urgency
        except IndexError:
            return False

    def stop(self) -> None:
        """Take no more jobs."""
        self._jobs.put((-1, next(self._numbers), Future(), None))

    def _run(self) -> None:
        while True:
            _, _, future, job = self._jobs.get()
            if job is None:
                return
            do(job, future)


def do(job: Callable[[], T], future: Future[T]) -> None:
    """Do a job unless it was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = with_room(job)
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
