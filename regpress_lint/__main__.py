"""Entry point of the command line: arguments in, exit status out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130  # 128 + SIGINT, as shells have it
BROKEN_PIPE = 141  # 128 + SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line: 0 nothing to report, 1 findings, 2 wrong use or internal error, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names and messages that the locale cannot encode must not end the run
            stream.reconfigure(errors="backslashreplace")
    from regpress_lint.errors import UsageError

    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except UsageError as error:
        print(f"regpress-lint: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return BROKEN_PIPE
    return status


def _run(argv: Sequence[str]) -> int:
    from importlib import import_module

    from regpress_lint.cli.parser import parse

    arguments = parse(argv)
    run = import_module(f"regpress_lint.cli.{arguments.command}").run
    status: int = run(arguments)
    return status


def _silence_stdout() -> None:
    """Point stdout at nothing, or the interpreter's last flush would report the broken pipe again."""
    import os

    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


if __name__ == "__main__":
    sys.exit(main())
