"""Device functions that a linker brings: declared here, defined in another program unit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.name_index import CALLED, FUNCTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.names.header_search import Headers

_MOST_TEXTS = 64  # whose prototypes are remembered
_STATEMENT = pattern(rb"[^;{}]++(?=;)")
# From a word of the device to the parentheses of what it declares.
_DECLARED = pattern(rb"(?<!\w)(?:__device__|SYCL_EXTERNAL)\b[^()=/]*+(?=\()")
_MARK = pattern(rb"(?<!\w)(?:__device__|SYCL_EXTERNAL)\b")
_WORDS = pattern(rb"\s*+(?:[A-Za-z_\"][\w\"]*+\s++)*+")
_NAME = pattern(rb"\w++")


def is_linked(headers: Headers, name: str) -> bool:
    """True for the name of a device function with a visible declaration but no visible definition. Of other files a
    compiler sees nothing when it compiles this one, so it cannot inline the call.
    """
    if not name.isidentifier() or name.startswith("__"):  # what vendors bring with the compiler is inlined
        return False
    for unit in headers.saying(name, CALLED):
        if name in unit.words and name.encode() in _prototypes(unit.source.data):
            return not any(name in each.functions_by_name for each in headers.saying(name, FUNCTION))
    return False


@lru_cache(maxsize=_MOST_TEXTS)
def _prototypes(data: bytes) -> frozenset[bytes]:
    """Names that a text declares as functions of the device: statements without a body, one of whose lines begins with
    words, one of them a word of the device. Each byte is looked at a few times, however many names are looked up.
    """
    if b"__device__" not in data and b"SYCL_EXTERNAL" not in data:
        return frozenset()
    return frozenset(name for one in _STATEMENT.finditer(data) for name in _declared(one[0]))


def _declared(statement: bytes) -> Iterator[bytes]:
    end = statement.rstrip()
    while end.endswith((b"const", b"noexcept")):
        end = end.removesuffix(b"const").removesuffix(b"noexcept").rstrip()
    if not end.endswith(b")"):
        return
    for found in _DECLARED.finditer(statement):
        words = _NAME.findall(found[0])
        if found[0].rstrip().endswith(words[-1]) and _begins_a_line(statement, found.start(), found.end()):
            yield words[-1]


def _begins_a_line(statement: bytes, start: int, end: int) -> bool:
    """Whether only words precede a word of the device between two places, in its line."""
    seen = -1  # the line that was looked at last: of several in one line the first counts
    for mark in _MARK.finditer(statement, start, end):
        line = statement.rfind(b"\n", 0, mark.start()) + 1
        if line != seen and _WORDS.fullmatch(statement, line, mark.start()):
            return True
        seen = line
    return False
