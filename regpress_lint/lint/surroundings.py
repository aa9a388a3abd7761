"""A run's knowledge of its files' projects beyond the files that it checks.

A file that is named alone is read as in a run over all of its work tree: a hook and a whole run say the same of it. The
sources of a download are no work tree: there the working folder, or the folder that an editor has open, stands for it,
unless it is so large that it could be a home directory.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint.core.globs import matches
from regpress_lint.lint.discovery import beside, holds_at_most, in_work_tree, sources_below
from regpress_lint.lint.projects import project_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MOST_FILES = 50_000  # of one work tree
_MOST_ENTRIES = 5_000  # of a working folder outside of one: some 10 ms to count


def begin(path: str) -> None:
    """Let git list the work tree that a file belongs to while the rest of the program is loaded."""
    root = project_root(path, (".",))
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
    known = set(paths)
    work_trees: dict[str, str | None] = {}
    for path in {os.path.dirname(path): path for path in sorted(known)}.values():
        root = project_root(path, (*whole, *open_folders), work_trees)
        if root in whole:
            continue
        if in_work_tree(root) or (root in open_folders and holds_at_most(root, _MOST_ENTRIES)):
            whole.add(root)
            others: Iterable[str] = islice(sources_below(os.path.normpath(root)), _MOST_FILES)
        else:
            others = beside(os.path.normpath(path))
        for other in others:
            shown = other.removeprefix("./") if os.sep == "/" else os.path.normpath(other).replace("\\", "/")
            if shown not in known and not (excluded and matches(shown, excluded)):
                known.add(shown)
                yield shown
