"""Small projects on disk, and the semantic tier that reads them with libclang."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.settings import Settings
from regpress_lint.core.source import Source
from regpress_lint.cpp.answers import Input, Place, Sources
from regpress_lint.facts.kernel import kernel_facts
from regpress_lint.lint.projects import Projects
from regpress_lint.program import build_file
from regpress_lint.semantics.clang import ClangSemantics, Tier

if TYPE_CHECKING:
    from pathlib import Path

    from regpress_lint.facts.kernel import KernelFacts
    from regpress_lint.program.file import File

SECONDS = 30.0  # a deadline that only a hang reaches


def write(folder: Path, files: dict[str, str]) -> Path:
    """Files below a folder, by relative path."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


class Asked:
    """Questions about one HIP file, with places given by their text."""

    def __init__(self, folder: Path, name: str, text: str, seconds: float = SECONDS, tier: Tier | None = None) -> None:
        self.path = str(folder / name)
        self.text = text
        self.tier = tier or Tier(seconds)
        (folder / name).write_text(text)
        self.semantics = ClangSemantics(
            self.tier, Input(self.path, text.encode(), "hip", None, Sources((str(folder),)), (str(folder),))
        )

    def place(self, mark: str, *, exact: bool = True) -> Place:
        """Offset of a text, which must occur exactly once."""
        assert self.text.count(mark) == 1, mark
        return Place(self.path, self.text.index(mark), exact)

    def value(self, text: str, mark: str, *, exact: bool = True) -> float | None:
        """Value of an expression."""
        found = self.semantics.value(text, self.place(mark, exact=exact))
        return found.value if found is not None else None

    def size(self, text: str, mark: str, *, exact: bool = True) -> int | None:
        """Bytes of a type."""
        found = self.semantics.type_named(text, self.place(mark, exact=exact))
        return found.value.type.size if found is not None else None


def modelled(folder: Path, name: str, seconds: float, include_dirs: tuple[str, ...] = ()) -> File:
    """The model of a file of a project on disk, with the tier on if it may take time."""
    path = folder / name
    projects = Projects((str(path),), (str(folder),), include_dirs, None, seconds)
    return build_file(Source(str(path), path.read_bytes()), "hip", projects.of(str(path)))


def facts_of(file: File, name: str) -> KernelFacts:
    """Facts of a kernel by name, of its one instantiation if it is a template."""
    kernel = next(kernel for kernel in file.kernels if kernel.name == name)
    facts = kernel_facts(file, kernel, Settings())
    return next(iter(facts.instances.values()), facts)
