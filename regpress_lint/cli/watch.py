"""`check --watch`: check again whenever a file changes. The files are polled, which works on every system and disk."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

from regpress_lint.cli.context import context, find
from regpress_lint.core.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Generator, Mapping
    from types import FrameType

POLL_SECONDS = 0.5
_CLEAR = "\x1b[2J\x1b[H"


def watch(arguments: argparse.Namespace, run: Callable[[argparse.Namespace], int]) -> int:
    """Run, and again after each change, until Ctrl-C; then the exit status of the last run.

    An error in the configuration is shown, and waited for, from the second run on. Raises UsageError for options that
    write files, and for errors in the first run.
    """
    if arguments.fix or arguments.add_ignore is not None or "-" in arguments.paths:
        raise UsageError("--watch only shows findings of files; it goes without --fix, --add-ignore and -")
    seen = snapshot(arguments)
    status = run(arguments)
    with _interruptions() as pressed:
        try:
            while True:
                _tell(len(seen))
                seen = _changed(arguments, seen, pressed)
                if sys.stdout.isatty():
                    sys.stdout.write(_CLEAR)
                try:
                    status = run(arguments)
                except UsageError as error:
                    print(f"regpress-lint: error: {error}", file=sys.stderr)
                    status = 2
        except KeyboardInterrupt:
            return status


def snapshot(arguments: argparse.Namespace) -> Mapping[str, tuple[int, int]]:
    """Time of the last change in nanoseconds, and size, of every source and configuration file of a run."""
    here = context(arguments)
    paths = {file.path for file in find(arguments, here).files}
    paths |= {configuration for path in paths if (configuration := here.files.of(path).configuration.path) is not None}
    found = {}
    for path in paths:
        try:
            state = os.stat(path)
        except OSError:  # removed while we looked
            continue
        found[path] = (state.st_mtime_ns, state.st_size)
    return found


@contextlib.contextmanager
def _interruptions() -> Generator[list[int], None, None]:
    """The times that Ctrl-C was pressed. Python drops an exception that is raised in a finalizer: the list keeps it."""
    pressed: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        pressed.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _changed(
    arguments: argparse.Namespace, seen: Mapping[str, tuple[int, int]], pressed: list[int]
) -> Mapping[str, tuple[int, int]]:
    """The files once they differ from those seen; new and removed ones count. Raises KeyboardInterrupt."""
    while True:
        if pressed:
            raise KeyboardInterrupt
        time.sleep(POLL_SECONDS)
        try:
            now = snapshot(arguments)
        except UsageError:  # a configuration that is being edited; a run says what is wrong with it
            now = {}
        if now != seen:
            return now


def _tell(files: int) -> None:
    sys.stdout.flush()
    print(f"watching {files} file{'' if files == 1 else 's'}; Ctrl-C ends", file=sys.stderr, flush=True)
