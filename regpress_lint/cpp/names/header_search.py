"""The project headers that one file sees, parsed only when something is looked up that they seem to have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.cpp.names.name_index import DEVICE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.names.project import Project

_MAX_PARSED = 32  # headers that are parsed for the look-ups of one file


class Headers:
    """Look-ups in this file and then in its headers, in the order in which it includes them."""

    def __init__(self, project: Project, unit: Unit) -> None:
        self.project = project
        self.unit = unit
        self._paths: tuple[str, ...] | None = None
        self._parsed: dict[str, Unit | None] = {}
        self._device_names: tuple[tuple[str, frozenset[str]], ...] | None = None
        self._saying: dict[tuple[str, int], tuple[str, ...]] = {}

    def paths(self) -> tuple[str, ...]:
        """Project headers of this file."""
        if self._paths is None:
            self._paths = self.project.closure(self.unit)
        return self._paths

    def saying(self, name: str, what: int) -> Iterator[Unit]:
        """This file, then the project headers that seem to say something of a name: `what` is a bit of `name_index`."""
        yield self.unit
        key = name, what
        if key not in self._saying:
            index_of = self.project.index_of
            self._saying[key] = tuple(path for path in self.paths() if index_of(path).get(name, 0) & what)
        for path in self._saying[key]:
            if (unit := self._header(path)) is not None:
                yield unit

    def has_unread(self, name: str, what: int) -> bool:
        """True if a header that was not parsed, beyond this file's share, seems to say something of a name."""
        index_of = self.project.index_of
        if len(self._parsed) < _MAX_PARSED:
            return False
        return any(path not in self._parsed and index_of(path).get(name, 0) & what for path in self.paths())

    def device_names(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Headers that seem to declare variables in device memory, and the names of these."""
        if self._device_names is None:
            indexes = ((path, self.project.index_of(path)) for path in self.paths())
            named = ((path, frozenset(n for n, said in index.items() if said & DEVICE)) for path, index in indexes)
            self._device_names = tuple((path, names) for path, names in named if names)
        return self._device_names

    def _header(self, path: str) -> Unit | None:
        """Parsed header; None once this file has had its share parsed: beyond it every name would cost a whole tree."""
        if path not in self._parsed:
            # Whether another file has had it parsed does not count: the answer must not hang on what came before.
            if len(self._parsed) >= _MAX_PARSED:
                return None
            self._parsed[path] = self.project.unit(path)
        return self._parsed[path]
