"""`regpress-lint kernels`: what every kernel takes and what that leaves, without judgement."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from regpress_lint.cli.context import (
    Task,
    complain,
    context,
    find,
    folders,
    paths_of,
    projects,
    read_stdin,
    reads_stdin,
    stdin_path,
    tell_semantic,
)
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.lint.analysis import Skipped, analyse, too_large
from regpress_lint.lint.runner import Crash
from regpress_lint.lint.runner import run as run_tasks
from regpress_lint.views.kernels import KernelRow, kernel_rows

if TYPE_CHECKING:
    import argparse

    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.projects import Projects


class Rows(NamedTuple):
    """Kernels of one file, and what was said about the file instead."""

    kernels: tuple[KernelRow, ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    traceback: str = ""
    files: int = 0
    notes: tuple[str, ...] = ()
    settled: tuple[dict[str, Any], ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `kernels`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    as_json = output_is_json(arguments)
    here = context(arguments)
    settings = here.settings
    problems: list[str] = []
    if reads_stdin(arguments):
        path = stdin_path(arguments)
        results = [_rows(read_stdin(settings), path, settings, projects(settings, (path,)))]
    else:
        found = find(arguments, settings)
        problems += found.problems
        task = Task(_rows, _failed, settings, paths_of(found.files), folders(arguments), _too_large)
        outcomes: list[Rows | Crash] = run_tasks(task, found.files, here.jobs)
        results = [_result(outcome) for outcome in outcomes]
        if not found.named and not problems and not any(part.files or part.problems for part in results):
            problems.append(f"no HIP, CUDA or SYCL code in {len(found.files)} files")
    kernels = [kernel for part in results for kernel in part.kernels]
    settled = [one for part in results for one in part.settled]
    if as_json:
        from regpress_lint.formats.kernels_json import document

        write_json(document(kernels, settled))
    elif kernels:
        from regpress_lint.formats.kernels_text import lines

        print("\n".join(lines(kernels)))
    complain((line for part in results for line in part.warnings), "warning")
    problems += [line for part in results for line in part.problems]
    complain(problems)
    notes = [note for part in results for note in part.notes]
    tell_semantic(notes, _settled_lines(settled), verbose=arguments.verbose)
    if arguments.verbose:
        print("".join(part.traceback for part in results), end="", file=sys.stderr)
    return 2 if problems else 0


def _settled_lines(settled: list[dict[str, Any]]) -> tuple[str, ...]:
    if not settled:
        return ()
    from regpress_lint.semantics.settled import settled_line

    return tuple(map(settled_line, settled))


def _failed(_path: str, reason: str) -> Rows:
    return Rows(problems=(reason,))


def _too_large(path: str, size: int, settings: Settings) -> Rows:
    return Rows(warnings=(too_large(path, size, settings),))


def _result(outcome: Rows | Crash) -> Rows:
    if isinstance(outcome, Crash):
        return Rows(problems=(f"{outcome.path}: the worker process died ({outcome.reason})",))
    return outcome


def _rows(data: bytes, path: str, settings: Settings, around: Projects) -> Rows:
    analysis = analyse(data, path, settings, partial(around.of, path))
    if isinstance(analysis, Skipped):
        return Rows(warnings=(analysis.warning,) if analysis.warning else ())
    rows = analysis.attempt("measuring its kernels", lambda: tuple(kernel_rows(analysis)))
    problems = tuple(f"{path}: internal error: {failure.reason}" for failure in analysis.failures)
    if rows is None:
        return Rows(problems=problems, traceback="".join(each.traceback for each in analysis.failures), files=1)
    return Rows(rows, files=1, notes=analysis.notes(), settled=tuple(analysis.settled()))
