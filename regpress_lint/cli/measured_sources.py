"""Which kernels of the source measured rows are of: for `baseline --measured`, which knows a kernel by its text too."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.context import find, paths_of, scope
from regpress_lint.cli.progress import Progress
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.runner import Crash
from regpress_lint.lint.work import Work, results
from regpress_lint.measured.matching import Measurements, Place
from regpress_lint.views.identity import Body, bodies

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    from regpress_lint.cli.context import Context
    from regpress_lint.core.measured import Row
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project


class Held(NamedTuple):
    """Kernels of a file, and what went wrong with it."""

    bodies: tuple[Body, ...] = ()
    problems: tuple[str, ...] = ()


class Sources(NamedTuple):
    """File and body by measured row, and what went wrong."""

    of: dict[Row, tuple[str, str]]
    problems: tuple[str, ...]


def sources(arguments: argparse.Namespace, here: Context, rows: Sequence[Row], folder: str) -> Sources:
    """Rows whose kernel is in the files of a run; paths are relative to the folder."""
    found = find(arguments, here)
    held: list[Held] = []
    with Progress(sys.stderr, len(found.files)) as tell:
        for resolved, group in here.files.groups(found.files):
            over = scope(arguments, resolved.settings, paths_of(found.files))
            outcomes = results(_WORK, over, group, here.jobs, tell=tell)
            held += [_died(each) if isinstance(each, Crash) else each for each in outcomes]
    problems = (*found.problems, *(line for each in held for line in each.problems))
    return Sources(_matched((body for each in held for body in each.bodies), rows, folder), problems)


def _matched(kernels: Iterable[Body], rows: Sequence[Row], folder: str) -> dict[Row, tuple[str, str]]:
    measurements, targets = Measurements(rows), dict.fromkeys(row.target for row in rows if row.target is not None)
    lines: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    every = list(kernels)
    for body in every:
        lines[body.path, body.name].append((body.line, body.end_line))
    matched: dict[Row, set[tuple[str, str]]] = defaultdict(set)
    for body in every:
        place = Place(body.name, body.path, body.line, body.end_line, tuple(lines[body.path, body.name]))
        for target in targets:
            for row in measurements.of(place, target):
                matched[row].add((relative(body.path, folder), body.digest))
    return {row: _only(places) for row, places in matched.items()}


def _only(places: set[tuple[str, str]]) -> tuple[str, str]:
    """The file and body that all agree on; "" if ambiguous, as for a kernel that two files have."""
    paths, digests = ({each[index] for each in places} for index in (0, 1))
    return paths.pop() if len(paths) == 1 else "", digests.pop() if len(digests) == 1 else ""


def relative(path: str, folder: str) -> str:
    """A path as a baseline has it."""
    try:
        return os.path.relpath(os.path.abspath(path), folder).replace("\\", "/")
    except ValueError:  # another drive
        return os.path.abspath(path).replace("\\", "/")


def _look(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> Held:
    analysis = analyse(data, path, settings, project)
    if isinstance(analysis, Skipped):
        return Held()
    kernels = analysis.attempt("reading its kernels", lambda: tuple(bodies(analysis)))
    return Held(kernels or (), tuple(f"{path}: internal error: {each.reason}" for each in analysis.failures))


def _failed(_path: str, reason: str) -> Held:
    return Held(problems=(reason,))


def _too_large(_path: str, _size: int, _settings: Settings) -> Held:
    return Held()


def _died(crash: Crash) -> Held:
    return Held(problems=(f"{crash.path}: the worker process died ({crash.reason})",))


def _kept(_held: Held) -> Any:
    """Nothing is kept: there is no estimate to wait for."""


def _recalled(_found: Any) -> Held:
    raise ValueError


_WORK = Work("bodies", _look, _failed, _too_large, _kept, _recalled)
