"""`regpress-lint kernels --advise [KERNEL]`: the changes that would help, tried in memory; nothing is written."""

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
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.advice.choosing import file_advice
from regpress_lint.lint.analysis import Skipped, analyse, too_large
from regpress_lint.lint.runner import Crash
from regpress_lint.lint.work import Scope, Work, results

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project
    from regpress_lint.lint.advice.advice_data import KernelAdvice


class Advised(NamedTuple):
    """The result for one file: advice for its kernels, the names of all of them, and messages about the file."""

    kernels: tuple[KernelAdvice, ...] = ()
    names: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `kernels --advise`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    as_json = output_is_json(arguments)
    for name in ("sort", "top"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--advise and --{name} do not go together")
    kernel = _kernel_and_paths(arguments)
    here = context(arguments)
    problems: list[str] = []
    work = Work("advise", partial(_ask, kernel), _failed, _too_large, _encoded, _decoded)
    if reads_stdin(arguments):
        path = stdin_path(arguments)
        around = Scope(here.settings, (path,)).projects()
        data = readable(read_stdin(here.settings), path, here.settings)
        parts = [_ask(kernel, data, path, here.settings, partial(around.of, path))]
    else:
        found = find(arguments, here)
        problems += found.problems
        parts = []
        for resolved, group in here.files.groups(found.files):
            over = scope(arguments, resolved.settings, paths_of(found.files))
            outcomes = results(work, over, group, here.jobs)
            parts += map(_result, outcomes)
    _known(kernel, parts)
    kernels = sorted((each for part in parts for each in part.kernels), key=lambda each: each.path)
    _write(kernels, as_json=as_json)
    complain((line for part in parts for line in part.warnings), "warning")
    problems += [line for part in parts for line in part.problems]
    complain(problems)
    return 2 if problems else 0


def _kernel_and_paths(arguments: argparse.Namespace) -> str:
    """The requested kernel; an argument that is a path rather than a name is one of the paths."""
    given: str = arguments.advise
    if given and os.path.exists(given):
        arguments.paths = [given, *arguments.paths]
        return ""
    if not arguments.paths:
        raise UsageError("kernels: the following arguments are required: PATH")
    return given


def _known(kernel: str, parts: Iterable[Advised]) -> None:
    """Raises UsageError for a kernel that no file has."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    if kernel and kernel not in names:
        raise UsageError(f'--advise: no kernel and no path "{kernel}"{suggestion(kernel, names)}')


def _write(kernels: list[KernelAdvice], *, as_json: bool) -> None:
    if as_json:
        from regpress_lint.formats.advice_json import document

        write_json(document(kernels))
    elif kernels:
        from regpress_lint.formats.advice_text import lines
        from regpress_lint.formats.terminal import DEFAULT_WIDTH, line_width

        print("\n".join(lines(kernels, line_width(sys.stdout, os.environ) or DEFAULT_WIDTH)))


def _ask(kernel: str, data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> Advised:
    analysis = analyse(data, path, settings, project)
    if isinstance(analysis, Skipped):
        return Advised(warnings=(analysis.warning,) if analysis.warning else ())
    names = analysis.attempt("parsing", lambda: tuple(each.name for each in analysis.file.kernels))
    found = analysis.attempt("trying changes", lambda: tuple(file_advice(analysis, kernel))) if names else ()
    problems = tuple(f"{path}: internal error: {failure.reason}" for failure in analysis.failures)
    return Advised(found or (), names or (), problems)


def _failed(_path: str, reason: str) -> Advised:
    return Advised(problems=(reason,))


def _too_large(path: str, size: int, settings: Settings) -> Advised:
    return Advised(warnings=(too_large(path, size, settings),))


def _result(outcome: Advised | Crash) -> Advised:
    if isinstance(outcome, Crash):
        return Advised(problems=(f"{outcome.path}: the worker process died ({outcome.reason})",))
    return outcome


def _encoded(_found: Advised) -> None:
    """Advice is computed for one kernel at a time, and not cached."""


def _decoded(_found: object) -> Advised:
    return Advised()
