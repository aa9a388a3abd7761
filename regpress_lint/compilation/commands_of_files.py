"""Compile commands as the front end sees them: the command of a file, and its effect on the file's includes."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from regpress_lint.cpp.language import detect_language, names_its_api
from regpress_lint.cpp.preprocess.includes import Given
from regpress_lint.cpp.preprocess.macros import Macro

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from regpress_lint.compilation.commands import CompileCommands
    from regpress_lint.core.compile_command import CompileCommand
    from regpress_lint.core.settings import Language

_DEVICE_WORDS = (b"__global__", b"__device__", b"threadIdx", b"<<<")
_MOST_FOLDERS = 128  # of a command: each costs an open for every `#include` that is found in none
_MOST_INCLUDERS = 64  # files that lead to a header and are asked for their command


class Compiled:
    """The compile commands of one project.

    root: the project's folder. spell: a path of the project or of the build folder as the resolver spells it, None for
    one outside of both: what compilers and vendors install is never parsed.
    """

    def __init__(self, commands: CompileCommands, root: str, spell: Callable[[str], str | None]) -> None:
        self._commands = commands
        self._root = root
        self._spell = spell
        self._given: dict[str, Given] = {}
        self._alike: dict[tuple[object, ...], Given] = {}

    def exact(self, path: str) -> CompileCommand | None:
        """The command that compiles this file."""
        return self._commands.of(path)

    def near(self, path: str, data: bytes | None) -> CompileCommand | None:
        """The command of the file that is most like one that nothing compiles, unless it is in another language."""
        found = self._commands.nearest(path, self._root)
        if found is None or found.language is None or data is None:
            return found
        language = detect_language(path, data)
        if language in (None, found.language):
            return found
        # Device code that names no API is the same in CUDA and HIP, but an extension says which.
        own, other = (posixpath.splitext(name)[1] for name in (path, found.path))
        is_open = not names_its_api(data) and (own not in (".cu", ".hip") or own == other)
        return found if is_open and "sycl" not in (language, found.language) else None

    def of_includers(
        self, path: str, data: bytes | None, includers: Callable[[str], Iterable[str]]
    ) -> CompileCommand | None:
        """The command of a file that includes this one, also indirectly; the nearest, GPU code before others.

        Includes count whatever `#if` they are in, so the code must be such that the command can compile it.
        """
        waiting, seen = [path], {path}
        host: CompileCommand | None = None
        for current in waiting:
            for other in includers(current):
                if other in seen or len(seen) > _MOST_INCLUDERS:
                    continue
                seen.add(other)
                command = self.exact(other)
                if command is None:
                    waiting.append(other)
                elif command.language is not None:
                    if _can_be(command.language, path, data):
                        return command
                else:
                    host = host or command
        return host

    def given(self, command: CompileCommand) -> Given:
        """A command's additions to a file's includes and macros; the same object for all commands that say the same."""
        found = self._given.get(command.path)
        if found is None:
            key = (command.include_dirs, command.macros, command.includes)
            if key not in self._alike:
                self._alike[key] = self._made(command)
            found = self._given[command.path] = self._alike[key]
        return found

    def places(self, command: CompileCommand) -> tuple[str, ...]:
        """Folders and files that a command names."""
        return (*(folder.path for folder in command.include_dirs), *command.includes)

    def place(self, path: str) -> str | None:
        """Where one of them is, as the resolver spells it."""
        return self._spell(path)

    def _made(self, command: CompileCommand) -> Given:
        folders: dict[str, list[str]] = {"quote": [], "normal": [], "system": [], "after": []}
        known = ((self._spell(folder.path), folder.kind) for folder in command.include_dirs)
        inside = [(path, kind) for path, kind in known if path is not None]
        for path, kind in inside[:_MOST_FOLDERS]:
            folders[kind].append(path)
        macros, undefined = self._macros(command)
        absolute = [include for include in command.includes if posixpath.isabs(include.replace("\\", "/"))]
        return Given(
            tuple(folders["quote"]),
            (*folders["normal"], *folders["system"], *folders["after"]),
            macros,
            undefined,
            tuple(spelled for include in absolute if (spelled := self._spell(include)) is not None),
            tuple(include for include in command.includes if include not in absolute),
        )

    def _macros(self, command: CompileCommand) -> tuple[tuple[Macro, ...], frozenset[str]]:
        """Macros that are defined at the end of a command, and those that it undefines, wherever they are defined."""
        defined: dict[str, Macro] = {}
        undefined: set[str] = set()
        for index, (head, body) in enumerate(command.macros):
            name, bracket, listed = head.partition("(")
            defined.pop(name, None)
            if body is None:
                undefined.add(name)
                continue
            parameters = tuple(part for part in map(str.strip, listed.rstrip(")").split(",")) if part)
            defined[name] = Macro(name, parameters if bracket else None, body, self._commands.path, index)
        return tuple(defined.values()), frozenset(undefined)


def _can_be(language: Language, path: str, data: bytes | None) -> bool:
    """False for SYCL alone where CUDA or HIP is compiled, and the other way round; a header may hold both."""
    if data is None or (detect_language(path, data) in (None, "sycl")) == (language == "sycl"):
        return True
    return any(word in data for word in ((b"sycl",) if language == "sycl" else _DEVICE_WORDS))
