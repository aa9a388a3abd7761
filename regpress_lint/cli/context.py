"""What `check` and `kernels` share: settings out of arguments and configuration, files, standard input."""

from __future__ import annotations

import gc
import sys
from os import path as os_path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from regpress_lint.config.load import Configuration, load
from regpress_lint.config.options import OPTIONS, WrongValueError
from regpress_lint.discovery import Candidate, Found, discover
from regpress_lint.errors import UsageError, one_line, os_reason
from regpress_lint.headers import Projects
from regpress_lint.settings import Settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

STDIN = "-"
T = TypeVar("T")
_FLAGS_OF = {"jobs": "-j"}


class Context(NamedTuple):
    """A run's settings, where they come from, and what only the run knows."""

    settings: Settings
    configuration: Configuration
    output_format: str | None
    jobs: int | None


def context(arguments: argparse.Namespace) -> Context:
    """Settings of a run; the command line beats the file. Raises UsageError."""
    checked = [p for p in arguments.paths if p != STDIN]
    if STDIN in arguments.paths and arguments.stdin_filename:
        checked.append(arguments.stdin_filename)
    configuration = load(checked, arguments.config, arguments.isolated)
    values: dict[str, Any] = dict(configuration.settings)
    run: dict[str, Any] = {}
    for option in OPTIONS:
        given = getattr(arguments, option.key.replace("-", "_"), None)
        if given is None or (option.key == "output-format" and given == "text"):
            continue
        try:
            value = option.convert(given)
        except WrongValueError as error:
            raise UsageError(f"{_FLAGS_OF.get(option.key, '--' + option.key)}: {error}") from None
        if option.anchor is not None:
            value = option.anchor(value, os_path.abspath("."))
        if option.field in ("exclude", "extend_select") and option.field in values:
            value = (*values[option.field], *value)
        (values if option.field else run)[option.field or option.key] = value
    return Context(
        Settings(**values),
        configuration,
        run.get("output-format", configuration.output_format),
        run.get("jobs", configuration.jobs),
    )


def find(arguments: argparse.Namespace, settings: Settings) -> Found:
    """Files of a run. Raises UsageError if standard input and paths are mixed."""
    return discover(arguments.paths or ["."], settings.exclude, arguments.force_exclude)


def reads_stdin(arguments: argparse.Namespace) -> bool:
    """Whether the source comes from standard input. Raises UsageError for a mixture with paths."""
    if STDIN not in arguments.paths:
        if arguments.stdin_filename:
            raise UsageError('--stdin-filename needs the path "-"')
        return False
    if len(arguments.paths) > 1:
        raise UsageError('the path "-" (standard input) must be the only one')
    return True


def stdin_path(arguments: argparse.Namespace) -> str:
    """Name that standard input goes by."""
    name: str = arguments.stdin_filename or "<stdin>"
    return name.replace("\\", "/")


def read_stdin(settings: Settings) -> bytes:
    """All of standard input, at most one byte more than a file may have."""
    return sys.stdin.buffer.read(settings.max_file_bytes + 1)


def folders(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The folders among the paths."""
    return tuple(path for path in arguments.paths or ["."] if os_path.isdir(path))


class Task(Generic[T]):
    """What a worker needs to make its task: picklable, and small enough to be sent to every worker."""

    def __init__(
        self,
        function: Callable[[bytes, str, Settings, Projects], T],
        failed: Callable[[str, str], T],
        settings: Settings,
        paths: tuple[str, ...],
        folders: tuple[str, ...],
        too_large: Callable[[str, int, Settings], T],
    ) -> None:
        self.function, self.failed, self.settings = function, failed, settings
        self.paths, self.folders, self.too_large = paths, folders, too_large

    def __call__(self) -> Callable[[str], T]:
        """The task: reads one file and hands its bytes on. It never raises."""
        projects = Projects(self.paths, self.folders, self.settings.include_dirs)
        # Trees are large and mostly die by reference count: the default pace of collection costs 12 % of a run.
        gc.set_threshold(50_000, 10, 20)

        def task(path: str) -> T:
            try:
                data = read_file(path, self.settings.max_file_bytes)
            except OSError as error:
                return self.failed(path, f'cannot read "{path}": {os_reason(error)}')
            except Exception as error:
                return self.failed(path, f'cannot read "{path}": {one_line(error)}')
            if isinstance(data, int):
                return self.too_large(path, data, self.settings)
            return self.function(data, path, self.settings, projects)

        return task


def read_file(path: str, limit: int) -> bytes | int:
    """Bytes of a file, or its size if that is above the limit (then nothing is read)."""
    size = os_path.getsize(path)
    if size > limit:
        return size
    with open(path, "rb") as stream:
        return stream.read()


def paths_of(files: Iterable[Candidate]) -> tuple[str, ...]:
    """Their paths."""
    return tuple(file.path for file in files)


def complain(lines: Iterable[str], kind: str = "error") -> None:
    """Lines about the run, for standard error."""
    for line in lines:
        print(f"regpress-lint: {kind}: {line}", file=sys.stderr)
