"""Progress of a long run is shown on a terminal only."""

from __future__ import annotations

import io
import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from cli_helpers import CLEAN, ROOT

from regpress_lint.cli.progress import Progress
from regpress_lint.lint.discovery import Candidate
from regpress_lint.lint.runner import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Time that goes on when it is told to."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


def watched(stream: io.StringIO, environ: dict[str, str], seconds: tuple[float, ...]) -> str:
    """Output of a run that finishes one file at each of these times."""
    clock = Clock()
    with Progress(stream, 1600, environ, clock) as tell:
        for clock.time in seconds:
            tell(400)
    return stream.getvalue()


def test_it_begins_after_two_seconds_and_leaves_nothing() -> None:
    assert watched(Terminal(), {}, (0.1, 1.9)) == ""
    assert watched(Terminal(), {}, (1.0, 2.5)) == "\r\x1b[K800 of 1,600 files\r\x1b[K"


def test_changes_that_are_tried_are_counted_between_two_kernels() -> None:
    stream, clock = Terminal(), Clock()
    with Progress(stream, 7, {}, clock, of="kernels") as tell:
        clock.time = 3.0
        tell(0, ", 12 changes tried")
    assert stream.getvalue() == "\r\x1b[K0 of 7 kernels, 12 changes tried\r\x1b[K"


def test_quiet_prints_no_progress() -> None:
    stream = Terminal()
    with Progress(stream, 9, {}, iter((0.0, 9.0, 9.0)).__next__, wanted=False) as tell:
        tell(3)
    assert stream.getvalue() == ""


def test_many_files_a_second_are_not_a_line_each() -> None:
    text = watched(Terminal(), {}, (3.0, 3.01, 3.02, 3.5))
    assert text == "\r\x1b[K400 of 1,600 files\r\x1b[K1,600 of 1,600 files\r\x1b[K"


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"CI": "true"}])
def test_progress_is_not_written_to_files_logs_or_closed_streams(environ: dict[str, str]) -> None:
    assert watched(Terminal(), environ, (3.0,)) == ""
    assert watched(io.StringIO(), {}, (3.0,)) == ""
    closed = io.StringIO()
    closed.close()
    with Progress(closed, 1, {}, lambda: 9.0) as tell:
        tell(1)


def _prepare() -> Callable[[str], str]:
    return str.upper


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_every_finished_file_is_counted(jobs: int) -> None:
    told: list[int] = []
    files = [Candidate(f"f{number}", 10) for number in range(9)]
    assert run(_prepare, files, jobs, told.append) == [file.path.upper() for file in files]
    assert sum(told) == 9


def test_on_a_real_terminal_a_run_shows_how_far_it_is(tmp_path: Path) -> None:
    """A program that waits for more than two seconds between two files, in a pseudo-terminal."""
    (tmp_path / "a.hip").write_text(CLEAN)
    (tmp_path / "b.hip").write_text(CLEAN)
    code = (
        "import regpress_lint.cli.progress as p; p._PATIENCE = 0.0\n"
        "from regpress_lint.__main__ import main; main(['check', '-j1', '--no-cache', '.'])"
    )
    ours, theirs = os.openpty()
    path = os.pathsep.join((str(ROOT), str(ROOT / "rules")))
    environ = {k: v for k, v in os.environ.items() if k not in ("CI", "TERM")} | {"PYTHONPATH": path}
    done = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env=environ, stderr=theirs, stdout=subprocess.PIPE
    )
    out, _ = done.communicate(timeout=60)
    os.close(theirs)
    shown = b""
    end = time.monotonic() + 5
    while select.select([ours], [], [], 0)[0] and time.monotonic() < end:
        try:
            shown += os.read(ours, 4096)
        except OSError:
            break
    os.close(ours)
    assert shown.startswith(b"\r\x1b[K1 of 2 files")
    assert shown.endswith(b"\r\x1b[K")
    assert out.startswith(b"No findings in 2 kernels of 2 files.")
