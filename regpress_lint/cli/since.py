"""`check --since REF`: the changes of a branch, and which of its kernels changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from regpress_lint.cli.compared import Tree, side
from regpress_lint.cli.reach import reached
from regpress_lint.cli.trees import commit_of, extracted
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import read_header
from regpress_lint.lint import git

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.core.diagnostics import Diagnostic, Report
    from regpress_lint.lint.discovery import Candidate
    from regpress_lint.views.changes import Side


class Since(NamedTuple):
    """A branch: its work tree, the commit that it left the other one at, and the files that are not as they were.

    changed: by their path in the repository. reached: files whose answers may have changed.
    """

    top: str
    commit: str
    changed: frozenset[str]
    reached: tuple[Candidate, ...]

    def inside(self, path: str) -> str:
        """A path in the repository."""
        return _inside(self.top, path)

    def narrowed(self, report: Report, here: Context) -> Report:
        """A report with the findings of changed kernels, and findings without a kernel in changed files."""
        paths = {self.inside(found.location.path) for found in report.diagnostics}
        if not paths:
            return report
        now, problems = side(here, Tree(self.top, self.top), paths.__contains__)
        renamed = {new: old for old, new in git.renames(self.top, self.commit).items()}
        were = {renamed.get(path, path) for path in paths}
        with extracted(self.top, self.commit) as folder:
            then, more = side(here, Tree(folder, self.top), were.__contains__)
        same = _unchanged(now, then, renamed)

        def kept(found: Diagnostic) -> bool:
            path = self.inside(found.location.path)
            return path in self.changed if found.kernel is None else (path, found.kernel) not in same

        left = tuple(filter(kept, report.diagnostics))
        return report._replace(diagnostics=left, problems=(*report.problems, *dict.fromkeys((*problems, *more))))


def since(revision: str, files: Sequence[Candidate]) -> Since:
    """The changes of a branch since it left a revision. Raises UsageError."""
    top, named = commit_of(".", revision)
    base = git.merge_base(top, named)
    if base is None:
        raise UsageError(f'git cannot say where this branch left "{revision}"')
    before = {blob.path: blob.name for blob in git.tree(top, base)}
    data = {file.path: read_header(file.path) for file in files}
    inside = {file.path: _inside(top, file.path) for file in files}
    changed = {
        path for path, content in data.items() if content is None or before.get(inside[path]) != git.blob_name(content)
    }
    gone = {path for path in before if not os.path.lexists(os.path.join(top, path))}
    touched = reached(changed, gone, data)
    return Since(
        top, base, frozenset(inside[path] for path in changed), tuple(file for file in files if file.path in touched)
    )


def _inside(top: str, path: str) -> str:
    return os.path.relpath(os.path.realpath(path), os.path.realpath(top)).replace("\\", "/")


def _unchanged(now: Side, then: Side, renamed: Mapping[str, str]) -> set[tuple[str, str]]:
    """Kernels, by path and name, where every one of that name existed before unchanged."""
    before = {(seen.row.path, seen.identity) for seen in then.kernels}
    same: set[tuple[str, str]] = set()
    other: set[tuple[str, str]] = set()
    for seen in now.kernels:
        path = seen.row.path
        was = (renamed.get(path, path), seen.identity) in before
        (same if was else other).add((path, seen.row.name))
    return same - other
