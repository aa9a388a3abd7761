"""The project headers that one file sees, parsed only when something is looked up that they seem to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.project import Project

_MAX_PARSED = 32  # headers that are parsed for the look-ups of one file
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")


class Headers:
    """Look-ups in this file and then in its headers, in the order in which it includes them."""

    def __init__(self, project: Project, unit: Unit) -> None:
        self.project = project
        self.unit = unit
        self._paths: tuple[str, ...] | None = None
        self._parsed: dict[str, Unit | None] = {}

    def paths(self) -> tuple[str, ...]:
        """Project headers of this file."""
        if self._paths is None:
            self._paths = self.project.closure(self.unit)
        return self._paths

    def with_name(self, name: str, follows: re.Pattern[bytes]) -> Iterator[Unit]:
        """This file, then the project headers whose text has the name somewhere as a word with `follows` behind it."""
        word = name.encode()
        return self.where(word, lambda data: _stands_in(data, word, follows))

    def where(self, word: bytes, holds: Callable[[bytes], object]) -> Iterator[Unit]:
        """This file, then the project headers that have the word and of whose bytes `holds` is true."""
        yield self.unit
        for path in self.paths():
            data = self.project.read(path) if self.project.may_name(path, word) else None
            if data is not None and holds(data) and (unit := self._header(path)) is not None:
                yield unit

    def _header(self, path: str) -> Unit | None:
        """Parsed header; None once this file has had its share parsed: beyond it every name would cost a whole tree."""
        if path not in self._parsed:
            # Whether another file has had it parsed does not count: the answer must not hang on what came before.
            if len(self._parsed) >= _MAX_PARSED:
                return None
            self._parsed[path] = self.project.unit(path)
        return self._parsed[path]

    def with_type(self, name: str) -> Iterator[Unit]:
        """This file, then the project headers that seem to declare a type of this name."""
        yield self.unit
        for path in self.paths():
            if name in self.project.type_names(path) and (unit := self._header(path)) is not None:
                yield unit


def _stands_in(data: bytes, word: bytes, follows: re.Pattern[bytes]) -> bool:
    """True if an identifier stands in a text somewhere with `follows` behind it."""
    at = data.find(word)
    while at >= 0:
        end = at + len(word)
        if not (at and data[at - 1] in _WORD_BYTES) and follows.match(data, end) is not None:
            return True
        at = data.find(word, end)
    return False
