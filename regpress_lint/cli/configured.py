"""Settings of every file of a run: its nearest configuration file, and the command line over it."""

from __future__ import annotations

from os import path as os_path
from typing import TYPE_CHECKING, Any

from regpress_lint.config.load import Configuration, Nearest
from regpress_lint.config.options import OPTIONS, WrongValueError, joined
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.settings import Settings

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence

    from regpress_lint.compilation.commands import CompileCommands
    from regpress_lint.lint.discovery import Candidate

COMMAND_LINE = "command line"
FOUND = "found beside the configuration or in the working folder"
_FLAGS_OF = {"jobs": "-j", "defines": "--define"}
_MOST_PROBLEMS = 5  # of a file of compile commands


class Resolved(NamedTuple):
    """Settings that hold for some files. run: what only a run knows, by key. origins: who said it, by field or key."""

    settings: Settings
    configuration: Configuration
    run: Mapping[str, Any]
    origins: Mapping[str, str]


class Configured:
    """Answers which settings hold for a path. Raises UsageError for a wrong flag, and for a wrong file when it counts.

    warnings: warnings about compile commands that were found, not named. told: messages about the cache so far.
    """

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._isolated = arguments.isolated
        self._nearest = Nearest(arguments.config, arguments.isolated)
        self._given, self._run = _given(arguments)
        self._measured = tuple(getattr(arguments, "rows", ()))
        self._all_comments = bool(getattr(arguments, "ignore_suppressions", False))
        self._timed = is_timed(arguments)
        self._resolved: dict[str | None, Resolved] = {}
        self._by_folder: dict[str, Resolved] = {}
        self.warnings: list[str] = []
        self.told: set[str] = set()

    def of(self, path: str) -> Resolved:
        """The settings of a file; each of a run's thousands of files needs them several times."""
        folder = os_path.dirname(path)
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = self._over(self._nearest.of_folder(folder))
        return found

    def of_all(self, paths: Iterable[str]) -> Resolved:
        """The settings of a whole run over the paths: its output, its processes."""
        return self._over(self._nearest.of_all(paths))

    def groups(self, files: Sequence[Candidate]) -> list[tuple[Resolved, list[Candidate]]]:
        """Files that share their settings, in the order of the first of each group."""
        grouped: dict[str | None, tuple[Resolved, list[Candidate]]] = {}
        for file in files:
            found = self.of(file.path)
            grouped.setdefault(found.configuration.path, (found, []))[1].append(file)
        return list(grouped.values())

    def _over(self, configuration: Configuration) -> Resolved:
        known = self._resolved.get(configuration.path)
        if known is None:
            known = self._resolved[configuration.path] = self._resolve(configuration)
        return known

    def _resolve(self, configuration: Configuration) -> Resolved:
        values, origins = dict(configuration.settings), dict(configuration.origins)
        for field, value in self._given.items():
            added = field in values and (both := joined(field, values[field], value)) != value
            values[field] = both if added else value
            origins[field] = f"{origins[field]} and {COMMAND_LINE}" if added else COMMAND_LINE
        in_file = {"output-format": configuration.output_format, "jobs": configuration.jobs}
        in_file["cache-dir"] = configuration.cache_dir
        origins |= dict.fromkeys(self._run, COMMAND_LINE)
        if "build_dir" not in values and (found := self._commands(configuration)) is not None:
            values["build_dir"], origins["build_dir"] = found, FOUND
        settings = Settings(
            **values, measured=self._measured, ignore_suppressions=self._all_comments, timed=self._timed
        )
        return Resolved(settings, configuration, {**in_file, **self._run}, origins)

    def _commands(self, configuration: Configuration) -> str | None:
        """Compile commands that exist but were not named.

        They are looked for beside the configuration file, else in the working folder; not with --isolated, where a run
        depends only on its arguments. Unusable ones are ignored with a warning.
        """
        if self._isolated:
            return None
        beside = os_path.dirname(os_path.abspath(configuration.path or "-"))
        places = [os_path.join(folder, "compile_commands.json") for folder in (beside, os_path.abspath("."))]
        path = next(filter(os_path.lexists, places), None)
        if path is None:
            return None
        try:
            self._warn(_loaded(path).problems[:_MOST_PROBLEMS])
        except UsageError as error:
            self._warn((f"compile commands not used: {error}",))
            return None
        return path

    def check_build_dir(self, resolved: Resolved) -> None:
        """Raise UsageError for compile commands that were named and cannot be used."""
        if resolved.settings.build_dir is not None and resolved.origins.get("build_dir") != FOUND:
            self._warn(_loaded(resolved.settings.build_dir).problems[:_MOST_PROBLEMS])

    def _warn(self, lines: Iterable[str]) -> None:
        self.warnings += [line for line in lines if line not in self.warnings]


def is_timed(arguments: argparse.Namespace) -> bool:
    """Whether seconds per rule are requested: `check --statistics --verbose`."""
    return bool(getattr(arguments, "statistics", False) and arguments.verbose)


def _given(arguments: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of flags: those of `Settings` by field, and those of only this run by key. Raises UsageError."""
    values: dict[str, Any] = {}
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
        (values if option.field else run)[option.field or option.key] = value
    return values, run


def _loaded(place: str) -> CompileCommands:
    from regpress_lint.compilation.commands import load

    return load(place)
