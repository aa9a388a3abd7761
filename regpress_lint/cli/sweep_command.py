"""`regpress-lint kernels --sweep NAME=V1,V2`: kernels at several block sizes, arguments or constants."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cli.context import (
    complain,
    context,
    find,
    paths_of,
    read_stdin,
    readable,
    reads_stdin,
    scope,
    stdin_path,
)
from regpress_lint.cli.parser import write_json
from regpress_lint.core.errors import UsageError, one_line, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.analysis import too_large
from regpress_lint.lint.runner import Crash
from regpress_lint.lint.work import Scope, Work, results
from regpress_lint.views.sweep import Axis, Swept, axes_of, file_sweep

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project

_FORMATS = ("text", "json", "csv")


class SweptFile(NamedTuple):
    """The sweeps of one file, and messages about it."""

    sweeps: tuple[Swept, ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `kernels --sweep`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    for name in ("sort", "top", "advise", "measured", "disagreements"):
        if getattr(arguments, name, None):
            raise UsageError(f"--sweep and --{name} do not go together")
    chosen = arguments.output_format
    if chosen not in _FORMATS:
        raise UsageError(
            f'unknown output format "{chosen}"{suggestion(chosen, _FORMATS)}; --sweep knows text, json and csv'
        )
    if not arguments.paths:
        raise UsageError("kernels: the following arguments are required: PATH")
    axes = axes_of(arguments.sweep)
    arguments.output_format = "text"  # `csv` is no format of the configuration
    here = context(arguments)
    problems: list[str] = []
    ask = partial(_ask, axes, tuple(arguments.kernel or ()))
    if reads_stdin(arguments):
        path = stdin_path(arguments)
        around = Scope(here.settings, (path,)).projects()
        data = readable(read_stdin(here.settings), path, here.settings)
        parts = [ask(data, path, here.settings, partial(around.of, path))]
    else:
        work = Work("sweep", ask, _failed, _too_large, _encoded, _decoded)
        found = find(arguments, here)
        problems += found.problems
        parts = []
        for resolved, group in here.files.groups(found.files):
            over = scope(arguments, resolved.settings, paths_of(found.files))
            parts += [_result(outcome) for outcome in results(work, over, group, here.jobs)]
    sweeps = sorted((each for part in parts for each in part.sweeps), key=lambda each: each.path)
    problems += [line for part in parts for line in part.problems]
    if not sweeps and not problems:
        names = ", ".join(axis.name for axis in axes)
        raise UsageError(f"--sweep: no kernel here changes with {names} (--kernel NAME shows one all the same)")
    _write(sweeps, chosen)
    complain((line for part in parts for line in part.warnings), "warning")
    complain(problems)
    return 2 if problems else 0


def _write(sweeps: list[Swept], chosen: str) -> None:
    from regpress_lint.formats import sweep

    if chosen == "json":
        write_json(sweep.document(sweeps))
    elif chosen == "csv":
        sys.stdout.write(sweep.csv_text(sweeps))
    elif sweeps:
        from regpress_lint.formats.terminal import line_width

        print("\n".join(sweep.lines(sweeps, line_width(sys.stdout, os.environ))))


def _ask(
    axes: tuple[Axis, ...],
    patterns: tuple[str, ...],
    data: bytes,
    path: str,
    settings: Settings,
    project: Callable[[], Project],
) -> SweptFile:
    try:
        return SweptFile(tuple(file_sweep(data, path, settings, project, axes, patterns)))
    except Exception as error:  # as everywhere: one file must not end the run
        return SweptFile(problems=(f"{path}: internal error: {one_line(error)}",))


def _failed(_path: str, reason: str) -> SweptFile:
    return SweptFile(problems=(reason,))


def _too_large(path: str, size: int, settings: Settings) -> SweptFile:
    return SweptFile(warnings=(too_large(path, size, settings),))


def _result(outcome: SweptFile | Crash) -> SweptFile:
    if isinstance(outcome, Crash):
        return SweptFile(problems=(f"{outcome.path}: the worker process died ({outcome.reason})",))
    return outcome


def _encoded(_found: SweptFile) -> None:
    """A sweep answers a question of the moment, and is not cached."""


def _decoded(_found: object) -> SweptFile:
    return SweptFile()
