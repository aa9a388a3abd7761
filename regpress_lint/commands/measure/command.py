"""`regpress-lint measure`: what compilers say that kernels take, out of builds, logs, assembly and objects.

`--compare BASE HEAD` compiles the same sources by two compilers and shows the kernels that come out differently.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cli import options
from regpress_lint.cli.context import complain
from regpress_lint.cli.measured import bytes_of, content, targets_of, usual_targets
from regpress_lint.cli.parser import format_of, write_json
from regpress_lint.commands.measure import ratchet
from regpress_lint.commands.measure.compilers import chosen, compilations, in_parallel, installed, is_source, number
from regpress_lint.commands.measure.output import groups
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.measured.compile import measured
from regpress_lint.measured.inputs import read
from regpress_lint.measured.ratchet import compared, taken
from regpress_lint.measured.rows import Reading

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from regpress_lint.commands.measure.output import GroupRow
    from regpress_lint.config.load import Configuration
    from regpress_lint.core.measured import Row
    from regpress_lint.measured.ratchet import Taken
    from regpress_lint.measured.toolchains import Toolchain


_FORMATS = ("text", "json")


def compare(arguments: argparse.Namespace, project: Configuration, targets: tuple[str, ...]) -> int:
    """Exit status: 0, or 2 if nothing could be compiled by both. Raises UsageError."""
    if arguments.output_format not in _FORMATS:
        raise UsageError(f"--compare writes {' or '.join(_FORMATS)}")
    if arguments.log or arguments.output or not all(map(is_source, arguments.files)):
        raise UsageError("--compare compiles: name sources or -p BUILD_DIR, and no logs, objects or --output")
    base, head = map(installed, arguments.compare)
    block = number(arguments.block_size, "--block-size", 1024)
    warned: set[str] = set()
    sides = [_side(arguments, project, targets, compiler, block, warned) for compiler in (base, head)]
    if not all(sides):
        return 2
    moves = compared(*sides)
    if arguments.output_format == "json":
        write_json(ratchet.document(moves, base, head))
    else:
        from regpress_lint.render.terminal import Palette, line_width, use_color

        palette = Palette(use_color(sys.stdout, os.environ))
        sys.stdout.writelines(ratchet.text(moves, palette, line_width(sys.stdout, os.environ)))
    return 0


def _side(
    arguments: argparse.Namespace,
    project: Configuration,
    targets: tuple[str, ...],
    compiler: str,
    block: int,
    told: set[str],
) -> list[Taken]:
    """The rows of the sources with one compiler. told: what was said of them with the other. Raises UsageError if the
    compiler is missing.
    """
    compiled = compilations(arguments, arguments.files, targets, (*chosen(arguments, project), compiler))
    if not _is_there(compiled.tools, compiler):
        raise UsageError(f'--compare: no compiler "{compiler}" on PATH, or in a folder that is compiled')
    seconds, jobs = number(arguments.seconds, "--seconds", 86_400), number(arguments.jobs, "-j", 256)
    work = [partial(measured, job.unit, job.target, compiled.tools, seconds) for job in compiled.jobs]
    readings = list(in_parallel(work, jobs))
    problems = [*compiled.problems, *(f"{compiler}: {line}" for reading in readings for line in reading.problems)]
    rows = [row for reading in readings for row in reading.rows]
    complain((line for line in problems if line not in told), "warning" if rows else "error")
    told.update(problems)
    return taken(rows, block, _file)


def _is_there(tools: Toolchain, compiler: str) -> bool:
    """False for one that is not found, in whose place another of its kind would run."""
    programs = (tools.hip, tools.cuda, tools.intel, tools.assembler)
    if os.sep in compiler:
        return os.path.abspath(compiler) in programs
    return any(program is not None and os.path.basename(program) == compiler for program in programs)


def _file(row: Row) -> str:
    return (row.path or row.unit or "").replace("\\", "/")


FORMATS = ("text", "json", "csv")
_STDIN = "-"


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"{parser.description}. Logs: clang's -Rpass-analysis=kernel-resource-usage, ptxas -v, IGC's "
        "warnings of spills. Objects: AMD's code objects, cubins, Intel's device binaries, and bundles, fat "
        "binaries, executables and libraries that hold them."
    )
    parser.epilog = "Exit status: 0, or 2 for wrong use and where no kernel was found."
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="objects, assembly, logs, or sources to compile; - reads standard input",
    )
    options.repeated(parser, "--log", "FILE", "a build log; - reads standard input")
    options.repeated(parser, "--arch", "NAMES", "GPUs that are compiled for, and of logs without names")
    options.value(parser, "--block-size", "N", "threads per block for the waves (default: 256)", default="256")
    options.value(parser, "--output-format", "NAME", "text (default), json or csv", default="text")
    options.value(parser, "--output", "FILE", "write to this file")
    parser.add_argument(
        "--compare",
        nargs=2,
        metavar=("BASE", "HEAD"),
        help="compile the sources by two compilers and show the kernels that come out differently",
    )
    options.compilers(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `measure`: 0, or 2 if something could not be read. Raises UsageError."""
    name = format_of(arguments.output_format, FORMATS)
    targets = targets_of(arguments.arch)
    block = number(arguments.block_size, "--block-size", 1024)
    if not (arguments.files or arguments.log or arguments.build_dir):
        raise UsageError(
            "nothing to measure: name sources, objects or assembly, a build log by --log, or a build by -p"
        )
    if arguments.compare is not None:
        return compare(arguments, _project(arguments), targets)
    readings = [*_compiled(arguments, targets), *_readings(arguments, targets)]
    rows = groups((row for reading in readings for row in reading.rows), block)
    problems = [line for reading in readings for line in reading.problems]
    problems += [] if rows or problems else ["no kernel was found"]
    _write(name, rows, problems, arguments.output)
    complain(problems, "warning" if rows else "error")
    return 0 if rows else 2


def _compiled(arguments: argparse.Namespace, targets: tuple[str, ...]) -> Iterator[Reading]:
    """The rows of compiled sources, in the order of the files."""
    sources = [path for path in arguments.files if is_source(path)]
    if not sources and arguments.build_dir is None:
        return
    from functools import partial

    from regpress_lint.commands.measure.compilers import chosen, compilations, in_parallel
    from regpress_lint.measured.compile import measured

    seconds = number(arguments.seconds, "--seconds", 86_400)
    jobs = number(arguments.jobs, "-j", 256)
    compiled = compilations(arguments, sources, targets, chosen(arguments, _project(arguments)))
    yield Reading((), compiled.problems)
    work = [partial(measured, job.unit, job.target, compiled.tools, seconds) for job in compiled.jobs]
    yield from in_parallel(work, jobs)


def _project(arguments: argparse.Namespace) -> Configuration:
    """The project's configuration, which only says something here if the user trusts it. Raises UsageError."""
    from regpress_lint.config.load import Configuration, load

    return load(arguments.files) if arguments.trust_project_compilers else Configuration()


def _readings(arguments: argparse.Namespace, targets: tuple[str, ...]) -> Iterator[Reading]:
    files = (path for path in arguments.files if not is_source(path))
    for path in (*files, *(arguments.log or ())):
        std = path == _STDIN
        name = "<stdin>" if std else path.replace("\\", "/")
        data = content(sys.stdin.buffer, name) if std else bytes_of(path)
        reading = read(data, name, targets)
        if any(row.target is None for row in reading.rows):  # only then is a configuration asked for
            reading = read(data, name, usual_targets(arguments.arch, () if std else (path,)))
        yield reading


def _write(name: str, rows: list[GroupRow], problems: list[str], path: str | None) -> None:
    if path is not None:
        from contextlib import redirect_stdout
        from io import StringIO

        from regpress_lint.cli.files import replace_file

        with redirect_stdout(StringIO()) as stream:
            _print(name, rows, problems)
        try:
            replace_file(path, stream.getvalue().encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise UsageError(f'cannot write "{path}": {os_reason(error)}') from None
    else:
        _print(name, rows, problems)


def _print(name: str, rows: list[GroupRow], problems: list[str]) -> None:
    if name == "json":
        from regpress_lint.commands.measure.output import document

        write_json(document(rows, problems))
    elif name == "csv":
        from regpress_lint.commands.measure.output import text

        sys.stdout.write(text(rows))
    elif rows:
        from regpress_lint.commands.measure.output import lines
        from regpress_lint.render.terminal import line_width

        print("\n".join(lines(rows, line_width(sys.stdout, os.environ))))
