"""The files around a file of a run: those beside it, and those that include something of its name.

The front end asks them for answers, the cache to see whether an answer still holds: both must get the same.
"""

from __future__ import annotations

import posixpath
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_MOST_BESIDE = 16  # files of the same folder that are asked for their language


def beside(path: str, peers: Iterable[str]) -> tuple[str, ...]:
    """The first of a file's peers that are in its folder."""
    folder = posixpath.dirname(path)
    others = (peer for peer in peers if peer != path and posixpath.dirname(peer) == folder)
    return tuple(islice(others, _MOST_BESIDE))


class Mentions:
    """Files near a file that include something of its base name, by an index per folder.

    peers: gives the files near a file. includes: gives each of some files with the texts of its `#include` lines.
    """

    def __init__(
        self,
        peers: Callable[[str], Iterable[str]],
        includes: Callable[[Iterable[str]], Iterable[tuple[str, Iterable[str]]]],
    ) -> None:
        self._peers, self._includes = peers, includes
        self._folders: dict[str, dict[str, list[tuple[str, str]]]] = {}

    def of(self, path: str) -> Sequence[tuple[str, str]]:
        """The files, each with the text by which it includes the name."""
        folder = posixpath.dirname(path)
        index = self._folders.get(folder)
        if index is None:
            index = self._folders[folder] = {}
            for peer, texts in self._includes(self._peers(path)):
                for text in texts:
                    index.setdefault(posixpath.basename(text), []).append((peer, text))
        return index.get(posixpath.basename(path), ())

    def clear(self) -> None:
        """Forget the indexes: a file includes something else now."""
        self._folders.clear()
