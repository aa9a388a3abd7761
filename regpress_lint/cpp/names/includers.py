"""Which files of a run include a file: kernels often live in a header, their launches in the file that includes it."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import TYPE_CHECKING

from regpress_lint.core.neighbours import Mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from regpress_lint.cpp.dependencies import Changed, Trace
    from regpress_lint.cpp.names.build_commands import BuildCommands
    from regpress_lint.cpp.names.run_files import RunFiles

MAX_INCLUDERS = 3  # files asked for the macros and constants that a header leaves to them


class Includers:
    """The files that include a file, and what those include in turn."""

    def __init__(self, files: RunFiles, builds: BuildCommands) -> None:
        self._files = files
        self._builds = builds
        self._mentions = Mentions(files.peers, self._included_in)
        self._includers: dict[str, tuple[tuple[str, ...], Trace]] = {}
        self._closures: dict[str, tuple[frozenset[str], Trace]] = {}

    def forget(self, changed: Changed) -> None:
        """Drop what came from a file that has changed."""
        changed.drop(self._includers)
        changed.drop(self._closures)
        self._mentions.clear()

    def of(self, path: str) -> tuple[str, ...]:
        """Files of the run that include `path`."""
        return self._files.kept(self._includers, path, partial(self._find, path))

    def above(self, path: str, most: int = MAX_INCLUDERS) -> tuple[str, ...]:
        """At most so many files that include `path`: those that do it themselves, then those that include these."""
        found = [*self.of(path)]
        for other in found:  # which becomes longer meanwhile
            if len(found) >= most:
                break
            found += [each for each in self.of(other) if each != path and each not in found]
        return tuple(found[:most])

    def _find(self, path: str) -> tuple[str, ...]:
        including = (other for other, text in self.mentions(path) if self._leads_to(other, text, path))
        return tuple(dict.fromkeys(including))

    def mentions(self, path: str) -> Sequence[tuple[str, str]]:
        """Files near `path` that include something of its base name, and how they write it."""
        self._files.note("including", path)
        return self._mentions.of(path)

    def _included_in(self, path: str) -> Iterable[str]:
        return self._files.outline(path).includes

    def _leads_to(self, other: str, text: str, path: str) -> bool:
        """Whether `#include "text"` in `other` means `path`: dozens of folders may hold a `kernels.h`."""
        if other == path:
            return False
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(other), text))
        if beside == path or self._files.read(beside) is not None:
            return beside == path
        return path in self._files.kept(self._closures, other, lambda: frozenset(self.closure_of(other)))

    def closure_of(self, path: str) -> tuple[str, ...]:
        """Project files that a file of the run includes, as the command nearest to it has them."""
        data, includes = self._files.read(path), self._files.includes
        if includes is None or data is None:
            return ()
        # Not `BuildCommands.of`: this is asked to find the files that include a header, of which that may be one.
        return includes.closure(path, data, self._builds.given_of(self._builds.nearest(path)))

    def outermost(self, path: str) -> str:
        """The first file that is included by none, on the way from includer to includer."""
        seen = {path}
        while (above := next((other for other in self.of(path) if other not in seen), None)) is not None:
            seen.add(above)
            path = above
        return path
