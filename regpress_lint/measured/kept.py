"""Results of earlier compilations: rows by the content of a file, the command and the compiler, while headers are
unchanged."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Protocol

from regpress_lint.core.digests import digest_of
from regpress_lint.core.measured import Row
from regpress_lint.measured.processes import header_folders
from regpress_lint.measured.rows import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.measured.compile import Compiled

_UNDECODABLE = (ValueError, TypeError, KeyError, RecursionError)
_FORM = (1, *Row._fields)  # of what is kept: another version of this program reads it otherwise


class Store(Protocol):
    """Where bytes are kept by a digest."""

    def recall(self, key: str) -> bytes | None:
        """The kept rows; None if there are none."""

    def keep(self, key: str, data: bytes) -> None:
        """Keep it, if that can be."""


class Kept:
    """Results in a store, None for none."""

    def __init__(self, store: Store | None) -> None:
        self._store = store

    def key(self, data: bytes, words: Iterable[str], compiler: str) -> str:
        """Name of a compilation."""
        try:
            status = os.stat(compiler)
            state = (compiler, status.st_size, status.st_mtime_ns)
        except OSError:
            state = (compiler, 0, 0)
        parts = (_FORM, tuple(words), state, tuple(header_folders().items()))
        return digest_of(repr(parts).encode("utf-8", "surrogatepass"), b"\0", data)

    def get(self, key: str) -> Reading | None:
        """The rows read then, unless a file that the compiler read has changed since."""
        data = None if self._store is None else self._store.recall(key)
        if data is None:
            return None
        try:
            found = json.loads(data)
            if any(_state(path) != state for path, *state in found["dependencies"]):
                return None
            return Reading(tuple(map(_row, found["rows"])), tuple(found["problems"]))
        except _UNDECODABLE:
            return None

    def put(self, key: str, done: Compiled) -> None:
        """Keep a result, unless it says too little about what it came from."""
        if self._store is None or not done.dependencies:
            return
        states = [[path, *_state(path)] for path in done.dependencies]
        content = {"rows": list(done.reading.rows), "problems": done.reading.problems, "dependencies": states}
        self._store.keep(key, json.dumps(content).encode("utf-8", "surrogatepass"))


def _state(path: str) -> list[int]:
    try:
        status = os.stat(path)
    except OSError:
        return [0, 0]
    return [status.st_size, status.st_mtime_ns]


def _row(values: list[Any]) -> Row:
    row = Row(*values)
    return row._replace(inputs=tuple(row.inputs))
