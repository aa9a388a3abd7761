"""Launches in another source file, of kernels that a shared header declares: `__global__ void step(float *);` in
`step.h`, the body in `step.cu`, the launch in `main.cu`. The linker ties them; here the header does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.cpp.names.name_index import FUNCTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.project import Project


MOST_FILES = 32  # that include a header
_LAUNCH_WORDS = (b"<<<", b"Launch")


def linked_files(project: Project, parsed: ParsedFile, names: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Source files that may launch kernels of this one through a prototype in a header of both, and which of `names`.

    A file with a definition of its own launches that one: programs side by side often call their kernels alike.
    """
    including = {parsed.source.path, *project.includers(parsed.source.path)}
    declared_in: dict[str, frozenset[str]] = {}
    for header in project.closure(parsed) if names else ():
        text = project.read(header) or b""
        declared = _called(text, names) if b"__global__" in text else frozenset()
        for path in project.includers(header)[:MOST_FILES] if declared else ():
            if path not in including:
                declared_in[path] = declared_in.get(path, frozenset()) | declared
    for path, declared in declared_in.items():
        data = project.read(path) or b""
        named = _called(data, declared, b"") if any(word in data for word in _LAUNCH_WORDS) else frozenset()
        if named and (foreign := named - _defined(project, path, named)):
            yield path, foreign


def _called(data: bytes, names: frozenset[str], behind: bytes = rb"\s*\(") -> frozenset[str]:
    """The names that occur in a text, as declarations do where `behind` is a parenthesis."""
    present = (name for name in names if name.encode() in data)
    return frozenset(name for name in present if re.search(rb"\b%s\b%s" % (name.encode(), behind), data))


def _defined(project: Project, path: str, names: frozenset[str]) -> frozenset[str]:
    """Those of the names that a file or what it includes defines."""
    includer = project.parsed(path)
    files = (path, *(project.closure(includer) if includer is not None else ()))
    indexes = [project.index_of(file) for file in files]
    return frozenset(name for name in names if any(index.get(name, 0) & FUNCTION for index in indexes))
