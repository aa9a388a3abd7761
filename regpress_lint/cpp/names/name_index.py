"""The names of one file and what seems to be said of them: one search of its bytes, by which all look-ups go.

It tells which headers are worth a parse. A name may be listed without reason (the text is in a comment, or in a branch
that is not compiled), but none is missing that the tree would have.
"""

from __future__ import annotations

import re
from sys import intern
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What is said of a name, as bits: a function of that name is defined; it stands in front of a parenthesis; a constant
# or an enumerator may be; a class, struct or union; a type of any kind; a variable in device memory.
FUNCTION, CALLED, VALUE, RECORD, TYPE, DEVICE = 1, 2, 4, 8, 16, 32
OPERATOR = "operator"  # listed as `CALLED` where the word stands in the file

_PARTS = re.compile(rb"([^;{}]*)([;{}]|\Z)")
_HEAD = re.compile(rb"\b([A-Za-z_]\w*)(?=\s*(?:<[^;{}()]*>)?\s*\()")
_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_VALUE = re.compile(rb"\b([A-Za-z_]\w*)\s*[={,}]")
_RECORDS = re.compile(rb"\b(?:struct|class|union)\b([^;{}()=]*)")
_TYPEDEF_OF_RECORD = re.compile(rb"\}\s*([A-Za-z_]\w*)\s*;")
_TYPES = re.compile(
    rb"\b(?:struct|class|union|enum|using)\s+(?:class\s+|struct\s+|__\w+__(?:\([^()]*\))?\s+|alignas\([^()]*\)\s*)?([A-Za-z_]\w*)"
    rb"|\}\s*([A-Za-z_]\w*)\s*;|\btypedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*;",
)
# A declaration in device memory: no parenthesis in front of what ends it, or it is a function. The group is the last
# name.
_DEVICE = re.compile(
    rb"\b__(?:constant|device|managed)__\b[^;{}()=]*?\b([A-Za-z_]\w*)\s*(?:\[[^\];{}]*\]\s*)*(?:[;={,])"
)
_DEVICE_WORDS = (b"__constant__", b"__device__", b"__managed__")
_WORD = re.compile(rb"[A-Za-z_]\w*")


def index_of(data: bytes) -> Mapping[str, int]:
    """What is said of each name, as the sum of the bits above; nothing else is listed."""
    result: dict[str, int] = {}

    def add(names: Iterable[bytes], bit: int) -> None:
        for name in set(names):
            key = intern(name.decode("ascii", "replace"))
            result[key] = result.get(key, 0) | bit

    add(_defined(data), FUNCTION)
    add(_CALL.findall(data), CALLED)
    if b"operator" in data:
        add((OPERATOR.encode(),), CALLED)
    add(_VALUE.findall(data), VALUE)
    add((word for part in _RECORDS.findall(data) for word in _WORD.findall(part)), RECORD)
    add(_TYPEDEF_OF_RECORD.findall(data), RECORD)
    add((name for found in _TYPES.findall(data) for name in found if name), TYPE)
    if any(word in data for word in _DEVICE_WORDS):
        add(_DEVICE.findall(data), DEVICE)
    return result


def _defined(data: bytes) -> Iterable[bytes]:
    """Names in front of a parenthesis behind which a `{` comes before any `;` or `}`."""
    for part, end in _PARTS.findall(data):
        if end == b"{" and b"(" in part:
            yield from _HEAD.findall(part)


def words_of(data: bytes) -> frozenset[str]:
    """All words of a text."""
    return frozenset(word.decode("ascii", "replace") for word in set(_WORD.findall(data)))
