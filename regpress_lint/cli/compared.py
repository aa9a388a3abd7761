"""One tree as a comparison needs it: its kernels and findings, with paths relative to the tree."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.progress import Progress
from regpress_lint.cli.reach import reached
from regpress_lint.cli.trees import BUILD_FILES
from regpress_lint.core.globs import matches
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import read_header
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.pipeline import lint_bytes
from regpress_lint.lint.work import Scope, Work, results
from regpress_lint.views.changes import Side
from regpress_lint.views.identity import Seen, seen_kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.discovery import Candidate
    from regpress_lint.lint.runner import Crash


class Tree(NamedTuple):
    """A folder that is compared. home: the folder that its configuration is looked for in, under the same names."""

    folder: str
    home: str


class Looked(NamedTuple):
    """The content of a file."""

    kernels: tuple[Seen, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    problems: tuple[str, ...] = ()


def side(here: Context, tree: Tree, only: Callable[[str], bool] = lambda _: True) -> tuple[Side, tuple[str, ...]]:
    """The kernels and findings of a tree's files, and what went wrong. only: which files, by their path in it."""
    found = discover([tree.folder])
    files = [
        file for file in found.files if not matches(_home(tree, file.path), here.of(_home(tree, file.path)).exclude)
    ]
    looked: list[Looked] = []
    groups = _groups(here, tree, files, only)
    with Progress(sys.stderr, sum(len(group) for _, group in groups)) as tell:
        for settings, group in groups:
            scope = Scope(_rebased(settings, tree), tuple(file.path for file in files), (tree.folder,))
            outcomes = results(_WORK, scope, group, here.jobs, tell=tell)
            looked += [each if isinstance(each, Looked) else _died(each) for each in outcomes]
    kernels = tuple(_relative_kernel(tree, seen) for each in looked for seen in each.kernels)
    diagnostics = tuple(_relative_finding(tree, item) for each in looked for item in each.diagnostics)
    problems = tuple(problem.replace(f"{tree.folder}/", "") for each in looked for problem in each.problems)
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
    for own, other in (contents, contents[::-1]):
        touched |= reached(own.keys() - same, other.keys() - own.keys(), own)
    return frozenset(same - touched)


def gpu_files(tree: Tree) -> list[str]:
    """Files of a tree that hold GPU code, by their path in it."""
    files = ((relative(tree, file.path), read_header(file.path)) for file in discover([tree.folder]).files)
    return sorted(path for path, data in files if data is not None and detect_language(path, data) is not None)


def _folders(path: str) -> list[str]:
    """All folders above a path."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:count]) for count in range(len(parts) + 1)]


def _build_places(folders: Iterable[str]) -> Iterator[str]:
    return (f"{folder}/{name}".lstrip("/") for folder in folders for name in BUILD_FILES)


def _build_file(tree: Tree, place: str) -> bytes | None:
    return read_header(os.path.join(tree.folder, place))


def _groups(
    here: Context, tree: Tree, files: Sequence[Candidate], only: Callable[[str], bool]
) -> list[tuple[Settings, list[Candidate]]]:
    """Files with the same settings."""
    grouped: dict[str | None, tuple[Settings, list[Candidate]]] = {}
    for file in files:
        if only(relative(tree, file.path)):
            resolved = here.files.of(_home(tree, file.path))
            grouped.setdefault(resolved.configuration.path, (resolved.settings, []))[1].append(file)
    return list(grouped.values())


def relative(tree: Tree, path: str) -> str:
    """A path in the tree."""
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

    return settings._replace(
        per_file_ignores={moved(pattern): rules for pattern, rules in settings.per_file_ignores.items()},
        include_dirs=tuple(map(moved, settings.include_dirs)),
        build_dir=None,
    )


def _relative_kernel(tree: Tree, seen: Seen) -> Seen:
    return seen._replace(row=seen.row._replace(path=relative(tree, seen.row.path)))


def _relative_finding(tree: Tree, found: Diagnostic) -> Diagnostic:
    return found._replace(location=found.location._replace(path=relative(tree, found.location.path)))


def _look(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> Looked:
    report = lint_bytes(data, path, settings, project=project)
    if not report.files:
        return Looked()
    analysis = analyse(data, path, settings, project)
    assert not isinstance(analysis, Skipped)
    kernels = analysis.attempt("measuring its kernels", lambda: tuple(seen_kernels(analysis)))
    problems = tuple(f"{path}: internal error: {failure.reason}" for failure in analysis.failures)
    return Looked(kernels or (), report.diagnostics, (*report.problems, *problems))


def _failed(_path: str, reason: str) -> Looked:
    return Looked(problems=(reason,))


def _too_large(_path: str, _size: int, _settings: Settings) -> Looked:
    return Looked()


def _died(crash: Crash) -> Looked:
    return Looked(problems=(f"{crash.path}: the worker process died ({crash.reason})",))


def _kept(_looked: Looked) -> Any:
    """Nothing is kept: the folders of commits have a new name each time."""


def _recalled(_found: Any) -> Looked:
    raise ValueError


_WORK = Work("compare", _look, _failed, _too_large, _kept, _recalled)
