"""What commands on sources share: settings out of arguments and configuration, rules chosen, files, standard input.

The nearest configuration file of each file counts, and the command line over it. A selector must mean a rule that
there is. A configuration may name any folder for the cache but one of the repository that it belongs to.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from os import path as os_path

from regpress_lint.config.load import Configuration, Nearest
from regpress_lint.config.options import OPTIONS, WrongValueError, joined
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple, TypeVar
from regpress_lint.core.programs import lies_in, repository
from regpress_lint.core.settings import Settings
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint import registry
from regpress_lint.lint.discovery import Candidate, Found, begin, discover, is_source
from regpress_lint.lint.selection import leaves_no_rule, wrong_selector
from regpress_lint.lint.work import Scope, Work, read_file, results

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from regpress_lint.compilation.commands import CompileCommands
    from regpress_lint.lint.cache import Cache


T = TypeVar("T")


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


STDIN = "-"
_LOOK = 4096  # bytes of a named file that are looked at before it is read
NO_CACHE = "REGPRESS_LINT_NO_CACHE"  # where flags cannot be given: tests, a hook that somebody else wrote


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


def find(arguments: argparse.Namespace, context: Context) -> Found:
    """Files of a run, each excluded by its own configuration. Raises UsageError for a configuration that is wrong."""
    discovered = discover(arguments.paths or ["."], lambda path: context.of(path).exclude, arguments.force_exclude)
    if discovered.named and len(discovered.files) == len(discovered.named):  # no folder, of which all files are known
        begin(discovered.named)
    for resolved, _ in context.files.groups(discovered.files):
        if resolved is not context.whole:
            context.files.check_build_dir(resolved)
    if context.settings.include_dirs and discovered.files:
        from regpress_lint.lint.projects import project_root

        named = [path for path in arguments.paths or ["."] if os_path.isdir(path)]
        context.files.warnings += _unread(context.settings, project_root(discovered.files[0].path, named))
    complain(context.files.warnings, "warning")
    context.files.warnings.clear()
    asked = (file.path for file in discovered.files if file.path in discovered.named)
    wrong = {path: reason for path in asked if (reason := _wrong(path, context.of(path))) is not None}
    files = tuple(file for file in discovered.files if file.path not in wrong) if wrong else discovered.files
    return discovered._replace(files=files, problems=(*discovered.problems, *wrong.values()))


def _unread(settings: Settings, root: str) -> Iterator[str]:
    """Sentences about include folders of which nothing is read: not there, or outside of the project at `root` and
    named by its own configuration alone.
    """
    top = os.path.realpath(root)
    for folder in settings.include_dirs:
        real = os.path.realpath(folder)
        if not os.path.isdir(real):
            yield f"-I {os.path.normpath(folder)}: there is no such folder"
        elif folder not in settings.named_dirs and real != top and not real.startswith(top.rstrip(os.sep) + os.sep):
            yield (
                f"{os.path.normpath(folder)} (include-dirs) is outside of the project ({os.path.abspath(root)}): "
                "its headers are not read; -I on the command line reads them"
            )


def nothing_here(discovered: Found, left_out: Sequence[str] = ()) -> str:
    """The message of a run without GPU code in any file. left_out: why files were not looked at."""
    if left_out:
        return "nothing was linted: all files with GPU code were left out, for the reasons above"
    what = "the one file" if len(discovered.files) == 1 else f"any of {len(discovered.files)} files"
    return f"no HIP, CUDA, SYCL or OpenCL code in {what} here; name the folders or files that have kernels"


def no_gpu_code(path: str) -> str:
    """The message about a named file that is not a source."""
    names = "(.cu, .hip, .cl, .cpp, .h, ...)"
    return f'"{path}" contains no HIP, CUDA, SYCL or OpenCL code and has none of their file names {names}'


def _wrong(path: str, settings: Settings) -> str | None:
    """Why it was a mistake to name a file: it has no GPU code, or unreadable GPU code. A file that cannot be opened is
    reported elsewhere.
    """
    try:
        with open(path, "rb") as stream:
            beginning = stream.read(_LOOK)
        small = os.path.getsize(path) <= settings.max_file_bytes
        if small and is_source(path) and not _looks_strange(beginning):
            return None
        data = read_file(path, settings.max_file_bytes)
    except OSError:
        return None
    from regpress_lint.lint.analysis import not_understood, too_large

    if not isinstance(data, bytes):
        return too_large(path, data, settings)
    if (strange := not_understood(path, data, settings)) is not None:
        return _cannot(path, strange)
    if is_source(path) or detect_language(path, data, settings.words.seen) is not None:
        return None
    return no_gpu_code(path)


def _looks_strange(beginning: bytes) -> bool:
    """Whether the rest of a file is worth a look: nearly all are plain text."""
    return b"\0" in beginning or (b"\r" in beginning and b"\n" not in beginning)


def leaves_out_stdin(arguments: argparse.Namespace, settings: Settings) -> bool:
    """Whether standard input goes by a name that is excluded, and --force-exclude says that this counts."""
    from regpress_lint.core.patterns import matches

    return bool(arguments.force_exclude and arguments.stdin_filename) and matches(
        arguments.stdin_filename, settings.exclude
    )


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


def readable(data: bytes, path: str, settings: Settings) -> bytes:
    """The bytes of the one requested file. Raises UsageError if they cannot be read."""
    from regpress_lint.lint.analysis import not_understood, too_large

    if len(data) > settings.max_file_bytes:
        raise UsageError(too_large(path, len(data), settings))
    if (strange := not_understood(path, data, settings)) is not None:
        raise UsageError(_cannot(path, strange))
    return data


def _cannot(path: str, why: str) -> str:
    return f'"{path}" cannot be read: {why}'


def scope(arguments: argparse.Namespace, settings: Settings, paths: Iterable[str]) -> Scope:
    """The scope of a run over these files, for those that share the settings."""
    return Scope(settings, tuple(paths), folders(arguments))


def answers(
    arguments: argparse.Namespace, context: Context, discovered: Found, work: Work[T], cache: Cache | None = None
) -> list[T]:
    """A command's answers for the files of a run, each with its own settings."""
    from regpress_lint.cli.progress import Progress

    collected: list[T] = []
    with Progress(sys.stderr, len(discovered.files)) as tell:
        for resolved, group in context.files.groups(discovered.files):
            over = scope(arguments, resolved.settings, paths_of(discovered.files))
            collected += results(work, over, group, context.jobs, cache, tell)
    return collected


def asked(
    arguments: argparse.Namespace, context: Context, work: Work[T], cache: Cache | None = None
) -> tuple[list[T], list[str], Found | None]:
    """A command's answer for standard input, or its answers for the files of a run; problems with finding these; and
    the files, None for standard input.
    """
    if reads_stdin(arguments):
        path, settings = stdin_path(arguments), context.settings
        project = partial(Scope(settings, (path,)).projects().of, path)
        return [work.ask(readable(read_stdin(settings), path, settings), path, settings, project)], [], None
    chosen = find(arguments, context)
    return answers(arguments, context, chosen, work, cache), [*chosen.problems], chosen


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


def folders(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The folders among the paths."""
    return tuple(path for path in arguments.paths or ["."] if os_path.isdir(path))


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


def paths_of(files: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(file.path for file in files)


def complain(lines: Iterable[str], kind: str = "error") -> None:
    """Lines about the run, for standard error."""
    for line in lines:
        if not (line.isascii() and line.isprintable()):  # names and keys come from the repository
            from regpress_lint.render.terminal import visible

            line = visible(line)
        print(f"regpress-lint: {kind}: {line}", file=sys.stderr)


_KEYS = {option.field: option.key for option in OPTIONS if option.field}


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
    said = resolved.configuration.settings.get(field, ())
    inside = said.values() if field == "per_file_ignores" and hasattr(said, "values") else (said,)
    if not any(selector in value for value in inside):
        return ""
    return f"{resolved.configuration.origins.get(field)}: {_KEYS[field]}: "
