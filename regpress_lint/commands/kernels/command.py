"""`regpress-lint kernels`: what every kernel takes and what that leaves, without judgement."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from regpress_lint.cli import options
from regpress_lint.cli.context import cache_of, complain, run_context, settled_lines, tell_semantic
from regpress_lint.cli.inputs import asked, nothing_here
from regpress_lint.cli.parser import output_is_json, write_json
from regpress_lint.commands.kernels.headers import of_launches
from regpress_lint.commands.kernels.rows import ORDERS, KernelRow, kernel_rows, row_of
from regpress_lint.config.options import WrongValueError, whole
from regpress_lint.core.errors import UsageError, suggestion
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.analysis import Skipped, analyse
from regpress_lint.lint.work import Work

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project


class Rows(NamedTuple):
    """Kernels of one file, and messages about the file. headers: those that may have the kernels that it launches."""

    kernels: tuple[KernelRow, ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    traceback: str = ""
    files: int = 0
    notes: tuple[str, ...] = ()
    settled: tuple[dict[str, Any], ...] = ()
    headers: tuple[str, ...] = ()


# A file of launches and instantiations alone is usual, and an empty answer would look like a failure.
_NO_KERNEL = "no kernel is defined in the named files; one of a header is shown where the header is named"
_OF_LIBRARY = ", and one of a library that is missing (`cutlass::device_kernel<...>`) is not followed"


def declare(parser: argparse.ArgumentParser) -> None:
    options.paths(parser, "files and folders; - reads standard input")
    options.configuration(parser)
    options.value(parser, "--output-format", "NAME", "text (default), json or csv", default="text")
    options.value(
        parser, "--sort", "COLUMN", "most first: registers, scratch, lds, block; fewest first: waves; or name"
    )
    options.value(parser, "--top", "N", "only the first N kernels")
    parser.add_argument(
        "--advise",
        metavar="KERNEL",
        nargs="?",
        const="",
        help="in place of the rows: the changes that bring a kernel (all of them, if none is named) to more waves or "
        "out of memory, tried on a copy in memory",
    )
    options.repeated(
        parser,
        "--sweep",
        "NAME=VALUES",
        "in place of the rows: one per value of the block size (block=64,128,256), a template parameter, a "
        "macro or a constant; repeat it for a grid",
    )
    options.repeated(parser, "--kernel", "GLOB", "only kernels of these names (repeatable)")
    options.repeated(
        parser, "--measured", "FILE", "compilers' numbers beside the estimate: JSON of `measure`, a log or an object"
    )
    options.switch(parser, "--disagreements", "only kernels outside their band, or with other private memory")
    options.verbose(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `kernels`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    if arguments.sweep:
        from regpress_lint.commands.kernels import sweep_command

        return sweep_command.run(arguments)
    if arguments.advise is not None:
        from regpress_lint.commands.kernels import advise

        return advise.run(arguments)
    form = _form(arguments)
    order = _order(arguments.sort)
    top = None if arguments.top is None else _number(arguments.top)
    context = run_context(arguments)
    parts, problems, discovered = asked(arguments, context, _WORK, cache_of(context, plugins=False))
    nothing = not problems and not any(part.files or part.problems for part in parts)
    if discovered is not None and not discovered.named and nothing:
        problems.append(nothing_here(discovered, [line for part in parts for line in part.warnings]))
    kernels = _named([kernel for part in parts for kernel in part.kernels], arguments.kernel)
    kernels.sort(key=lambda kernel: kernel.path)  # files with other settings come by themselves
    kernels = sorted(kernels, key=order)[:top] if order else kernels[:top]
    settled = [answer for part in parts for answer in part.settled]
    if arguments.measured:
        from regpress_lint.commands.kernels.agreement import show

        complain(show(kernels, arguments, context.settings.architectures, as_json=form == "json"), "warning")
    else:
        _write(kernels, settled, form)
    problems += [line for part in parts for line in part.problems]
    _tell(parts, problems, nothing=not kernels and form != "json")
    notes = [note for part in parts for note in part.notes]
    tell_semantic(notes, settled_lines(settled), verbose=arguments.verbose)
    if arguments.verbose:
        print("".join(part.traceback for part in parts), end="", file=sys.stderr)
    return 2 if problems else 0


def _form(arguments: argparse.Namespace) -> str:
    """`text`, `json` or `csv`. Raises UsageError for options that exclude or need each other."""
    if not arguments.paths:
        raise UsageError("kernels: the following arguments are required: PATH")
    if arguments.output_format == "csv":
        if arguments.measured:
            raise UsageError("--output-format csv cannot be combined with --measured; `measure` writes its own csv")
        arguments.output_format = None  # a format of this command alone
        form = "csv"
    else:
        form = "json" if output_is_json(arguments) else "text"
    if arguments.disagreements and not arguments.measured:
        raise UsageError("--disagreements requires --measured FILE")
    return form


def _named(kernels: list[KernelRow], globs: Sequence[str] | None) -> list[KernelRow]:
    """Kernels whose names match one of the patterns. Raises UsageError if there are kernels, and none does."""
    if not globs or not kernels:
        return kernels
    from fnmatch import fnmatchcase

    named = [kernel for kernel in kernels if any(fnmatchcase(kernel.name, glob) for glob in globs)]
    if not named:
        names = " or ".join(f'"{glob}"' for glob in globs)
        names_here = {kernel.name for kernel in kernels}
        raise UsageError(f"--kernel: no kernel here is called {names}{suggestion(globs[0], names_here)}")
    return named


def _tell(parts: Sequence[Rows], problems: Sequence[str], *, nothing: bool) -> None:
    """Warnings and errors of a run. nothing: no kernel was printed, and a person reads the output."""
    complain(dict.fromkeys(line for part in parts for line in part.warnings), "warning")
    if nothing and not problems and not any(part.warnings for part in parts):
        first, *more = (*dict.fromkeys(header for part in parts for header in part.headers), "")
        others = f" (and {len(more) - 1} more)" if len(more) > 1 else ""
        complain((f"{_NO_KERNEL}: {first}{others}" if first else _NO_KERNEL + _OF_LIBRARY,), "warning")
    complain(problems)


def _write(kernels: Sequence[KernelRow], settled: Sequence[dict[str, Any]], form: str) -> None:
    if form == "csv":
        from regpress_lint.commands.kernels.output import write

        write(kernels, sys.stdout)
    elif form == "json":
        from regpress_lint.commands.kernels.output import document

        write_json(document(kernels, settled))
    elif kernels:
        from regpress_lint.commands.kernels.output import lines
        from regpress_lint.render.terminal import line_width

        # In a pipe a kernel's name and its numbers are one line, however long, for `grep` and its like.
        whole_lines = not sys.stdout.isatty() and "COLUMNS" not in os.environ
        print("\n".join(lines(kernels, None if whole_lines else line_width(sys.stdout, os.environ))))


def _order(name: str | None) -> Callable[[KernelRow], Any] | None:
    if name is None:
        return None
    if name not in ORDERS:
        columns = ", ".join(ORDERS)
        raise UsageError(f'--sort: no column "{name}"{suggestion(name, ORDERS)}; known are {columns}')
    return ORDERS[name]


def _number(text: str) -> int:
    try:
        return whole(1, 1_000_000)(text)
    except WrongValueError as error:
        raise UsageError(f"--top: {error}") from None


def _rows(data: bytes, path: str, settings: Settings, project: Callable[[], Project]) -> Rows:
    analysis = analyse(data, path, settings, project)
    if isinstance(analysis, Skipped):
        return Rows(warnings=(analysis.warning,) if analysis.warning else ())
    rows = analysis.attempt("measuring its kernels", lambda: tuple(kernel_rows(analysis)))
    problems = tuple(f"{path}: internal error: {failure.reason}" for failure in analysis.failures)
    if rows is None:
        return Rows(problems=problems, traceback="".join(failure.traceback for failure in analysis.failures), files=1)
    headers = of_launches(project(), path, data) if not rows else ()
    remarks, notes, settled = analysis.remarks(), analysis.notes(), tuple(analysis.settled())
    return Rows(rows, warnings=remarks, files=1, notes=notes, settled=settled, headers=headers)


def _encoded(rows: Rows) -> Any:
    """Rows as JSON, None for those of a file that something went wrong with."""
    unfit = rows.problems or rows.traceback or rows.notes
    return (
        None
        if unfit
        else [rows.kernels, rows.warnings, rows.files, rows.settled, rows.headers]
        if rows != Rows()
        else []
    )


def _decoded(fields: Any) -> Rows:
    if not fields:
        return Rows()
    kernels, warnings, files, *others = fields
    settled, headers = map(tuple, others)
    return Rows(tuple(map(row_of, kernels)), (), tuple(warnings), "", int(files), (), settled, headers)


_WORK = Work("kernels", _rows, Rows, _encoded, _decoded)
