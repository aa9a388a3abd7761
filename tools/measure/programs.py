"""Files of the programs of a benchmark suite such as HeCBench, compiled as they are and with a change.

A program is a folder below the root. A file is compiled alone, with its own folder, the one above and what its
Makefile names by -I and -D. A header is compiled with the first source of its program that includes it. A changed file
is in a copy of its program that consists of links, beside links to the other programs that it names: so
`#include "../other/x.h"` still finds its file, and nothing of the suite is written to.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.cpp.preprocess.build_files import build_directories, build_macros
from regpress_lint.lint.discovery import discover
from regpress_lint.lint.projects import Projects
from regpress_lint.program import detect_language
from tools.measure.toolchain import Allocation, assembly_sizes, compile_for, cubin_sizes, find_toolchain, version_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.core.settings import Language

MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
SOURCES = frozenset((".cu", ".hip", ".cpp", ".cc", ".cxx", ".c"))
LANGUAGES: dict[str, Language] = {"gfx": "hip", "sm_": "cuda"}
_SHOWN = 400
_ABOVE = re.compile(rb"\.\./+([\w.+-]*[\w+-])")
_COMMON = ("include",)
_LARGEST_READ = 2 << 20


class Build(NamedTuple):
    """Kernels of a translation unit, or the compiler's words if there are none."""

    allocations: tuple[Allocation, ...]
    error: str = ""


def language_of(target: str) -> Language:
    """Language of the programs that are compiled for a target."""
    return LANGUAGES[target[:3]]


def include_flags(source: Path) -> tuple[str, ...]:
    """Flags for a file of a program: the folders its includes are looked for in, and the macros of the Makefile."""
    folder = source.parent
    directories = [str(folder), str(folder.parent), str(folder.parent / "include")]
    macros: dict[str, str] = {}
    for path in (folder / name for name in MAKEFILES):
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            directories += build_directories(text, str(folder), cmake=False)
            macros.update((macro.name, macro.body) for macro in build_macros(text, str(path), cmake=False))
    return (
        *(f"-I{directory}" for directory in dict.fromkeys(directories)),
        *(f"-D{name}={value}" for name, value in macros.items()),
    )


def mirrored(root: Path, path: Path, data: bytes, folder: Path) -> Path:
    """Copy the program of `path` from `root` to `folder`, with the files that it names, and write `data` to `path`.

    Return the copy's path of `path`.
    """
    parts = path.relative_to(root).parts
    folder.mkdir(parents=True, exist_ok=True)
    # All folders of a suite would be thousands of links, and those take longer than the compiler.
    named = set(_COMMON)
    if len(parts) > 1:
        _linked(root / parts[0], folder / parts[0], named)
    else:
        named.update(entry.name for entry in root.iterdir())
    for name in named - {parts[0]}:
        if (root / name).exists():
            (folder / name).symlink_to((root / name).absolute())
    changed = folder.joinpath(*parts)
    changed.unlink(missing_ok=True)
    changed.write_bytes(data)
    return changed


def _linked(folder: Path, copy: Path, named: set[str]) -> None:
    """Link the files of a folder, and add the folders beside the program that they may name."""
    copy.mkdir()
    for entry in folder.iterdir():
        if entry.is_dir():
            _linked(entry, copy / entry.name, named)
            continue
        (copy / entry.name).symlink_to(entry.absolute())
        if entry.stat().st_size < _LARGEST_READ:
            named.update(name.decode() for name in _ABOVE.findall(entry.read_bytes()))


class Programs:
    """The suite below `root`. Compilations are remembered in the folder `cache`, if there is one."""

    def __init__(self, root: Path, cache: Path | None = None) -> None:
        self.root, self.cache, self.chain = root, cache, find_toolchain()
        self.files = [Path(candidate.path) for candidate in discover([str(root)]).files]
        self.projects = Projects([str(path) for path in self.files], [str(root)])
        self._versions: dict[str, str | None] = {}
        self._units: dict[Path, Path | None] = {}
        if cache is not None:
            cache.mkdir(parents=True, exist_ok=True)

    def files_for(self, target: str) -> Iterator[Path]:
        """Files in the language that is compiled for a target."""
        for path in self.files:
            if detect_language(str(path), path.read_bytes()) == language_of(target):
                yield path

    def unit_of(self, path: Path) -> Path | None:
        """The file itself, or, of a header, the first source of its program that includes it."""
        if path not in self._units:
            self._units[path] = path if path.suffix in SOURCES else self._includer(path)
        return self._units[path]

    def _includer(self, path: Path) -> Path | None:
        parts = path.relative_to(self.root).parts
        beside: Iterable[Path] = path.parent.iterdir() if len(parts) == 1 else (self.root / parts[0]).rglob("*")
        for source in sorted(one for one in beside if one.suffix in SOURCES and one.is_file()):
            includes = self.projects.of(str(source)).includes
            if includes is not None and str(path) in includes.closure(str(source), source.read_bytes()):
                return source
        return None

    def compiled(self, path: Path, target: str, data: bytes | None = None) -> Build:
        """Registers and memory of a file's translation unit on a target; `data` replaces the file's content."""
        unit = self.unit_of(path)
        if unit is None:
            return Build((), "a header that no source of its program includes")
        version = self._version(target)
        if version is None:
            return Build((), f"no compiler for {target} here")
        kept = self._kept(unit, path, target, version, data)
        if kept is not None and kept.is_file():
            stored = json.loads(kept.read_text())
            return Build(tuple(Allocation(*row) for row in stored["allocations"]), stored["error"])
        with tempfile.TemporaryDirectory(prefix="regpress-programs-") as folder:
            if data is None:
                build = self._build(unit, target, Path(folder))
            else:
                copy = Path(folder) / "tree"
                mirrored(self.root, path, data, copy)
                build = self._build(copy / unit.relative_to(self.root), target, Path(folder))
        if kept is not None:
            kept.write_text(json.dumps({"allocations": build.allocations, "error": build.error}))
        return build

    def _build(self, unit: Path, target: str, folder: Path) -> Build:
        assembly = folder / "out.s"
        flags = ["-w", *include_flags(unit)]
        if target.startswith("gfx"):
            flags += ["-o", str(assembly)]
        try:
            found = compile_for(self.chain, unit, target, folder, *flags) or []
        except RuntimeError as error:
            return Build((), _cause(str(error).replace(f"{folder}/tree/", "").replace(f"{self.root}/", "")))
        binary = folder / "out.cubin"
        sizes = assembly_sizes(assembly.read_text()) if assembly.is_file() else cubin_sizes(binary.read_bytes())
        return Build(tuple(one._replace(code_bytes=sizes.get(one.symbol, 0)) for one in found))

    def _kept(self, unit: Path, path: Path, target: str, version: str, data: bytes | None) -> Path | None:
        """Where a result is kept; headers that are not changed are taken to stay as they are."""
        if self.cache is None:
            return None
        names = [str(one.relative_to(self.root)) for one in (unit, path)]
        told = "\0".join((*names, target, version)).encode()
        content = unit.read_bytes() + b"\0" + (data if data is not None else path.read_bytes())
        return self.cache / f"{hashlib.sha256(told + content).hexdigest()[:32]}.json"

    def _version(self, target: str) -> str | None:
        if target not in self._versions:
            self._versions[target] = version_for(self.chain, target)
        return self._versions[target]


def _cause(words: str) -> str:
    """The first error in a compiler's output."""
    lines = [line for line in words.splitlines()[1:] if "error" in line] or words.splitlines()[-1:]
    return lines[0][-_SHOWN:] if lines else "no words"
