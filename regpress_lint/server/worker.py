"""One thread that does all analysis, so that the loop which talks to the editor never waits."""

from __future__ import annotations

import gc
import sys
import threading
from concurrent.futures import Future
from itertools import count
from queue import PriorityQueue
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from regpress_lint.core.frames import with_room

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
# Somebody waits for it; diagnostics; diagnostics of a text that another one concerns; anything about a slow text.
ASKED, SHOWN, BESIDE, SLOW = 0, 1, 2, 3
_SWITCH = 0.001  # seconds until the loop gets its turn beside an analysis (5 ms by default, several times a message)


class Superseded(BaseException):
    """The text has moved on: what is being worked out is of no use. No part of the pipeline takes it for a failure."""


class Postponed(BaseException):
    """Others wait, and this takes long: it begins again when nothing else is left to do. As with `Superseded`."""


class Runs(Protocol):
    """The receiver of jobs."""

    def submit(self, job: Callable[[], T], urgency: int) -> Future[T]:
        """The result of a job to come; the more urgent one (a smaller number) goes first, else the earlier one."""

    def has_before(self, urgency: int) -> bool:
        """Whether a job waits that is more urgent."""

    def stop(self) -> None:
        """Take no more jobs."""


class Worker:
    """A thread with a queue. A job that is cancelled before it begins is dropped."""

    def __init__(self) -> None:
        sys.setswitchinterval(_SWITCH)
        gc.set_threshold(50_000, 10, 20)  # as for other runs (`lint/work.py`)
        self._jobs: PriorityQueue[tuple[int, int, Future[Any], Callable[[], Any] | None]] = PriorityQueue()
        self._numbers = count()
        threading.Thread(target=self._run, name="analysis", daemon=True).start()

    def submit(self, job: Callable[[], T], urgency: int) -> Future[T]:
        """See `Runs`."""
        future: Future[T] = Future()
        self._jobs.put((urgency, next(self._numbers), future, job))
        return future

    def has_before(self, urgency: int) -> bool:
        """See `Runs`."""
        try:
            return self._jobs.queue[0][0] < urgency
        except IndexError:
            return False

    def stop(self) -> None:
        """See `Runs`."""
        self._jobs.put((-1, next(self._numbers), Future(), None))

    def _run(self) -> None:
        while True:
            _, _, future, job = self._jobs.get()
            if job is None:
                return
            do(job, future)


class Inline:
    """Does each job at once, where it is submitted: for tests and benchmarks."""

    def submit(self, job: Callable[[], T], urgency: int) -> Future[T]:
        """See `Runs`."""
        future: Future[T] = Future()
        do(job, future)
        return future

    def has_before(self, urgency: int) -> bool:
        """See `Runs`: nothing ever waits."""
        return False

    def stop(self) -> None:
        """See `Runs`."""


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
