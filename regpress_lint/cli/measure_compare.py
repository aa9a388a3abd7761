"""`measure --compare BASE HEAD`: the same sources by two compilers, and the kernels that come out differently."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.cli.compiled import compilations, in_parallel, is_source, number
from regpress_lint.cli.compilers import chosen
from regpress_lint.cli.context import complain
from regpress_lint.cli.parser import write_json
from regpress_lint.core.errors import UsageError
from regpress_lint.formats import ratchet_diff as formats
from regpress_lint.measured.compile import measured
from regpress_lint.measured.ratchet import compared, taken

if TYPE_CHECKING:
    import argparse

    from regpress_lint.config.load import Configuration
    from regpress_lint.core.measured import Row
    from regpress_lint.measured.ratchet import Taken
    from regpress_lint.measured.toolchains import Toolchain

_FORMATS = ("text", "json")


def run(arguments: argparse.Namespace, project: Configuration, targets: tuple[str, ...]) -> int:
    """Exit status: 0, or 2 if nothing could be compiled by both. Raises UsageError."""
    if arguments.output_format not in _FORMATS:
        raise UsageError(f"--compare writes {' or '.join(_FORMATS)}")
    if arguments.log or arguments.output or not all(map(is_source, arguments.files)):
        raise UsageError("--compare compiles: name sources or -p BUILD_DIR, and no logs, objects or --output")
    base, head = arguments.compare
    block = number(arguments.block_size, "--block-size", 1, 1024)
    sides = [_side(arguments, project, targets, compiler, block) for compiler in (base, head)]
    if not all(sides):
        return 2
    moves = compared(*sides)
    if arguments.output_format == "json":
        write_json(formats.document(moves, base, head))
    else:
        from regpress_lint.formats.terminal import Palette, line_width, use_color

        palette = Palette(use_color(sys.stdout, os.environ))
        sys.stdout.writelines(formats.text(moves, palette, line_width(sys.stdout, os.environ)))
    return 0


def _side(
    arguments: argparse.Namespace, project: Configuration, targets: tuple[str, ...], compiler: str, block: int
) -> list[Taken]:
    """The rows of the sources with one compiler. Raises UsageError if the compiler is missing."""
    found = compilations(arguments, arguments.files, targets, (*chosen(arguments, project), compiler))
    if not _is_there(found.tools, compiler):
        raise UsageError(f'--compare: no compiler "{compiler}" on PATH, or in a folder that is compiled')
    seconds, jobs = number(arguments.seconds, "--seconds", 1, 86_400), number(arguments.jobs, "-j", 1, 256)
    work = [partial(measured, job.unit, job.target, found.tools, seconds) for job in found.jobs]
    readings = list(in_parallel(work, jobs))
    problems = [*found.problems, *(f"{compiler}: {line}" for each in readings for line in each.problems)]
    rows = [row for each in readings for row in each.rows]
    complain(problems, "warning" if rows else "error")
    return taken(rows, block, _file)


def _is_there(tools: Toolchain, compiler: str) -> bool:
    """False for one that is not found, in whose place another of its kind would run."""
    if os.sep in compiler:
        return os.path.abspath(compiler) in tools[:3]
    return any(each is not None and os.path.basename(each) == compiler for each in tools[:3])


def _file(row: Row) -> tuple[str, str]:
    return (row.path or row.unit or "").replace("\\", "/"), ""
