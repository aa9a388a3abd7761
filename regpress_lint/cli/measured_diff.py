"""`diff BASE HEAD --measured`: how compilers' numbers of kernels moved between two builds."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.context import complain
from regpress_lint.cli.measured_option import measured
from regpress_lint.cli.parser import write_json
from regpress_lint.core.errors import UsageError
from regpress_lint.formats import ratchet_diff as formats
from regpress_lint.measured.ratchet import compared, taken

if TYPE_CHECKING:
    import argparse

    from regpress_lint.cli.context import Context
    from regpress_lint.core.measured import Row
    from regpress_lint.measured.ratchet import Taken


def run(arguments: argparse.Namespace, here: Context, name: str) -> int:
    """Exit status: 1 with --exit-code if a kernel takes more. Raises UsageError."""
    if arguments.head is None:
        raise UsageError("diff --measured needs two files, BASE and HEAD")
    sides: list[list[Taken]] = []
    for path in (arguments.base, arguments.head):
        reading = measured((path,), here.settings.architectures)
        complain(reading.problems, "warning")
        sides.append(taken(reading.rows, here.settings.assumed_block_size, _file))
    moves = compared(*sides)
    if name == "json":
        write_json(formats.document(moves, arguments.base, arguments.head))
    elif name == "markdown":
        sys.stdout.writelines(formats.markdown(moves))
    else:
        from regpress_lint.formats.terminal import Palette, line_width, use_color

        palette = Palette(use_color(sys.stdout, os.environ))
        sys.stdout.writelines(formats.text(moves, palette, line_width(sys.stdout, os.environ)))
    return int(bool(arguments.exit_code) and any(move.verdict == "worse" for move in moves))


def _file(row: Row) -> tuple[str, str]:
    """The file of a row, without folders: two builds are rarely in the same place."""
    return (row.path or row.unit or "").replace("\\", "/").rpartition("/")[2], ""
