"""Programs that this one starts (git, compilers): looked up on PATH, and never in the repository that is linted."""

from __future__ import annotations

import os
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WINDOWS = os.name == "nt"
_DEFAULT_ENDINGS = ".COM;.EXE;.BAT;.CMD"


def repository(folder: str) -> str:
    """The resolved top of the work tree that a folder belongs to; the folder itself outside of any.

    A submodule belongs to its superproject. Git is not asked: this decides which git may be.
    """
    level = os.path.realpath(folder)
    top, inside = level, False
    while True:
        mark = os.path.join(level, ".git")
        if os.path.lexists(mark):
            top, inside = level, True
            if not os.path.isfile(mark):  # a file leads to the repository that this work tree is a part of
                return top
        parent = os.path.dirname(level)
        if parent == level:
            return top if inside else os.path.realpath(folder)
        level = parent


def find(name: str, trees: Iterable[str] = (), path: str | None = None) -> str | None:
    """Absolute path of the first program of a name on PATH that is outside of the trees, links resolved for that.

    trees: folders whose programs are never run. path: the folders to search, the environment's by default.
    """
    roots = _roots(trees)
    for folder in _folders(path):
        for candidate in _spellings(os.path.join(folder, name)):
            if os.path.isfile(candidate) and os.access(candidate, os.X_OK) and not _lies_in(candidate, roots):
                return candidate
    return None


def trusted_path(trees: Iterable[str]) -> str:
    """PATH for a program that starts others: without folders that are relative, are in the trees, or have a link that
    leads there.
    """
    roots = _roots(trees)
    return os.pathsep.join(
        folder for folder in _folders(None) if not _lies_in(folder, roots) and not _leads_into(folder, roots)
    )


def lies_in(path: str, trees: Iterable[str]) -> bool:
    """Whether a path, as it is spelled or with its links resolved, is one of the folders or is in one."""
    return _lies_in(path, _roots(trees))


def leads_into(path: str, trees: Iterable[str]) -> bool:
    """Whether an absolute path, or a link in the folder that it names, is in one of these folders."""
    roots = _roots(trees)
    return os.path.isabs(path) and (_lies_in(path, roots) or _leads_into(path, roots))


def _folders(path: str | None) -> Iterator[str]:
    """Folders of PATH; an empty or relative one means the working folder, which may be the repository."""
    search = os.environ.get("PATH", os.defpath) if path is None else path
    return (folder for folder in dict.fromkeys(search.split(os.pathsep)) if os.path.isabs(folder))


def _spellings(path: str) -> Iterator[str]:
    if not _WINDOWS:
        yield path
        return
    endings = os.environ.get("PATHEXT", _DEFAULT_ENDINGS).lower().split(os.pathsep)
    if os.path.splitext(path)[1].lower() in endings:
        yield path
    yield from (path + ending for ending in endings if ending)


def _roots(trees: Iterable[str]) -> tuple[str, ...]:
    # Everything is in the root of the file system; nobody could run anything.
    resolved = {spelling for tree in trees for spelling in (os.path.realpath(tree), os.path.abspath(tree))}
    return tuple(sorted(root for root in resolved if os.path.dirname(root) != root))


def _lies_in(path: str, roots: tuple[str, ...]) -> bool:
    return any(
        spelling == root or spelling.startswith(root + os.sep)
        for spelling in {os.path.realpath(path), os.path.abspath(path)}
        for root in roots
    )


@lru_cache(maxsize=256)
def _leads_into(folder: str, roots: tuple[str, ...]) -> bool:
    try:
        with os.scandir(folder) as entries:
            links = [entry.path for entry in entries if entry.is_symlink()]
    except OSError:
        return False
    return any(_lies_in(link, roots) for link in links)
