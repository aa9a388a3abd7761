"""`check --why FILE:LINE`: the checks at a line, and why it is reported as it is or not at all."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from regpress_lint.cli.context import readable, scope
from regpress_lint.cli.parser import write_json
from regpress_lint.core.errors import UsageError
from regpress_lint.formats.reasons_words import reasons_json, reasons_text
from regpress_lint.lint.advice.reasons import reasons
from regpress_lint.lint.analysis import Skipped, analyse

if TYPE_CHECKING:
    import argparse

    from regpress_lint.cli.context import Context


def why(arguments: argparse.Namespace, here: Context) -> int:
    """Exit status: 0. Raises UsageError unless it is a line of a file with GPU code."""
    path, line = _place(arguments.why)
    settings = here.files.of(path).settings
    try:
        data = readable(Path(path).read_bytes(), path, settings)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error
    projects = scope(arguments, settings, (path,)).projects()
    analysis = analyse(data, path, settings, partial(projects.of, path))
    if isinstance(analysis, Skipped):
        raise UsageError(analysis.warning or f"{path} has no GPU code")
    if line > analysis.source.line_of(len(data)):
        raise UsageError(f"{path} has no line {line}")
    found = reasons(analysis, line)
    if arguments.output_format == "json":
        write_json(reasons_json(path, line, found))
    else:
        sys.stdout.write("".join(f"{text}\n" for text in reasons_text(path, line, found)))
    return 0


def _place(text: str) -> tuple[str, int]:
    path, _, line = text.rpartition(":")
    if not path or not line.isdigit() or not int(line):
        raise UsageError(f'--why {text}: expected FILE:LINE, "src/step.cu:42" for example')
    return path, int(line)
