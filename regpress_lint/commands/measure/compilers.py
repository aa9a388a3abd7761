"""Sources that `measure` and `verify` compile: which, with whose commands, for which GPUs, by which compilers.

Outside of PATH a run starts the user's compilers, and a project's only where the user trusts it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from regpress_lint.cli.context import complain
from regpress_lint.cli.progress import Progress
from regpress_lint.compilation.commands import CompileCommands, load
from regpress_lint.config.load import user_compilers
from regpress_lint.config.options import WrongValueError, whole
from regpress_lint.core.errors import UsageError
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import without_waiting
from regpress_lint.core.settings import DEFAULT_TARGETS, CompileCommand, IncludeDir, as_defined
from regpress_lint.cpp.language import detect_language
from regpress_lint.measured import processes, toolchains
from regpress_lint.measured.compile import Unit
from regpress_lint.measured.processes import header_folders
from regpress_lint.targets.occupancy import architecture

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.config.load import Configuration
    from regpress_lint.measured.toolchains import Toolchain


def chosen(arguments: argparse.Namespace, project: Configuration) -> tuple[str, ...]:
    """The named compilers, the last one takes precedence: the project, the user's configuration, the command line.
    Raises UsageError.

    A linted tree and its configuration are untrusted.
    """
    if names := ", ".join(header_folders()):
        complain((f"{names} of the environment: compilers find headers there, so numbers may be others",), "warning")
    trusted: tuple[str, ...] = ()
    if arguments.trust_project_compilers:
        trusted = project.compilers
    elif project.compilers:
        complain((f"{project.path}: its compilers are not run without --trust-project-compilers",), "warning")
    of_user = () if getattr(arguments, "isolated", False) else user_compilers()
    return (*trusted, *of_user, *map(installed, arguments.compiler or ()))


def installed(compiler: str) -> str:
    """The program behind `nvcc@12.6`, and every other name as it is. Raises UsageError for one that is not there."""
    program = toolchains.released(compiler)
    if program.startswith("nvcc@"):
        release = program.partition("@")[2]
        raise UsageError(
            f"no nvcc {release}: neither /usr/local/cuda-{release} nor a package of this Python has it (pip install "
            f"'nvidia-cuda-nvcc{'-cu12' if release.startswith('12') else ''}=={release}.*')"
        )
    return program


T = TypeVar("T")
SOURCES = (".cu", ".hip", ".cpp", ".cc", ".cxx", ".c++", ".cl")
_NAMES = {"hip": "HIP", "cuda": "CUDA", "opencl": "OpenCL C"}
_BY_NAME = {".cu": "cuda", ".hip": "hip"}
_LARGEST = 16 << 20


class Job(NamedTuple):
    """A file and a GPU that it is compiled for."""

    unit: Unit
    target: str


class Jobs(NamedTuple):
    """All of a run: the compilations, their compilers, and why some requested ones are missing."""

    jobs: tuple[Job, ...]
    tools: Toolchain
    problems: tuple[str, ...]


def is_source(path: str) -> bool:
    """Whether a file is compiled and not read."""
    return os.path.splitext(path)[1].lower() in SOURCES


def compilations(
    arguments: argparse.Namespace, sources: Sequence[str], targets: Sequence[str], compilers: Sequence[str]
) -> Jobs:
    """The compilations of a run, by these compilers if they exist. Raises UsageError for a wrong build folder."""
    commands = None if arguments.build_dir is None else load(arguments.build_dir)
    problems = [] if commands is None else list(commands.problems[:5])
    jobs: list[Job] = []
    units = _all(commands) if commands is not None and not sources else _named(arguments, commands, sources)
    for path, command, language in units:
        if language is None:
            problems.append(f"{path}: no HIP or CUDA source")
        elif language == "sycl":
            problems.append(f"{path}: SYCL is not compiled here; measure reads the log and the binaries of icpx")
        else:
            mine = [Job(Unit(command), target) for target in _targets_of(command, language, targets)]
            jobs += mine
            if sources and not mine:
                problems.append(f"{path}: {_NAMES[language]} is not compiled for {', '.join(targets)}")
    return Jobs(tuple(jobs), toolchains.find(_trees(commands, jobs), compilers), tuple(problems))


def _all(commands: CompileCommands) -> Iterator[tuple[str, CompileCommand, str | None]]:
    """Entries of a build that are GPU code; host code among them is no problem."""
    for path in commands.paths:
        command = commands.of(path)
        language = None if command is None else _language(path, command)
        if command is not None and language is not None:
            yield path, command, language


def _named(
    arguments: argparse.Namespace, commands: CompileCommands | None, sources: Sequence[str]
) -> Iterator[tuple[str, CompileCommand, str | None]]:
    folders = tuple(IncludeDir(os.path.abspath(folder), "normal") for folder in arguments.include_dirs or ())
    for path in sources:
        recorded = commands.of(path) if commands is not None else None
        command = recorded or CompileCommand(os.path.abspath(path), os.path.abspath("."), include_dirs=folders)
        command = command.with_macros(map(as_defined, arguments.defines or ()))
        yield path, command, _language(path, command)


def _language(path: str, command: CompileCommand) -> str | None:
    if path.lower().endswith(".cl"):
        return "opencl"
    if command.language is not None:
        return command.language
    try:
        with open(path, "rb", opener=without_waiting) as stream:
            data = stream.read(_LARGEST)
    except (OSError, ValueError):
        return None
    by_name = _BY_NAME.get(os.path.splitext(path)[1].lower())
    return detect_language(path, data) or (by_name if b'#include "' in data else None)  # all kernels are in headers


def _targets_of(command: CompileCommand, language: str, chosen: Sequence[str]) -> Iterator[str]:
    """The GPUs of a file: those that the user names, else the command's, else the language's usual one."""
    usual = next((names for name, names in DEFAULT_TARGETS.items() if name == language), ())
    for target in chosen or command.targets or usual:
        if architecture(target).vendor in toolchains.VENDORS[language]:
            yield target


def _trees(commands: CompileCommands | None, jobs: Sequence[Job]) -> Iterator[str]:
    """Folders whose programs are never run: the build's, and those of the sources."""
    if commands is not None:
        yield commands.folder
    folders = {os.path.dirname(os.path.realpath(job.unit.command.path)) for job in jobs}
    yield from folders
    if len(folders) > 1:
        with suppress(ValueError):  # different drives
            yield os.path.commonpath(list(folders))


def in_parallel(work: Sequence[Callable[[], T]], jobs: int) -> Iterator[T]:
    """Results of functions that run compilers, in their order. An interruption ends what runs and begins nothing."""
    from concurrent.futures import ThreadPoolExecutor

    try:
        with Progress(sys.stderr, len(work)) as tell, ThreadPoolExecutor(jobs) as pool:
            futures = [pool.submit(task) for task in work]
            try:
                for future in futures:
                    result = future.result()
                    tell(1)
                    yield result
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                processes.end_all()
                raise
    finally:
        processes.stopping.clear()


def number(text: str, flag: str, most: int) -> int:
    """A number of the command line, from 1 to `most`. Raises UsageError."""
    try:
        return whole(1, most)(text)
    except WrongValueError as error:
        raise UsageError(f"{flag}: {error}") from None
