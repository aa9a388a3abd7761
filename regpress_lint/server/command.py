"""`regpress-lint server`: a language server on standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, BinaryIO, cast

from regpress_lint.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.commands.pressure.data import Section
    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.analysis import Analysis
    from regpress_lint.program.model import Kernel
    from regpress_lint.server.workbench import Services


EXTRA = "pip install 'regpress-lint[lsp] @ git+URL', with the address of its repository"


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `server`, when the editor has ended it. Raises UsageError without the packages that it needs."""
    try:
        from regpress_lint.server.messages import Messages
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
    from regpress_lint.cli.context import context
    from regpress_lint.commands.pressure.command import Choice, sections_of
    from regpress_lint.server.workbench import Services

    def settings_of(path: str) -> Settings:
        return context(argparse.Namespace(**{**vars(arguments), "paths": [path], "stdin_filename": None})).settings

    def sections(analysis: Analysis, kernel: Kernel) -> Iterator[Section]:
        return sections_of(analysis, (Choice(kernel),))

    return Services(settings_of, sections)
