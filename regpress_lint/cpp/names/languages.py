"""The language of a file: what its command, its name, its text, its includers and the files beside it say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.neighbours import beside
from regpress_lint.cpp.language import is_opencl_name, names_its_api, speaks_opencl

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.core.settings import CompileCommand, Language
    from regpress_lint.cpp.names.includers import Includers
    from regpress_lint.cpp.names.run_files import RunFiles

_CUDA_FILES = (".cu", ".cuh")


class Decided(NamedTuple):
    """The language of a file, and what says so, in words that follow `by`."""

    language: Language
    by: str

    @property
    def is_told(self) -> bool:
        """True where a reader would not expect it: neither the file nor its build says it."""
        return self.language == "hip" and self.by in ("its folder", "the files beside it")


class Languages:
    """Decides the languages of files."""

    def __init__(self, files: RunFiles, includers: Includers) -> None:
        self._files = files
        self._includers = includers

    def of(self, path: str, data: bytes, given: Language, command: CompileCommand | None) -> Decided:
        """The command that compiles a file decides, or the file itself; for one that names neither API the files that
        include it; then its extension, if that is CUDA's, and else the files beside it.
        """
        if command is not None and command.language is not None:
            return Decided(command.language, "its compile command")
        if is_opencl_name(path):
            return Decided("opencl", "its name")
        if given in ("sycl", "opencl") or names_its_api(data):
            return Decided(given, "its text")
        if (voted := self._voted(self._includers.of(path))) is not None:
            return Decided(voted, "the files that include it")
        if path.endswith(_CUDA_FILES):
            return Decided(given, "its name" if given == "cuda" else "its folder")
        if (voted := self._voted(self.beside(path))) is not None:
            return Decided(voted, "the files beside it")
        return Decided(given, "its name" if given == "cuda" or path.endswith(".hip") else "its folder")

    def _voted(self, others: Iterable[str]) -> Language | None:
        """The language that most of the files that name one say."""
        votes = [language for other in others if (language := self.stated(other)) is not None]
        if not votes:
            return None
        return "hip" if 2 * votes.count("hip") > len(votes) else "cuda"

    def beside(self, path: str) -> tuple[str, ...]:
        """The first files of the same folder."""
        self._files.note("beside", path)
        return beside(path, self._files.peers(path))

    def stated(self, path: str) -> Language | None:
        """The language that a file itself names."""
        self._files.note("language", path)
        return self._files.outline(path).language

    def is_opencl(self, path: str, data: bytes) -> bool:
        """Whether a file is read as OpenCL C: by its name, or as a header that only such files include."""
        return is_opencl_name(path) or (speaks_opencl(data) and any(map(is_opencl_name, self._includers.of(path))))
