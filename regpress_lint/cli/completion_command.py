"""`regpress-lint completion SHELL`: a script that completes the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from regpress_lint.cli.completion import SHELLS, script
from regpress_lint.core.errors import UsageError, suggestion

if TYPE_CHECKING:
    import argparse


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `completion`: 0. Raises UsageError for a shell that it does not know."""
    shell: str = arguments.shell
    if shell not in SHELLS:
        raise UsageError(f'unknown shell "{shell}"{suggestion(shell, SHELLS)}; known are {", ".join(SHELLS)}')
    sys.stdout.write(script(shell))
    return 0
