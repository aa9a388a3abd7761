"""The dependencies of an answer about a file: files that were read, missing files that were looked up, and lists.

Code that reads a file or a list records it in the `Recorder`. A cached answer keeps its `Trace`; code that uses the
cached answer records the trace. So a file's dependencies are complete, however its answers came about, and they do not
depend on which files were looked at before.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeVar

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.library import is_ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, MutableMapping

T = TypeVar("T")
K = TypeVar("K")
# named: which files of the run have this base name. including: which files near this one have an `#include` of its base
# name, and how they write it. beside: the run's first files of this file's folder. language: in which language a file
# says that it is. command: the compile command of a file, or of the one most like it. place: where a folder or file is
# that a compile command names. compiler: what libclang says of a file, which depends on all that it reads: nobody can
# tell whether that is still the same.
Kind = Literal["named", "including", "beside", "language", "command", "place", "compiler"]


class Question(NamedTuple):
    """A query about more than one file's bytes, or about less; `subject` is a path or a base name."""

    kind: Kind
    subject: str


class Dependencies(NamedTuple):
    """All that an answer came from: equal bytes of (or still no) `files`, and equal answers to `questions`, mean that
    it is the same again. Both are sorted. `Project.fingerprint` gives the answer to a question.
    """

    files: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def complete(self) -> bool:
        """False if the answer also depends on something that cannot be checked again."""
        return not any(question.kind == "compiler" for question in self.questions)


class Trace:
    """The dependencies of a cached answer. An object, so that recording it is one entry, whatever its size."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Noted]) -> None:
        self.parts = tuple(parts)


Noted = str | Question | Trace  # a text is the path of a file


class Changed:
    """A file that has changed, asked which kept answers that concerns.

    outlined: whether what it includes or its language has changed too, which answers to questions may come from.
    """

    def __init__(self, path: str, *, outlined: bool) -> None:
        self._path, self.outlined = path, outlined
        self._known: dict[Trace, bool] = {}

    def concerns(self, trace: Trace) -> bool:
        """Whether an answer may be another one now."""
        concerned = self._known.get(trace)
        if concerned is None:
            self._known[trace] = False  # a circle adds nothing
            concerned = self._known[trace] = any(map(self._is_meant, trace.parts))
        return concerned

    def drop(self, answers: MutableMapping[K, tuple[T, Trace]]) -> None:
        """Remove the cached answers that it concerns."""
        for key in [key for key, (_, trace) in answers.items() if self.concerns(trace)]:
            del answers[key]

    def _is_meant(self, noted: Noted) -> bool:
        if isinstance(noted, Trace):
            return self.concerns(noted)
        return noted == self._path if isinstance(noted, str) else self.outlined


class _Unrecorded:
    """The recorder while recording is off."""

    def add(self, noted: Noted, /) -> None:
        """Forget it."""


class Recorder:
    """Takes the notes; one for all that reads files of a project. `frame` is where they go at the moment."""

    __slots__ = ("frame",)

    def __init__(self) -> None:
        self.frame: set[Noted] | _Unrecorded = _Unrecorded()

    def kept(self, answers: dict[K, tuple[T, Trace]], key: K, make: Callable[[], T]) -> T:
        """The kept answer of a key, made if missing; in both cases its dependencies are recorded."""
        answer = answers.get(key)
        if answer is None:
            answer = answers[key] = self.traced(make)
        else:
            self.frame.add(answer[1])
        return answer[0]

    def traced(self, make: Callable[[], T]) -> tuple[T, Trace]:
        """The result of `make` and its dependencies, which are also recorded here."""
        outer, noted = self.frame, set[Noted]()
        self.frame = noted
        try:
            value = make()
        finally:
            self.frame = outer
            trace = Trace(noted)
            outer.add(trace)
        return value, trace

    @contextmanager
    def recording(self) -> Iterator[Recording]:
        """Records what is noted until the end of the `with` statement."""
        outer, recording = self.frame, Recording()
        self.frame = recording.noted
        try:
            yield recording
        finally:
            self.frame = outer


class Recording:
    """The dependencies recorded while one file was analysed."""

    __slots__ = ("noted",)

    def __init__(self) -> None:
        self.noted: set[Noted] = set()

    @property
    def dependencies(self) -> Dependencies:
        """The dependencies so far: not on our own headers, which no disk has and which change with the program."""
        files: set[str] = set()
        questions: set[Question] = set()
        seen: set[Trace] = set()
        waiting: list[Noted] = list(self.noted)
        while waiting:
            noted = waiting.pop()
            if isinstance(noted, str):
                if not is_ours(noted):
                    files.add(noted)
            elif isinstance(noted, Question):
                questions.add(noted)
            elif noted not in seen:
                seen.add(noted)
                waiting += noted.parts
        return Dependencies(tuple(sorted(files)), tuple(sorted(questions)))
