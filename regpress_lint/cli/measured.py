"""`--measured FILE` of commands that know kernels: numbers of compilers beside the estimate, or in its place."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from regpress_lint.config.options import WrongValueError, architectures
from regpress_lint.core.errors import UsageError, os_reason
from regpress_lint.core.reading import at_most, without_waiting
from regpress_lint.measured.inputs import is_document, read, rows_of
from regpress_lint.measured.rows import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence


_LARGEST = 1 << 30
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
            return b"\n".join(bytes_of(each) for each in logs if not os.path.isdir(each))
        with open(path, "rb", opener=without_waiting) as stream:
            data = at_most(stream, _LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = os_reason(error) if isinstance(error, OSError) else "not a path"
        raise UsageError(f'cannot read "{path}": {reason}') from None
    if len(data) > _LARGEST:
        raise UsageError(f'cannot read "{path}": larger than {_LARGEST:,} bytes')
    return data


def measured(paths: Sequence[str], targets: Sequence[str]) -> Reading:
    """Rows of what `measure` wrote, or of logs and objects themselves. Raises UsageError where nothing says what a
    kernel takes on which GPU.
    """
    readings = []
    for path in paths:
        data = bytes_of(path)
        found = Reading(rows_of(data, path)) if is_document(data) else read(data, path.replace("\\", "/"), targets)
        readings.append(found)
    rows = tuple(row for each in readings for row in each.rows)
    problems = tuple(line for each in readings for line in each.problems)
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
