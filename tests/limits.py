"""Runs of the program in a process with limits of memory and CPU time, so that the machine's speed does not matter."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SECONDS, MEGABYTES = 5, 512
"""CPU time and address space of a run on an input that is not hostile: 0.3 s and 200 MB."""


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limited(*arguments: str | Path, cwd: Path, stdin: bytes = b"", **environment: str) -> tuple[int, str, str]:
    """Exit status and both streams of a command; the status is negative where a limit ended it."""
    done = subprocess.run(
        [sys.executable, "-m", "regpress_lint", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, "PYTHONSAFEPATH": "1", "OPENBLAS_NUM_THREADS": "1", **environment},
        preexec_fn=_limit,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
