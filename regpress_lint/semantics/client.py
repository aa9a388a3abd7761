"""The linter's end of the process that libclang lives in: started with the first question, killed when it is late."""

from __future__ import annotations

import json
import os
import selectors
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

_START_SECONDS = 20.0  # a cold disk may take a while to read a library of 60 MB
_MOST_FAILURES = 3  # of a start: then the tier is off for the rest of the run
_MAX_ANSWER = 1 << 20


class NoAnswerError(Exception):
    """The child is absent, died, or was late; the text says which."""


class Client:
    """One child process. Not for several threads at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._roots: tuple[str, ...] = ()
        self._folder = ""
        self._buffer = b""
        self._failures = 0
        self.confined = False
        self.generation = 0  # grows with every start: what was open before is not open any more

    @property
    def absent(self) -> bool:
        """True if it does not start, so that there is no use in asking."""
        return self._failures >= _MOST_FAILURES

    @property
    def overlay(self) -> str:
        """The file that says which folders exist for libclang."""
        return os.path.join(self._folder, "overlay.yaml")

    @property
    def probe(self) -> str:
        """An empty file."""
        return os.path.join(self._folder, "probe.cpp")

    def ready(self, roots: tuple[str, ...]) -> None:
        """Start it if it is not running or may not read one of these folders. Raises NoAnswerError."""
        if self._process is not None and self._process.poll() is None and set(roots) <= set(self._roots):
            return
        wanted = tuple(dict.fromkeys((*self._roots, *roots)))
        self.close()
        if self.absent:
            raise NoAnswerError("libclang does not start")
        self._start(wanted)

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply to a request. Raises NoAnswerError, and has ended the child then."""
        process = self._process
        if process is None or process.stdin is None:
            raise NoAnswerError("it is not running")
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
        except (OSError, ValueError):
            self.close()
            raise NoAnswerError("libclang crashed") from None
        reply = self._reply(seconds)
        if "error" in reply:
            raise NoAnswerError(str(reply["error"]))
        return reply

    def close(self) -> None:
        """End the child, and remove its folder."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    _quietly_close(stream)
        self._buffer = b""
        if self._folder:
            import shutil

            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""

    def _start(self, roots: tuple[str, ...]) -> None:
        import subprocess
        import tempfile
        from multiprocessing.util import Finalize  # unlike atexit, it is heard in the workers of a run, too

        from regpress_lint.semantics.confine import overlay

        if self.generation == 0:
            Finalize(self, self.close, exitpriority=1)
        self._failures += 1
        self._roots = roots
        self.generation += 1
        try:
            self._folder = os.path.realpath(tempfile.mkdtemp(prefix="regpress-lint-"))
            allowed = [*roots, self._folder]
            with open(self.overlay, "w", encoding="utf-8") as stream:
                stream.write(overlay(allowed))
            with open(self.probe, "wb"):
                pass
            command = [sys.executable, "-P", "-m", "regpress_lint.semantics.server", *allowed]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                start_new_session=True,  # Ctrl-C is for the linter, which ends the child
            )
        except OSError as error:
            self.close()
            raise NoAnswerError(f"its process does not start: {error}") from None
        hello = self._reply(_START_SECONDS)
        if not hello.get("ready"):
            self.close()
            raise NoAnswerError("libclang does not start")
        self.confined = bool(hello.get("confined"))
        self._failures = 0

    def _reply(self, seconds: float) -> dict[str, Any]:
        process = self._process
        if process is None or process.stdout is None:
            raise NoAnswerError("it is not running")
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                left = end - time.monotonic()
                if left <= 0 or not selector.select(left):
                    self.close()
                    raise NoAnswerError(f"no answer within {seconds:.3g} s")
                part = os.read(process.stdout.fileno(), 1 << 16)
                self._buffer += part
                if not part or len(self._buffer) > _MAX_ANSWER:
                    self.close()
                    raise NoAnswerError("libclang crashed or is not installed")
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            reply = json.loads(line)
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            self.close()
            raise NoAnswerError("its answer is not understood")
        return reply


def _environment() -> dict[str, str]:
    """The environment of the child: it imports this package and libclang's from where they are, and nothing from the
    working folder, which may be the repository that is linted.
    """
    from importlib.machinery import PathFinder

    folders = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]
    here = os.path.abspath(".")
    found = PathFinder.find_spec("clang", [path for path in sys.path if path and os.path.abspath(path) != here])
    locations = found.submodule_search_locations if found is not None else None
    folders += [os.path.dirname(os.path.abspath(location)) for location in locations or ()]
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    return {**environment, "PYTHONPATH": os.pathsep.join(dict.fromkeys(folders)), "PYTHONIOENCODING": "utf-8"}


def _quietly_close(stream: Any) -> None:
    try:
        stream.close()
    except OSError:
        return
