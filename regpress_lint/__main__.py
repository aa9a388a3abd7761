"""Entry point of the command line: arguments in, exit status out."""

import sys

TYPE_CHECKING = False  # no `typing`: see `_leave_working_folder`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

INTERRUPTED = 130  # 128 + SIGINT, as shells have it
BROKEN_PIPE = 141  # 128 + SIGPIPE
_LONGEST = 2000  # characters of an error: a key or a name in it may be of any length


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run the command line: 0 nothing to report, 1 findings, 2 wrong use or internal error, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names and messages that the locale cannot encode must not end the run
            stream.reconfigure(errors="backslashreplace")
    from regpress_lint.core import bytecode

    if argv is None:
        bytecode.begin()
    from regpress_lint.core.errors import UsageError

    try:
        try:
            status = _run(sys.argv[1:] if argv is None else argv)
        except SystemExit:  # --help and --version
            sys.stdout.flush()
            raise
        sys.stdout.flush()
    except UsageError as error:
        from regpress_lint.render.terminal import visible  # keys and names come from the repository

        text = visible(" ".join(str(error).split()))
        print(f"regpress-lint: error: {text if len(text) <= _LONGEST else text[:_LONGEST] + ' ...'}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence(sys.stdout)
        return BROKEN_PIPE
    except OSError as error:
        if _is_full(error):
            return _cannot_write(error)
        if not _is_homeless():
            raise
        print("regpress-lint: error: the working folder has been deleted; change into another one", file=sys.stderr)
        return 2
    bytecode.keep()
    return status


def command_line() -> int:
    """Run the arguments of this process, and end it: the entry point of the installed command."""
    status = main()
    _end(status)
    return status


def _end(status: int) -> None:
    """End the process without taking apart what lives in it, which is a sixth of the time that one file takes.

    What waits for the end is called, and output is complete. It returns, and the interpreter ends as usual, where
    somebody follows the program (a debugger, a profiler, `python -i`) or a thread still runs.
    """
    import atexit
    import os

    threads = sys.modules.get("threading")
    followed = sys.flags.inspect or sys.gettrace() is not None or sys.getprofile() is not None
    if followed or (threads is not None and threads.active_count() > 1):
        return
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):  # closed, or nowhere to write to: the interpreter says what it says then
        return
    os._exit(status)


def _run(argv: "Sequence[str]") -> int:
    import gc
    from importlib import import_module

    # What is imported stays. A collection while the program starts goes through all of it, for 4 to 7 ms, and finds
    # nothing; `lint.work` says when there is one later.
    gc.set_threshold(500_000, 10, 20)
    from regpress_lint.cli.parser import module_of, parse

    arguments = parse(argv)
    from regpress_lint.core.running import with_room

    run = import_module(module_of(arguments.command)).run
    choice = getattr(arguments, "color", None)
    if choice is not None:
        from regpress_lint.render.terminal import choose_color

        choose_color(choice)
    try:
        status: int = with_room(run, arguments)
    finally:
        if choice is not None:
            choose_color("auto")  # a caller may run several commands in one process
    return status


def _is_full(error: OSError) -> bool:
    """Whether a stream could not be written: errors of files carry a name, and their commands report them."""
    import errno

    return error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def _is_homeless() -> bool:
    """Whether the working folder no longer has a path, because it was deleted."""
    import os

    try:
        os.getcwd()
    except OSError:
        return True
    return False


def _cannot_write(error: OSError) -> int:
    from regpress_lint.core.errors import os_reason

    _silence(sys.stdout)
    try:
        text = f"cannot write the output: {os_reason(error)}; make room or send it elsewhere"
        print(f"regpress-lint: error: {text}", file=sys.stderr, flush=True)
    except OSError:  # both streams go to the same disk
        _silence(sys.stderr)
    return 2


def _silence(stream: "TextIO") -> None:
    """Point a stream at nothing, or the interpreter's last flush would report the failure again."""
    import os

    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return


def _leave_working_folder() -> None:
    """Import nothing from the working folder, which `python -m` searches first and which may be the repository that is
    linted: its `regpress_rules`, its `tree_sitter` or a plugin's metadata in it would be executed. A checkout of this
    program is its own working folder.
    """
    import os  # there since the interpreter started

    try:
        working = os.path.realpath(os.curdir)
    except OSError:  # somebody has deleted it: there is nothing to import
        return
    program = os.path.realpath(os.path.dirname(os.path.dirname(__file__)))
    if not sys.flags.safe_path and sys.path and os.path.realpath(sys.path[0]) == working and program != working:
        del sys.path[0]


if __name__ == "__main__":
    _leave_working_folder()
    sys.exit(command_line())
