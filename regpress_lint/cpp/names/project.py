"""Parsed files of one process: each file is read and parsed once, least recently used first out."""

from __future__ import annotations

import posixpath
import re
from collections import OrderedDict
from os import path as os_path
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from regpress_lint.core.source import Source
from regpress_lint.cpp.conditions import predefined
from regpress_lint.cpp.language import detect_language, names_its_api
from regpress_lint.cpp.names.file_variables import header_names
from regpress_lint.cpp.names.parsed_file import Unit
from regpress_lint.cpp.parse import parse_ladder
from regpress_lint.cpp.preprocess.includes import MAX_CLOSURE_FILES, scan_includes
from regpress_lint.cpp.preprocess.macros import MacroTable, scan_macros

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from regpress_lint.core.compile_command import CompileCommand
    from regpress_lint.core.settings import Language
    from regpress_lint.cpp.answers import SecondTier
    from regpress_lint.cpp.names.questions import Questions
    from regpress_lint.cpp.preprocess.includes import Given, IncludeResolver

T = TypeVar("T")
_MAX_BESIDE = 16  # files of the same folder that are asked for their language
_MAX_UNITS = 16  # parsed files kept per process: trees are some twenty times the size of their text
_TYPE_NAMES = re.compile(
    rb"\b(?:struct|class|union|enum|using)\s+(?:class\s+|struct\s+|__\w+__(?:\([^()]*\))?\s+|alignas\([^()]*\)\s*)?([A-Za-z_]\w*)"
    rb"|\}\s*([A-Za-z_]\w*)\s*;|\btypedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*;",
)
_WORD = re.compile(rb"[A-Za-z_]\w*")
_HASHES = 8192
_MAX_TABLES = 2 * MAX_CLOSURE_FILES
_MAX_HEADER_BYTES = 600 * 1024  # larger headers are generated tables


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
        """What a command says about headers and macros."""


class Project:
    """Parsed files of one process, least recently used first out."""

    def __init__(
        self,
        includes: IncludeResolver | None = None,
        peers: Callable[[str], Iterable[str]] = lambda _path: (),
        compiled: Commands | None = None,
        tier: SecondTier | None = None,
    ) -> None:
        self.includes = includes
        self.peers = peers
        self._compiled = compiled
        self._tier = tier
        self._commands: dict[str, CompileCommand | None] = {}
        self._units: OrderedDict[str, Unit] = OrderedDict()
        self._made: dict[object, object] = {}
        self._includers: dict[str, tuple[str, ...]] = {}
        self._by_included: dict[str, list[tuple[str, str]]] = {}
        self._indexed: set[str] = set()
        self._closures: dict[str, frozenset[str]] = {}
        self._type_names: dict[str, frozenset[str]] = {}
        self._device_names: dict[str, frozenset[bytes]] = {}
        self._words: dict[str, bytearray] = {}

    def holds(self, path: str) -> bool:
        """True if a file's tree is at hand."""
        return path in self._units

    def unit(self, path: str, data: bytes | None = None) -> Unit | None:
        """Parsed file, or None if it cannot be read. `data` is given for the file that is being linted."""
        known = self._units.get(path)
        if known is not None and (data is None or known.source.data == data):
            self._units.move_to_end(path)
            return known
        if data is None:
            data = self.includes.read(path) if self.includes is not None else None
            if data is None or len(data) > _MAX_HEADER_BYTES:
                return None
        macros = self.macros(path, data)
        unit = Unit(Source(path, data), macros, parse_ladder(data, macros))
        self._units[path] = unit
        if len(self._units) > _MAX_UNITS:
            self._units.popitem(last=False)
        return unit

    def closure(self, unit: Unit) -> tuple[str, ...]:
        """Project files that a file includes, transitively."""
        path = unit.source.path
        return self.includes.closure(path, unit.source.data, self._given(path)) if self.includes is not None else ()

    def read(self, path: str) -> bytes | None:
        """Bytes of a project file."""
        return self.includes.read(path) if self.includes is not None else None

    def may_name(self, path: str, word: bytes) -> bool:
        """False if a header does not hold an identifier. Most look-ups end here, so that most of a run's searches
        through the text of headers are one look at a table of hashes (a set of the words takes ten times the memory).
        """
        table = self._words.get(path)
        if table is None:
            if len(self._words) >= _MAX_TABLES:
                self._words.clear()
            table = self._words[path] = bytearray(_HASHES)
            for known in set(_WORD.findall(self.read(path) or b"")):
                table[hash(known) % _HASHES] = 1
        return table[hash(word) % _HASHES] == 1

    def type_names(self, path: str) -> frozenset[str]:
        """Names that a header declares as types, by a search of its text: a reason to parse it, no more."""
        if path not in self._type_names:
            found = _TYPE_NAMES.findall(self.read(path) or b"")
            self._type_names[path] = frozenset(name.decode() for names in found for name in names if name)
        return self._type_names[path]

    def device_names(self, path: str) -> frozenset[bytes]:
        """Names that a header seems to declare in device memory, by a search of its text: a reason to parse it."""
        if path not in self._device_names:
            self._device_names[path] = header_names(self.read(path) or b"")
        return self._device_names[path]

    def macros(self, path: str, data: bytes) -> MacroTable:
        """Macros that a file sees."""
        if self.includes is not None:
            return self.includes.macros(path, data, self._given(path))
        return MacroTable.of(scan_macros(data, path))

    def makes_kernels(self, path: str, data: bytes) -> bool:
        """True if the file uses a macro of a header that stands for `__global__`."""
        names = (macro.name for macro in self.macros(path, data) if "__global__" in macro.body)
        return any(name.encode() in data for name in names)

    def language_of(self, path: str, data: bytes, given: Language) -> Language:
        """Language of a file: what the command says that compiles it; of one that names neither API that of the files
        that include it, else of those beside it.
        """
        command = self.command_of(path)
        if command is not None and command.language is not None:
            return command.language
        if given == "sycl" or names_its_api(data):
            return given
        folder = posixpath.dirname(path)
        beside = [other for other in self.peers(path) if other != path and posixpath.dirname(other) == folder]
        for others in (self.includers(path), beside[:_MAX_BESIDE]):
            votes = [detect_language(other, text) for other in others if names_its_api(text := self.read(other) or b"")]
            if votes:
                return "hip" if 2 * votes.count("hip") > len(votes) else "cuda"
        return given

    def questions(self, unit: Unit, language: Language) -> Questions | None:
        """What may be asked of libclang about a file; None where that tier is off.

        A header means what it means in a file that includes it: that one is what libclang reads, with its own command.
        """
        if self._tier is None or self.includes is None:
            return None
        from regpress_lint.cpp.answers import Input, Place, Sources
        from regpress_lint.cpp.names.questions import Questions

        path = unit.source.path
        command = self.command_of(path)
        whole = self._whole(path, command)
        data = unit.source.data if whole == path else self.read(whole) or b""
        # The folders that a command gives are all that counts beside the configuration's.
        given = Sources(self.includes.include_dirs)
        sources = given if command is not None else Sources(*self.includes.surroundings(whole, data))
        semantics = self._tier.of(Input(whole, data, language, command, sources, self.includes.folders))
        sees_all = self.includes.sees_all(path, unit.source.data, self._given(path))
        return Questions(semantics, Place(path, 0), sees_all=sees_all)

    def _whole(self, path: str, command: CompileCommand | None) -> str:
        """The file that is compiled when this one is: itself, or one that includes it."""
        if command is None:
            seen = {path}
            while (above := next((each for each in self.includers(path) if each not in seen), None)) is not None:
                seen.add(above)
                path = above
            return path
        if command.path == os_path.abspath(path) or (whole := self.spelled(command.path)) is None:
            return path
        return whole if path in self._closure_of(whole) else path

    def taken_notes(self) -> tuple[str, ...]:
        """Why libclang gave no answers, since this was asked last."""
        return self._tier.taken_notes() if self._tier is not None else ()

    def line_of(self, path: str, offset: int) -> int:
        """Line of a byte of a project file, 0 if it cannot be read (any more)."""
        unit = self._units.get(path)  # standard input is nowhere else
        data = unit.source.data if unit is not None else self.read(path)
        return 0 if data is None else data.count(b"\n", 0, offset) + 1

    def spelled(self, path: str) -> str | None:
        """A path that libclang gave, the way the paths of this run are spelled; None outside the project."""
        root = self.includes.folders[0] if self.includes is not None else "."
        near = path if posixpath.isabs(root) else os_path.relpath(path)
        return near if self.read(near) is not None else None

    def includers(self, path: str) -> tuple[str, ...]:
        """Files of this run that include `path`: kernels often live in a header, their launches in who includes it."""
        if path not in self._includers:
            self._index_peers(path)
            candidates = self._by_included.get(posixpath.basename(path), ())
            self._includers[path] = tuple(other for other, text in candidates if self._leads_to(other, text, path))
        return self._includers[path]

    def _index_peers(self, path: str) -> None:
        """Files near `path` by the names that they include; each file is read for this once."""
        folder = posixpath.dirname(path)
        if folder in self._indexed:
            return
        self._indexed.add(folder)
        for other in self.peers(path):
            if other in self._indexed:
                continue
            self._indexed.add(other)
            for include in scan_includes(self.read(other) or b""):
                text = include[1:-1].decode("utf-8", "replace")
                self._by_included.setdefault(posixpath.basename(text), []).append((other, text))

    def _leads_to(self, other: str, text: str, path: str) -> bool:
        """Whether `#include "text"` in `other` means `path`: dozens of folders may hold a `kernels.h`."""
        if other == path:
            return False
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(other), text))
        if beside == path or self.read(beside) is not None:
            return beside == path
        if other not in self._closures:
            self._closures[other] = frozenset(self._closure_of(other))
        return path in self._closures[other]

    def _closure_of(self, path: str) -> tuple[str, ...]:
        """Project files that a file of the run includes."""
        data = self.read(path)
        if self.includes is None or data is None:
            return ()
        # Not `command_of`: who asks is looking for the files that include a header, of which that may be one.
        command = None if self._compiled is None else self._compiled.exact(path) or self._compiled.near(path, data)
        given = None if self._compiled is None or command is None else self._compiled.given(command)
        return self.includes.closure(path, data, given)

    def command_of(self, path: str) -> CompileCommand | None:
        """The command that compiles a file; of a header that of a file that includes it, else of the file most like it.

        None without compile commands.
        """
        if self._compiled is None:
            return None
        if path not in self._commands:
            self._commands[path] = self._compiled.exact(path) or self._unbuilt_command(self._compiled, path)
        return self._commands[path]

    def _unbuilt_command(self, compiled: Commands, path: str) -> CompileCommand | None:
        data = self.read(path)
        return compiled.of_includers(path, data, self.includers) or compiled.near(path, data)

    def _given(self, path: str) -> Given | None:
        command = self.command_of(path)
        return None if self._compiled is None or command is None else self._compiled.given(command)

    def predefined(self, path: str, language: Language) -> Mapping[str, str]:
        """Macros that the device compiler sets by itself when it compiles this file."""
        command = self.command_of(path)
        if command is None:
            return predefined(language)
        undefined = [name for name, body in command.macros if body is None]
        return predefined(language, command.standard, command.targets, undefined)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made once in this process, for layers above that know more of a file than its names."""
        if key not in self._made:
            self._made[key] = make()
        return cast("T", self._made[key])
