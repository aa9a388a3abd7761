"""Headers of libraries in our own words: short classes that compile to the same code as the library's templates.

They replace the library's own even if these are available: those are tens of thousands of lines of expression
templates, which only a compiler can read. They are read as headers of the project are, under paths that no file has.
"""

from __future__ import annotations

from os import path as os_path

from regpress_lint.core.patterns import pattern

_PREFIX = "<regpress-lint>/"
_FOLDER = os_path.join(os_path.dirname(os_path.dirname(os_path.abspath(__file__))), "library")
_HEADERS = ((pattern(r"(?:eigen3/)?Eigen/(?:Core|Dense|Geometry|LU|Eigen)$"), "eigen.h"),)


def library_header(name: str) -> str | None:
    """Path of our header for what an `#include` names; None for any other."""
    return next((_PREFIX + ours for theirs, ours in _HEADERS if theirs.match(name)), None)


def is_ours(path: str) -> bool:
    """True for the path of such a header."""
    return path.startswith(_PREFIX)


def read_ours(path: str) -> bytes | None:
    """The text of such a header, or None for a path that none has."""
    name = path.removeprefix(_PREFIX)
    if not any(name == ours for _, ours in _HEADERS):
        return None
    with open(os_path.join(_FOLDER, name), "rb") as stream:
        return stream.read()
