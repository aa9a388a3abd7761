"""`--measured FILE` of commands that know kernels: numbers of compilers beside the estimate, or in its place."""

from __future__ import annotations

import os
import stat

from regpress_lint.config.options import WrongValueError, architectures
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.core.reading import at_most, without_waiting
from regpress_lint.measured.inputs import is_document, read, rows_of
from regpress_lint.measured.rows import Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO


_LARGEST, _LONGEST_PIPE = 1 << 30, 1 << 28
"""Bytes of a file, or of a stream of unknown length, which is kept in memory while it is read."""
_NONE = ("no kernel in it", "no kernel in it names its GPU: `measure --arch` writes that down")


def bytes_of(path: str) -> bytes:
    """An input of `measure`; a folder stands for its logs, one behind the other. Raises UsageError for what cannot be
    read.
    """
    try:
        if os.path.isdir(path):
            logs = [os.path.join(path, name) for name in sorted(os.listdir(path)) if name.endswith(".log")]
            if not logs:
                raise UsageError(f'cannot read "{path}": a folder without files that end in .log')
            return b"\n".join(bytes_of(log) for log in logs if not os.path.isdir(log))
        with open(path, "rb", opener=without_waiting) as stream:
            return content(stream, path)
    except (OSError, ValueError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else "not a path"
        raise UsageError(f'cannot read "{path}": {reason}') from None


def content(stream: BinaryIO, path: str) -> bytes:
    """All of a file or a pipe. Raises UsageError for one that is too long, or has no end as `/dev/zero`."""
    status = os.fstat(stream.fileno())
    most = _LARGEST if stat.S_ISREG(status.st_mode) else _LONGEST_PIPE
    if stat.S_ISCHR(status.st_mode) and not stream.isatty():
        raise UsageError(f'cannot read "{path}": it is a device')
    if stat.S_ISFIFO(status.st_mode):  # it may have been opened without waiting; its writer may take their time
        os.set_blocking(stream.fileno(), True)
    data = b"" if status.st_size > most else at_most(stream, most + 1)
    if max(len(data), status.st_size) > most:
        raise UsageError(f'cannot read "{path}": larger than {most:,} bytes')
    return data


def measured(paths: Sequence[str], targets: Sequence[str]) -> Reading:
    """Rows of what `measure` wrote, or of logs and objects themselves. Raises UsageError where nothing says what a
    kernel takes on which GPU.
    """
    readings = []
    for path in paths:
        data = bytes_of(path)
        reading = Reading(rows_of(data, path)) if is_document(data) else read(data, path.replace("\\", "/"), targets)
        readings.append(reading)
    rows = tuple(row for reading in readings for row in reading.rows)
    problems = tuple(line for reading in readings for line in reading.problems)
    if all(row.target is None for row in rows):  # nothing could be compared with anything
        raise UsageError(f"--measured: {problems[0] if problems else _NONE[bool(rows)]}")
    return Reading(rows, problems)


def usual_targets(
    words: Sequence[str] | None, paths: Sequence[str], config: str | None = None, isolated: bool = False
) -> tuple[str, ...]:
    """GPUs of what names none: those of `--arch`, else of the configuration that holds for these paths. Raises
    UsageError.
    """
    from regpress_lint.config.load import load

    files = [path for path in paths if path != "-"]
    return targets_of(words) or tuple(load(files, config, isolated).settings.get("architectures", ()))


def targets_of(words: Sequence[str] | None) -> tuple[str, ...]:
    """GPUs that `--arch` names, canonical. Raises UsageError."""
    if not words:
        return ()
    try:
        return architectures(",".join(words))
    except WrongValueError as error:
        raise UsageError(f"--arch: {error}") from None
