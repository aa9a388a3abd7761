"""The current state of an answer's dependencies, read without the parser, for a run in which nothing has changed."""

from __future__ import annotations

import posixpath
from itertools import islice
from typing import TYPE_CHECKING

from regpress_lint.core.digests import digest_of
from regpress_lint.lint.file_digests import ABSENT

if TYPE_CHECKING:
    from regpress_lint.cpp.preprocess.outline import Outline
    from regpress_lint.lint.cache import Dependency
    from regpress_lint.lint.file_digests import Digests
    from regpress_lint.lint.projects import Projects

_MAX_BESIDE = 16  # as in `cpp.names.project`
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
        self._including: dict[str, dict[str, list[tuple[str, str]]]] = {}
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
        found = self._near.get(folder)
        if found is None:
            of = self.digests.of
            peers = "\n".join(f"{of(other)} {other}" for other in self._projects.peers_of(path))
            found = self._near[folder] = digest_of(peers.encode("utf-8", "surrogateescape"))
        return found

    def state(self, kind: str, subject: str, root: str) -> str:
        """The fingerprint of a dependency."""
        if kind == "file":
            return self.digests.of(subject)
        key = (kind, subject, root)
        found = self._states.get(key)
        if found is None:
            found = self._states[key] = shortened(self._asked(kind, subject, root))
        return found

    def _asked(self, kind: str, subject: str, root: str) -> str:
        if kind == "named":
            return repr(sorted(self._projects.named(subject)))
        if kind == "including":
            return repr(self._includers(subject))
        if kind == "beside":
            return repr(self._beside(subject))
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

    def _beside(self, path: str) -> tuple[str, ...]:
        folder = posixpath.dirname(path)
        near = (other for other in self._projects.peers_of(path) if posixpath.dirname(other) == folder)
        return tuple(islice((other for other in near if other != path), _MAX_BESIDE))

    def _includers(self, path: str) -> object:
        folder = posixpath.dirname(path)
        index = self._including.get(folder)
        if index is None:
            index = self._including[folder] = {}
            for other in self._projects.peers_of(path):
                for text in self._outline(other).includes:
                    index.setdefault(posixpath.basename(text), []).append((other, text))
        return index.get(posixpath.basename(path), ())

    def _outline(self, path: str) -> Outline:
        found = self._outlines.get(path)
        if found is None:
            from regpress_lint.core.reading import read_header
            from regpress_lint.cpp.preprocess.outline import Outline, outline

            data = read_header(path)
            found = self._outlines[path] = Outline() if data is None else outline(path, data)
        return found


def shortened(state: str) -> str:
    """A fingerprint that takes little room: a long one is replaced by its digest."""
    return state if len(state) <= 40 else digest_of(state.encode("utf-8", "surrogatepass"))
