"""The work of a run on each of its files, in this process or in workers, with answers from earlier runs.

When the garbage collector looks for circles: between two files, and not while one is worked out.

Trees, graphs and facts are large and die by reference count when their file is done. A collection in between goes
through all that is alive and finds next to nothing: at Python's own pace that is a fifth of a run.
"""

from __future__ import annotations

import gc
import os
import posixpath
from contextlib import ExitStack
from functools import partial

from regpress_lint.core.digests import digest_of
from regpress_lint.core.errors import UsageError, one_line, os_reason
from regpress_lint.core.named import Generic, NamedTuple, TypeVar, by_name
from regpress_lint.lint.cache_validation import Digests
from regpress_lint.lint.projects import Projects
from regpress_lint.lint.runner import Crash, run as run_tasks, unheard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.preprocess.includes import HeaderLoader
    from regpress_lint.lint.cache import Cache, Entry, Pack
    from regpress_lint.lint.cache_validation import Present
    from regpress_lint.lint.discovery import Candidate


_WITHIN = 500_000  # objects that one file may leave before circles are looked for all the same
_GROWN = 100_000  # objects that files have left behind since the last collection


def only_between_files() -> None:
    """Let collections wait for `between_files`, for as long as this process lives."""
    gc.set_threshold(_WITHIN, 10, 20)


def between_files() -> None:
    """A file is done: collect what is left of it and of those before, if that is worth the time."""
    if gc.get_count()[0] > _GROWN:
        gc.collect()


T = TypeVar("T")
_UNDECODABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
_SMALL_PATH = "small.cu"
_SMALL = b"""__global__ void small(float *x, int n) {
  float sums[4] = {0};
  for (int i = 0; i < 4; i++)
    sums[i] += pow(x[i * n], 2.0f);
  x[threadIdx.x] = sums[n & 3];
}
"""
# Settings that decide about the run and its files, not about answers.
_ELSEWHERE = frozenset({"fail_on", "exclude", "baseline", "timed"})


def _not_kept(_answer: object) -> None:
    """For answers that no cache keeps."""


def _never_kept(_document: Any) -> Any:
    raise ValueError("this answer was not kept")


class Work(NamedTuple, Generic[T]):
    """A command's work on each file; all functions are of modules, so that a worker can be told about them.

    ask: of the bytes of a file, its path, the settings and the function that gives its project. unread: for a file that
    cannot be read (`problems`) or is too large (`warnings`), and why. encode: the answer as JSON, None if it is not to
    be kept; decode: back again; both for a cache alone. died: for a file whose worker died, if `unread` is not also for
    that.
    """

    name: str
    ask: Callable[[bytes, str, Settings, Callable[[], Project]], T]
    unread: Callable[..., T]
    encode: Callable[[T], Any] = _not_kept
    decode: Callable[[Any], T] = _never_kept
    died: Callable[[Crash], T] | None = None

    def answer(self, outcome: T | Crash) -> T:
        """The answer for a file, also where its worker died."""
        if not isinstance(outcome, Crash):
            return outcome
        if self.died is not None:
            return self.died(outcome)
        return self.unread(problems=(f"{outcome.path}: the worker process died ({outcome.reason})",))


class Scope(NamedTuple):
    """The scope of a run: the settings, all its files, and the folders among its arguments."""

    settings: Settings
    paths: tuple[str, ...]
    folders: tuple[str, ...] = ()

    def projects(self, read: HeaderLoader | None = None) -> Projects:
        """The projects of the files, with their compile commands. It never raises: those were read before.

        read: what gives the bytes of a file, the disk if None.
        """
        settings, commands = self.settings, None
        if settings.build_dir is not None:
            from regpress_lint.compilation.commands import load

            try:
                commands = load(settings.build_dir)
            except UsageError:  # gone or changed since the run began
                commands = None
        asked = settings.semantic == "on" or (settings.semantic == "auto" and commands is not None)
        seconds = settings.semantic_seconds if asked else 0
        asked_gpus = settings.architectures
        return Projects(
            self.paths,
            self.folders,
            settings.include_dirs,
            commands,
            seconds,
            asked_gpus,
            read,
            settings.words,
            self._surroundings,
            settings.named_dirs,
            self._near,
        )

    def _surroundings(self) -> Iterable[str]:
        from regpress_lint.lint.discovery import surroundings

        return surroundings(self.paths, self.folders, self.settings.exclude)

    def _near(self, folders: Collection[str]) -> Iterable[str] | None:
        from regpress_lint.lint.discovery import near

        return near(folders, self.paths, self.folders, self.settings.exclude)


def results(
    work: Work[T],
    scope: Scope,
    files: Sequence[Candidate],
    jobs: int | None,
    cache: Cache | None = None,
    tell: Callable[[int], None] = unheard,
) -> list[T]:
    """The answers for `files`, in their order; those that the cache has are the ones that would be worked out now.

    tell: is told how many more files are done.
    """
    if cache is None:
        task = _Task(work, scope, kept=False)
        outcomes = run_tasks(task, files, jobs, tell, task.warm)
        return [work.answer(outcome if isinstance(outcome, Crash) else outcome[0]) for outcome in outcomes]
    memory = _Memory(work, scope, files, cache)
    answers: dict[str, T] = {**memory.recall()}
    missing = [file for file in files if file.path not in answers]
    tell(len(answers))
    if missing:
        memory.prepare()
    task = _Task(work, scope)
    for file, outcome in zip(missing, run_tasks(task, missing, jobs, tell, task.warm), strict=True):
        if isinstance(outcome, Crash):
            answers[file.path] = work.answer(outcome)
            continue
        answers[file.path], origin = outcome
        if origin is not None:
            memory.add(file.path, outcome[0], origin)
    memory.write()
    return [answers[file.path] for file in files]


# --------------------------------------------------------------------------------------------------------- one file


class _Task(Generic[T]):
    """The description from which a worker creates its task: picklable, and small enough to be sent to every worker.

    kept: whether a cache needs the dependencies of the answers.
    """

    def __init__(self, work: Work[T], scope: Scope, *, kept: bool = True) -> None:
        self.work, self.scope, self.kept = work, scope, kept

    def warm(self) -> None:
        """Do the work on a small kernel, so that all modules are there and their tables read."""
        from contextlib import suppress

        around = Projects((_SMALL_PATH,))
        with suppress(Exception):  # a plugin's rule may fail: it will say so of the user's files
            self.work.ask(_SMALL, _SMALL_PATH, self.scope.settings, partial(around.of, _SMALL_PATH))

    def __call__(self) -> Callable[[str], tuple[T, _Origin | None]]:
        """The task: reads one file and hands its bytes on. It never raises."""
        work, settings, cached = self.work, self.scope.settings, self.kept
        around = self.scope.projects()
        only_between_files()

        def task(path: str) -> tuple[T, _Origin | None]:
            try:
                data = read_file(path, settings.max_file_bytes)
            except OSError as error:
                return work.unread(problems=(f'cannot read "{path}": {os_reason(error)}',)), None
            except Exception as error:
                return work.unread(problems=(f'cannot read "{path}": {one_line(error)}',)), None
            if isinstance(data, int):
                from regpress_lint.lint.analysis import too_large

                return work.unread(warnings=(too_large(path, data, settings),)), None
            with _Watch(around, path) as watch:
                answer = work.ask(data, path, settings, watch)
            origin = watch.origin(data) if cached else None
            between_files()
            return answer, origin

        return task


def read_file(path: str, limit: int) -> bytes | int:
    """Bytes of a file, or its size if that is above the limit (then nothing is read)."""
    size = os.path.getsize(path)
    if size > limit:
        return size
    with open(path, "rb") as stream:
        data = stream.read(size + 1)  # it may grow while it is read
    return data if len(data) <= limit else len(data)


_Origin = tuple[tuple[str, str, str], ...]
"""Kind, subject and state of every input of an answer; inputs that the run itself computes have an empty state."""


class _Watch:
    """Give the project of a file to the caller, and record the dependencies of answers from then on."""

    def __init__(self, around: Projects, path: str) -> None:
        self._around, self._path = around, path
        self._stack = ExitStack()
        self._project: Project | None = None

    def __enter__(self) -> _Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __call__(self) -> Project:
        if self._project is None:
            self._project = self._around.of(self._path)
            self._recording = self._stack.enter_context(self._project.recording())
        return self._project

    def origin(self, data: bytes) -> _Origin | None:
        """Inputs of the answers, including the file's own bytes; None if unknown."""
        file_itself = ("file", self._path, digest_of(data))
        project = self._project
        if project is None:
            return (file_itself,)
        dependencies = self._recording.dependencies
        if not dependencies.complete:
            return None
        # An `#include "..\\a.h"` is found under its other spelling.
        spelled = dict.fromkeys(posixpath.normpath(path.replace("\\", "/")) for path in dependencies.files)
        files = [("file", path, project.fingerprint(path)) for path in spelled]
        from regpress_lint.lint.cache_validation import NEAR, shortened

        questions = [
            (question.kind, question.subject, "" if question.kind in NEAR else shortened(project.fingerprint(question)))
            for question in dependencies.questions
        ]
        return (file_itself, *(file for file in files if file != file_itself), *questions)


# ------------------------------------------------------------------------------------------------------ earlier runs


class _Memory(Generic[T]):
    """A run's use of the cache."""

    def __init__(self, work: Work[T], scope: Scope, files: Sequence[Candidate], cache: Cache) -> None:
        from regpress_lint.lint.cache_validation import Present

        self._work, self._scope, self._files, self._cache = work, scope, files, cache
        self._key = _key(work, scope)
        self._pack: Pack = cache.load(self._key)
        self._projects = scope.projects()
        self._digests = Digests(self._pack.stamps, {file.path: file.stamp for file in files if file.stamp is not None})
        self._present = Present(self._projects, self._digests)
        self._holding: dict[str, dict[int, bool]] = {}  # by root and number of the dependency
        self._used: dict[str, int] = {}
        self._new: dict[str, Entry] = {}
        self._after: Present | None = None

    def recall(self) -> dict[str, T]:
        """Answers that are still right, by path."""
        recalled: dict[str, bytes] = {}
        for file in self._files:
            number = self._right(file.path)
            data = None if number is None else self._pack.data(file.path, number)
            if number is not None and data is not None:
                recalled[file.path] = data
                self._used[file.path] = number
        return self._decoded(recalled)

    def _right(self, path: str) -> int | None:
        """Number of the answer about a file that would be worked out now."""
        root = ""
        for number, its_root, dependencies in self._pack.variants(path):
            root = root or self._projects.root_of(path)
            if its_root == root and self._hold(dependencies, root):
                return number
        return None

    def _hold(self, numbers: Iterable[int], root: str) -> bool:
        """Whether all these dependencies are unchanged."""
        holding = self._holding.get(root)
        if holding is None:
            holding = self._holding[root] = {}
        for number in numbers:
            answer = holding.get(number)
            if answer is None:
                answer = holding[number] = self._present.is_still(self._pack.dependencies[number], root)
            if not answer:
                return False
        return True

    def _decoded(self, recalled: dict[str, bytes]) -> dict[str, T]:
        if not recalled:
            return {}
        import json

        try:  # thousands of small documents take longer than one large one
            documents = json.loads(b"[%b]" % b",".join(recalled.values()))
            if len(documents) == len(recalled):
                return {path: self._work.decode(document) for path, document in zip(recalled, documents, strict=True)}
        except _UNDECODABLE:
            pass
        decoded: dict[str, T] = {}
        for path, data in recalled.items():
            try:
                decoded[path] = self._work.decode(json.loads(data))
            except _UNDECODABLE:
                del self._used[path]
        return decoded

    def prepare(self) -> None:
        """Look at all files of the run before the first of them is read: `add` compares with that."""
        for file in self._files:
            self._digests.of(file.path)

    def add(self, path: str, answer: T, origin: _Origin) -> None:
        """Keep an answer, unless a file near by was written while it was worked out."""
        import json

        document = self._work.encode(answer)
        if document is None:
            return
        from regpress_lint.lint.cache_validation import NEAR, Present

        if self._after is None:
            self._after = Present(self._projects, Digests(self._digests.learned))
        after = self._after
        root = self._projects.root_of(path)
        dependencies = []
        from regpress_lint.lint.cache import Dependency, Entry

        for kind, subject, state in origin:
            quick = after.quick(kind, subject)
            if kind in NEAR:
                if quick != self._present.quick(kind, subject):
                    return
                state = after.state(kind, subject, root)
            dependencies.append(Dependency(kind, subject, state, quick))
        data = json.dumps(document, separators=(",", ":"), ensure_ascii=True).encode()
        self._new[path] = Entry(root, tuple(dependencies), data)

    def write(self) -> None:
        """Write new answers to disk; nothing is written in a run that has learned nothing."""
        learned = dict(self._digests.learned)
        if self._after is not None:
            learned |= self._after.digests.learned
        fresher = any(self._pack.stamps.get(path) != stamp for path, stamp in learned.items())
        if self._new or (fresher and self._used):
            self._cache.write(self._key, self._pack, self._new, self._used, learned)


def _key(work: Work[Any], scope: Scope) -> str:
    """Name of the pack: what all answers of a run depend on."""
    chosen = {name: value for name, value in by_name(scope.settings).items() if name not in _ELSEWHERE}
    # The same paths in another folder are other files.
    parts = (work.name, os.path.abspath("."), scope.folders, sorted(chosen.items()), *_headers(scope.settings))
    return digest_of(repr(parts).encode("utf-8", "surrogatepass"))


def _headers(settings: Settings) -> Iterator[str]:
    """The state of our own headers for libclang, of a run that may ask it; nothing else reads them."""
    if settings.semantic == "on" or (settings.semantic == "auto" and settings.build_dir is not None):
        from regpress_lint.lint.cache_validation import headers

        yield headers()
