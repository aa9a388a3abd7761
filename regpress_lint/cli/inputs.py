"""The sources of a run: its files, or standard input, and why one of them cannot be read."""

from __future__ import annotations

import os
import sys
from functools import partial
from os import path as os_path

from regpress_lint.cli.context import STDIN, Context, complain
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import TypeVar
from regpress_lint.cpp.language import detect_language
from regpress_lint.lint.discovery import Candidate, Found, begin, discover, is_source
from regpress_lint.lint.work import Scope, Work, read_file, results

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.core.settings import Settings
    from regpress_lint.lint.cache import Cache

T = TypeVar("T")
_LOOK = 4096  # bytes of a named file that are looked at before it is read


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
    files = "the one file" if len(discovered.files) == 1 else f"any of {len(discovered.files)} files"
    return f"no HIP, CUDA, SYCL or OpenCL code in {files} here; name the folders or files that have kernels"


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


def folders(arguments: argparse.Namespace) -> tuple[str, ...]:
    """The folders among the paths."""
    return tuple(path for path in arguments.paths or ["."] if os_path.isdir(path))


def paths_of(files: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(file.path for file in files)
