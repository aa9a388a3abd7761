"""Regular expressions that are compiled when they are used first (most runs over one file use a third of them), and the
file patterns of `exclude` and `per-file-ignores`.

`*` and `?` stay inside one path component, `**` crosses them. A pattern without a slash matches any component
("third_party" leaves out every folder of that name), one with a slash belongs to the folder of its configuration
file. A pattern that matches a folder matches everything in it.

A match takes time that is proportional to the pattern times the path: between two wildcards the first place that fits
is taken and never changed, which loses nothing, because the later wildcard takes what is between.
"""

from __future__ import annotations

import re
from functools import cache
from os import path as paths

from regpress_lint.core import bytecode
from regpress_lint.core.named import cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from re import Pattern
    from typing import Any, AnyStr


def pattern(text: AnyStr, flags: int = 0) -> Pattern[AnyStr]:
    """The result of `re.compile`, later; only its methods may be used, not `re.sub` and the like."""
    return cast("Pattern[AnyStr]", _Pattern(text, flags))


def whole_word(name: bytes) -> bytes:
    r"""The expression of a whole word, in front of others. It begins with its letters: those are looked for a tenth as
    long as a `\b`, which is tried at every byte of a file.
    """
    letters = re.escape(name)
    return rb"%b(?<!\w%b)" % (letters, letters)


class _Pattern:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """A method of the compiled expression; from then on it is an attribute of this object."""
        compiled: Any = bytecode.expression(self._text, self._flags)
        method = getattr(compiled, name)
        setattr(self, name, method)
        return method


WORD, WORD_BYTES = pattern(r"[^\W\d]\w*+"), pattern(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+")  # of C++
OWN_WORD = pattern(r"(?<![\w.:])[^\W\d]\w*")  # no member, and no part of a qualified name behind its first
LONGEST = 1024  # characters of a pattern
_TOKEN = pattern(r"\*\*/?|\[(?:![^]]+|[^]!][^]]*)\]|.", re.DOTALL)
_CROSSING = ("**/", "**")


class PatternError(ValueError):
    """A pattern that cannot be used; says why."""


def check(pattern: str) -> None:
    """Raise PatternError for a pattern that is too long or has a range that goes backwards."""
    if len(pattern) > LONGEST:
        raise PatternError(f"a pattern of {len(pattern):,} characters; at most {LONGEST:,} can be used")
    for token in _TOKEN.findall(pattern):
        if len(token) > 1 and token not in _CROSSING:
            _members(token)


def anchor(pattern: str, base: str) -> str:
    """The pattern with the folder that it is relative to; patterns without a slash hold everywhere."""
    bare = pattern.rstrip("/")
    if "/" not in bare or paths.isabs(bare) or bare.startswith("**/"):
        return bare
    return paths.join(base, bare.removeprefix("./")).replace("\\", "/")


def matches(path: str, patterns: Iterable[str]) -> bool:
    """True if one of the (anchored) patterns matches the file or a folder that holds it."""
    absolute = ""
    for pattern in patterns:
        absolute = absolute or paths.abspath(path).replace("\\", "/")
        needed, expression = _compiled(pattern)
        at = 0
        for text in needed:
            at = absolute.find(text, at)
            if at < 0:
                break
            at += len(text)
        else:
            if expression.search(absolute):
                return True
    return False


@cache
def _compiled(pattern: str) -> tuple[tuple[str, ...], re.Pattern[str]]:
    """The texts that a path must have in this order, and the expression. Few paths have them, and looking for them
    takes a fiftieth of the time.
    """
    needed = "".join(token if len(token) == 1 and token not in "*?" else "\n" for token in _tokens(pattern))
    return tuple(text for text in needed.split("\n") if text.strip("/")), _expression(pattern)


def _expression(pattern: str) -> re.Pattern[str]:
    is_whole = pattern.startswith("/") or paths.isabs(pattern)
    if not is_whole:
        while pattern.startswith("**/"):  # it may begin anywhere as it is
            pattern = pattern.removeprefix("**/")
    *before, last = _segments(_tokens(pattern))
    body = "".join(f"(?>{gap}{_pieces(tokens)})" for gap, tokens in before)
    gap, tokens = last
    return re.compile(f"{'^' if is_whole else '(?:^|/)'}{body}{gap}{_pieces(tokens, is_last=True)}(?:/|$)", re.DOTALL)


def _tokens(pattern: str) -> Iterator[str]:
    """Parts of a pattern; `**/` only where it stands for whole components."""
    previous = "/"
    for token in _TOKEN.findall(pattern):
        if token == "**/" and not previous.endswith("/"):
            yield from ("**", "/")
        else:
            yield token
        previous = token


def _segments(tokens: Iterable[str]) -> list[tuple[str, list[str]]]:
    """The parts between wildcards that cross folders, each with the expression of the one before it."""
    segments: list[tuple[str, list[str]]] = [("", [])]
    for token in tokens:
        if token not in _CROSSING:
            gap, part = segments[-1]
            if token == "*" and gap == ".*?" and not part:
                continue  # `**` takes as much
            part.append(token)
            continue
        gap, part = segments[-1]
        while part and part[-1] == "*" and token == "**":
            part.pop()
        wider = ".*?" if token == "**" or (gap == ".*?" and not part) else "(?:.*?/)??"
        if gap and not part:
            segments[-1] = (wider, part)
        else:
            segments.append((wider, []))
    return segments


def _pieces(tokens: Iterable[str], *, is_last: bool = False) -> str:
    """An expression for tokens that stay inside components. is_last: something must follow that may not fit the first
    place that its last piece fits.
    """
    pieces = [""]
    for token in tokens:
        if token == "*":
            if pieces[-1] or len(pieces) == 1:
                pieces.append("")
        else:
            pieces[-1] += _translate(token)
    first, *others = pieces
    if not others:
        return first
    middle = others[:-1] if is_last else others
    text = first + "".join(f"(?>[^/]*?{piece})" for piece in middle)
    return f"{text}[^/]*{others[-1]}" if is_last else text


def _translate(token: str) -> str:
    if token == "?":
        return "[^/]"
    return _members(token) if len(token) > 1 else re.escape(token)


def _members(token: str) -> str:
    """The expression for `[a-z]` or `[!a-z]`, which never means a slash. Raises PatternError."""
    negated = token[1] == "!"
    text = token[1 + negated : -1]
    return f"(?!/)[{'^' if negated else ''}{''.join(_ranges(text, token))}]"


def _ranges(text: str, token: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        if text[at + 1 : at + 2] == "-" and at + 2 < len(text):
            low, high = text[at], text[at + 2]
            if low > high:
                raise PatternError(f'the range {low}-{high} in "{token}" goes backwards')
            yield f"{re.escape(low)}-{re.escape(high)}"
            at += 3
        else:
            yield re.escape(text[at])
            at += 1
