"""Whether an answer of an earlier run still holds: by the identity of this program (its version, its code and its
dependencies), and by the current state of the answer's dependencies, read without the parser.
A file with an unchanged stamp is not read again.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from itertools import islice
from operator import attrgetter

from regpress_lint import __version__
from regpress_lint.core.digests import DIGEST_BYTES, blake2b, digest_of
from regpress_lint.core.neighbours import Mentions, beside
from regpress_lint.core.reading import without_waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Set as AbstractSet
    from importlib.machinery import ModuleSpec

    from regpress_lint.cpp.preprocess.outlines import Outline
    from regpress_lint.lint.cache import Dependency
    from regpress_lint.lint.projects import Projects


_PACKAGES = ("regpress_lint", "regpress_rules")
_MOST_FILES = 20_000  # of a plugin's package
_NAME = attrgetter("name")
# Nothing in an answer is from there. Headers are for libclang: `headers` has them, for the runs that ask it.
_COMPILED = frozenset(("__pycache__",))
_NOT_READ = _COMPILED | {"shims", ".md", "css", ".js"}  # names, and their last three letters


def fingerprint(*, plugins: bool) -> str:
    """A digest that changes with the program, the interpreter, its installed dependencies and the code of plugins.

    plugins: whether rules of plugins run; they are loaded by then.
    """
    names = [*_PACKAGES]
    if plugins:
        from regpress_lint.lint.registry import entry_points

        names += (point.module.partition(".")[0] for point in entry_points(sys.path))
    lines = [__version__, sys.version, *_distributions(sys.path)]
    for name in dict.fromkeys(names):
        module = sys.modules.get(name)
        spec = module.__spec__ if module is not None else _spec(name)
        if spec is None:
            continue
        for place in spec.submodule_search_locations or [spec.origin or ""]:
            lines += (name, *_code(place, name))
    return digest_of("\n".join(lines).encode("utf-8", "surrogateescape"))


def _spec(name: str) -> ModuleSpec | None:
    from importlib.util import find_spec

    return find_spec(name)


def _distributions(folders: Iterable[str]) -> Iterator[str]:
    """Names and versions of all that is installed: parsers, libclang, dependencies of plugins."""
    for folder in folders:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        yield from sorted(name for name in names if name.endswith((".dist-info", ".egg-info")))


def _code(place: str, package: str) -> Iterator[str]:
    """A mark of a package's files that differs between versions.

    An installer has written down digests of them; files under development are known by their times.
    """
    record = _record(os.path.dirname(place), package)
    if record is not None:
        yield digest_of(record)
    passed_over = _NOT_READ if package in _PACKAGES else _COMPILED
    for name, status in islice(_files(place, "", passed_over), _MOST_FILES):
        yield f"{name} {status.st_size} {status.st_mtime_ns if record is None else 0}"


def _files(place: str, within: str, passed_over: AbstractSet[str]) -> Iterator[tuple[str, os.stat_result]]:
    """The files of a package by their paths in it: hundreds, for each run that may know all answers."""
    try:
        with os.scandir(place) as entries:
            ordered = sorted(entries, key=_NAME)
    except OSError:  # a module that is a file, or one inside an archive
        while not os.path.isfile(place) and place != os.path.dirname(place):
            place = os.path.dirname(place)
        if os.path.isfile(place):
            yield os.path.basename(place), os.stat(place)
        return
    for entry in ordered:
        name = entry.name
        if name in passed_over or name[-3:] in passed_over:
            continue
        if entry.is_dir():
            yield from _files(entry.path, f"{within}{name}/", passed_over)
        else:
            yield within + name, entry.stat()


def headers() -> str:
    """A digest that changes with the headers that libclang reads in place of the systems'."""
    from regpress_lint.semantics.arguments import SHIMS

    states = (f"{name} {status.st_size} {status.st_mtime_ns}" for name, status in _files(SHIMS, "", _COMPILED))
    return digest_of("\n".join(states).encode("utf-8", "surrogateescape"))


def _record(folder: str, package: str) -> bytes | None:
    """The list of a package's files that its installer has left beside it."""
    start = f"{_plain(package)}-"
    try:
        listed = [name for name in os.listdir(folder) if name.endswith(".dist-info")]
    except OSError:
        return None
    names = [name for name in listed if _plain(name).startswith(start)]
    if package == "regpress_rules":  # comes with the other one
        return _record(folder, "regpress_lint")
    for name in names:
        try:
            with open(os.path.join(folder, name, "RECORD"), "rb") as stream:
                data = stream.read()
        except OSError:
            continue
        if f"{package}/__init__.py".encode() in data:
            return data
    return None


def _plain(name: str) -> str:
    """A name as an installer may have spelled it, with a version or not."""
    return name.lower().replace(".", "_")


NEAR = frozenset({"including", "language"})  # questions that are answered from the texts of the run's files


class Present:
    """The state of dependencies (see `cpp.dependencies`) in this run, each worked out once.

    It says what `Project.fingerprint` says.
    """

    def __init__(self, projects: Projects, digests: Digests) -> None:
        self.digests = digests
        self._projects = projects
        self._states: dict[tuple[str, str, str], str] = {}
        self._near: dict[str, str] = {}
        self._mentions = Mentions(projects.peers_of, self._included_in)
        self._outlines: dict[str, Outline] = {}

    def is_still(self, dependency: Dependency, root: str) -> bool:
        """Whether a dependency is unchanged. root: of the project of the file whose answer depends on it."""
        kind, subject, state, quick = dependency
        if kind == "file":
            if state == ABSENT:
                return self.digests.is_absent(subject) or not self._could_read(subject, root)
            return self.digests.of(subject) == state
        if quick and quick == self.quick(kind, subject):
            return True
        return self.state(kind, subject, root) == state

    def _could_read(self, path: str, root: str) -> bool:
        """Whether a file that exists is one that a project would read."""
        if not self._projects.may_read(root, path):
            return False
        from regpress_lint.core.reading import read_header

        return read_header(path) is not None

    def quick(self, kind: str, subject: str) -> str:
        """A fingerprint that changes whenever the state does, and more often; "" for a kind that has none."""
        if kind == "language":
            return self.digests.of(subject)
        return self.near(subject) if kind == "including" else ""

    def near(self, path: str) -> str:
        """A fingerprint of all files near a file."""
        folder = path.rpartition("/")[0]
        digest = self._near.get(folder)
        if digest is None:
            digest_at = self.digests.of
            peers = "\n".join(f"{digest_at(peer)} {peer}" for peer in self._projects.peers_of(path))
            digest = self._near[folder] = digest_of(peers.encode("utf-8", "surrogateescape"))
        return digest

    def state(self, kind: str, subject: str, root: str) -> str:
        """The fingerprint of a dependency."""
        if kind == "file":
            return self.digests.of(subject)
        key = (kind, subject, root)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = shortened(self._asked(kind, subject, root))
        return state

    def _asked(self, kind: str, subject: str, root: str) -> str:
        if kind == "named":
            return repr(sorted(self._projects.named(subject)))
        if kind == "including":
            return repr(self._mentions.of(subject))
        if kind == "beside":
            return repr(beside(subject, self._projects.peers_of(subject)))
        if kind == "language":
            return repr(self._outline(subject).language)
        compiled, _ = self._projects.compiled(root)
        if compiled is None:
            return ""
        if kind == "place":
            return repr(compiled.place(subject))
        if kind == "command":
            from regpress_lint.core.reading import read_header

            return repr(compiled.exact(subject) or compiled.near(subject, read_header(subject)))
        return f"unknown kind {kind}"

    def _included_in(self, paths: Iterable[str]) -> list[tuple[str, Iterable[str]]]:
        return [(path, self._outline(path).includes) for path in paths]

    def _outline(self, path: str) -> Outline:
        read = self._outlines.get(path)
        if read is None:
            from regpress_lint.core.reading import read_header
            from regpress_lint.cpp.preprocess.outlines import Outline, outline

            data = read_header(path)
            read = self._outlines[path] = Outline() if data is None else outline(path, data)
        return read


def shortened(state: str) -> str:
    """A fingerprint that takes little room: a long one is replaced by its digest."""
    return state if len(state) <= 40 else digest_of(state.encode("utf-8", "surrogatepass"))


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
        digest = self._found.get(path)
        if digest is None:
            digest = self._found[path] = self._of(path)
        return digest

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
        if (stamped := self._known.get(path)) is not None:
            stamp = self._seen.get(path)
            if stamp is None:
                try:
                    status = os.stat(path)
                except (OSError, ValueError):
                    return ABSENT
                stamp = stamp_of(status) if stat.S_ISREG(status.st_mode) else None
            if stamp == stamped[0]:
                self.learned[path] = stamped
                return stamped[1]
        return self._read(path)

    def _read(self, path: str) -> str:
        now = time.time_ns()
        digest = blake2b(digest_size=DIGEST_BYTES)
        try:
            with open(path, "rb", buffering=0, opener=without_waiting) as stream:
                status = os.fstat(stream.fileno())
                if not stat.S_ISREG(status.st_mode):
                    return ABSENT
                while piece := stream.read(_PIECE):
                    digest.update(piece)
        except (OSError, ValueError):
            return ABSENT
        stamp = stamp_of(status)
        if max(stamp[1], stamp[2]) + _RACY_NS < now:
            self.learned[path] = (stamp, digest.hexdigest())
        return digest.hexdigest()
