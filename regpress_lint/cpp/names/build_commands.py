"""How the files of a project are compiled: their commands, and the macros and headers that these give."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from regpress_lint.core.settings import DEFAULT_TARGETS
from regpress_lint.cpp.conditions import predefined
from regpress_lint.cpp.language import is_opencl_name
from regpress_lint.cpp.preprocess.macros import parse_define

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from regpress_lint.core.settings import CompileCommand, DeviceWords, Language
    from regpress_lint.cpp.dependencies import Changed, Trace
    from regpress_lint.cpp.names.run_files import RunFiles
    from regpress_lint.cpp.preprocess.includes import Given


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
            for other in others:
                self._files.note("command", other)
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

    def _placed(self, known: Commands, command: CompileCommand) -> Given:
        for place in known.places(command):
            self._files.note("place", place)
        given, own = known.given(command), self.own
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
    from regpress_lint.cpp.preprocess.includes import Given

    given = ((name, body) for name, body in words.defined.items() if body is not None)
    macros = (parse_define(f"#define {name} {body}", "", 0) for name, body in given)
    undefined = frozenset(name for name, body in words.defined.items() if body is None)
    return Given(macros=tuple(filter(None, macros)), undefined=undefined)
