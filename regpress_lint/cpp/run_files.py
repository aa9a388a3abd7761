"""The files of a run: their bytes, how they are built, which others include them, and their language.

Each answer records what it came from (`dependencies`).
"""

from __future__ import annotations

import posixpath
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.neighbours import Mentions, beside
from regpress_lint.core.settings import DEFAULT_TARGETS
from regpress_lint.cpp.conditions import predefined
from regpress_lint.cpp.dependencies import Question, Recorder
from regpress_lint.cpp.language import is_opencl_name, names_its_api, speaks_opencl
from regpress_lint.cpp.library import LIBRARY, standard_library
from regpress_lint.cpp.preprocess.macros import parse_define
from regpress_lint.cpp.preprocess.outlines import Outline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from regpress_lint.core.settings import CompileCommand, DeviceWords, Language
    from regpress_lint.cpp.dependencies import Changed, Kind, Trace
    from regpress_lint.cpp.preprocess.build_settings import Given
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
        """See `Recorder.kept`."""
        return self.recorder.kept(answers, key, make)


class Commands(Protocol):
    """Which compile command holds for a file."""

    def exact(self, path: str) -> CompileCommand | None:
        """The command of the file itself."""

    def near(self, path: str, data: bytes | None) -> CompileCommand | None:
        """The command of the file most like it."""

    def of_includers(
        self, path: str, data: bytes | None, includers: Callable[[str], Iterable[str]]
    ) -> CompileCommand | None:
        """The command of a file that includes it."""

    def given(self, command: CompileCommand) -> Given:
        """A command's headers and macros."""

    def places(self, command: CompileCommand) -> tuple[str, ...]:
        """Folders and files that a command names: what it says about headers depends on which of them exist."""

    def place(self, path: str) -> str | None:
        """Where such a folder or file is; None if it does not exist, or is outside the project and the build."""


class BuildCommands:
    """The commands of a project's files, if it has any, and the macros of the settings, which hold before theirs."""

    def __init__(self, files: RunFiles, commands: Commands | None, words: DeviceWords) -> None:
        self._files = files
        self._known = commands
        self._words = words
        self.own = _given_of(words) if words.defined else None
        self._commands: dict[str, tuple[CompileCommand | None, Trace]] = {}
        self._givens: dict[str, tuple[Given, Trace]] = {}

    @property
    def exist(self) -> bool:
        """Whether the project has compile commands."""
        return self._known is not None

    def forget(self, changed: Changed) -> None:
        """Drop what came from a file that has changed."""
        changed.drop(self._commands)
        changed.drop(self._givens)

    def of(self, path: str, includers: Callable[[str], tuple[str, ...]]) -> CompileCommand | None:
        """The command that compiles a file; of a header that of a file that includes it, else of the file most like it.

        None without compile commands, and for OpenCL C, which host programs compile.
        """
        if self._known is None or is_opencl_name(path):
            return None
        return self._files.kept(self._commands, path, partial(self._find, self._known, path, includers))

    def _find(self, known: Commands, path: str, includers: Callable[[str], tuple[str, ...]]) -> CompileCommand | None:
        self._files.note("command", path)
        if (command := known.exact(path)) is not None:
            return command

        def noted(included: str) -> tuple[str, ...]:
            others = includers(included)
            for includer in others:
                self._files.note("command", includer)
            return others

        data = self._files.read(path)
        return known.of_includers(path, data, noted) or known.near(path, data)

    def nearest(self, path: str) -> CompileCommand | None:
        """The command of a file or of the one most like it, not of one that includes it."""
        if self._known is None:
            return None
        self._files.note("command", path)
        return self._known.exact(path) or self._known.near(path, self._files.read(path))

    def place(self, path: str) -> str | None:
        """Where a folder or file is that a command names, see `Commands.place`."""
        return self._known.place(path) if self._known is not None else None

    def given_of(self, command: CompileCommand | None) -> Given | None:
        """The headers and macros that a command and the settings give."""
        if self._known is None or command is None:
            return self.own
        return self._files.kept(self._givens, command.path, partial(self._placed, self._known, command))

    def _placed(self, commands: Commands, command: CompileCommand) -> Given:
        for place in commands.places(command):
            self._files.note("place", place)
        given, own = commands.given(command), self.own
        if own is None:
            return given
        names = own.undefined.union(macro.name for macro in own.macros)
        others = (macro for macro in given.macros if macro.name not in names)
        return given._replace(macros=(*own.macros, *others), undefined=given.undefined - names | own.undefined)

    def predefined(
        self, command: CompileCommand | None, language: Language, requested: tuple[str, ...], *, one_gpu: bool
    ) -> Mapping[str, str]:
        """Macros that the device compiler sets by itself.

        requested: the GPUs of the run. one_gpu: they and not the command's say what the file is compiled for.
        """
        targets = requested or DEFAULT_TARGETS[language]
        if command is None:
            return predefined(language, targets=targets)
        undefined = [name for name, body in command.macros if body is None]
        undefined += (name for name, body in self._words.defined.items() if body is None)
        gpus = targets if one_gpu else command.targets or targets
        return predefined(language, command.standard, gpus, undefined, command.registers.wave)


def _given_of(words: DeviceWords) -> Given:
    """Macros of the settings in the form of a compile command's."""
    from regpress_lint.cpp.preprocess.build_settings import Given

    defined = ((name, body) for name, body in words.defined.items() if body is not None)
    macros = (parse_define(f"#define {name} {body}", "", 0) for name, body in defined)
    undefined = frozenset(name for name, body in words.defined.items() if body is None)
    return Given(macros=tuple(filter(None, macros)), undefined=undefined)


MAX_INCLUDERS = 3  # files asked for the macros and constants that a header leaves to them


class Includers:
    """The files that include a file, and what those include in turn."""

    def __init__(self, files: RunFiles, builds: BuildCommands) -> None:
        self._files = files
        self._builds = builds
        self._mentions = Mentions(files.peers, self._included_in)
        self._includers: dict[str, tuple[tuple[str, ...], Trace]] = {}
        self._closures: dict[str, tuple[frozenset[str], Trace]] = {}

    def forget(self, changed: Changed) -> None:
        """Drop what came from a file that has changed."""
        changed.drop(self._includers)
        changed.drop(self._closures)
        self._mentions.clear()

    def of(self, path: str) -> tuple[str, ...]:
        """Files of the run that include `path`."""
        return self._files.kept(self._includers, path, partial(self._find, path))

    def above(self, path: str, most: int = MAX_INCLUDERS) -> tuple[str, ...]:
        """At most so many files that include `path`: those that do it themselves, then those that include these."""
        paths = [*self.of(path)]
        for file in paths:  # which becomes longer meanwhile
            if len(paths) >= most:
                break
            paths += [includer for includer in self.of(file) if includer != path and includer not in paths]
        return tuple(paths[:most])

    def _find(self, path: str) -> tuple[str, ...]:
        including = (includer for includer, text in self.mentions(path) if self._leads_to(includer, text, path))
        return tuple(dict.fromkeys(including))

    def mentions(self, path: str) -> Sequence[tuple[str, str]]:
        """Files near `path` that include something of its base name, and how they write it."""
        self._files.note("including", path)
        return self._mentions.of(path)

    def _included_in(self, paths: Iterable[str]) -> list[tuple[str, Iterable[str]]]:
        return [(path, self._files.outline(path).includes) for path in paths]

    def _leads_to(self, includer: str, text: str, path: str) -> bool:
        """Whether `#include "text"` in `includer` means `path`: dozens of folders may hold a `kernels.h`."""
        if includer == path:
            return False
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(includer), text))
        if beside == path or self._files.read(beside) is not None:
            return beside == path
        return path in self._files.kept(self._closures, includer, lambda: frozenset(self.closure_of(includer)))

    def closure_of(self, path: str) -> tuple[str, ...]:
        """Project files that a file of the run includes, as the command nearest to it has them."""
        data, includes = self._files.read(path), self._files.includes
        if includes is None or data is None:
            return ()
        # Not `BuildCommands.of`: this is asked to find the files that include a header, of which that may be one.
        return includes.closure(path, data, self._builds.given_of(self._builds.nearest(path)))

    def outermost(self, path: str) -> str:
        """The first file that is included by none, on the way from includer to includer."""
        seen = {path}
        while (above := next((includer for includer in self.of(path) if includer not in seen), None)) is not None:
            seen.add(above)
            path = above
        return path


_CUDA_FILES = (".cu", ".cuh")


class Decided(NamedTuple):
    """The language of a file, and what says so, in words that follow `by`."""

    language: Language
    by: str

    @property
    def is_told(self) -> bool:
        """True where a reader would not expect it: neither the file nor its build says it."""
        return self.language == "hip" and self.by in ("its folder", "the files beside it")


class Languages:
    """Decides the languages of files."""

    def __init__(self, files: RunFiles, includers: Includers) -> None:
        self._files = files
        self._includers = includers

    def of(self, path: str, data: bytes, given: Language, command: CompileCommand | None) -> Decided:
        """The command that compiles a file decides, or the file itself; for one that names neither API the files that
        include it; then its extension, if that is CUDA's, and else the files beside it.
        """
        if command is not None and command.language is not None:
            return Decided(command.language, "its compile command")
        if is_opencl_name(path):
            return Decided("opencl", "its name")
        if given in ("sycl", "opencl") or names_its_api(data):
            return Decided(given, "its text")
        if (voted := self._voted(self._includers.of(path))) is not None:
            return Decided(voted, "the files that include it")
        if path.endswith(_CUDA_FILES):
            return Decided(given, "its name" if given == "cuda" else "its folder")
        if (voted := self._voted(self.beside(path))) is not None:
            return Decided(voted, "the files beside it")
        return Decided(given, "its name" if given == "cuda" or path.endswith(".hip") else "its folder")

    def _voted(self, others: Iterable[str]) -> Language | None:
        """The language that most of the files that name one say."""
        votes = [language for file in others if (language := self.stated(file)) is not None]
        if not votes:
            return None
        return "hip" if 2 * votes.count("hip") > len(votes) else "cuda"

    def beside(self, path: str) -> tuple[str, ...]:
        """The first files of the same folder."""
        self._files.note("beside", path)
        return beside(path, self._files.peers(path))

    def stated(self, path: str) -> Language | None:
        """The language that a file itself names."""
        self._files.note("language", path)
        return self._files.outline(path).language

    def is_opencl(self, path: str, data: bytes) -> bool:
        """Whether a file is read as OpenCL C: by its name, or as a header that only such files include."""
        return is_opencl_name(path) or (speaks_opencl(data) and any(map(is_opencl_name, self._includers.of(path))))
