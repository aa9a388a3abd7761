"""What `check` and `kernels` share: settings out of arguments and configuration, files, standard input."""

from __future__ import annotations

import os
import sys
from os import path as os_path
from typing import TYPE_CHECKING, Any, NamedTuple

from regpress_lint.config.load import Configuration, load
from regpress_lint.config.options import OPTIONS, WrongValueError
from regpress_lint.core.errors import UsageError
from regpress_lint.core.settings import Settings
from regpress_lint.lint.discovery import Candidate, Found, discover
from regpress_lint.lint.work import Scope

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from regpress_lint.compilation.commands import CompileCommands
    from regpress_lint.lint.cache import Cache

STDIN = "-"
NO_CACHE = "REGPRESS_LINT_NO_CACHE"  # where flags cannot be given: tests, a hook that somebody else wrote
_FLAGS_OF = {"jobs": "-j"}
_MOST_PROBLEMS = 5  # of a file of compile commands


class Context(NamedTuple):
    """A run's settings, where they come from, and what only the run knows."""

    settings: Settings
    configuration: Configuration
    output_format: str | None
    jobs: int | None
    cached: bool = True
    cache_dir: str | None = None


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
    _find_commands(values, configuration, arguments)
    return Context(
        Settings(**values),
        configuration,
        run.get("output-format", configuration.output_format),
        run.get("jobs", configuration.jobs),
        not (getattr(arguments, "no_cache", False) or os.environ.get(NO_CACHE)),
        run.get("cache-dir", configuration.cache_dir),
    )


def _find_commands(values: dict[str, Any], configuration: Configuration, arguments: argparse.Namespace) -> None:
    """Set `build_dir` to compile commands that nobody named but that are there, and read those that are used.

    They are looked for beside the configuration file, else in the working folder; not with --isolated, which stands for
    a run that depends on what it is given alone. Raises UsageError where they were named and cannot be used; those
    that were only found are left aside with a warning.
    """
    if "build_dir" in values:
        if values["build_dir"] is not None:
            _complain_of(_loaded(values["build_dir"]))
        return
    if arguments.isolated:
        return
    beside = os_path.dirname(os_path.abspath(configuration.path or "-"))
    path = next((path for folder in (beside, os_path.abspath(".")) if _exists(path := _commands_in(folder))), None)
    if path is None:
        return
    try:
        _complain_of(_loaded(path))
    except UsageError as error:
        complain((f"compile commands not used: {error}",), "warning")
    else:
        values["build_dir"] = path


def _commands_in(folder: str) -> str:
    return os_path.join(folder, "compile_commands.json")


def _exists(path: str) -> bool:
    return os_path.lexists(path)


def _loaded(place: str) -> CompileCommands:
    from regpress_lint.compilation.commands import load

    return load(place)


def _complain_of(commands: CompileCommands) -> None:
    complain(commands.problems[:_MOST_PROBLEMS], "warning")


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


def scope(arguments: argparse.Namespace, settings: Settings, paths: Iterable[str]) -> Scope:
    """What a run over these files looks at."""
    return Scope(settings, tuple(paths), folders(arguments))


def cache_of(here: Context, *, plugins: bool) -> Cache | None:
    """The cache of a run, None for one that shall have none. plugins: whether rules of plugins have a say in it."""
    if not here.cached:
        return None
    from regpress_lint.lint.cache import Cache, default_folder
    from regpress_lint.lint.installed import fingerprint

    return Cache(here.cache_dir or default_folder(), fingerprint(plugins=plugins))


def folders(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The folders among the paths."""
    return tuple(path for path in arguments.paths or ["."] if os_path.isdir(path))


def tell_semantic(notes: Sequence[str], settled: Sequence[str], *, verbose: bool) -> None:
    """Say on standard error that libclang did not answer; with --verbose why, and what it did answer."""
    if verbose:
        complain(dict.fromkeys(settled), "note")
        complain(dict.fromkeys(notes), "note")
    elif notes:
        files = len({note.partition(": libclang")[0] for note in notes})
        complain(
            (f"libclang did not answer for {files} file{'s' * (files != 1)} (--verbose says why)",),
            "note",
        )


def paths_of(files: Iterable[Candidate]) -> tuple[str, ...]:
    """Their paths."""
    return tuple(file.path for file in files)


def complain(lines: Iterable[str], kind: str = "error") -> None:
    """Lines about the run, for standard error."""
    for line in lines:
        print(f"regpress-lint: {kind}: {line}", file=sys.stderr)
