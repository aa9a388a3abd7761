"""Parsed files that are kept as long as there is room."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regpress_lint.cpp.dependencies import Trace
    from regpress_lint.cpp.names.parsed_file import ParsedFile


# Trees are some twenty times the size of their text.
_MOST, _MOST_BYTES = 64, 2 * 1024 * 1024
_MOST_MISSED, _MOST_MISSED_BYTES = 256, 4 * 1024 * 1024


class KeptFiles(OrderedDict[str, "tuple[ParsedFile, Trace]"]):
    """Parsed files by their path, with what they were made from; the one that was asked for last is the last.

    Those asked for last are kept, and for longer those missed after they had been dropped: a library has more headers
    than fit, each file includes them in the same order, and the one asked for longest ago is asked for next.
    """

    def __init__(self) -> None:
        super().__init__()
        self._dropped: set[str] = set()
        self._missed: set[str] = set()

    def keep(self, path: str, parsed: ParsedFile, trace: Trace) -> None:
        """Keep another one, and drop those that there is no room for."""
        if path in self._dropped:
            self._missed.add(path)
        self[path] = parsed, trace
        self.move_to_end(path)
        self._drop([name for name in self if name not in self._missed], _MOST, _MOST_BYTES)
        self._drop([name for name in self if name in self._missed], _MOST_MISSED, _MOST_MISSED_BYTES)

    def _drop(self, paths: list[str], most: int, most_bytes: int) -> None:
        """Drop the first of some files until the others are few and small enough; the last one stays."""
        size = sum(len(self[path][0].source.data) for path in paths)
        for number, path in enumerate(paths[:-1]):
            if len(paths) - number <= most and size <= most_bytes:
                break
            size -= len(self[path][0].source.data)
            del self[path]
            self._dropped.add(path)
