"""Current content of files with as little reading as possible: a file with an unchanged stamp is not read again."""

from __future__ import annotations

import os
import stat
import sys
import time

from regpress_lint.core.digests import DIGEST_BYTES, blake2b
from regpress_lint.core.reading import without_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Stamp = tuple[int, int, int, int]
"""Size, times of the last change of content and of status in nanoseconds, inode."""
ABSENT = ""
# A clock may tick this slowly: a file that was written so shortly before it was read may change and look the same.
_RACY_NS = 2_000_000_000
_PIECE = 1 << 20


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file from its metadata."""
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


class Digests:
    """Digests of files by path, each worked out once: "" for one that is no regular file or cannot be read.

    known: digests from earlier runs with the stamps that the files had. seen: stamps that this run has taken already.
    learned: digests that the next run may reuse.
    """

    def __init__(
        self, known: Mapping[str, tuple[Stamp, str]] | None = None, seen: Mapping[str, Stamp] | None = None
    ) -> None:
        self.learned: dict[str, tuple[Stamp, str]] = {}
        self._known: Mapping[str, tuple[Stamp, str]] = {} if known is None else known
        self._seen: Mapping[str, Stamp] = {} if seen is None else seen
        self._found: dict[str, str] = {}
        self._listed: dict[str, frozenset[str] | None] = {}

    def of(self, path: str) -> str:
        """The digest of a file."""
        found = self._found.get(path)
        if found is None:
            found = self._found[path] = self._of(path)
        return found

    def is_absent(self, path: str) -> bool:
        """Whether there is nothing at a path, without a look at the path itself where its folder says so.

        A run looks up tens of thousands of files that do not exist, in some thousands of folders.
        """
        folder, _, name = path.rpartition("/")
        # Only where the folder that lists `a.h` has no `A.h`.
        if sys.platform != "linux" or name in ("", ".", ".."):
            return not os.path.lexists(path)
        listed = self._names(folder or ("/" if path.startswith("/") else "."))
        return name not in listed if listed is not None else not os.path.lexists(path)

    def _names(self, folder: str) -> frozenset[str] | None:
        """Names in a folder, none if it does not exist; None if it does not tell."""
        if folder in self._listed:
            return self._listed[folder]
        above, _, name = folder.rpartition("/")
        names: frozenset[str] | None
        if above and name not in ("", ".", "..") and self.is_absent(folder):
            names = frozenset()
        else:
            try:
                names = frozenset(os.listdir(folder))
            except (FileNotFoundError, NotADirectoryError):
                names = frozenset()
            except (OSError, ValueError):
                names = None
        self._listed[folder] = names
        return names

    def _of(self, path: str) -> str:
        known = self._known.get(path)
        if known is not None:
            stamp = self._seen.get(path)
            if stamp is None:
                try:
                    status = os.stat(path)
                except (OSError, ValueError):
                    return ABSENT
                stamp = stamp_of(status) if stat.S_ISREG(status.st_mode) else None
            if stamp == known[0]:
                self.learned[path] = known
                return known[1]
        return self._read(path)

    def _read(self, path: str) -> str:
        now = time.time_ns()
        found = blake2b(digest_size=DIGEST_BYTES)
        try:
            with open(path, "rb", buffering=0, opener=without_waiting) as stream:
                status = os.fstat(stream.fileno())
                if not stat.S_ISREG(status.st_mode):
                    return ABSENT
                while piece := stream.read(_PIECE):
                    found.update(piece)
        except (OSError, ValueError):
            return ABSENT
        stamp = stamp_of(status)
        if max(stamp[1], stamp[2]) + _RACY_NS < now:
            self.learned[path] = (stamp, found.hexdigest())
        return found.hexdigest()
