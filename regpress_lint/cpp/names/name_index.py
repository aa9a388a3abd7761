"""The names of one file and what seems to be said of them: one search of its bytes, by which all look-ups go.

It tells which headers are worth a parse. A name may be listed without reason (the text is in a comment, or in a branch
that is not compiled), but none is missing that the tree would have.
"""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What is said of a name, as bits: a function of that name is defined; it stands in front of a parenthesis; a constant
# or an enumerator may be; a class, struct or union; a type of any kind; a variable in device memory.
FUNCTION, CALLED, VALUE, RECORD, TYPE, DEVICE = 1, 2, 4, 8, 16, 32
OPERATOR = "operator"  # listed as `CALLED` where the word stands in the file

# Those that begin with a word of the language do so without `\b`: the search then jumps from one possible first letter
# to the next, and a name too much does no harm.
_PARTS = pattern(rb"([^;{}]*)([;{}]|\Z)")
_FOLLOWED = pattern(rb"\b([A-Za-z_]\w*+)\s*+([(={,}])")
_CALL = pattern(rb"\b([A-Za-z_]\w*+)\s*+\(")
_SPECIALISED = pattern(rb"\b([A-Za-z_]\w*+)(?=\s*+<[^;{}()]*>\s*+\()")
_CLOSED = pattern(rb">\s*\(")
_RECORDS = pattern(rb"(?:struct|class|union)\b([^;{}()=]*)")
_BEHIND_BRACE = pattern(rb"\}\s*([A-Za-z_]\w*)\s*;")
_TYPES = pattern(
    rb"(?:struct|class|union|enum|using)\s+"
    rb"(?:(?:class|struct)\s+|(?:alignas|__\w+__)\s*+(?:\((?:[^()]|\([^()]*\))*\)\s*+)?|\[\[[^\]]*\]\]\s*+)*"
    rb"([A-Za-z_]\w*)"
)
_TYPEDEF = pattern(rb"typedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*(?:\[[^\];{}]*\]\s*)*(?:__attribute__\s*+\([^;{}]*+)?;")
_TYPEDEF_OF_FUNCTION = pattern(
    rb"typedef\b[^;{}()]*(?:\([^;{}()]*?\b([A-Za-z_]\w*)\s*\)|\b([A-Za-z_]\w*))\s*\([^;{}]*\)\s*;"
)
# A declaration in device memory: no parenthesis in front of what ends it, or it is a function. The group is the last
# name.
_DEVICE = pattern(rb"__(?:constant|device|managed)__\b[^;{}()=]*?\b([A-Za-z_]\w*)\s*(?:\[[^\];{}]*\]\s*)*(?:[;={,])")
_DEVICE_WORDS = (b"__constant__", b"__device__", b"__managed__")
_WORD = pattern(rb"[A-Za-z_]\w*+")


def index_of(data: bytes) -> Mapping[str, int]:
    """The facts about each name, as the sum of the bits above; nothing else is listed."""
    result: dict[str, int] = {}

    def add(names: Iterable[bytes], bit: int) -> None:
        for name in set(names):
            key = intern(name.decode("ascii", "replace"))
            result[key] = result.get(key, 0) | bit

    add(_defined(data), FUNCTION)
    followed = set(_FOLLOWED.findall(data))
    add((name for name, mark in followed if mark == b"("), CALLED)
    add((name for name, mark in followed if mark != b"("), VALUE)
    if b"operator" in data:
        add((OPERATOR.encode(),), CALLED)
    add((word for part in set(_RECORDS.findall(data)) for word in _WORD.findall(part)), RECORD)
    add(_BEHIND_BRACE.findall(data), RECORD | TYPE)
    add(_TYPES.findall(data), TYPE)
    if b"typedef" in data:
        add(_TYPEDEF.findall(data), TYPE)
        add((name for found in _TYPEDEF_OF_FUNCTION.findall(data) for name in found if name), TYPE)
    if any(word in data for word in _DEVICE_WORDS):
        add(_DEVICE.findall(data), DEVICE)
    return result


def _defined(data: bytes) -> Iterable[bytes]:
    """Names in front of a parenthesis behind which a `{` comes before any `;` or `}`."""
    heads = [part for part, end in _PARTS.findall(data) if end == b"{" and b"(" in part]
    yield from _CALL.findall(b";".join(heads))
    yield from _SPECIALISED.findall(b";".join(part for part in heads if _CLOSED.search(part)))


def words_of(data: bytes) -> frozenset[str]:
    """All words of a text."""
    return frozenset(word.decode("ascii", "replace") for word in set(_WORD.findall(data)))
