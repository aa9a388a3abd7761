"""`regpress-lint measure`: what compilers say that kernels take, out of logs, assembly and objects."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.context import complain
from regpress_lint.cli.measured import bytes_of, targets_of
from regpress_lint.cli.parser import write_json
from regpress_lint.config.options import WrongValueError, whole
from regpress_lint.core.errors import UsageError, os_reason, suggestion
from regpress_lint.measured.inputs import read
from regpress_lint.views.measured import groups

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from regpress_lint.measured.rows import Reading
    from regpress_lint.views.measured import GroupRow

FORMATS = ("text", "json", "csv")
_LARGEST = 1 << 30
_STDIN = "-"


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `measure`: 0, or 2 if something could not be read. Raises UsageError."""
    name = arguments.output_format
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise UsageError(f'unknown output format "{name}"{suggestion(name, FORMATS)}; known are {known}')
    targets = targets_of(arguments.arch)
    block = _number(arguments.block_size)
    if not (arguments.files or arguments.log):
        raise UsageError("nothing to measure: name objects or assembly, or a build log by --log")
    readings = list(_readings(arguments, targets))
    problems = [line for each in readings for line in each.problems]
    found = groups((row for each in readings for row in each.rows), block)
    _write(name, found, problems, arguments.output)
    complain(problems, "warning" if found else "error")
    return 0 if found else 2


def _readings(arguments: argparse.Namespace, targets: tuple[str, ...]) -> Iterator[Reading]:
    for path in (*arguments.files, *(arguments.log or ())):
        if path == _STDIN:
            yield read(sys.stdin.buffer.read(_LARGEST), "<stdin>", targets)
            continue
        yield read(bytes_of(path), path.replace("\\", "/"), targets)


def _number(text: str) -> int:
    try:
        return whole(1, 1024)(text)
    except WrongValueError as error:
        raise UsageError(f"--block-size: {error}") from None


def _write(name: str, found: list[GroupRow], problems: list[str], path: str | None) -> None:
    if path is not None:
        from contextlib import redirect_stdout
        from io import StringIO

        from regpress_lint.cli.repair import replace_file

        with redirect_stdout(StringIO()) as stream:
            _print(name, found, problems)
        try:
            replace_file(path, stream.getvalue().encode("utf-8", "backslashreplace"))
        except OSError as error:
            raise UsageError(f'cannot write "{path}": {os_reason(error)}') from None
    else:
        _print(name, found, problems)


def _print(name: str, found: list[GroupRow], problems: list[str]) -> None:
    if name == "json":
        from regpress_lint.formats.measured_json import document

        write_json(document(found, problems))
    elif name == "csv":
        from regpress_lint.formats.measured_csv import text

        sys.stdout.write(text(found))
    elif found:
        from regpress_lint.formats.measured_text import lines
        from regpress_lint.formats.terminal import line_width

        print("\n".join(lines(found, line_width(sys.stdout, os.environ))))
