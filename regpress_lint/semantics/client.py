"""The linter's end of the process that libclang lives in: started with the first question, killed when it is late."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from multiprocessing.util import Finalize
from typing import IO, TYPE_CHECKING, Any

from regpress_lint.cpp.answers import LateError, NoAnswerError
from regpress_lint.semantics.confine import overlay

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

_START_SECONDS = 20.0  # a cold disk may take a while to read a library of 60 MB
_MOST_FAILURES = 3  # of a start: then the tier is off for the rest of the run
_MAX_ANSWER = 1 << 20
UNANSWERED = "sizes of types and values of constants that headers outside the project define stay unknown"


class Client:
    """One child process at a time. Not for several threads."""

    def __init__(self) -> None:
        self._child: _Child | None = None
        self._roots: tuple[str, ...] = ()
        self._failures = 0
        self.generation = 0  # grows with every start: what was open before is not open any more

    @property
    def absent(self) -> bool:
        """True if it does not start, so that there is no use in asking."""
        return self._failures >= _MOST_FAILURES

    @property
    def confined(self) -> bool:
        """Whether the kernel restricts the files that the running child reads."""
        return self._child is not None and self._child.confined

    @property
    def overlay(self) -> str:
        """The file that says which folders exist for libclang."""
        return self._child.overlay if self._child is not None else ""

    @property
    def probe(self) -> str:
        """An empty file."""
        return self._child.probe if self._child is not None else ""

    def ready(self, roots: tuple[str, ...]) -> None:
        """Start it if it is not running or may not read one of these folders. Raises NoAnswerError."""
        if self._child is not None and self._child.process.poll() is None and set(roots) <= set(self._roots):
            return
        self.close()
        if self.absent:
            raise NoAnswerError("it does not start")
        if _binding() is None:
            self._failures = _MOST_FAILURES
            raise NoAnswerError(f"it is not installed (pip install libclang): {UNANSWERED}")
        self._roots = tuple(dict.fromkeys((*self._roots, *roots)))
        self._failures += 1
        self.generation += 1
        child = self._child = _Child()
        # Unlike atexit this is heard in the workers of a run, too, and when nobody asks any more.
        Finalize(self, child.close, exitpriority=1)
        try:
            child.start(self._roots)
        except NoAnswerError:
            self.close()
            raise
        self._failures = 0

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply to a request. Raises NoAnswerError, and has ended the child then."""
        if self._child is None:
            raise NoAnswerError("it is not running")
        try:
            self._child.tell(request)
            reply = self._child.reply(seconds)
        except NoAnswerError:
            self.close()
            raise
        if "error" in reply:
            raise NoAnswerError(str(reply["error"]))
        return reply

    def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is not None:
            child.close()


class _Child:
    """A process, its folder of two files, and the thread that listens to it."""

    process: subprocess.Popen[bytes]

    def __init__(self) -> None:
        self._folder = os.path.realpath(tempfile.mkdtemp(prefix="regpress-lint-"))
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.confined = False
        self._started = False

    @property
    def overlay(self) -> str:
        return os.path.join(self._folder, "overlay.yaml")

    @property
    def probe(self) -> str:
        return os.path.join(self._folder, "probe.cpp")

    def start(self, roots: tuple[str, ...]) -> None:
        allowed = [*roots, self._folder]
        try:
            with open(self.overlay, "w", encoding="utf-8") as stream:
                stream.write(overlay(allowed))
            with open(self.probe, "wb"):
                pass
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "regpress_lint.semantics.server", *allowed],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is for the linter, which ends the child
            )
        except OSError as error:
            raise NoAnswerError(f"its process does not start: {error}") from None
        self._started = True
        threading.Thread(target=_listen, args=(self.process.stdout, self._lines), daemon=True).start()
        hello = self.reply(_START_SECONDS)
        if not hello.get("ready"):
            raise NoAnswerError("it does not start")
        self.confined = bool(hello.get("confined"))

    def tell(self, request: dict[str, Any]) -> None:
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise NoAnswerError("it crashed") from None

    def reply(self, seconds: float) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise LateError(f"no answer within {seconds:.3g} s") from None
        if not line.endswith(b"\n"):
            raise NoAnswerError("it crashed or is not installed")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise NoAnswerError("its answer is not understood")
        return message

    def close(self) -> None:
        if self._started:
            self._started = False
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    _quietly_close(stream)
        shutil.rmtree(self._folder, ignore_errors=True)


def _listen(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    """Lines of a child as they come, and an empty one at its end. A pipe cannot be waited for on every platform."""
    try:
        while line := stream.readline(_MAX_ANSWER):
            lines.put(line)
            if not line.endswith(b"\n"):
                return
    except (OSError, ValueError):  # closed under our hands
        pass
    lines.put(b"")


def _environment() -> dict[str, str]:
    """The environment of the child: it imports this package and libclang's from where they are, and nothing from the
    working folder, which may be the repository that is linted.
    """
    folders = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]
    spec = _binding()
    locations = spec.submodule_search_locations if spec is not None else None
    folders += [os.path.dirname(os.path.abspath(location)) for location in locations or ()]
    passed_on = ("PATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH")
    environment = {name: os.environ[name] for name in passed_on if name in os.environ}
    return {**environment, "PYTHONPATH": os.pathsep.join(dict.fromkeys(folders)), "PYTHONIOENCODING": "utf-8"}


def _binding() -> ModuleSpec | None:
    """Where libclang's package is, None for an installation without it; never that of the working folder."""
    from importlib.machinery import PathFinder

    working = os.path.abspath(".")
    return PathFinder.find_spec("clang", [path for path in sys.path if path and os.path.abspath(path) != working])


def _quietly_close(stream: Any) -> None:
    try:
        stream.close()
    except OSError:
        return
