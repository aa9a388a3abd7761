"""A commit's sources in a private folder: read through `git cat-file`, no checkout is touched, nothing is executed."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from regpress_lint.core.errors import UsageError
from regpress_lint.core.reading import MAX_HEADER_BYTES
from regpress_lint.lint import git
from regpress_lint.lint.discovery import is_source

if TYPE_CHECKING:
    from collections.abc import Iterator

# What an analysis may read besides sources: what headers are often called, and what says where they are.
_INCLUDED = ("inc", "def", "cl", "impl", "tcc", "txx", "ixx", "h.in", "mk")
BUILD_FILES = frozenset({"Makefile", "makefile", "GNUmakefile", "CMakeLists.txt"})


def commit_of(folder: str, revision: str) -> tuple[str, str]:
    """Work tree of a folder and the commit that a revision means there. Raises UsageError."""
    top = git.top(folder)
    if top is None:
        raise UsageError(f'"{revision}" is no folder, and no git repository is here to have it as a revision')
    found = git.commit(top, revision)
    if found is None:
        raise UsageError(f'git knows no revision "{revision}" here')
    return top, found


@contextmanager
def extracted(top: str, commit: str) -> Iterator[str]:
    """A folder with the sources of a commit, gone when it is left."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="regpress-"))
    try:
        wanted = [blob for blob in git.tree(top, commit) if _is_read(blob.path)]
        for blob, data in git.contents(top, wanted):
            if len(data) <= MAX_HEADER_BYTES or is_source(blob.path):
                _write(folder, blob.path, data)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_read(path: str) -> bool:
    name = path.rpartition("/")[2]
    return is_source(name) or name in BUILD_FILES or name.endswith(_INCLUDED)


def _write(folder: str, path: str, data: bytes) -> None:
    """Write a file below a folder; one that would lie elsewhere, which git itself does not allow, is left out."""
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts) or os.path.isabs(path):
        return
    target = os.path.join(folder, *parts)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "wb") as stream:
        stream.write(data)
