"""When a text is looked at: soon after it was changed, once for many changes, and not while it is still typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

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
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self._took.pop(uri, None)

    def _set(self, uri: str, seconds: float) -> None:
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self._timers[uri] = self._later(seconds, lambda: self._fire(uri))

    def _fire(self, uri: str) -> None:
        self._timers.pop(uri, None)
        self._start(uri)
