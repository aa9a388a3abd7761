"""`#include`s of a project, resolved as text: nothing is preprocessed, and nothing is read outside of the project and
of the folders that the user named.
"""

from __future__ import annotations

import posixpath
from functools import partial
from sys import intern
from typing import TYPE_CHECKING

from regpress_lint.core.digests import digest_of
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import is_inside
from regpress_lint.cpp.dependencies import Changed, Question, Recorder
from regpress_lint.cpp.library import is_ours, library_header, read_ours
from regpress_lint.cpp.preprocess.build_settings import BUILD_FILES, Build, Given
from regpress_lint.cpp.preprocess.macros import KNOWN, Macro, MacroTable, layer_of, scan_macros
from regpress_lint.cpp.preprocess.outlines import Outline, outline, scan_includes
from regpress_lint.targets.builtins import is_vendors

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from regpress_lint.cpp.dependencies import Trace

    # The bytes of a path: None when it is absent, outside the project or too large. Nothing else here touches files.
    HeaderLoader = Callable[[str], bytes | None]


# A translation unit's project headers: enough for every project measured, and a bound for hostile include cycles.
MAX_CLOSURE_FILES = 256
MAX_CLOSURE_BYTES = 8 * 1024 * 1024
MAX_KEPT_BYTES = 6 * 1024 * 1024  # of headers and sources kept in memory between files
_MAX_KEPT_MACROS = 50_000  # a large library is seen by file after file, and its texts are searched for them once
_MAX_KNOWN = 200_000  # paths that are known, most of them for not being there
_CHANGED = "changed"  # the digest of a file that somebody wrote while it was looked at


class Missing(NamedTuple):
    """An `#include` without a file. own: the operand of the linted file's own `#include` that it is, or that leads to
    it. outside: the folder outside of the project that its path leads to, "" for others.
    """

    own: bytes
    name: str
    outside: str = ""


class _Home:
    """From where includes are resolved: the folder of the file that is linted, and its command's include folders.

    One object for equal ones: it is part of a key that is looked up for every `#include`, by identity.
    """

    __slots__ = ("directories", "folder", "quoted", "search")

    def __init__(self, folder: str, quoted: tuple[str, ...] = (), directories: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.quoted = quoted
        self.directories = directories
        self.search: tuple[str, ...] | None = None


class IncludeResolver:
    """Finds the project files that a file includes, and their macros. One instance a run: every answer is remembered.

    `root` is the project; `include_dirs` come from configuration, relative to the working directory as all paths are.
    `build_folder` is another folder that may be read: generated headers are there; and so are `named_dirs`, those of
    `include_dirs` that the user named. `outlines` are those that are known and still right; further ones are put into
    it.
    Looked through in order: the including file's directory, what a compile command gives (`Given`), `include_dirs`, the
    `-I` of the build files beside the file that is linted, then `include/` in each directory above it, up to the
    root, the root itself, and at last, by `named`, the known file nearest by whose path ends in the name as written.
    """

    def __init__(
        self,
        root: str,
        load: HeaderLoader,
        include_dirs: Sequence[str] = (),
        named: Callable[[str], Iterable[str]] = lambda _basename: (),
        build_folder: str | None = None,
        outlines: dict[str, Outline] | None = None,
        named_dirs: Sequence[str] = (),
    ) -> None:
        self.recorder = Recorder()
        self.outlines: dict[str, Outline] = {} if outlines is None else outlines
        self._named = named
        self._root = _normal(root)
        self._load = load
        self._dirs = tuple(_normal(directory) for directory in include_dirs)
        self._named_dirs = tuple(_normal(directory) for directory in named_dirs)
        self._build_folder = None if build_folder is None else _normal(build_folder).rstrip("/") + "/"
        self._read: dict[str, bytes | None] = {}
        self._digests: dict[str, str] = {}
        self._kept = self._kept_macros = 0
        self._includes: dict[str, tuple[bytes, ...]] = {}
        self._sizes: dict[str, int] = {}
        self._layers: dict[str, dict[str, tuple[Macro, ...]]] = {}
        self._builds: dict[str, tuple[Build, Trace]] = {}
        self._homes: dict[str | tuple[str, tuple[str, ...], tuple[str, ...]], _Home] = {}
        self._resolved: dict[tuple[str, _Home, bytes], tuple[str | None, Trace]] = {}
        self._tables: dict[tuple[object, ...], MacroTable] = {}

    def read(self, path: str) -> bytes | None:
        """The bytes of a project file, or None when there is none, or it is outside the project."""
        path = intern(_normal(path))
        self.recorder.frame.add(path)
        return self._bytes(path)

    def _bytes(self, path: str) -> bytes | None:
        if path in self._read:
            return self._read[path]
        data = read_ours(path) if is_ours(path) else self._loaded(path)
        if data is not None:
            self._kept += len(data)
            digest = digest_of(data)
            if self._digests.setdefault(path, digest) != digest:
                self._digests[path] = _CHANGED
        if self._kept > MAX_KEPT_BYTES:
            self._forget()
        if len(self._read) >= _MAX_KNOWN:
            self._read = {name: text for name, text in self._read.items() if text is not None}
        self._read[path] = data
        return data

    def forget(self, path: str) -> Changed:
        """Drop what came from a file: it has changed, appeared or gone. Other affected entries are returned."""
        path = intern(_normal(path))
        before = self.outlines.pop(path, None)
        self._read.pop(path, None)
        self._digests.pop(path, None)
        self._includes.pop(path, None)
        self._sizes.pop(path, None)
        self._layers.pop(path, None)
        self._tables = {key: table for key, table in self._tables.items() if path not in key}
        changed = Changed(path, outlined=before is not None and before != self.outline(path))
        changed.drop(self._resolved)
        changed.drop(self._builds)
        return changed

    def outline(self, path: str) -> Outline:
        """The outline of a file, an empty one if it cannot be read. Who asks notes what he asks it for."""
        path = intern(_normal(path))
        outline_of = self.outlines.get(path)
        if outline_of is None:
            data = self._bytes(path)
            outline_of = self.outlines[path] = Outline() if data is None else outline(path, data)
        return outline_of

    def digest(self, path: str) -> str:
        """A digest of the bytes that were read of a file, "" for none; for a file that changed meanwhile it equals no
        file's.
        """
        path = _normal(path)
        return "" if path not in self._digests and self.read(path) is None else self._digests[path]

    def named(self, basename: str) -> tuple[str, ...]:
        """Files of the run that have this base name."""
        self.recorder.frame.add(Question("named", basename))
        return tuple(self._named(basename))

    def _forget(self) -> None:
        """Drop what a run's earlier folders left behind; what is still needed is read again."""
        self._kept = 0
        self._read = {path: None for path, data in self._read.items() if data is None}
        self._tables.clear()

    def _home(self, folder: str, given: Given | None) -> _Home:
        key = folder if given is None else (folder, given.quoted, given.directories)
        home = self._homes.get(key)
        if home is None:
            home = _Home(folder) if given is None else _Home(folder, given.quoted, given.directories)
            self._homes[key] = home
        return home

    def closure(self, path: str, data: bytes, given: Given | None = None) -> tuple[str, ...]:
        """Project files that `path` (with content `data`) includes, also indirectly, each once, as first included.

        At most MAX_CLOSURE_FILES files and MAX_CLOSURE_BYTES bytes, the nearest; not itself. given: of its command.
        """
        path = _normal(path)
        home = self._home(posixpath.dirname(path), given)
        begun = [tuple(self._targets(path, home, scan_includes(data)))]
        if given is not None and (given.includes or given.named):
            begun.append(tuple(self._forced(home, given)))
        whole = self._reached(path, home, begun, None)
        return tuple(whole or self._reached(path, home, begun, self._near(path, home, begun)) or ())

    def _reached(
        self, path: str, home: _Home, begun: Sequence[Sequence[str]], allowed: Container[str] | None
    ) -> dict[str, None] | None:
        """The files of a closure in the order in which a compiler reads them; None if they are too many."""
        reached: dict[str, None] = {}
        size = 0
        waiting: list[Iterator[str]] = [iter(targets) for targets in begun]
        while waiting:
            target = next(waiting[-1], None)
            if target is None:
                waiting.pop()
                continue
            skipped = target == path or target in reached or (allowed is not None and target not in allowed)
            if skipped or (length := self._size(target)) is None:
                continue
            size += length
            if allowed is None and (len(reached) >= MAX_CLOSURE_FILES or size > MAX_CLOSURE_BYTES):
                return None
            reached[target] = None
            waiting.append(iter(self._targets(target, home, self._includes_in(target))))
        return reached

    def _near(self, path: str, home: _Home, begun: Sequence[Sequence[str]]) -> dict[str, None]:
        """As many files of a closure as may be read, those first that the fewest files are between."""
        near: dict[str, None] = {}
        size, waiting = 0, [target for targets in reversed(begun) for target in targets]
        for target in waiting:  # it grows
            if target == path or target in near or (length := self._size(target)) is None:
                continue
            size += length
            if len(near) >= MAX_CLOSURE_FILES or size > MAX_CLOSURE_BYTES:
                break
            near[target] = None
            waiting += self._targets(target, home, self._includes_in(target))
        return near

    def _size(self, path: str) -> int | None:
        """Bytes of a project file; those of a header that was read stay known when its text no longer is kept."""
        path = intern(_normal(path))
        self.recorder.frame.add(path)
        if path not in self._sizes:
            data = self._bytes(path)
            if data is None:
                return None
            self._sizes[path] = len(data)
        return self._sizes[path]

    def _includes_in(self, path: str) -> tuple[bytes, ...]:
        """Operands of the `#include`s in a file of a closure."""
        operands = self._includes.get(path)
        return operands if operands is not None else self._includes_of(path, self._bytes(path) or b"")

    def target(self, path: str, include: bytes, given: Given | None = None) -> str | None:
        """The project file that an `#include` of `path` means, its operand as it is written; None if none is found."""
        path = _normal(path)
        home = self._home(posixpath.dirname(path), given)
        return next(iter(self._targets(path, home, (include,))), None)

    def missing(self, path: str, data: bytes, given: Given | None = None) -> tuple[Missing, ...]:
        """The `#include`s of the file and of what it includes for which no file is found, each once, except those of
        compilers and vendors.
        """
        path = _normal(path)
        home = self._home(posixpath.dirname(path), given)
        absent: dict[bytes, Missing] = {}
        seen = {path}
        for written in self._includes_of(path, data):
            waiting = [(path, written)]
            while waiting:
                file, include = waiting.pop()
                target = next(iter(self._targets(file, home, (include,))), None)
                if target is None:
                    name = include[1:-1].decode("utf-8", "replace")
                    if not is_vendors(name):
                        lies = _normal(posixpath.join(posixpath.dirname(file), name))
                        leads_out = name.startswith("../") and not is_inside(self._root, lies)
                        folder = posixpath.dirname(lies) or "." if leads_out else ""
                        absent.setdefault(include, Missing(written, name, folder))
                elif target not in seen and len(seen) < MAX_CLOSURE_FILES and not is_ours(target):
                    seen.add(target)
                    waiting += [(target, operand) for operand in reversed(self._includes_in(target))]
        return tuple(absent.values())

    def macros(self, path: str, data: bytes, given: Given | None = None) -> MacroTable:
        """Macros of the file, then of its closure, then those that its command, at last those that the build files
        beside it give by `-D`.
        """
        path = _normal(path)
        closure = self.closure(path, data, given)
        folder = posixpath.dirname(path)
        build = self._build(folder).macros
        key = (folder, given, *closure)
        headers = self._tables.get(key)
        if headers is None:
            layers = [self._layer_of(header) for header in closure]
            if given is not None:
                layers.append(layer_of(given.macros))
                settled = given.undefined.union(macro.name for macro in given.macros)
                build = tuple(macro for macro in build if macro.name not in settled)
            headers = self._tables[key] = MacroTable([*layers, layer_of(build), KNOWN])
        macros = scan_macros(data, path)
        return MacroTable.of(macros).merged(headers) if macros else headers

    def sees_all(self, path: str, data: bytes, given: Given | None = None) -> bool:
        """Whether all direct and indirect includes of `path` are available, except those of compilers and vendors."""
        path = _normal(path)
        home = self._home(posixpath.dirname(path), given)
        closure = self.closure(path, data, given)
        for name in (path, *closure):
            content = data if name == path else self.read(name)
            for include in self._includes_of(name, content) if content is not None else ():
                folder = posixpath.dirname(name)
                resolved = self._resolved.get((folder, home, include))
                if (resolved is None or resolved[0] is None) and not is_vendors(
                    include[1:-1].decode("utf-8", "replace")
                ):
                    return False
        return len(closure) < MAX_CLOSURE_FILES

    def fast_math(self, path: str) -> bool:
        """Whether a build file beside `path` requests fast mathematics of nvcc."""
        return self._build(posixpath.dirname(_normal(path)) or ".").fast_math

    def asserts(self, path: str) -> bool:
        """Whether the build files beside `path` leave assertions in."""
        return self._build(posixpath.dirname(_normal(path)) or ".").asserts

    def surroundings(self, path: str, data: bytes) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Where a compiler would find what `path` includes, as far as is known: folders in the order in which they are
        searched, those of headers that were found by their name alone last; and the build files' macros, `NAME=body`.
        """
        path = _normal(path)
        home = self._home(posixpath.dirname(path), None)
        near = [posixpath.dirname(header) for header in self.closure(path, data)]
        macros = tuple(f"{macro.name}={macro.body}" for macro in self._build(home.folder).macros)
        return tuple(dict.fromkeys((*self._search_path(home), *near))), macros

    @property
    def folders(self) -> tuple[str, ...]:
        """Folders that may be read: the project's, the build's, and those that the configuration gives for headers."""
        built = () if self._build_folder is None else (self._build_folder,)
        return (self._root, *self._dirs, *built)

    @property
    def include_dirs(self) -> tuple[str, ...]:
        """Folders that the configuration gives for headers."""
        return self._dirs

    def _layer_of(self, header: str) -> dict[str, tuple[Macro, ...]]:
        layer = self._layers.get(header)
        if layer is None:
            macros = scan_macros(self.read(header) or b"", header)
            self._kept_macros += len(macros)
            if self._kept_macros > _MAX_KEPT_MACROS:
                self._layers.clear()
                self._kept_macros = len(macros)
            layer = self._layers[header] = layer_of(macros)
        return layer

    def _includes_of(self, path: str, data: bytes) -> tuple[bytes, ...]:
        includes = self._includes.get(path)
        if includes is None:
            includes = self._includes[path] = scan_includes(data)
        return includes

    def _forced(self, home: _Home, given: Given) -> Iterator[str]:
        """Files that a command includes before the file's first line."""
        yield from map(_normal, given.includes)
        yield from self._targets(
            posixpath.join(home.folder, "-"),
            home,
            tuple(f'"{name}"'.encode("utf-8", "replace") for name in given.named),
        )

    def _targets(self, path: str, home: _Home, includes: tuple[bytes, ...]) -> Iterator[str]:
        directory = posixpath.dirname(path)
        for include in includes:
            key = (directory, home, include)
            target = self.recorder.kept(self._resolved, key, partial(self._resolve, *key))
            if target is not None:
                yield target

    def _resolve(self, directory: str, home: _Home, include: bytes) -> str | None:
        name = include[1:-1].decode("utf-8", "replace").strip().replace("\\", "/")
        if (ours := library_header(name)) is not None:
            return ours
        system = include[:1] == b"<" and is_vendors(name)
        if (system and "/" not in name) or not name or name.startswith("/") or "\0" in name:
            return None
        if system:  # a toolkit's, unless the user names a folder with it
            return self._first_in(self._dirs, name) or self._elsewhere(home.folder, name)
        # With a command `<config.h>` is not looked for beside the file before it was in the folders that are given.
        first = home.directories if include[:1] == b"<" else ()
        bases = (*first, directory, *self._search_path(home))
        return self._first_in(bases, name) or self._elsewhere(home.folder, name)

    def _first_in(self, bases: Iterable[str], name: str) -> str | None:
        """The first file of a name below one of some folders."""
        for base in bases:
            candidate = posixpath.normpath(posixpath.join(base, name))
            if self._size(candidate) is not None:
                return candidate
        return None

    def _elsewhere(self, home: str, name: str) -> str | None:
        """A file of the project whose path ends in `name`; with several, the one that shares most of its path."""
        if name.startswith("."):
            return None
        paths = [path for path in map(_normal, self.named(posixpath.basename(name))) if path.endswith("/" + name)]
        if len(paths) > 1 and "/" not in name:
            paths = self._nearest(home, paths)
        paths.sort(key=lambda path: (-len(posixpath.commonprefix((path, home + "/"))), path))
        return next((path for path in paths if self._size(path) is not None), None)

    def _nearest(self, home: str, paths: list[str]) -> list[str]:
        """Among files that share a bare name, the only one with a folder below the root in common with `home`: parallel
        versions of a program have files of the same names. Else none: the name is ambiguous.
        """
        # Of a path from the root and one from here nothing is known to be shared.
        alike = [path for path in paths if posixpath.isabs(path) == posixpath.isabs(home)]
        shared = {path: posixpath.commonpath((path, home)) for path in alike}
        if not shared:
            return []
        deepest = max(map(len, shared.values()))
        near = [path for path in alike if len(shared[path]) == deepest]
        return near if len(near) == 1 and deepest > len(self._root) and self._inside(shared[near[0]]) else []

    def _search_path(self, home: _Home) -> tuple[str, ...]:
        stated = self._build(home.folder).directories  # asked also where the answer is known: it depends on those files
        if home.search is None:
            folder = home.folder
            by_command = (*home.quoted, *home.directories)
            build = [directory for directory in stated if self._inside(directory)]
            above = [posixpath.normpath(posixpath.join(parent, "include")) for parent in self._ancestors(folder)]
            home.search = tuple(dict.fromkeys((*by_command, folder, *self._dirs, *build, *above, self._root)))
        return home.search

    def _ancestors(self, directory: str) -> Iterator[str]:
        while self._inside(directory):
            yield directory
            parent = posixpath.dirname(directory) or "."
            if parent == directory or directory == self._root:
                return
            directory = parent

    def _build(self, directory: str) -> Build:
        return self.recorder.kept(self._builds, directory, partial(self._read_build, directory))

    def _read_build(self, directory: str) -> Build:
        paths = [posixpath.normpath(posixpath.join(directory, name)) for name in BUILD_FILES]
        texts = [(path, data[:MAX_CLOSURE_BYTES]) for path in paths if (data := self.read(path)) is not None]
        if not texts:
            return Build()
        from regpress_lint.cpp.preprocess.build_files import build_of

        return build_of(directory, texts)

    def _loaded(self, path: str) -> bytes | None:
        may = self._inside(path) or (self._build_folder is not None and path.startswith(self._build_folder))
        return self._load(path) if may or any(is_inside(folder, path) for folder in self._named_dirs) else None

    def _inside(self, path: str) -> bool:
        return is_inside(self._root, path)


def _normal(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/")) if path else "."
