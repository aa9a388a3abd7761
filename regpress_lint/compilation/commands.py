"""`compile_commands.json`: how each file of a project is compiled, read as plain data.

The file may come from anybody (a pull request), so nothing of it is executed, a command's words go through the allow
list of `flags`, and everything is bounded. The only other files that are read because of it are response files
(`--options-file X.rsp`, `@X.rsp`: CMake writes nvcc's include folders there), and those only if they are regular files
of at most MAX_RESPONSE bytes that lie, symbolic links resolved, in the build folder; their words go through the same
allow list, and a response file that is named in one is not read.

Compile commands as the front end sees them: the command of a file, and its effect on the file's includes.
"""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from typing import TYPE_CHECKING, Any

from regpress_lint.compilation.flags import MAX_PATH, parse, split
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import regular
from regpress_lint.core.settings import CompileCommand
from regpress_lint.cpp.language import detect_language, names_its_api
from regpress_lint.cpp.preprocess.build_settings import Given
from regpress_lint.cpp.preprocess.macros import Macro

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from regpress_lint.core.settings import Language


FILE = "compile_commands.json"
MAX_BYTES = 128 * 1024 * 1024
MAX_ENTRIES = 200_000
MAX_RESPONSE = 1024 * 1024
_MAX_BRACKETS = 5_000_000  # millions of empty arrays take twenty times the memory of their text
_MAX_COMMAND = 1024 * 1024
_MAX_ALIKE = 512  # entries of one stem that are looked at for one near by
_MOST_BESIDE = 8  # files of the same folder that are asked whether they are GPU code
_MOST_VARIANTS = 16  # entries of one file
_HOW = "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"


# The file that was read last: a run reads it to see whether it can be used, and its forked workers find it here.
_read_before: dict[tuple[object, ...], CompileCommands] = {}


class _Entry(NamedTuple):
    path: str
    directory: str
    words: str | list[str]


class CompileCommands:
    """The entries of one `compile_commands.json`; an entry's words are read when its file is first needed.

    path: the file. folder: the build folder, symbolic links resolved (of a link into it the one that it leads to).
    """

    def __init__(self, path: str, entries: Sequence[_Entry] = (), left_out: Iterable[str] = ()) -> None:
        self.path = path
        self.folder = os.path.dirname(os.path.realpath(path))
        self._left_out = tuple(left_out)
        self._refused: Counter[str] = Counter()
        self._by_path: dict[str, list[_Entry]] = {}
        for entry in entries:
            self._by_path.setdefault(entry.path, []).append(entry)
        self._by_name: dict[str, list[str]] | None = None
        self._by_stem: dict[str, list[str]] = {}
        self._of_stem: dict[tuple[str, str], str] = {}
        self._by_folder: dict[str, list[str]] = {}
        self._below: dict[str, str] = {}
        self._real: dict[str, str] = {}
        self._real_of_name: dict[str, dict[str, str]] = {}
        self._commands: dict[str, CompileCommand] = {}
        self._asked: dict[str, CompileCommand | None] = {}

    def __len__(self) -> int:
        return len(self._by_path)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files that have an entry, absolute."""
        return tuple(self._by_path)

    @property
    def problems(self) -> tuple[str, ...]:
        """Lines for the user: entries left out, and response files of the commands read so far that are not read."""
        refused = (
            f"{self.path}: {count:,} response {'file' if count == 1 else 'files'} not read: {reason}"
            for reason, count in self._refused.items()
        )
        return (*self._left_out, *refused)

    def of(self, path: str) -> CompileCommand | None:
        """The command that compiles this file, found by its absolute path, else by its real path."""
        path = os.path.abspath(path)
        if path not in self._asked:
            entry = self._find(path)
            self._asked[path] = None if entry is None else self._command(entry)
        return self._asked[path]

    def _find(self, path: str) -> str | None:
        if path in self._by_path:
            return path
        if self._by_name is None:
            self._by_name = {}
            for entry in self._by_path:
                self._by_name.setdefault(os.path.basename(entry), []).append(entry)
        real = self._real_of(path)
        names = dict.fromkeys((os.path.basename(path), os.path.basename(real)))
        return next((same for name in names if (same := self._by_real(name).get(real)) is not None), None)

    def _by_real(self, name: str) -> dict[str, str]:
        """Entries of this name by their real path: hundreds of folders may hold a `main.cu`."""
        assert self._by_name is not None
        if name not in self._real_of_name:
            self._real_of_name[name] = {self._real_of(entry): entry for entry in self._by_name.get(name, ())}
        return self._real_of_name[name]

    def _real_of(self, path: str) -> str:
        if path not in self._real:
            try:
                self._real[path] = os.path.realpath(path)
            except (OSError, ValueError):
                self._real[path] = path
        return self._real[path]

    def nearest(self, path: str, root: str | None = None) -> CompileCommand | None:
        """The command of the file that is most like one without an entry (a header, a file that is new).

        That is one of the same name up to the extension in its folder or near by (`include/` beside `src/`), else one
        of its folder, else one below the nearest folder above. Only files below `root` count, without it those below
        the folder that all entries share.
        """
        path = os.path.abspath(path)
        root = self._common() if root is None else os.path.abspath(root)
        for name, top in dict.fromkeys(((path, root), (self._real_of(path), self._real_of(root)))):
            if top != os.path.dirname(top) and _below(name, top) and (candidates := self._candidates(name, top)):
                commands = [self._command(entry) for entry in candidates]
                return next((command for command in commands if command.language is not None), commands[0])
        return None

    def _candidates(self, path: str, root: str) -> list[str]:
        """At most a few files like `path`, the best first."""
        self._index()
        folder = os.path.dirname(path)
        stem = _stem(path)
        near = os.path.dirname(folder) if _below(folder, root) else folder
        others = (entry for entry in self._by_stem.get(stem, ())[:_MAX_ALIKE] if _below(entry, near))
        alike = self._of_stem.get((folder, stem)) or next(others, None)
        if alike is not None:
            return [alike]
        if folder in self._by_folder:
            return self._by_folder[folder][:_MOST_BESIDE]
        while folder not in self._below:
            if folder == root:
                return []
            folder = os.path.dirname(folder)
        return [self._below[folder]]

    def _index(self) -> None:
        """Entries by the keys of `nearest`; GPU sources come first."""
        if self._by_folder or not self._by_path:
            return
        for entry in sorted(self._by_path, key=lambda entry: (not entry.endswith((".cu", ".hip")), entry)):
            above, stem = os.path.dirname(entry), _stem(entry)
            self._by_stem.setdefault(stem, []).append(entry)
            self._of_stem.setdefault((above, stem), entry)
            self._by_folder.setdefault(above, []).append(entry)
            while above not in self._below:  # who set a folder has set all above it
                self._below[above] = entry
                above = os.path.dirname(above)

    def _common(self) -> str:
        try:
            return os.path.commonpath([*map(os.path.dirname, self._by_path)])
        except ValueError:  # none, or different drives
            return os.sep

    def _command(self, path: str) -> CompileCommand:
        """The first entry of a file that is GPU code, else the first."""
        if path not in self._commands:
            entries = self._by_path[path]
            commands = (self._parsed(entry) for entry in entries[:_MOST_VARIANTS])
            first = None
            for command in commands:
                first = first or command
                if command.language is not None:
                    first = command
                    break
            assert first is not None
            self._commands[path] = first
        return self._commands[path]

    def _parsed(self, entry: _Entry) -> CompileCommand:
        words = entry.words if isinstance(entry.words, list) else split(entry.words, os.name == "nt")
        if words is None:
            return CompileCommand(entry.path, entry.directory)
        return parse(words, entry.directory, entry.path, self._response)

    def _response(self, path: str) -> list[str]:
        """Words of a response file of the build folder; none for any other."""
        try:
            real = os.path.realpath(path)
            if not _below(real, self.folder):
                self._refused["outside the build folder"] += 1
                return []
            data = regular(real, MAX_RESPONSE)
        except (OSError, ValueError):
            self._refused["cannot be read"] += 1
            return []
        if data is None:
            self._refused[f"not a regular file of at most {MAX_RESPONSE:,} bytes"] += 1
            return []
        return split(data.decode("utf-8", "replace"), os.name == "nt") or []


def load(place: str) -> CompileCommands:
    """The compile commands of a build folder, or of the file itself. Raises UsageError with a text for the user."""
    try:
        path = os.path.abspath(place)
        if os.path.isdir(path):
            path = os.path.join(path, FILE)
            if not os.path.lexists(path):
                raise UsageError(f'no {FILE} in "{place}"; {_HOW}')
        key = (path, *_state(path))
        if key not in _read_before:
            _read_before.clear()
            _read_before[key] = _loaded(path)
        return _read_before[key]
    except FileNotFoundError:
        raise UsageError(f'no build folder and no {FILE}: "{place}" (-p or build-dir names it)') from None
    except OSError as error:
        raise UsageError(f'cannot read "{place}": {os_reason(error)}') from None
    except ValueError:
        raise UsageError(f"not a path: {place[:80]!r}") from None


def _state(path: str) -> tuple[int, ...]:
    status = os.stat(path)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _loaded(path: str) -> CompileCommands:
    data = regular(path, MAX_BYTES)
    if data is None:
        raise UsageError(f'cannot read "{path}": not a regular file of at most {MAX_BYTES:,} bytes')
    if data.count(b"[") + data.count(b"{") > _MAX_BRACKETS:
        raise UsageError(f'"{path}" has more than {_MAX_BRACKETS:,} arrays and objects')
    return _built(path, data)


def _built(path: str, data: bytes) -> CompileCommands:
    import json

    try:
        content = json.loads(data.decode("utf-8-sig", "surrogateescape"))
    except RecursionError:
        raise UsageError(f'"{path}" is nested too deeply to be {FILE}') from None
    except ValueError as error:
        raise UsageError(f'"{path}" is not valid JSON: {" ".join(str(error).split())[:200]}') from None
    if not isinstance(content, list):
        raise UsageError(f'"{path}" is no {FILE}: expected an array of entries')
    if len(content) > MAX_ENTRIES:
        raise UsageError(f'"{path}" has {len(content):,} entries, more than the {MAX_ENTRIES:,} that are read')
    entries: list[_Entry] = []
    reasons: Counter[str] = Counter()
    folder = os.path.dirname(path)
    for raw in content:
        entry = _entry(raw, folder)
        if isinstance(entry, str):
            reasons[entry] += 1
        else:
            entries.append(entry)
    left_out = [
        f"{path}: {count:,} {'entry' if count == 1 else 'entries'} left out: {reason}"
        for reason, count in reasons.items()
    ]
    return CompileCommands(path, entries, left_out)


def _entry(raw: Any, folder: str) -> _Entry | str:
    """One entry, or why it is left out."""
    if not isinstance(raw, dict):
        return "not an object"
    file, directory = raw.get("file"), raw.get("directory", "")
    if not _is_path(file) or not file:
        return '"file" is no path'
    if not _is_path(directory):
        return '"directory" is no path'
    words = raw.get("arguments")
    if words is None:
        words = raw.get("command")
        if not isinstance(words, str) or not words:
            return 'neither "arguments" nor "command"'
        if len(words) > _MAX_COMMAND:
            return f'"command" has more than {_MAX_COMMAND:,} characters'
    elif not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return '"arguments" is no array of strings'
    directory = os.path.normpath(os.path.join(folder, directory))
    return _Entry(os.path.normpath(os.path.join(directory, file)), directory, words)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_PATH and "\0" not in value


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


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
        command = self._commands.nearest(path, self._root)
        if command is None or command.language is None or data is None:
            return command
        language = detect_language(path, data)
        if language in (None, command.language):
            return command
        # Device code that names no API is the same in CUDA and HIP, but an extension says which.
        extension, other = (posixpath.splitext(name)[1] for name in (path, command.path))
        is_open = not names_its_api(data) and (extension not in (".cu", ".hip") or extension == other)
        return command if is_open and "sycl" not in (language, command.language) else None

    def of_includers(
        self, path: str, data: bytes | None, includers: Callable[[str], Iterable[str]]
    ) -> CompileCommand | None:
        """The command of a file that includes this one, also indirectly; the nearest, GPU code before others.

        Includes count whatever `#if` they are in, so the code must be such that the command can compile it.
        """
        waiting, seen = [path], {path}
        host: CompileCommand | None = None
        for current in waiting:
            for includer in includers(current):
                if includer in seen or len(seen) > _MOST_INCLUDERS:
                    continue
                seen.add(includer)
                command = self.exact(includer)
                if command is None:
                    waiting.append(includer)
                elif command.language is not None:
                    if _can_be(command.language, path, data):
                        return command
                else:
                    host = host or command
        return host

    def given(self, command: CompileCommand) -> Given:
        """A command's additions to a file's includes and macros; the same object for all commands that say the same."""
        options = self._given.get(command.path)
        if options is None:
            key = (command.include_dirs, command.macros, command.includes)
            if key not in self._alike:
                self._alike[key] = self._made(command)
            options = self._given[command.path] = self._alike[key]
        return options

    def places(self, command: CompileCommand) -> tuple[str, ...]:
        """Folders and files that a command names."""
        return (*(folder.path for folder in command.include_dirs), *command.includes)

    def place(self, path: str) -> str | None:
        """Where one of them is, as the resolver spells it."""
        return self._spell(path)

    def _made(self, command: CompileCommand) -> Given:
        folders: dict[str, list[str]] = {"quote": [], "normal": [], "system": [], "after": []}
        folders_inside = ((self._spell(folder.path), folder.kind) for folder in command.include_dirs)
        inside = [(path, kind) for path, kind in folders_inside if path is not None]
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
