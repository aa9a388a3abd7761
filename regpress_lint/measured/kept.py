"""What was compiled before: rows by the content of a file, the command and the compiler, while headers are as then."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from regpress_lint.core.digests import digest_of
from regpress_lint.core.measured import Row
from regpress_lint.measured.rows import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.measured.compile import Compiled

_UNDECODABLE = (ValueError, TypeError, KeyError, RecursionError)
SUFFIX = ".compiled.json"


class Kept:
    """Results in a folder, None for none. A file that cannot be written or read is as good as absent."""

    def __init__(self, folder: str | None) -> None:
        self._folder = folder

    def key(self, data: bytes, words: Iterable[str], compiler: str) -> str:
        """Name of a compilation."""
        try:
            status = os.stat(compiler)
            state = (compiler, status.st_size, status.st_mtime_ns)
        except OSError:
            state = (compiler, 0, 0)
        return digest_of(repr((tuple(words), state)).encode("utf-8", "surrogatepass") + b"\0" + data)

    def get(self, key: str) -> Reading | None:
        """What was read then, unless something that the compiler read is no longer the same."""
        if self._folder is None:
            return None
        try:
            with open(os.path.join(self._folder, key + SUFFIX), encoding="utf-8") as stream:
                found = json.load(stream)
            if any(_state(path) != state for path, *state in found["dependencies"]):
                return None
            rows = tuple(_row(values) for values in found["rows"])
            return Reading(rows, tuple(found["problems"]))
        except (OSError, *_UNDECODABLE):
            return None

    def put(self, key: str, done: Compiled) -> None:
        """Keep a result, unless it says too little about what it came from."""
        if self._folder is None or not done.dependencies:
            return
        states = [[path, *_state(path)] for path in done.dependencies]
        content = {"rows": list(done.reading.rows), "problems": done.reading.problems, "dependencies": states}
        temporary = os.path.join(self._folder, f"{key}.{os.getpid()}.tmp")
        try:
            os.makedirs(self._folder, exist_ok=True)
            with open(temporary, "w", encoding="utf-8") as stream:
                json.dump(content, stream)
            os.replace(temporary, os.path.join(self._folder, key + SUFFIX))
        except OSError:
            return


def _state(path: str) -> list[int]:
    try:
        status = os.stat(path)
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _row(values: list[Any]) -> Row:
    row = Row(*values)
    return row._replace(inputs=tuple(row.inputs))
