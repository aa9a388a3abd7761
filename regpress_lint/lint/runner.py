"""Many files on all cores: the same results in the same order for any number of jobs, whatever a worker dies of."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from regpress_lint.core.named import Generic, NamedTuple, TypeVar
from regpress_lint.core.running import with_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess
    from typing import Any

    from regpress_lint.lint.discovery import Candidate

T = TypeVar("T")
# Starting two workers costs about as much as linting 1 MiB on one core.
IN_PROCESS_BYTES = 1 << 20
_CHUNK_BYTES = 256 << 10
_CHUNK_FILES = 64
# What is resident in a worker when it has enough: about 20 MB of it are alive between two files, and what a large
# kernel has taken is in too many pieces to be given back. A new worker costs a fork.
_FULL_BYTES = 80 << 20
# fork shares the imported modules and costs nothing; elsewhere it is unsafe or absent.
_FORKS = sys.platform == "linux"


class Crash(NamedTuple):
    """A file whose worker died, and of what ("signal SIGSEGV", "exit status 3")."""

    path: str
    reason: str


class Chunk(NamedTuple):
    """Files for one worker, by index; `alone` if this is the second attempt, with a single file."""

    files: tuple[tuple[int, str], ...]
    alone: bool = False


def cpu_count() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def unheard(_files: int) -> None:
    """Who is told how many more files are done, and does not care."""


def cold() -> None:
    """Work that prepares for workers, without a result."""


def run(
    prepare: Callable[[], Callable[[str], T]],
    files: Sequence[Candidate],
    jobs: int | None,
    tell: Callable[[int], None] = unheard,
    warm: Callable[[], None] = cold,
) -> list[T | Crash]:
    """Results of a task for every file, in the order of `files`. tell: is told how many more are done.

    warm: loads what each task needs; called once before workers are forked, which then share it.

    `prepare` makes the task inside the process that runs it (it must be picklable, the task need not be). A worker
    that dies loses nothing but the file that killed it: the others of its chunk are done again, each by itself.
    """
    wanted = min(jobs or cpu_count(), len(files))
    if wanted <= 1 or (jobs is None and sum(file.size for file in files) < IN_PROCESS_BYTES):
        task = prepare()
        results: list[T | Crash] = []
        for file in files:
            results.append(task(file.path))
            tell(1)
        return results
    with _shared(warm):
        return _Pool(prepare, wanted).results(files, tell)


@contextmanager
def _shared(warm: Callable[[], None]) -> Iterator[None]:
    """Objects loaded before workers are forked: garbage collection in workers skips them, so their pages stay
    shared."""
    if not _FORKS:
        yield
        return
    import gc

    warm()
    frozen = gc.get_freeze_count() > 0  # by a caller that wants it to stay so, as the tests do
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not frozen:
            gc.unfreeze()


def chunks(files: Sequence[Candidate], jobs: int) -> list[Chunk]:
    """Chunks of at most _CHUNK_BYTES (a larger file is alone in its chunk) and _CHUNK_FILES.

    Small enough that every worker gets several, so that none waits long for another at the end.
    """
    total = sum(file.size for file in files)
    limit = min(_CHUNK_BYTES, max(1, total // (4 * jobs)))
    chunks: list[Chunk] = []
    current: list[tuple[int, str]] = []
    size = 0
    for index, file in enumerate(files):
        if current and (size + file.size > limit or len(current) >= _CHUNK_FILES):
            chunks.append(Chunk(tuple(current)))
            current, size = [], 0
        current.append((index, file.path))
        size += file.size
    if current:
        chunks.append(Chunk(tuple(current)))
    return chunks


class _Answer(NamedTuple, Generic[T]):
    """Results of a chunk, and whether the worker has so much memory that another should go on."""

    results: dict[int, T]
    full: bool


class _Worker(NamedTuple):
    process: BaseProcess
    connection: Connection[Any, Any]


class _Pool(Generic[T]):
    """Workers that are fed one chunk at a time over a pipe each, so that a dead one is known by its pipe."""

    def __init__(self, prepare: Callable[[], Callable[[str], T]], jobs: int) -> None:
        import multiprocessing

        self._context: BaseContext = multiprocessing.get_context("fork" if _FORKS else "spawn")
        self._prepare = prepare
        self._jobs = jobs
        self._busy: dict[Any, tuple[_Worker, Chunk]] = {}
        self._task: Callable[[str], T] | None = None  # of this process, if there can be no worker at all

    def results(self, files: Sequence[Candidate], tell: Callable[[int], None] = unheard) -> list[T | Crash]:
        waiting = chunks(files, self._jobs)[::-1]
        by_index: dict[int, T | Crash] = {}
        try:
            while waiting or self._busy:
                while waiting and len(self._busy) < self._jobs:
                    worker = self._start()
                    if worker is not None:
                        self._feed(worker, waiting.pop())
                    elif self._busy:  # those that there are do the rest
                        self._jobs = len(self._busy)
                    else:
                        tell(self._here(waiting.pop(), by_index))
                for worker, chunk, answer in self._answers():
                    if answer is None:
                        waiting += self._after_death(worker, chunk, by_index)
                        continue
                    by_index.update(answer.results)
                    if waiting and not answer.full:
                        self._feed(worker, waiting.pop())
                    else:  # its place is taken by a new one above
                        worker.connection.close()
                        worker.process.join()
                    tell(len(answer.results))
        finally:
            for worker, _ in self._busy.values():
                worker.process.kill()
                worker.process.join()
        return [by_index[index] for index in range(len(files))]

    def _here(self, chunk: Chunk, results: dict[int, T | Crash]) -> int:
        """Work on a chunk in this process; the number of its files."""
        if self._task is None:
            self._task = self._prepare()
        results.update((index, self._task(path)) for index, path in chunk.files)
        return len(chunk.files)

    def _start(self) -> _Worker | None:
        """A new worker; None where the system allows no more processes or open files (`ulimit`, a container)."""
        if self._task is not None:
            return None
        try:
            ours, theirs = self._context.Pipe()
        except OSError:
            return None
        # A forked worker inherits our ends of the other pipes; it must close them or their workers never see the end.
        inherited = [worker.connection for worker, _ in self._busy.values()] if _FORKS else []
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_serve, args=(theirs, [*inherited, ours] if _FORKS else [], self._prepare), daemon=True
        )
        try:
            process.start()
        except OSError:
            ours.close()
            return None
        finally:
            theirs.close()
        return _Worker(process, ours)

    def _feed(self, worker: _Worker, chunk: Chunk) -> None:
        self._busy[worker.connection] = (worker, chunk)
        try:
            worker.connection.send(chunk)
        except OSError:
            return  # it died: its pipe says so in `_answers`

    def _answers(self) -> Iterator[tuple[_Worker, Chunk, _Answer[T] | None]]:
        from multiprocessing.connection import wait

        for ready in wait(list(self._busy)) if self._busy else ():
            worker, chunk = self._busy[ready]
            try:
                answer = worker.connection.recv()
            except (EOFError, OSError):
                answer = None
            del self._busy[ready]
            yield worker, chunk, answer

    def _after_death(self, worker: _Worker, chunk: Chunk, results: dict[int, T | Crash]) -> list[Chunk]:
        worker.connection.close()
        worker.process.join()
        if chunk.alone or len(chunk.files) == 1:
            index, path = chunk.files[0]
            results[index] = Crash(path, _death(worker.process.exitcode))
            return []
        return [Chunk((file,), alone=True) for file in chunk.files]


def _serve(
    connection: Connection[Any, Any], foreign: list[Any], prepare: Callable[[], Callable[[str], object]]
) -> None:
    """A worker's life: chunks in, results out, until the pipe is closed."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it at once and quietly
    for inherited in foreign:
        inherited.close()
    task = prepare()
    while True:
        try:
            chunk: Chunk = connection.recv()
        except (EOFError, OSError):
            return
        results = {index: with_room(task, path) for index, path in chunk.files}
        answer = _Answer(results, _resident_bytes() > _FULL_BYTES)
        try:
            connection.send(answer)
        except OSError:
            return


def _resident_bytes() -> int:
    """Memory that this process has, what it shares with others included; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as stream:
            return int(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _death(exit_code: int | None) -> str:
    if exit_code is None or exit_code >= 0:
        return f"exit status {exit_code}"
    import signal

    try:
        return f"signal {signal.Signals(-exit_code).name}"
    except ValueError:
        return f"signal {-exit_code}"
