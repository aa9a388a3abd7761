"""The files of a run as bytes, and the record of what each answer about them came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from regpress_lint.cpp.dependencies import Question, Recorder
from regpress_lint.cpp.library import standard_library
from regpress_lint.cpp.names.parsed_file import LIBRARY
from regpress_lint.cpp.preprocess.includes import Outline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from regpress_lint.cpp.dependencies import Kind, Trace
    from regpress_lint.cpp.preprocess.includes import IncludeResolver

T = TypeVar("T")
K = TypeVar("K")


class RunFiles:
    """What all parts of a `Project` share.

    includes: resolves `#include`, None for a text that is alone. peers: gives the files of the run near a file.
    """

    def __init__(self, includes: IncludeResolver | None, peers: Callable[[str], Iterable[str]]) -> None:
        self.includes = includes
        self.peers = peers
        self.recorder = includes.recorder if includes is not None else Recorder()

    def read(self, path: str) -> bytes | None:
        """Bytes of a project file."""
        if path == LIBRARY:
            return standard_library()
        return self.includes.read(path) if self.includes is not None else None

    def outline(self, path: str) -> Outline:
        """What a file includes, and the language that it names."""
        return self.includes.outline(path) if self.includes is not None else Outline()

    def note(self, kind: Kind, subject: str) -> None:
        """Record that an answer depends on a question."""
        self.recorder.frame.add(Question(kind, subject))

    def kept(self, answers: dict[K, tuple[T, Trace]], key: K, make: Callable[[], T]) -> T:
        """The kept answer of a key, made if missing; in both cases its dependencies are recorded."""
        known = answers.get(key)
        if known is None:
            known = answers[key] = self.recorder.traced(make)
        else:
            self.recorder.frame.add(known[1])
        return known[0]
