"""Answers of earlier runs on disk: one file, a pack, for all runs from one folder with the same settings.

A pack is a line that identifies it, its index as JSON, and the answers, each JSON. It is written whole and put in its
place in one step, so that runs at the same time and killed ones do no harm; of two that write at once the later one
keeps what the earlier one found where it can. Whatever cannot be read is as good as not there. Nothing in it is ever
executed: who can write to the folder can make a run say wrong things, and no more. Only regular files are read and
written, links are not followed, and no name of a file that is written can be known before.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

from regpress_lint.core.digests import digest_of
from regpress_lint.core.errors import os_reason
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.reading import regular_with_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, BinaryIO

    from regpress_lint.lint.cache_validation import Stamp

_MAGIC = b"regpress-lint cache 1"
_SUFFIX = ".pack"
_TEMPORARY = ".part"
_DIGITS = frozenset("0123456789abcdef")
_SIGNS: Mapping[str, bytes] = {  # for programs that make backups, and for git
    "CACHEDIR.TAG": b"Signature: 8a477f597d28d172789f06886806bc55\n# See `regpress-lint cache`.\n",
    ".gitignore": b"# Made by regpress-lint.\n*\n",
}
MAX_BYTES = 256 << 20  # all packs together
MAX_PACK_BYTES = 64 << 20
MAX_VARIANTS = 3  # answers kept of one file: for branches that somebody goes back and forth between
_TOUCH_SECONDS = 3600
_STALE_SECONDS = 3600  # what a killed run left half written


class Dependency(NamedTuple):
    """Something that an answer came from: a kind and a subject (of a file its path), and its state then.

    state: its fingerprint, "" if it was absent. quick: a fingerprint that is cheap to compare and changes at least as
    often; "" if there is none.
    """

    kind: str
    subject: str
    state: str
    quick: str = ""


class Entry(NamedTuple):
    """One answer about a file. root: the folder that was taken for its project's. data: the answer as JSON."""

    root: str
    dependencies: tuple[Dependency, ...]
    data: bytes


class Pack:
    """The content of one file of the cache. It is not changed: `write` makes a new one of it.

    stamps: digests of files with the stamps that they had.
    """

    def __init__(
        self,
        stamps: Mapping[str, tuple[Stamp, str]] | None = None,
        rows: Mapping[str, list[list[Any]]] | None = None,
        dependencies: Sequence[Dependency] = (),
        data: bytes = b"",
        identity: object = None,
    ) -> None:
        self.stamps: Mapping[str, tuple[Stamp, str]] = stamps or {}
        self.dependencies = dependencies
        self.identity = identity
        self._rows: Mapping[str, list[list[Any]]] = rows or {}
        self._data = data

    @property
    def paths(self) -> Iterable[str]:
        """Paths that there are answers for."""
        return self._rows

    def variants(self, path: str) -> Iterable[tuple[int, str, Sequence[int]]]:
        """Answers about a file, the last one first: number, root, and its dependencies by their number."""
        for number, row in enumerate(self._rows.get(path, ())):
            yield number, row[0], row[1]

    def data(self, path: str, number: int) -> bytes | None:
        """The answer with that number; None if it is damaged."""
        from binascii import crc32

        _, _, start, length, check = self._rows[path][number]
        data = self._data[start : start + length]
        return data if len(data) == length and crc32(data) == check else None

    def entry(self, path: str, number: int) -> Entry | None:
        """All of an answer; None if it is damaged."""
        data = self.data(path, number)
        if data is None:
            return None
        root, numbers = self._rows[path][number][:2]
        return Entry(root, tuple(self.dependencies[index] for index in numbers), data)


class Cache:
    """A folder of packs. tool: what made the answers; those of another one count for nothing.

    unwritten: is told why, when something could not be written.
    """

    def __init__(self, folder: str, tool: str, unwritten: Callable[[str], object] = str) -> None:
        self.folder, self.tool, self._unwritten = folder, tool, unwritten

    def load(self, key: str) -> Pack:
        """The pack of a key, an empty one if there is none that can be used."""
        path = self._path(key)
        entry = _read(path)
        if entry is None:
            return Pack()
        raw, status = entry
        try:
            pack = _decoded(raw, self.tool, (status.st_ino, status.st_mtime_ns, status.st_size))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, MemoryError):
            return Pack()
        if time.time() - status.st_mtime > _TOUCH_SECONDS:
            _touch(path)
        return pack

    def write(
        self,
        key: str,
        read: Pack,
        validated: Mapping[str, Entry],
        used: Mapping[str, int],
        stamps: Mapping[str, tuple[Stamp, str]],
    ) -> None:
        """Put answers in front of those that `read` has. used: the numbers of those in `read` that were right.

        A pack that cannot be written is not kept: the run does not fail, but says so.
        """
        path = self._path(key)
        base = read if read.identity == _identity(path) else self.load(key)
        fresh = used if base is read else {}
        kept = {name: _entries(base, name, fresh.get(name), validated.get(name)) for name in {*base.paths, *validated}}
        order = sorted(kept, key=lambda name: (name not in validated and name not in used, name))
        try:
            self._prepare()
            self._replace(path, _encoded({name: kept[name] for name in order}, {**base.stamps, **stamps}, self.tool))
            self._make_room(path)
        except OSError as error:
            self._unwritten(os_reason(error))

    def recall(self, key: str) -> bytes | None:
        """Something else than a pack that was kept under a key; None for nothing."""
        entry = _read(self._path(key))
        if entry is None:
            return None
        _touch(self._path(key))
        return entry[0]

    def keep(self, key: str, data: bytes) -> None:
        """Keep it, like packs: as long as there is room, and until the folder is cleaned."""
        try:
            self._prepare()
            self._replace(self._path(key), (data,))
            self._make_room(self._path(key))
        except OSError as error:
            self._unwritten(os_reason(error))

    def _path(self, key: str) -> str:
        return os.path.join(self.folder, key + _SUFFIX)

    def _prepare(self) -> None:
        if os.path.isdir(self.folder):
            return
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        for name, text in _SIGNS.items():
            with suppress(FileExistsError), _created(os.path.join(self.folder, name)) as stream:
                stream.write(text)

    def _replace(self, path: str, pieces: Iterable[bytes]) -> None:
        temporary = f"{path}.{os.urandom(16).hex()}{_TEMPORARY}"
        stream = _created(temporary)
        try:
            with stream:
                stream.writelines(pieces)
            os.replace(temporary, path)
        except BaseException:
            _remove(temporary)
            raise

    def _make_room(self, newest: str) -> None:
        """Remove the packs that were not used for the longest time, and what killed runs have left."""
        now, total = time.time(), 0
        for path, status in sorted(_files(self.folder), key=lambda item: -item[1].st_mtime):
            if path.endswith(_TEMPORARY):
                if now - status.st_mtime > _STALE_SECONDS:
                    _remove(path)
                continue
            total += status.st_size
            if total > MAX_BYTES and path != newest:
                _remove(path)


class Cleaned(NamedTuple):
    """Files that were removed and their bytes, and the paths of those that could not be."""

    files: int
    size: int
    left: tuple[str, ...]


def clean(folder: str) -> Cleaned:
    """Remove everything that this program has put into a folder."""
    removed = [(path, status.st_size, _remove(path)) for path, status in _files(folder)]
    for name, text in _SIGNS.items():
        path = os.path.join(folder, name)
        if (entry := _read(path, len(text) + 1)) is not None and entry[0] == text:
            _remove(path)
    with suppress(OSError):  # it holds something else, or was not there
        os.rmdir(folder)
    gone = [(path, size) for path, size, done in removed if done]
    packs = sum(path.endswith(_SUFFIX) for path, _ in gone)
    return Cleaned(packs, sum(size for _, size in gone), tuple(path for path, _, done in removed if not done))


def default_folder() -> str:
    """Where the cache is by default: the user's folder for caches. Empty for a user without a home, whose folder would
    be relative to the working folder, which may be the repository.
    """
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~\\AppData\\Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):  # as the specification wants it
            base = os.path.expanduser("~/.cache")
    return os.path.join(base, "regpress-lint") if os.path.isabs(base) else ""


# ------------------------------------------------------------------------------------------------- what is in a file


def _decoded(raw: bytes, tool: str, identity: object) -> Pack:
    """A pack out of its bytes. Raises one of many for bytes that are none."""
    head, _, body = raw.partition(b"\n")
    magic, check, length = head.rsplit(b" ", 2)
    index = body[: int(length)]
    if magic != _MAGIC or digest_of(index, tool.encode()).encode() != check:
        return Pack()
    import json

    read = json.loads(index)
    stamps = {
        path: ((size, modified, changed, node), was) for path, size, modified, changed, node, was in read["stamps"]
    }
    dependencies = [Dependency(*row) for row in read["dependencies"]]
    return Pack(stamps, read["entries"], dependencies, body[len(index) :], identity)


def _encoded(entries: Mapping[str, list[Entry]], stamps: Mapping[str, tuple[Stamp, str]], tool: str) -> Iterable[bytes]:
    """Pieces of a pack's bytes. The first of `entries` are kept if there is no room for all."""
    import json
    from binascii import crc32

    numbers: dict[Dependency, int] = {}
    rows: dict[str, list[list[object]]] = {}
    pieces: list[bytes] = []
    size = 0
    for path, variants in entries.items():
        variant_rows: list[list[object]] = []
        for root, dependencies, data in variants:
            if size + len(data) > MAX_PACK_BYTES:
                break
            used = [numbers.setdefault(dependency, len(numbers)) for dependency in dependencies]
            variant_rows.append([root, used, size, len(data), crc32(data)])
            pieces.append(data)
            size += len(data)
        if variant_rows:
            rows[path] = variant_rows
    wanted = {number.subject for number in numbers if number.kind == "file"}
    document = {
        "stamps": [[path, *stamp, digest] for path, (stamp, digest) in stamps.items() if path in wanted],
        "dependencies": list(numbers),
        "entries": rows,
    }
    index = json.dumps(document, separators=(",", ":")).encode()
    check = digest_of(index, tool.encode()).encode()
    return (b"%b %b %d\n" % (_MAGIC, check, len(index)), index, *pieces)


def _entries(base: Pack, path: str, used: int | None, entry: Entry | None) -> list[Entry]:
    """Answers about a file, the one that is right now first, without those that are damaged."""
    numbers = [number for number, _, _ in base.variants(path)]
    if used is not None:
        numbers.sort(key=lambda number: number != used)
    old = (base.entry(path, number) for number in numbers)
    answers = [] if entry is None else [entry]
    answers += [answer for answer in old if answer is not None and answer != entry]
    return answers[:MAX_VARIANTS]


def _identity(path: str) -> object:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return (status.st_ino, status.st_mtime_ns, status.st_size)


def _files(folder: str) -> Iterable[tuple[str, os.stat_result]]:
    """Packs in a folder, and packs that were not finished."""
    try:
        with os.scandir(folder) as entries:
            ours = [entry for entry in entries if _is_ours(entry.name)]
            return [(entry.path, entry.stat(follow_symlinks=False)) for entry in ours if entry.is_file()]
    except OSError:
        return []


def _is_ours(name: str) -> bool:
    key, kind, ending = name.partition(_SUFFIX)
    return len(key) == 32 and _DIGITS.issuperset(key) and bool(kind) and (not ending or ending.endswith(_TEMPORARY))


def _touch(path: str) -> None:
    with suppress(OSError):
        os.utime(path)


def _remove(path: str) -> bool:
    """Whether a file was there and is gone now."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def _created(path: str) -> BinaryIO:
    """A new file to write to. Raises FileExistsError if anything has that name, even a broken link."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o666), "wb")


def _read(path: str, most: int = MAX_BYTES) -> tuple[bytes, os.stat_result] | None:
    """Bytes and state of a regular file of at most so many bytes; None for anything else, links among them."""
    try:
        return regular_with_state(path, most, follow_links=False)
    except OSError:
        return None
