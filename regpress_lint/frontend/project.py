"""Parsed files of one process: each file is read and parsed once, least recently used first out."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import TYPE_CHECKING

from regpress_lint.frontend.macros import MacroTable, scan_macros
from regpress_lint.frontend.parse import parse_ladder
from regpress_lint.frontend.unit import Unit
from regpress_lint.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from regpress_lint.frontend.includes import IncludeResolver
    from regpress_lint.model import Launch
    from regpress_lint.settings import Language

_MAX_UNITS = 24  # parsed files kept per process: trees are some twenty times the size of their text
_MAX_HEADER_BYTES = 600 * 1024  # larger headers are generated tables
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\r\n]+)[">]', re.MULTILINE)


class Project:
    """Parsed files of one process, least recently used first out."""

    def __init__(
        self, includes: IncludeResolver | None = None, peers: Callable[[str], Iterable[str]] = lambda _path: ()
    ) -> None:
        self.includes = includes
        self.peers = peers
        self._units: OrderedDict[str, Unit] = OrderedDict()
        self._launches: dict[str, tuple[Launch, ...]] = {}
        self._includes_of: dict[str, frozenset[str]] = {}

    def unit(self, path: str, data: bytes | None = None) -> Unit | None:
        """Parsed file, or None if it cannot be read. `data` is given for the file that is being linted."""
        known = self._units.get(path)
        if known is not None and (data is None or known.source.data == data):
            self._units.move_to_end(path)
            return known
        if data is None:
            data = self.includes.read(path) if self.includes is not None else None
            if data is None or len(data) > _MAX_HEADER_BYTES:
                return None
        macros = (
            self.includes.macros(path, data) if self.includes is not None else MacroTable.of(scan_macros(data, path))
        )
        unit = Unit(Source(path, data), macros, parse_ladder(data, macros))
        self._units[path] = unit
        if len(self._units) > _MAX_UNITS:
            self._units.popitem(last=False)
        return unit

    def closure(self, unit: Unit) -> tuple[str, ...]:
        """Project files that a file includes, transitively."""
        return self.includes.closure(unit.source.path, unit.source.data) if self.includes is not None else ()

    def read(self, path: str) -> bytes | None:
        """Bytes of a project file."""
        return self.includes.read(path) if self.includes is not None else None

    def includers(self, path: str) -> tuple[str, ...]:
        """Files of this run, in the same folder or a sibling of it, that include `path` by its name."""
        name = path.rpartition("/")[2]
        return tuple(other for other in self.peers(path) if other != path and name in self._included_names(other))

    def _included_names(self, path: str) -> frozenset[str]:
        if path not in self._includes_of:
            data = self.read(path) or b""
            names = (match[1].decode("utf-8", "replace") for match in _INCLUDE.finditer(data))
            self._includes_of[path] = frozenset(name.rpartition("/")[2] for name in names)
        return self._includes_of[path]

    def launches(self, path: str, language: Language) -> tuple[Launch, ...]:
        """Launches of another file of the run (kernels often live in a header, launches in the file that includes it)."""
        if path not in self._launches:
            from regpress_lint.frontend.hostvalues import HostValues
            from regpress_lint.frontend.launches import cuda_launches
            from regpress_lint.frontend.view import View

            unit = self.unit(path)
            found = cuda_launches(HostValues(View(self, unit, language), unit), path) if unit is not None else ()
            self._launches[path] = tuple(found)
        return self._launches[path]
