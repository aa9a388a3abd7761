"""`regpress-lint server`: a language server on standard input and output.

The editor's end of standard input, in which a message may have no more than a bounded length.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING, BinaryIO, cast

from regpress_lint.cli import options
from regpress_lint.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.commands.pressure.data import Section
    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.workbench import Services


MOST = 64 << 20
"""Bytes of a message: a hundred times what the largest text that is linted takes."""
_LONGEST_HEADER = 1 << 16
_HEADER = re.compile(rb"Content-Length: *(\d+)\r?\n", re.IGNORECASE)


class Messages:
    """The input of pygls, which trusts every length and would stop at a false one.

    A header with a length that no message has is left out, and the bytes up to the next header are skipped.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lost = False

    def readline(self) -> bytes:
        """A line of a header; of one that is not to be believed an empty one, as between headers."""
        line = self._stream.readline(_LONGEST_HEADER)
        match = _HEADER.search(line) if self._lost else _HEADER.match(line)
        if match is None:
            return b"\r\n" if self._lost and line else line
        # Leading zeros aside, a number of ten digits is above the bound.
        digits = match[1].lstrip(b"0")
        self._lost = len(digits) >= 10 or int(digits or b"0") > MOST
        return b"\r\n" if self._lost else b"Content-Length: %b\r\n" % (digits or b"0")

    def read(self, count: int) -> bytes:
        """A message."""
        return self._stream.read(count)


EXTRA = "pip install 'regpress-lint[lsp] @ git+URL', with the address of its repository"


def declare(parser: argparse.ArgumentParser) -> None:
    parser.description = f"{parser.description}. It needs an extra: pip install 'regpress-lint[lsp] @ git+URL'."
    options.switch(parser, "--stdio", "what it does in any case; some editors say so")
    options.repeated(parser, "--arch", "NAMES", "GPUs: gfx90a,sm_90 (default: by language)")
    options.configuration_file(parser)


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `server`, when the editor has ended it. Raises UsageError without the packages that it needs."""
    try:
        from regpress_lint.server.protocol import Server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise UsageError(f"the language server needs a package that is not installed ({error.name}): {EXTRA}") from None
    # Nothing but the protocol may reach the editor's end of standard output.
    protocol = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Server(services(arguments)).start_io(stdin=cast("BinaryIO", Messages(sys.stdin.buffer)), stdout=protocol)
    return 0


def services(arguments: argparse.Namespace) -> Services:
    """The services of the command line for the server: the configuration of a file, and `pressure`'s view of a
    kernel."""
    from regpress_lint.cli.context import run_context
    from regpress_lint.commands.pressure.command import Choice, sections_of
    from regpress_lint.server.workbench import Services

    def settings_of(path: str) -> Settings:
        return run_context(argparse.Namespace(**{**vars(arguments), "paths": [path], "stdin_filename": None})).settings

    def sections(analysis: Analysis, kernel: Kernel) -> Iterator[Section]:
        return sections_of(analysis, (Choice(kernel),))

    return Services(settings_of, sections)
