"""Shared parts of `check` and `kernels`: settings out of arguments and configuration, files, standard input."""

from __future__ import annotations

import os
import sys
from os import path as os_path
from typing import TYPE_CHECKING

from regpress_lint.cli.configured import COMMAND_LINE, Configured, Resolved, is_timed
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint.analysis import not_understood
from regpress_lint.lint.discovery import Candidate, Found, discover, is_source
from regpress_lint.lint.surroundings import begin
from regpress_lint.lint.work import Scope, read_file

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.cache import Cache

STDIN = "-"
_LOOK = 4096  # bytes of a named file that are looked at before it is read
NO_CACHE = "REGPRESS_LINT_NO_CACHE"  # where flags cannot be given: tests, a hook that somebody else wrote


class Context(NamedTuple):
    """A run: what holds for it as a whole, and what holds for each of its files."""

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
        """Settings of a file."""
        return self.files.of(path).settings


def context(arguments: argparse.Namespace) -> Context:
    """Settings of a run; the command line beats the file. Raises UsageError."""
    checked = [p for p in arguments.paths if p != STDIN]
    if STDIN in arguments.paths and arguments.stdin_filename:
        checked.append(arguments.stdin_filename)
    configured = Configured(arguments)
    whole = configured.of_all(checked)
    configured.check_build_dir(whole)
    complain(configured.warnings, "warning")
    configured.warnings.clear()
    uncached = getattr(arguments, "no_cache", False) or os.environ.get(NO_CACHE) or is_timed(arguments)
    return Context(whole, configured, not uncached)


def find(arguments: argparse.Namespace, here: Context) -> Found:
    """Files of a run, each excluded by its own configuration. Raises UsageError for a configuration that is wrong."""
    found = discover(arguments.paths or ["."], lambda path: here.of(path).exclude, arguments.force_exclude)
    if found.named and len(found.files) == len(found.named):  # no folder, of which all files are known
        begin(min(found.named))
    for resolved, _ in here.files.groups(found.files):
        if resolved is not here.whole:
            here.files.check_build_dir(resolved)
    complain(here.files.warnings, "warning")
    here.files.warnings.clear()
    asked = (file.path for file in found.files if file.path in found.named)
    wrong = {path: reason for path in asked if (reason := _wrong(path, here.of(path))) is not None}
    files = tuple(file for file in found.files if file.path not in wrong) if wrong else found.files
    return found._replace(files=files, problems=(*found.problems, *wrong.values()))


def nothing_here(found: Found) -> str:
    """The message of a run without GPU code in any file."""
    what = "the one file" if len(found.files) == 1 else f"any of {len(found.files)} files"
    return f"no HIP, CUDA, SYCL or OpenCL code in {what} here; name the folders or files that have kernels"


def no_gpu_code(path: str) -> str:
    """The message about a named file that is not a source."""
    names = "(.cu, .hip, .cl, .cpp, .h, ...)"
    return f'"{path}" holds no HIP, CUDA, SYCL or OpenCL code and has none of their file names {names}'


def _wrong(path: str, settings: Settings) -> str | None:
    """Why it was a mistake to name a file: it has no GPU code, or unreadable GPU code. A file that cannot be opened is
    reported elsewhere.
    """
    try:
        with open(path, "rb") as stream:
            if is_source(path) and not _looks_strange(stream.read(_LOOK)):
                return None
        data = read_file(path, settings.max_file_bytes)
    except OSError:
        return None
    if not isinstance(data, bytes):
        return None
    strange = not_understood(path, data, settings)
    if strange is not None:
        return _cannot(path, strange)
    if is_source(path) or detect_language(path, data, settings.words.seen) is not None:
        return None
    return no_gpu_code(path)


def _looks_strange(beginning: bytes) -> bool:
    """Whether the rest of a file is worth a look: nearly all are plain text."""
    return b"\0" in beginning or (b"\r" in beginning and b"\n" not in beginning)


def leaves_out_stdin(arguments: argparse.Namespace, settings: Settings) -> bool:
    """Whether standard input goes by a name that is excluded, and --force-exclude says that this counts."""
    from regpress_lint.core.globs import matches

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
    strange = None if len(data) > settings.max_file_bytes else not_understood(path, data, settings)
    if strange is not None:
        raise UsageError(_cannot(path, strange))
    return data


def _cannot(path: str, why: str) -> str:
    return f'"{path}" cannot be read: {why}'


def scope(arguments: argparse.Namespace, settings: Settings, paths: Iterable[str]) -> Scope:
    """The scope of a run over these files, for those that share the settings."""
    return Scope(settings, tuple(paths), folders(arguments))


def cache_of(here: Context, *, plugins: bool) -> Cache | None:
    """The cache of a run, None for one that shall have none. plugins: whether rules of plugins have a say in it."""
    if not here.cached:
        return None
    from regpress_lint.cli.cache_folder import chosen
    from regpress_lint.lint.cache import Cache
    from regpress_lint.lint.installed import fingerprint

    def tell(line: str) -> None:
        if line not in here.files.told:
            here.files.told.add(line)
            complain((line,), "warning")

    origin = here.whole.origins.get("cache-dir")
    folder, refusal = chosen(here.whole.run["cache-dir"], None if origin == COMMAND_LINE else origin)
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
        if not (line.isascii() and line.isprintable()):  # names and keys come from the repository
            from regpress_lint.formats.terminal import visible

            line = visible(line)
        print(f"regpress-lint: {kind}: {line}", file=sys.stderr)
