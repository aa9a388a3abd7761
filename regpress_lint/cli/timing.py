"""`verify --time COMMAND`: the user's own benchmark before and after, exactly as typed, never from another source."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

from regpress_lint.cli.progress import Progress
from regpress_lint.core.errors import UsageError
from regpress_lint.views.timed import Timed

if TYPE_CHECKING:
    from collections.abc import Callable


def timed(command: str, repeat: int, change: Callable[[], None]) -> Timed:
    """Runs before and after a change of the tree. Raises UsageError if the command fails."""
    before = _runs(command, repeat)
    change()
    return Timed(command, before, _runs(command, repeat))


def _runs(command: str, repeat: int) -> tuple[float, ...]:
    """The first run does not count: it may build what the others measure."""
    with Progress(sys.stderr, repeat + 1) as tell:
        found = []
        for number in range(repeat + 1):
            seconds = _run(command)
            found += [seconds] if number else []
            tell(1)
    return tuple(found)


def _run(command: str) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise UsageError(f"--time: `{command}` ended with status {done.returncode}")
    return time.perf_counter() - start
