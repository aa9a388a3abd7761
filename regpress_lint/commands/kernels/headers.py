"""Headers with the kernels that a file launches: a kernel is shown for the file that defines it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from regpress_lint.cpp.names.project import Project


_KERNEL = pattern(rb"\b(?:__global__|__kernel|parallel_for)\b")
_MACRO = pattern(rb"\b[A-Z_]*(?:GLOBAL|KERNEL)[A-Z_]*\b")
_LAUNCHED = pattern(rb"\b(\w++)\s*+(?:<[^;{}<>]*+(?:<[^;{}<>]*+>[^;{}<>]*+)*+>\s*+)?<<<|\b(\w*kernel\w*+)\s*+<(?!<)")


def with_kernels(project: Project, path: str, data: bytes) -> tuple[str, ...]:
    """The headers that a file reads in which there may be a kernel."""
    return tuple(header for header, text in _read(project, path, data) if _KERNEL.search(text))


def of_launches(project: Project, path: str, data: bytes) -> tuple[str, ...]:
    """Those in which a kernel may be that the file launches."""
    names = {b"".join(match.groups(b"")) for match in _LAUNCHED.finditer(data)}
    if not names:
        return ()
    heads = re.compile(rb"\b(?:%s)\s*\(" % b"|".join(map(re.escape, sorted(names))))
    headers = _read(project, path, data)
    return tuple(name for name, text in headers if (_KERNEL.search(text) or _MACRO.search(text)) and heads.search(text))


def _read(project: Project, path: str, data: bytes) -> list[tuple[str, bytes]]:
    file = project.parsed(path, data)
    read = project.closure(file) if file is not None else ()
    return [(header, project.read(header) or b"") for header in read if header != path]
