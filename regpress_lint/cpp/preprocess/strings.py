"""Kernels in string literals, for a compiler that runs with the program: NVRTC, hipRTC, CuPy's RawKernel, PyCUDA.

A literal that holds the definition of a kernel, or several beside each other that do, is a text of its own. Every
character keeps its place: quotes and escapes are blank.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import lex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.lexical import Lexed

MAX_LITERALS = 64
_WORD = b"__global__"
_HEAD = pattern(rb"__global__([^;{}]{1,1000}+)\{")
_RAW = pattern(r'"([^()\\\s]{0,16})\(')
_ESCAPE = pattern(rb'\\(?:\r?\n|.)|["\']', re.DOTALL)
_BETWEEN = pattern(r"[\s\\]*+")
# A comment, or what opens a literal of Python: its prefix and its quotes.
_PYTHON = pattern(rb"#[^\n]*+|(?<!\w)([rRbBuUfF]{0,3})(\"\"\"|'''|\"|')")


class Literal(NamedTuple):
    """A text in a file: where it is, quotes included, where what it holds begins, and that, as many bytes as there."""

    span: Span
    at: int
    text: bytes


def kernels_in_literals(data: bytes) -> list[Literal]:
    """The literals of a C++ file that define kernels, in the order of the file."""
    if data.count(_WORD) == 0 or not _defines(data.replace(b'"', b" ")):
        return []
    lexed = lex(data)
    comments = [start for start, _ in lexed.comments]
    found: list[Literal] = []
    done, at = 0, data.find(_WORD)
    while at >= 0 and len(found) < MAX_LITERALS:
        index = bisect_right(comments, at) - 1
        commented = index >= 0 and at < lexed.comments[index][1]
        if at >= done and lexed.bare[at] == " " and not commented and (literal := _around(data, lexed, at)) is not None:
            done = literal.span.end
            if _defines(literal.text):
                found.append(literal)
        at = data.find(_WORD, max(at + len(_WORD), done))
    return found


def _defines(text: bytes) -> bool:
    """Whether a text has the definition of a kernel, as far as a glance tells."""
    return any(match[1].rstrip().endswith(b")") for match in _HEAD.finditer(text))


def _around(data: bytes, lexed: Lexed, at: int) -> Literal | None:
    bare = lexed.bare
    first, last = bare.rfind('"', 0, at), bare.find('"', at)
    if first < 0 or last < 0:
        return None
    if first and lexed.source[first - 1] == "R" and (raw := _RAW.match(lexed.source, first)) is not None:
        begin, end = raw.end(), last - len(raw[1]) - 1
        return Literal(Span(first - 1, last + 1), begin, data[begin:end]) if end >= begin else None
    while (before := bare[:first].rstrip(" \t\r\n\\")).endswith('"') and len(before) > 1:
        opening = bare.rfind('"', 0, len(before) - 1)
        if opening < 0 or (opening and lexed.source[opening - 1] == "R"):
            break
        first = opening
    while True:
        between = _BETWEEN.match(bare, last + 1)
        following = between.end() if between is not None else last + 1
        closing = bare.find('"', following + 1) if bare[following : following + 1] == '"' else -1
        if closing < 0:
            break
        last = closing
    return Literal(Span(first, last + 1), first, _unescaped(data[first : last + 1]))


def _unescaped(text: bytes) -> bytes:
    r"""The content of ordinary literals, at the same length: `\n` is a blank and a line break, quotes are blanks."""
    return _ESCAPE.sub(_plain, text)


def _plain(match: re.Match[bytes]) -> bytes:
    text = match[0]
    if text == b"\\n":
        return b" \n"
    if text in (b'\\"', b"\\'", b"\\\\"):
        return b" " + text[1:]
    if len(text) == 1:
        return b" " if text == b'"' else text
    return bytes(byte if byte in b"\r\n" else 0x20 for byte in text)


def kernels_in_python(data: bytes) -> list[Literal]:
    """The literals of a Python file that define kernels; the content of an f-string is unknown."""
    return list(_python_literals(data)) if _WORD in data else []


def _python_literals(data: bytes) -> Iterator[Literal]:
    position, count = 0, 0
    while count < MAX_LITERALS and (match := _PYTHON.search(data, position)) is not None:
        position = match.end()
        if match[2] is None:
            continue
        end = _python_end(data, position, match[2])
        text = data[position:end]
        raw = b"r" in match[1].lower()
        if b"f" not in match[1].lower() and _defines(text):
            yield Literal(Span(match.start(), end + len(match[2])), position, text if raw else _escapes(text))
            count += 1
        position = end + len(match[2])


def _escapes(text: bytes) -> bytes:
    return _ESCAPE.sub(lambda match: match[0] if len(match[0]) == 1 else _plain(match), text)


def _python_end(data: bytes, position: int, quotes: bytes) -> int:
    """Where a literal of Python ends that is open at a position; one in a line that does not end, with the line."""
    while (end := data.find(quotes, position)) >= 0:
        backslashes = end - len(data[:end].rstrip(b"\\")) if data[end - 1 : end] == b"\\" else 0
        if backslashes % 2 == 0:
            break
        position = end + 1
    if len(quotes) == 1:
        line = data.find(b"\n", position)
        end = line if line >= 0 and (end < 0 or line < end) else end
    return end if end >= 0 else len(data)
