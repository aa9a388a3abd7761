"""Files of a run: named ones, and those in named folders.

A run's knowledge of its files' projects beyond the files that it checks.

A file that is named alone is read as in a run over all of its work tree: a hook and a whole run say the same of it. The
sources of a download are no work tree: there the working folder, or the folder that an editor has open, stands for it,
unless it is so large that it could be a home directory.
"""

from __future__ import annotations

import os
import stat
from itertools import islice

from regpress_lint.core.errors import os_reason, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import matches
from regpress_lint.cpp.language import EXTENSIONS as EXTENSIONS
from regpress_lint.lint.cache_validation import stamp_of
from regpress_lint.lint.projects import MAX_SIBLINGS, MOST_FOLDERS, project_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from regpress_lint.lint.cache_validation import Stamp


_MOST_BESIDE = 200  # files of a folder that may include one of them
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})


class Candidate(NamedTuple):
    """A regular file with a source file's extension (or named explicitly), its size in bytes, and what else it looks
    like from outside where that is known.
    """

    path: str
    size: int
    stamp: Stamp | None = None


class Found(NamedTuple):
    """Result of a search: files without duplicates in sorted order, one line for each path that failed.

    `named` are the paths that are files, spelled as in `files`, unless they are excluded. With one of them, having
    nothing to lint is fine (pre-commit passes what a commit holds); a folder without GPU sources is most likely a
    mistake.
    """

    files: tuple[Candidate, ...]
    problems: tuple[str, ...]
    named: frozenset[str]


def discover(
    paths: Sequence[str], excluded: Callable[[str], Iterable[str]] | None = None, force_exclude: bool = False
) -> Found:
    """Files below `paths`; `excluded` gives the anchored patterns that hold for a file, and spares named files unless
    `force_exclude`.
    """
    files: dict[str, Candidate] = {}
    problems: list[str] = []
    named = set()
    for path in paths:
        try:
            mode = os.stat(path).st_mode
        except (OSError, ValueError) as error:
            problems.append(_missing(path, error))
            continue
        if stat.S_ISDIR(mode):
            candidates = [file for file in _below(path, problems) if not excluded or not matches(file, excluded(file))]
            if not candidates:
                problems.append(
                    f'no C++ or GPU source in folder "{path}" (git-ignored and excluded files are left out)'
                )
        else:
            named.add(_shown(path))
            candidates = [] if force_exclude and excluded and matches(path, excluded(path)) else [path]
        for file in candidates:
            _add(file, files, problems)
    return Found(tuple(files[name] for name in sorted(files)), tuple(problems), frozenset(named))


def _shown(path: str) -> str:
    return os.path.normpath(path).replace("\\", "/") if os.sep == "\\" else os.path.normpath(path)


def _missing(path: str, error: OSError | ValueError) -> str:
    if os.path.islink(path):
        return f'cannot read "{path}": the link has no target'
    if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
        return f'cannot read "{path}": {os_reason(error)}'
    folder, name = os.path.split(path)
    try:
        neighbours = os.listdir(folder or ".")
    except (OSError, ValueError):
        neighbours = []
    return f'no such file or folder: "{path}"{suggestion(name, neighbours)}'


def _add(path: str, files: dict[str, Candidate], problems: list[str]) -> None:
    shown = _shown(path)
    if shown in files:
        return
    try:
        status = os.stat(path)
    except FileNotFoundError:
        if os.path.islink(path):  # else git lists a tracked file that was deleted
            problems.append(f'cannot read "{shown}": the link has no target')
        return
    except OSError as error:
        problems.append(f'cannot read "{shown}": {os_reason(error)}')
        return
    if not stat.S_ISREG(status.st_mode):
        problems.append(f'cannot read "{shown}": not a regular file')
        return
    files[shown] = Candidate(shown, status.st_size, stamp_of(status))


def beside(path: str) -> tuple[str, ...]:
    """Sources of the same folder: a header's kernels are launched, and its types named, by who includes it."""
    folder = os.path.dirname(path)
    try:
        names = sorted(name for name in os.listdir(folder or ".") if is_source(name))
    except OSError:
        return ()
    others = (os.path.join(folder, name).replace("\\", "/") for name in names[:_MOST_BESIDE])
    return tuple(source for source in others if source != path)


def is_source(name: str) -> bool:
    """True if a file name ends in an extension that C++, HIP, CUDA, SYCL or OpenCL C sources have."""
    return name.rpartition(".")[2].lower() in EXTENSIONS and "." in name


def sources_below(folder: str) -> Iterator[str]:
    """Sources in a folder and below it, as a run over it finds them."""
    return _below(folder, [])


def holds_at_most(folder: str, most: int) -> bool:
    """True if a folder has no more files and folders in it, those of its folders included; no more than that many are
    listed to know.
    """
    waiting, seen = [folder], 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if seen > most:
                        return False
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            continue  # neither a run over it can list that
    return True


def _below(folder: str, problems: list[str]) -> Iterator[str]:
    from regpress_lint.lint import git

    listed = git.files(folder, EXTENSIONS) if in_work_tree(folder) else None
    if listed is None:
        yield from _walk(folder, problems)
        return
    start, left_out = os.path.join(folder, ""), dict[str, bool]()
    for name in listed:
        inside, _, last = name.rstrip("/").rpartition("/")
        if inside not in left_out:
            left_out[inside] = any(map(_is_skipped, inside.split("/")))
        if left_out[inside]:
            continue
        if name.endswith("/"):  # a submodule or a repository inside this one
            inner = start + name.rstrip("/")
            if not last.startswith(".") and not os.path.islink(inner) and os.path.exists(os.path.join(inner, ".git")):
                yield from _below(inner, problems)
        else:
            yield start + name


def _walk(folder: str, problems: list[str]) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        problems.append(f'cannot read folder "{folder}": {os_reason(error)}')
        return
    for entry in ordered:
        if entry.is_dir(follow_symlinks=False):
            if _is_skipped(entry.name):
                continue
            inside = os.path.exists(os.path.join(entry.path, ".git"))
            yield from _below(entry.path, problems) if inside else _walk(entry.path, problems)
        elif is_source(entry.name) and not (entry.is_symlink() and os.path.isdir(entry.path)):
            yield entry.path


def in_work_tree(folder: str) -> bool:
    """Whether a folder is part of a git work tree."""
    current = os.path.abspath(folder)
    while True:
        if os.path.exists(os.path.join(current, ".git")):
            return True
        parent = os.path.dirname(current)
        if parent == current:
            return False
        current = parent


_MOST_FILES = 50_000  # of one work tree
_MOST_ENTRIES = 5_000  # of a working folder outside of one: some 10 ms to count
_MOST_BYTES = 30_000  # of names that git is asked about, since Windows has no longer command lines
_FEW_IGNORED = 8  # folders beside others


def begin(paths: Iterable[str]) -> None:
    """Let git list the work tree that files belong to while the rest of the program is loaded, if they are in too
    many folders for `near`.
    """
    folders = {os.path.dirname(path): path for path in paths}
    if len(folders) <= MOST_FOLDERS:
        return
    root = project_root(min(folders.values()), (".",))
    if in_work_tree(root):
        from regpress_lint.lint import git

        git.begin_files(os.path.normpath(root))


def surroundings(
    paths: Iterable[str], folders: Iterable[str], excluded: Sequence[str], open_folders: Sequence[str] = (".",)
) -> Iterator[str]:
    """Other sources of the work trees that `paths` belong to; outside of one, those of the open folder, or, where that
    is large, those of the same folder.

    folders: the folders that were named, whose files are all in `paths`. excluded: patterns of files that no run sees.
    open_folders: in which the run was started, or which an editor shows. Raises nothing: what cannot be listed is not
    known.
    """
    whole = {os.path.normpath(folder).replace("\\", "/") for folder in folders}
    seen = set(paths)
    work_trees: dict[str, str | None] = {}
    for path in {os.path.dirname(path): path for path in sorted(seen)}.values():
        root = project_root(path, (*whole, *open_folders), work_trees)
        if root in whole:
            continue
        if in_work_tree(root) or (root in open_folders and holds_at_most(root, _MOST_ENTRIES)):
            whole.add(root)
            others: Iterable[str] = islice(sources_below(os.path.normpath(root)), _MOST_FILES)
        else:
            others = beside(os.path.normpath(path))
        for source in others:
            shown = source.removeprefix("./") if os.sep == "/" else os.path.normpath(source).replace("\\", "/")
            if shown not in seen and not (excluded and matches(shown, excluded)):
                seen.add(shown)
                yield shown


def near(
    folders: Collection[str], paths: Iterable[str], named: Iterable[str], excluded: Sequence[str]
) -> list[str] | None:
    """Those of `surroundings` that a run looks at for the files of some folders (`Projects.peers_of`): of a large work
    tree a few, and git need not list the rest. None if all must be listed to know.
    """
    root, *others = {project_root(f"{folder}/file" if folder else "file") for folder in folders}
    roots = {project_root(path) for path in {os.path.dirname(path): path for path in paths}.values()}
    start = "" if root == "." else f"{root}/"
    outside = not all(f"{folder}/".startswith(start) for folder in folders)
    if others or outside or root not in roots or not in_work_tree(root):
        return None
    if root in (os.path.normpath(folder).replace("\\", "/") for folder in named):  # all are known
        return None
    looked = _look_around(root, [f"{folder}/"[len(start) : -1] for folder in folders])
    if looked is None or sum(len(name) + 1 for name in looked.names) > _MOST_BYTES:
        return None
    from regpress_lint.lint import git

    listed = git.files(root, EXTENSIONS, looked.names) if looked.names else []
    if listed is None:
        return None
    included = [name for name in listed if not (excluded and matches(start + name, excluded))]
    inner = [os.path.dirname(folder) for folder in {os.path.dirname(name) for name in included} if folder]
    if any(inner.count(level) <= MAX_SIBLINGS for level in looked.cut):  # too few were seen that a run sees
        return None
    return [start + name for name in included]


class _Looked(NamedTuple):
    """Sources near some folders, ignored ones as well, and the folders that have more folders than were looked into."""

    names: Sequence[str]
    cut: Sequence[str]


def _look_around(root: str, folders: Iterable[str]) -> _Looked | None:
    """Sources in folders of a work tree, in those above them, and in the folders in any of these; None where one is a
    repository of its own, or one that no run looks into.
    """
    names: dict[str, None] = {}
    cut: list[str] = []
    levels: dict[str, None] = {}
    for folder in folders:
        if any(map(_is_skipped, folder.split("/"))):
            return None
        while folder:
            levels[folder] = None
            folder = os.path.dirname(folder)
    for level in (*levels, ""):
        files, inner, _ = _entries(root, level)
        names.update(dict.fromkeys(files))
        filled = 0
        for child in inner:
            files, _, is_repository = _entries(root, child)
            if is_repository:
                return None
            names.update(dict.fromkeys(files))
            filled += bool(files)
            if filled > MAX_SIBLINGS + _FEW_IGNORED:
                cut.append(level)
                break
    return _Looked(tuple(names), cut)


def _entries(root: str, folder: str) -> tuple[list[str], list[str], bool]:
    """Sources in a folder and folders in it, as seen from the root, and whether a repository is there."""
    start = f"{folder}/" if folder else ""
    try:
        with os.scandir(os.path.join(root, folder)) as entries:
            rows = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:
        return [], [], False
    files = [start + name for name, is_folder in rows if not is_folder and is_source(name)]
    inner = [start + name for name, is_folder in rows if is_folder and not _is_skipped(name)]
    return files, inner, any(name == ".git" for name, _ in rows)


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in _SKIPPED_FOLDERS
