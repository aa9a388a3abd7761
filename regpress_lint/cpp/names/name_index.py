"""The names of one file and what seems to be said of them: one search of its bytes, by which all look-ups go.

It tells which headers are worth a parse. A name may be listed without reason (the text is in a comment, or in a branch
that is not compiled), but none is missing that the tree would have.
"""

from __future__ import annotations

import re
from sys import intern
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD_BYTES, pattern
from regpress_lint.cpp.library import LIBRARY, names_library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# What is said of a name, as bits: a function of that name is defined; it stands in front of a parenthesis; a constant
# or an enumerator may be; a class, struct or union; a type of any kind; a variable in device memory.
FUNCTION, CALLED, VALUE, RECORD, TYPE, DEVICE = 1, 2, 4, 8, 16, 32
OPERATOR = "operator"  # listed as `CALLED` where the word stands in the file
CONVERSIONS = "operator<type>"  # all functions that convert objects of a class, whatever to

# Searches begin with letters that never change, one expression a word, or, in the text read backwards, with a mark: the
# search then jumps from one to the next. A name too much does no harm.
_CALL = pattern(rb"\(\s*+(\w++)")  # backwards, as the next one
_FOLLOWED = pattern(rb"(?<!=)[={]\s*+(\w++)")
_ENUM, _ENUM_ENDS = pattern(rb"\benum\b[^;{}()]*+\{"), pattern(rb"\}[\s\w]*+;")
_SPECIALISED = pattern(rb"\b([A-Za-z_]\w*+)(?=\s*+<[^;{}()]*>\s*+\()")
_CLOSED = pattern(rb">\s*\(")
_RECORDS = tuple(pattern(word + rb"\b([^;{}()=]*)") for word in (b"struct", b"class", b"union"))
# `} name;`, `} name __attribute__((aligned));`, `} __attribute__((packed)) name;`
_BEHIND_BRACE = pattern(rb"\}\s*+(?:__attribute__\s*+\(\([^;{}]*\)\)\s*+)?([*A-Za-z_][\w\s*,]*+)(?:;|\(\()")
_TYPES = tuple(
    pattern(
        word + rb"\s+"
        rb"(?:(?:class|struct)\s+|(?:alignas|__\w+__)\s*+(?:\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)\s*+)?"
        rb"|\[\[[^\]]*\]\]\s*+|#[^\n]*+\n\s*+)*"
        rb"([A-Za-z_]\w*+)(?!\s*+" + (rb"::)" if word == b"using" else rb"[,>=)&*])")
    )
    for word in (b"struct", b"class", b"union", b"enum", b"using")  # neither `using a::b;` nor `<class T>`
)
RENAMED = pattern(rb"\bnamespace\s++(\w++)\s*+=\s*+(?:::)?(\w++(?:::\w++)*+)\s*+;", re.ASCII)
_TYPEDEF = pattern(rb"typedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*(?:\[[^\];{}]*\]\s*)*(?:__attribute__\s*+\([^;{}]*+)?;")
_TYPEDEF_OF_SEVERAL = pattern(rb"typedef\b([^;{}()<>,]*+,[^;{}()]*+);")
_TYPEDEF_OF_FUNCTION = pattern(
    rb"typedef\b[^;{}()]*(?:\([^;{}()]*?\b([A-Za-z_]\w*)\s*\)|\b([A-Za-z_]\w*))\s*\([^;{}]*\)\s*;"
)
# A declaration in device memory: no parenthesis in front of what ends it, or it is a function. The group is the last
# name.
_DEVICE = pattern(rb"__(?:constant|device|managed)__\b[^;{}()=]*?\b([A-Za-z_]\w*)\s*(?:\[[^\];{}]*\]\s*)*(?:[;={,])")
_TABLE = pattern(rb"\bconstexpr\b[^;{}()=]*?\b([A-Za-z_]\w*)\s*(?:\[[^\];{}]*\]\s*)+=?\s*+\{")
# What a macro at the begin of a line may write: `UNARY(half, x / 2)` a function or a class.
_WRITTEN = pattern(rb"^[A-Za-z_]\w*+[ \t]*+\(([^()\n]++)", re.MULTILINE)
_FOREIGN = pattern(rb"\w*[\x80-\xff][\w\x80-\xff]*+")
_DEVICE_WORDS = (b"__constant__", b"__device__", b"__managed__")


def index_of(data: bytes) -> Mapping[str, int]:
    """The facts about each name, as the sum of the bits above; nothing else is listed."""
    result: dict[str, int] = {}

    def add(names: Iterable[bytes], bit: int) -> None:
        for name in set(names):
            key = intern(name.decode("utf-8", "replace"))
            result[key] = result.get(key, 0) | bit

    backwards = data[::-1]
    add(_defined(data), FUNCTION)
    add(_forwards(_CALL.findall(backwards)), CALLED)
    add(_forwards(_FOLLOWED.findall(backwards)), VALUE)
    add((word for body in _enumerations(data) for word in WORD_BYTES.findall(body)), VALUE)
    if b"operator" in data:
        add((OPERATOR.encode(),), CALLED)
    parts = {part for record in _RECORDS for part in record.findall(data)}
    add((word for part in parts for word in WORD_BYTES.findall(part)), RECORD)
    add((name for behind in _BEHIND_BRACE.findall(data) for name in WORD_BYTES.findall(behind)), RECORD | TYPE)
    add((name for type_ in _TYPES for name in type_.findall(data)), TYPE)
    if b"typedef" in data:
        add(_TYPEDEF.findall(data), TYPE)
        add((name for several in _TYPEDEF_OF_SEVERAL.findall(data) for name in WORD_BYTES.findall(several)), TYPE)
        add((name for match in _TYPEDEF_OF_FUNCTION.findall(data) for name in match if name), TYPE)
    if b"namespace" in data:
        add((name for name, _ in RENAMED.findall(data)), TYPE)
    if b"__device__" in data and b"define" in data:
        add((word for code in _WRITTEN.findall(data) for word in WORD_BYTES.findall(code)), FUNCTION | RECORD | TYPE)
    if any(word in data for word in _DEVICE_WORDS):
        add(_DEVICE.findall(data), DEVICE)
    if b"constexpr" in data:
        add(_TABLE.findall(data), DEVICE | VALUE)
    if not data.isascii():  # the searches above know letters of ASCII only
        add(_FOREIGN.findall(data), FUNCTION | CALLED | VALUE | RECORD | TYPE | DEVICE)
    if names_library(data):
        result[LIBRARY] = 0
    return result


def _forwards(names: Iterable[bytes]) -> Iterator[bytes]:
    """Names that were found backwards; no numbers."""
    return (name[::-1] for name in set(names) if not name[-1:].isdigit())


def _enumerations(data: bytes) -> Iterator[bytes]:
    """The text between the braces of each `enum`, up to a `}` that ends a declaration."""
    begun = _ENUM.search(data)
    while begun is not None:
        ended = _ENUM_ENDS.search(data, begun.end())
        end = ended.start() if ended is not None else len(data)
        yield data[begun.end() : end]
        begun = _ENUM.search(data, end)


def _defined(data: bytes) -> Iterable[bytes]:
    """Names in front of a parenthesis behind which a `{` comes before any `;` or `}`."""
    pieces = data.split(b"{")[:-1]
    pieces_behind = (piece[max(piece.rfind(b";"), piece.rfind(b"}")) + 1 :] for piece in pieces)
    heads = [head for head in pieces_behind if b"(" in head]
    yield from _forwards(_CALL.findall(b";".join(heads)[::-1]))
    yield from _SPECIALISED.findall(b";".join(head for head in heads if _CLOSED.search(head)))
