"""How far a long run is: one line on a terminal's standard error, which goes when the run ends."""

from __future__ import annotations

import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TextIO

_PATIENCE = 2.0  # seconds of silence
_PACE = 0.1  # seconds between two lines
_CLEAR = "\r\x1b[K"


def is_wanted(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether a user watches: on a terminal that can clear a line, outside CI."""
    if environ.get("TERM") == "dumb" or environ.get("CI"):
        return False
    try:
        return stream.isatty()
    except ValueError:  # a closed stream
        return False


class Progress:
    """Call it with the number of files (or what `of` says) that are done since it was called last; leave it when all
    are.
    """

    def __init__(
        self,
        stream: TextIO,
        files: int,
        environ: Mapping[str, str] = os.environ,
        now: Callable[[], float] = time.monotonic,
        wanted: bool = True,
        of: str = "files",
    ) -> None:
        self._stream, self._files, self._now, self._of = stream, files, now, of
        self._wanted = wanted and is_wanted(stream, environ)
        self._done = 0
        self._next = now() + _PATIENCE
        self._shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            self._write(_CLEAR)

    def __call__(self, files: int, also: str = "") -> None:
        """More files are done; also: what else is said of it."""
        self._done += files
        if self._wanted and self._now() >= self._next:
            self._next = self._now() + _PACE
            self._shown = True
            self._write(f"{_CLEAR}{self._done:,} of {self._files:,} {self._of}{also}")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # nobody watches any more
            self._wanted = False
