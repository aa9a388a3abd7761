"""What commands on sources share: settings out of arguments and configuration, rules chosen, the cache.

The nearest configuration file of each file counts, and the command line over it. A selector must mean a rule that
there is. A configuration may name any folder for the cache but one of the repository that it belongs to.
"""

from __future__ import annotations

import os
import sys
from os import path as os_path

from regpress_lint.config.load import Configuration, Nearest
from regpress_lint.config.options import OPTIONS, WrongValueError, joined
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.programs import lies_in, repository
from regpress_lint.core.settings import Settings
from regpress_lint.lint import registry
from regpress_lint.lint.selection import leaves_no_rule, wrong_selector

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from regpress_lint.compilation.commands import CompileCommands
    from regpress_lint.lint.cache import Cache
    from regpress_lint.lint.discovery import Candidate


STDIN = "-"
NO_CACHE = "REGPRESS_LINT_NO_CACHE"  # where flags cannot be given: tests, a hook that somebody else wrote
COMMAND_LINE = "command line"
FOUND = "found beside the configuration or in the working folder"
_FLAGS_OF = {"jobs": "-j", "defines": "--define"}
_MOST_PROBLEMS = 5  # of a file of compile commands
_KEYS = {option.field: option.key for option in OPTIONS if option.field}


def chosen(folder: str | None, origin: str | None) -> tuple[str, str | None]:
    """The folder of the cache ("" for none), and why another one that was named is not used.

    folder: the one that the command line or a configuration names. origin: the configuration file that does, None for
    the command line.
    Answers in a repository are only as trustworthy as its author: they could say that it is clean.
    """
    from regpress_lint.lint.cache import default_folder

    if not folder:
        return default_folder(), None
    if origin is None:
        return folder, None
    home = os.path.dirname(os.path.abspath(origin))
    if not lies_in(folder, (repository(home), home)):
        return folder, None
    return default_folder(), f"{origin}: cache-dir is in the repository and is not used (--cache-dir can name it)"


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
        resolved = self._by_folder.get(folder)
        if resolved is None:
            resolved = self._by_folder[folder] = self._over(self._nearest.of_folder(folder))
        return resolved

    def of_all(self, paths: Iterable[str]) -> Resolved:
        """The settings of a whole run over the paths: its output, its processes."""
        return self._over(self._nearest.of_all(paths))

    def groups(self, files: Sequence[Candidate]) -> list[tuple[Resolved, list[Candidate]]]:
        """Files that share their settings, in the order of the first of each group."""
        grouped: dict[str | None, tuple[Resolved, list[Candidate]]] = {}
        for file in files:
            group = self.of(file.path)
            grouped.setdefault(group.configuration.path, (group, []))[1].append(file)
        return list(grouped.values())

    def _over(self, configuration: Configuration) -> Resolved:
        resolved = self._resolved.get(configuration.path)
        if resolved is None:
            resolved = self._resolved[configuration.path] = self._resolve(configuration)
        return resolved

    def _resolve(self, configuration: Configuration) -> Resolved:
        values, origins = dict(configuration.settings), dict(configuration.origins)
        for field, value in self._given.items():
            added = field in values and (both := joined(field, values[field], value)) != value
            values[field] = both if added else value
            origins[field] = f"{origins[field]} and {COMMAND_LINE}" if added else COMMAND_LINE
        in_file = {"output-format": configuration.output_format, "jobs": configuration.jobs}
        in_file["cache-dir"] = configuration.cache_dir
        origins |= dict.fromkeys(self._run, COMMAND_LINE)
        if "build_dir" not in values and (commands := self._commands(configuration)) is not None:
            values["build_dir"], origins["build_dir"] = commands, FOUND
        values["named_dirs"] = self._given.get("include_dirs", ())
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
        flag = getattr(arguments, option.key.replace("-", "_"), None)
        if flag is None or (option.key == "output-format" and flag == "text"):
            continue
        try:
            value = option.convert(flag)
        except WrongValueError as error:
            raise UsageError(f"{_FLAGS_OF.get(option.key, '--' + option.key)}: {error}") from None
        if option.anchor is not None:
            value = option.anchor(value, os_path.abspath("."))
        (values if option.field else run)[option.field or option.key] = value
    return values, run


def _loaded(place: str) -> CompileCommands:
    from regpress_lint.compilation.commands import load

    return load(place)


class Context(NamedTuple):
    """A run: the settings of the whole, and those of each of its files."""

    whole: Resolved
    files: Configured
    cached: bool = True

    @property
    def settings(self) -> Settings:
        """Settings of the run as a whole; those of a file may differ."""
        return self.whole.settings

    @property
    def output_format(self) -> str | None:
        """Name of the output format, None if none was chosen."""
        name: str | None = self.whole.run["output-format"]
        return name

    @property
    def jobs(self) -> int | None:
        """Number of processes, None if it was not set."""
        number: int | None = self.whole.run["jobs"]
        return number

    def of(self, path: str) -> Settings:
        return self.files.of(path).settings


def run_context(arguments: argparse.Namespace) -> Context:
    """Settings of a run; the command line beats the file. Raises UsageError."""
    checked = [p for p in arguments.paths if p != STDIN]
    if STDIN in arguments.paths and arguments.stdin_filename:
        checked.append(arguments.stdin_filename)
    configured = Configured(arguments)
    whole = configured.of_all(checked)
    configured.check_build_dir(whole)
    complain(configured.warnings, "warning")
    configured.warnings.clear()
    complain(_other_names(getattr(arguments, "arch", None) or whole.configuration.names), "note")
    uncached = getattr(arguments, "no_cache", False) or os.environ.get(NO_CACHE) or is_timed(arguments)
    return Context(whole, configured, not uncached)


def _other_names(requested: Iterable[str]) -> Iterator[str]:
    """Sentences about names of `--arch`, or of the configuration, that mean another architecture."""
    for name in (name.strip() for names in requested for name in names.split(",")):
        from regpress_lint.targets.occupancy import answered_as

        if (canonical := answered_as(name)) is not None:
            yield f"{name} is answered as {canonical}, which has the same registers and limits"


def cache_of(context: Context, *, plugins: bool) -> Cache | None:
    """The cache of a run, None for one that shall have none. plugins: whether rules of plugins have a say in it."""
    if not context.cached:
        return None
    from regpress_lint.lint.cache import Cache
    from regpress_lint.lint.cache_validation import fingerprint

    def tell(line: str) -> None:
        if line not in context.files.told:
            context.files.told.add(line)
            complain((line,), "warning")

    origin = context.whole.origins.get("cache-dir")
    folder, refusal = chosen(context.whole.run["cache-dir"], None if origin == COMMAND_LINE else origin)
    if refusal is not None:
        tell(refusal)
    if not folder:
        return None
    return Cache(
        folder,
        fingerprint(plugins=plugins),
        lambda why: tell(f"cannot write the cache in {folder}: {why}; every run starts from nothing (--no-cache)"),
    )


def tell_semantic(notes: Sequence[str], settled: Sequence[str], *, verbose: bool) -> None:
    """Say on standard error that libclang did not answer; with --verbose why, and how many answers it gave."""
    if verbose:
        complain(dict.fromkeys(settled), "note")
        complain(dict.fromkeys(notes), "note")
    elif notes:
        files = len({note.partition(": libclang")[0] for note in notes})
        complain((f"libclang did not answer for {files} file{'s' * (files != 1)} (--verbose says why)",), "note")


def settled_lines(settled: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Answers of libclang, in words."""
    if not settled:
        return ()
    from regpress_lint.semantics.settled import settled_line

    return tuple(map(settled_line, settled))


def complain(lines: Iterable[str], kind: str = "error") -> None:
    """Lines about the run, for standard error."""
    for line in lines:
        if not (line.isascii() and line.isprintable()):  # names and keys come from the repository
            from regpress_lint.render.terminal import visible

            line = visible(line)
        print(f"regpress-lint: {kind}: {line}", file=sys.stderr)


def check_rules(used: Iterable[Resolved]) -> None:
    """Raise UsageError for a selector that means no rule, naming file and key where a file says it, and for a command
    line that leaves no rule.
    """
    rules = registry.load().rules
    for resolved in used:
        if (wrong := wrong_selector(rules, resolved.settings)) is not None:
            field, text, selector = wrong
            raise UsageError(f"{_where(resolved, field, selector)}{text}")
        if _said_here(resolved) and leaves_no_rule(rules, resolved.settings):
            raise UsageError("the selection leaves no rule (`regpress-lint rule` lists them)")


def tell_of_no_rule(used: Iterable[Resolved]) -> None:
    """Warn of files that leave no rule: it may be intended for a folder, but should not go unnoticed."""
    rules = registry.load().rules
    for resolved in used:
        if leaves_no_rule(rules, resolved.settings):
            complain((f"{resolved.configuration.path}: the selection leaves no rule",), "warning")


def _said_here(resolved: Resolved) -> bool:
    return any(COMMAND_LINE in resolved.origins.get(field, "") for field in ("select", "extend_select", "ignore"))


def _where(resolved: Resolved, field: str, selector: str) -> str:
    """`FILE: KEY: ` of a selector that a file says."""
    selected = resolved.configuration.settings.get(field, ())
    inside = selected.values() if field == "per_file_ignores" and hasattr(selected, "values") else (selected,)
    if not any(selector in value for value in inside):
        return ""
    return f"{resolved.configuration.origins.get(field)}: {_KEYS[field]}: "
