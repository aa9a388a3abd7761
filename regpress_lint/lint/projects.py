"""Project files that a linted file includes: and which files a run knows, with the bounds that keep it small."""

from __future__ import annotations

import os
from functools import cached_property

from regpress_lint.core.reading import is_inside, read_header, relative
from regpress_lint.core.settings import NO_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from regpress_lint.compilation.commands import CompileCommands, Compiled
    from regpress_lint.core.settings import DeviceWords
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.cpp.preprocess.includes import HeaderLoader
    from regpress_lint.semantics.clang import Tier

_MAX_PROJECTS = 8  # that are kept, with the trees of what they include
_MAX_ABOVE = 64  # files of a folder above that are asked what they include
MAX_SIBLINGS = 32
MOST_FOLDERS = 32  # of named files around which a run looks; with more it lists all of the work tree
_FURTHER = 4  # folders around which it looks later on


class Projects:
    """The projects that the files of a run belong to, one `frontend` Project each, made when first asked for.

    paths: all files of the run, from which a header's includers are found.
    folders: the folders that were named; outside version control they are the projects' roots.
    commands: how the files are compiled, where that is known.
    architectures: the requested GPUs: the macros that a device compiler sets depend on them.
    semantic_seconds: what libclang may take for the open questions of one file; 0 for none asked.
    words: the project's own macros and functions that mark kernels.
    read: what gives the bytes of a file; an editor has some that are not on the disk yet.
    around: gives files that the run knows and does not look at; called when they are first asked for. near: gives the
    part of them that `peers_of` needs for some folders; None if it needs all of them.
    named_dirs: those of `include_dirs` that the user named, and not the project: they are read wherever they are.
    """

    def __init__(
        self,
        paths: Iterable[str] = (),
        folders: Sequence[str] = (),
        include_dirs: Sequence[str] = (),
        commands: CompileCommands | None = None,
        semantic_seconds: float = 0,
        architectures: Sequence[str] = (),
        read: HeaderLoader | None = None,
        words: DeviceWords = NO_WORDS,
        around: Callable[[], Iterable[str]] = tuple,
        named_dirs: Sequence[str] = (),
        near: Callable[[Collection[str]], Iterable[str] | None] = lambda _folders: None,
    ) -> None:
        self._commands = commands
        self._architectures = tuple(architectures)
        self._words = words
        self._read = read or read_header
        self._tier: Tier | None = None
        if semantic_seconds > 0:
            from regpress_lint.semantics.clang import Tier

            self._tier = Tier(semantic_seconds)
        self._folders = tuple(os.path.normpath(folder) for folder in folders)
        self._include_dirs = tuple(include_dirs)
        self._named_dirs = tuple(named_dirs)
        self._paths = tuple(paths)
        self._around, self._near = around, near
        self._near_index: _Index | None = None
        self._looked_at: set[str] = set()
        self._work_trees: dict[str, str | None] = {}
        self._roots: dict[str, str] = {}
        self._projects: dict[str, Project] = {}
        self._compiled: dict[str, tuple[Compiled, str | None]] = {}

    def root_of(self, path: str) -> str:
        """Root of the project of a file, expressed the way the path is (relative stays relative)."""
        folder, _ = _split(path)
        root = self._roots.get(folder)
        if root is None:
            root = self._roots[folder] = project_root(path, self._folders, self._work_trees)
        return root

    def of(self, path: str) -> Project:
        root = self.root_of(path)
        if root not in self._projects:
            while len(self._projects) >= _MAX_PROJECTS:  # files come folder by folder: the oldest is done
                del self._projects[next(iter(self._projects))]
            from regpress_lint.cpp.names.project import Project
            from regpress_lint.cpp.preprocess.includes import IncludeResolver

            compiled, build_folder = self.compiled(root)
            resolver = IncludeResolver(
                root,
                self._read,
                _spelled_as(root, self._include_dirs),
                self.named,
                build_folder,
                named_dirs=_spelled_as(root, self._named_dirs),
            )
            self._projects[root] = Project(
                resolver, self.peers_of, compiled, self._tier, self._architectures, self._words
            )
        return self._projects[root]

    def forget(self, path: str) -> bool:
        """Drop what came from a file: it has changed, appeared or gone. True as for `Project.forget`."""
        known_otherwise = [project.forget(path) for project in self._projects.values()]
        return any(known_otherwise)

    def compiled(self, root: str) -> tuple[Compiled | None, str | None]:
        """The compile commands of the files of a project and the folder of its build, each None where it is unknown."""
        if self._commands is None:
            return None, None
        if root not in self._compiled:
            from regpress_lint.compilation.commands import Compiled

            spelling = Spelling(root, self._commands.folder)
            self._compiled[root] = Compiled(self._commands, root, spelling.of_path), spelling.build_folder
        return self._compiled[root]

    def may_read(self, root: str, path: str) -> bool:
        """Whether a project reads a file at all: one of its own, of its build or of a folder that the user named."""
        if is_inside(root, path) or any(is_inside(folder, path) for folder in _spelled_as(root, self._named_dirs)):
            return True
        _, build = self.compiled(root)
        return build is not None and path.startswith(f"{build.rstrip('/')}/")

    @cached_property
    def _index(self) -> _Index:
        return _Index(sorted({*self._paths, *self._around()}))

    def named(self, basename: str) -> Iterable[str]:
        """Known files with that name, in whatever folder."""
        return self._index.by_name.get(basename, ())

    def peers_of(self, path: str) -> Iterable[str]:
        """Known files near a file: equal ones for all files of a folder."""
        folder = os.path.dirname(path)
        if folder not in self._looked_at:
            self._look_around(folder)
        return tuple((self._near_index or self._index).near(folder))

    def _look_around(self, folder: str) -> None:
        """Know the files near a folder, at first near those of all named files, if there are few."""
        of_files = set(map(os.path.dirname, self._paths))
        looked_at = self._looked_at | of_files | {folder}
        listed = None
        if (
            "_index" not in self.__dict__
            and len(of_files) <= MOST_FOLDERS
            and len(looked_at) <= len(of_files) + _FURTHER
        ):
            listed = self._near(looked_at)
        self._near_index = None if listed is None else _Index(sorted({*self._paths, *listed}))
        self._looked_at = looked_at


class _Index:
    """Files by their folder and by their name."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.by_name: dict[str, list[str]] = {}
        self._by_folder: dict[str, list[str]] = {}
        self._folders_in: dict[str, list[str]] = {}
        for path in paths:
            folder, name = _split(path)
            self._by_folder.setdefault(folder, []).append(path)
            self.by_name.setdefault(name, []).append(path)
        for folder in self._by_folder:
            self._folders_in.setdefault(os.path.dirname(folder), []).append(folder)

    def near(self, folder: str) -> Iterator[str]:
        """Files of a folder and of those in it, of all folders above it, and of those beside any of these."""
        yield from self._by_folder.get(folder, ())
        yield from self._inside(folder, folder)  # `instantiations/` below the templates
        while folder:  # `main.cu` that includes "src/matmul/kernels.cuh", `src/` beside `include/project/`
            above = os.path.dirname(folder)
            if above == folder:
                return
            files = self._by_folder.get(above, ())
            if len(files) <= _MAX_ABOVE:
                yield from files
            yield from self._inside(above, folder)
            folder = above

    def _inside(self, folder: str, but: str) -> Iterator[str]:
        """Files of the folders in a folder; hundreds of them side by side are hundreds of projects."""
        inside = self._folders_in.get(folder, ())
        for sibling in inside if len(inside) <= MAX_SIBLINGS else ():
            if sibling not in (folder, but):  # the root is in itself
                yield from self._by_folder[sibling]


class Spelling:
    """Paths of compile commands, which are absolute, in the spelling of a project's root."""

    def __init__(self, root: str, build_folder: str) -> None:
        self._root = root
        self._tops = tuple(dict.fromkeys((os.path.abspath(root), os.path.realpath(root))))
        # A build folder that is the whole disk is none.
        self._build = build_folder if build_folder != os.path.dirname(build_folder) else None
        self.build_folder = None if self._build is None else self._spelled(self._build)
        self._known: dict[str, str | None] = {}

    def of_path(self, path: str) -> str | None:
        """A path below the root or the build folder; None for one that is not, or that does not exist."""
        if path not in self._known:
            self._known[path] = self._of_path(path)
        return self._known[path]

    def _of_path(self, path: str) -> str | None:
        try:
            real = os.path.realpath(path)
            if not os.path.exists(real):
                return None  # each would cost an open for every `#include` that is not found
        except (OSError, ValueError):
            return None
        for spelling in dict.fromkeys((path, real)):
            for top in self._tops:
                if spelling == top or spelling.startswith(top.rstrip(os.sep) + os.sep):
                    inside = os.path.relpath(spelling, top)
                    return os.path.normpath(os.path.join(self._root, inside)).replace(os.sep, "/")
        if self._build is not None and (real == self._build or real.startswith(self._build + os.sep)):
            return self._spelled(real)
        return None

    def _spelled(self, path: str) -> str:
        if os.path.isabs(self._root):
            return path.replace(os.sep, "/")
        return relative(path)


def _split(path: str) -> tuple[str, str]:
    """Folder and name of a file; paths of a run have forward slashes and no two of them in a row."""
    folder, slash, name = path.rpartition("/")
    return folder or slash, name


def project_root(path: str, folders: Sequence[str] = (), work_trees: dict[str, str | None] | None = None) -> str:
    """Folder that holds a file's project: the work tree, else the named folder, else the working folder or its own.

    A root above the working folder has no relative spelling that contains relative paths, so "." stands for it then.
    work_trees: by folder, as far as they were looked for.
    """
    path = os.path.normpath(path)
    top = _work_tree(os.path.dirname(os.path.abspath(path)), {} if work_trees is None else work_trees)
    named = next((folder for folder in folders if _holds(folder, path)), None)
    if top is not None:
        root = top if os.path.isabs(path) else os.path.relpath(top)
        return "." if not os.path.isabs(path) and not _holds(root, path) else root.replace("\\", "/")
    if named is not None:
        return named.replace("\\", "/")
    return "." if _holds(".", path) else os.path.dirname(path).replace("\\", "/")


def _spelled_as(root: str, folders: Iterable[str]) -> tuple[str, ...]:
    """Folders in the spelling of the root: the resolver compares paths as text."""
    return tuple(map(os.path.abspath if os.path.isabs(root) else relative, folders))


def _holds(folder: str, path: str) -> bool:
    if folder == ".":
        return not os.path.isabs(path) and path.split(os.sep)[0] != ".."
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _work_tree(folder: str, work_trees: dict[str, str | None]) -> str | None:
    """The folder above with a `.git` in it."""
    if folder not in work_trees:
        above = os.path.dirname(folder)
        if os.path.exists(os.path.join(folder, ".git")):
            work_trees[folder] = folder
        else:
            work_trees[folder] = None if above == folder else _work_tree(above, work_trees)
    return work_trees[folder]
