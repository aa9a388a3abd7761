"""A compiler as a process that can do no harm: a deadline, limits of memory and files, a folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from errno import EINVAL
from typing import TYPE_CHECKING

from regpress_lint.core import programs
from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MEMORY, FILE = 16 << 30, 1 << 30
"""Bytes of address space, and of a file that is written."""
_MOST_OUTPUT = 64 << 20
_SHOWN = 120
# Variables that change every command of a user, and prefixes under which compilers look for their own programs: the
# numbers must be those of our flags, and of the compiler that was found.
_DROPPED = (
    *("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "CCC_OVERRIDE_OPTIONS", "HIPCC_COMPILE_FLAGS_APPEND"),
    *("COMPILER_PATH", "GCC_EXEC_PREFIX"),
)
# Folders of headers that users set for every compiler. They may be needed, and they may change numbers.
_HEADERS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH", "OBJCPLUS_INCLUDE_PATH")
# These may lead into a linted tree: no program is looked for in them, or their value is replaced.
_HARMLESS = frozenset((*_HEADERS, "PATH", "PWD", "OLDPWD", "HOME", "TMPDIR", "TMP", "TEMP"))
# A process of its own sets the limits and becomes the compiler: what runs between fork and exec in a program with
# threads may hang.
_LIMIT = (
    "import os, sys\n"
    "try:\n"
    "    import resource as r\n"
    "    for what, most in ((r.RLIMIT_AS, int(sys.argv[1])), (r.RLIMIT_FSIZE, int(sys.argv[2])), (r.RLIMIT_CORE, 0)):\n"
    "        hard = r.getrlimit(what)[1]\n"
    "        most = most if hard == r.RLIM_INFINITY else min(most, hard)\n"
    "        r.setrlimit(what, (most, most))\n"
    "except (ImportError, OSError, ValueError):\n"
    "    pass\n"
    "os.execv(sys.argv[3], sys.argv[3:])\n"
)

# These hand their words to a shell, in double quotes: file names and macros of a tree would be commands there. nvcc
# also leaves the quotes of a file's name as they are.
_SHELL_WITHIN = ("nvcc", "hipcc")
_ACTED_ON = "$`\n\r" if os.sep == "\\" else "$`\n\r\\"


# What runs now, for who is interrupted: compilers have a session of their own, so that Ctrl-C does not reach them.
_running: set[subprocess.Popen[bytes]] = set()
stopping = threading.Event()
"""Set while nothing may begin any more."""


class Ended(NamedTuple):
    """How a process ended: `status` is None where its time was up. words: both of its streams."""

    status: int | None
    words: str


def header_folders() -> dict[str, str]:
    """Variables of the environment by which compilers find headers that no command names."""
    return {name: value for name in _HEADERS if (value := os.environ.get(name))}


def leading_into(trees: Sequence[str]) -> frozenset[str]:
    """Variables of the environment with a file or folder in these trees, or with a link that leads there: host
    compilers (`NVCC_CCBIN`, `HIP_CLANG_PATH`), libraries and scripts that compilers would run or load.
    """
    return frozenset(
        name
        for name, value in os.environ.items()
        if name not in _HARMLESS
        and any(
            programs.leads_into(place, trees)
            for word in {value, *value.replace(os.pathsep, " ").split()}
            for place in _places(word)
        )
    )


def _places(path: str) -> tuple[str, ...]:
    """Files that a path may name: a relative one begins in the private folder of a compiler, or where we are."""
    if os.path.isabs(path):
        return (path,)
    if os.sep not in path:
        return ()
    from tempfile import gettempdir

    private = os.path.join(gettempdir(), "private")
    return tuple(os.path.abspath(os.path.join(start, path)) for start in (os.curdir, private))


def run(command: Sequence[str], folder: str, path: str, seconds: float, without: Collection[str] = ()) -> Ended:
    """Run a compiler in a folder, with temporary files there; the first word is its absolute path. without: variables
    of the environment that it does not get.

    Raises OSError where it cannot be run, also for a word that would be more than a word to it.
    """
    if os.path.basename(command[0]).startswith(_SHELL_WITHIN):
        for word in command[1:]:
            if any(sign in word for sign in _ACTED_ON) or ('"' in word and not word.startswith("-D")):
                raise OSError(EINVAL, f"it passes its arguments to a shell, which would act on {ascii(word)[:_SHOWN]}")
    environment = {name: value for name, value in os.environ.items() if name not in _DROPPED and name not in without}
    environment |= {"PATH": path, "TMPDIR": folder, "TMP": folder, "TEMP": folder, "LC_ALL": "C"}
    environment["HIP_PLATFORM"] = "amd"  # where nvcc is, hipcc would call that
    words = [sys.executable, "-I", "-S", "-c", _LIMIT, str(MEMORY), str(FILE), *command]
    log = os.path.join(folder, "log")
    with open(log, "wb") as stream:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        _running.add(process)
        if stopping.is_set():  # it began in the moment of the interruption
            _end(process)
        try:
            status: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end(process)
            _running.discard(process)
    with open(log, "rb") as written:
        return Ended(status, written.read(_MOST_OUTPUT).decode("utf-8", "replace"))


def end_all() -> None:
    """End every compiler that runs, and each that begins; who waits for one gets what it has said."""
    stopping.set()
    for process in tuple(_running):
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End whatever is left of it: compilers start others."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (OSError, AttributeError):
        process.kill()
    process.wait()
