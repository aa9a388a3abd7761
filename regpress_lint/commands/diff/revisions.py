"""The trees that `diff` and `check --since REF` compare: a commit's sources in a private folder (read through `git
cat-file`, no checkout is touched, nothing is executed), which files a change can reach, and the kernels and findings
of a tree.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

from regpress_lint.cli.progress import Progress
from regpress_lint.commands.diff.changes import Side
from regpress_lint.commands.diff.identity import Seen, seen_kernels
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple, replace
from regpress_lint.core.patterns import matches
from regpress_lint.core.reading import MAX_HEADER_BYTES, read_header
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint import git
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.discovery import discover, is_source
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.lint.work import Scope, Work, results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.core.diagnostics import Diagnostic, Report
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.discovery import Candidate


_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


def reached(changed: Iterable[str], gone: Iterable[str], data: Mapping[str, bytes | None]) -> set[str]:
    """Changed files, those that include them, and those that they include: launches and types may come from there.

    Includes are followed by the names of files alone, which takes some too many and none too few.
    """
    includes = {path: {_base(name) for name in _INCLUDE.findall(content or b"")} for path, content in data.items()}
    up = {os.fsencode(os.path.basename(path)) for path in (*changed, *gone)}
    files = set(changed)
    waiting = True
    while waiting:
        more = {path for path, names in includes.items() if path not in files and names & up}
        files |= more
        up |= {os.fsencode(os.path.basename(path)) for path in more}
        waiting = bool(more)
    down = {name for path in changed for name in includes.get(path, ())}
    while True:
        more = {path for path in includes if path not in files and os.fsencode(os.path.basename(path)) in down}
        if not more:
            return files
        files |= more
        down |= {name for path in more for name in includes[path]}


def _base(name: bytes) -> bytes:
    return name.replace(b"\\", b"/").rpartition(b"/")[2]


# What an analysis may read besides sources: what headers are often called, and what says where they are.
_INCLUDED = ("inc", "def", "cl", "impl", "tcc", "txx", "ixx", "h.in", "mk")
BUILD_FILES = frozenset({"Makefile", "makefile", "GNUmakefile", "CMakeLists.txt"})


def commit_of(revision: str) -> tuple[str, str]:
    """Work tree of the working folder and the commit that a revision means there. Raises UsageError."""
    top = git.top(".")
    if top is None:
        raise UsageError(f'"{revision}" is not a folder, and there is no git repository that has it as a revision')
    commit = git.commit(top, revision)
    if commit is None:
        raise UsageError(f'git does not know the revision "{revision}" here')
    return top, commit


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


class Tree(NamedTuple):
    """A folder that is compared. home: the folder that its configuration is looked for in, under the same names."""

    folder: str
    home: str


class Looked(NamedTuple):
    """The content of a file."""

    kernels: tuple[Seen, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    problems: tuple[str, ...] = ()


def side(context: Context, tree: Tree, only: Callable[[str], bool] = lambda _: True) -> tuple[Side, tuple[str, ...]]:
    """The kernels and findings of a tree's files, and what went wrong. only: which files, by their path in it."""
    homes = ((file, _home(tree, file.path)) for file in discover([tree.folder]).files)
    files = [file for file, home in homes if not matches(home, context.of(home).exclude)]
    looked: list[Looked] = []
    groups = _groups(context, tree, files, only)
    with Progress(sys.stderr, sum(len(group) for _, group in groups)) as tell:
        for settings, group in groups:
            scope = Scope(_rebased(settings, tree), tuple(file.path for file in files), (tree.folder,))
            looked += results(_WORK, scope, group, context.jobs, tell=tell)
    kernels = tuple(_relative_kernel(tree, seen) for file in looked for seen in file.kernels)
    diagnostics = tuple(_relative_finding(tree, finding) for file in looked for finding in file.diagnostics)
    problems = tuple(problem.replace(f"{tree.folder}/", "") for file in looked for problem in file.problems)
    return Side(kernels, diagnostics), problems


def unreached(base: Tree, head: Tree) -> frozenset[str]:
    """Files of both trees, by their path in them, whose answers are the same in both: nothing that they come from has
    changed. None for trees with configurations of their own, or whose build files differ.
    """
    if base.home != head.home:
        return frozenset()
    contents = [
        {relative(tree, file.path): read_header(file.path) for file in discover([tree.folder]).files}
        for tree in (base, head)
    ]
    folders = {folder for held in contents for path in held for folder in _folders(path)}
    if any(_build_file(base, place) != _build_file(head, place) for place in _build_places(folders)):
        return frozenset()
    both = contents[0].keys() & contents[1].keys()
    same = {path for path in both if contents[0][path] is not None and contents[0][path] == contents[1][path]}
    touched: set[str] = set()
    for side_files, others in (contents, contents[::-1]):
        touched |= reached(side_files.keys() - same, others.keys() - side_files.keys(), side_files)
    return frozenset(same - touched)


def gpu_files(tree: Tree) -> list[str]:
    """Files of a tree that hold GPU code, by their path in it."""
    files = ((relative(tree, file.path), read_header(file.path)) for file in discover([tree.folder]).files)
    return sorted(path for path, data in files if data is not None and detect_language(path, data) is not None)


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _build_places(folders: Iterable[str]) -> Iterator[str]:
    return (f"{folder}/{name}".lstrip("/") for folder in folders for name in BUILD_FILES)


def _build_file(tree: Tree, place: str) -> bytes | None:
    return read_header(os.path.join(tree.folder, place))


def _groups(
    context: Context, tree: Tree, files: Sequence[Candidate], only: Callable[[str], bool]
) -> list[tuple[Settings, list[Candidate]]]:
    grouped: dict[str | None, tuple[Settings, list[Candidate]]] = {}
    for file in files:
        if only(relative(tree, file.path)):
            resolved = context.files.of(_home(tree, file.path))
            grouped.setdefault(resolved.configuration.path, (resolved.settings, []))[1].append(file)
    return list(grouped.values())


def relative(tree: Tree, path: str) -> str:
    return os.path.relpath(path, tree.folder).replace("\\", "/")


def _home(tree: Tree, path: str) -> str:
    return os.path.join(tree.home, relative(tree, path))


def _rebased(settings: Settings, tree: Tree) -> Settings:
    """Settings whose patterns and folders mean the tree instead of its home; compile commands are the home's alone."""
    if tree.folder == tree.home:
        return settings

    def moved(path: str) -> str:
        inside = path == tree.home or path.startswith(tree.home.rstrip("/") + "/")
        return tree.folder + path[len(tree.home.rstrip("/")) :] if inside else path

    return replace(
        settings,
        per_file_ignores={moved(pattern): rules for pattern, rules in settings.per_file_ignores.items()},
        include_dirs=tuple(map(moved, settings.include_dirs)),
        named_dirs=tuple(map(moved, settings.named_dirs)),
        build_dir=None,
    )


def _relative_kernel(tree: Tree, seen: Seen) -> Seen:
    return seen._replace(row=seen.row._replace(path=relative(tree, seen.row.path)))


def _relative_finding(tree: Tree, finding: Diagnostic) -> Diagnostic:
    return replace(finding, location=finding.location._replace(path=relative(tree, finding.location.path)))


def _look(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> Looked:
    report = lint_bytes(data, path, settings, project=project)
    if not report.files:
        return Looked()
    analysis = analyse(data, path, settings, project)
    assert not isinstance(analysis, Skipped)
    kernels = analysis.attempt("measuring its kernels", lambda: tuple(seen_kernels(analysis)))
    problems = tuple(f"{path}: internal error: {failure.reason}" for failure in analysis.failures)
    return Looked(kernels or (), report.diagnostics, (*report.problems, *problems))


def _unread(problems: tuple[str, ...] = (), warnings: tuple[str, ...] = ()) -> Looked:
    return Looked(problems=problems)


_WORK = Work("compare", _look, _unread)


class Since(NamedTuple):
    """A branch: its work tree, the commit that it left the other one at, and the files that are not as they were.

    changed: by their path in the repository. reached: files whose answers may have changed.
    """

    top: str
    commit: str
    changed: frozenset[str]
    reached: tuple[Candidate, ...]

    def inside(self, path: str) -> str:
        return _inside(self.top, path)

    def narrowed(self, report: Report, context: Context) -> Report:
        """A report with the findings of changed kernels, and findings without a kernel in changed files."""
        paths = {self.inside(diagnostic.location.path) for diagnostic in report.diagnostics}
        if not paths:
            return report
        now, problems = side(context, Tree(self.top, self.top), paths.__contains__)
        renamed = {new: old for old, new in git.renames(self.top, self.commit).items()}
        were = {renamed.get(path, path) for path in paths}
        with extracted(self.top, self.commit) as folder:
            then, more = side(context, Tree(folder, self.top), were.__contains__)
        same = _unchanged(now, then, renamed)

        def kept(finding: Diagnostic) -> bool:
            path = self.inside(finding.location.path)
            return path in self.changed if finding.kernel is None else (path, finding.kernel) not in same

        unsettled = tuple(filter(kept, report.diagnostics))
        return replace(report, diagnostics=unsettled, problems=(*report.problems, *dict.fromkeys((*problems, *more))))


def since(revision: str, files: Sequence[Candidate]) -> Since:
    """The changes of a branch since it left a revision. Raises UsageError."""
    top, named = commit_of(revision)
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
    changed: set[tuple[str, str]] = set()
    for seen in now.kernels:
        path = seen.row.path
        was = (renamed.get(path, path), seen.identity) in before
        (same if was else changed).add((path, seen.row.name))
    return same - changed
