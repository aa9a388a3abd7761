"""Template arguments that a macro's body gives: `#define LAUNCH(N) kernel<T, N><<<g, b>>>(p)`, used as `LAUNCH(32)`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.names.parsed_file import Unit
    from regpress_lint.cpp.preprocess.macros import Macro

_MOST_USES = 64
_MAX_DEPTH = 3  # of macros that use each other
_FAR = 300  # bytes between the name of a macro and an argument
_OPEN_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\([^();{}]*\Z")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_PUNCTUATION = re.compile(r"[()\[\]{}<>,]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_CLOSING = {"(": ")", "<": ">", "[": "]", "{": "}"}


def macro_references(unit: Unit, name: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Uses of macros that write `name<...>`: where, and the template arguments with the macro's own put in.

    The name may stand in the macro's body or be an argument: `SWITCH(type, run)` with `run<float>(...)` for one case.
    """
    pattern = re.compile(rf"\b{re.escape(name)}\s*<(?!<<)")
    users = frozenset(_handed_to(unit.source.data, name))
    for macro in unit.macros:
        direct = name in macro.body and pattern.search(macro.body) is not None
        if macro.name == name or not (direct or (macro.name in users and macro.params)):
            continue
        for offset, given in _uses(unit, macro):
            if direct or name in given:
                text = _expanded(unit, put_in(macro.body, macro, given), 0)
                for match in pattern.finditer(text):
                    if arguments := list_at(text, match.end()):
                        yield offset, arguments


def written_kernels(unit: Unit) -> Iterator[tuple[int, int]]:
    """Where macros are used that write whole kernels, `__global__` and body, by themselves or through another macro."""
    writers = {macro.name for macro in unit.macros if _writes_kernel(macro.body)}
    for _ in range(_MAX_DEPTH if writers else 0):
        writers |= {macro.name for macro in unit.macros if not writers.isdisjoint(_NAME.findall(macro.body))}
    for name in sorted(writers & unit.words):
        macro = unit.macros.get(name)
        for offset, _given in _uses(unit, macro) if macro is not None else ():
            yield offset, offset + len(name)


def _writes_kernel(body: str) -> bool:
    head, brace, _ = body.partition("__global__")[2].partition("{")
    return bool(brace) and "(" in head and ";" not in head


def _handed_to(data: bytes, name: str) -> Iterator[str]:
    """What a name is an argument of."""
    for match in re.finditer(rb"\b" + re.escape(name.encode()) + rb"\s*[,)]", data):
        found = _OPEN_CALL.search(data[max(0, match.start() - _FAR) : match.start()])
        if found is not None:
            yield found[1].decode("utf-8", "replace")


def _expanded(unit: Unit, text: str, depth: int) -> str:
    """A text, and behind it what the macros that it uses stand for."""
    parts = [text]
    for match in _CALL.finditer(text) if depth < _MAX_DEPTH else ():
        macro = unit.macros.get(match[1])
        given = list_at(text, match.end(), ")") if macro is not None and macro.params is not None else None
        if macro is not None and given is not None:
            parts.append(_expanded(unit, put_in(macro.body, macro, given), depth + 1))
    return " ; ".join(parts)


def _uses(unit: Unit, macro: Macro) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Where a macro stands in the file, outside of `#define`s, and its arguments."""
    data = unit.source.data
    pattern = re.compile(rb"\b" + re.escape(macro.name.encode()) + (rb"\s*\(" if macro.params is not None else rb"\b"))
    for count, match in enumerate(pattern.finditer(data)):
        if count >= _MOST_USES or _in_directive(data, match.start()):
            continue
        given: tuple[str, ...] = ()
        if macro.params is not None:
            rest = data[match.end() : match.end() + 2000].decode("utf-8", "replace")
            given = list_at(rest, 0, ")") or ()
        yield match.start(), given


def _in_directive(data: bytes, offset: int) -> bool:
    """Is a place on a line of the preprocessor, continuation lines included?"""
    start = data.rfind(b"\n", 0, offset) + 1
    while start > 1 and data[start - 2 : start - 1] == b"\\":
        start = data.rfind(b"\n", 0, start - 1) + 1
    return data[start:offset].lstrip().startswith((b"#", b"//"))


def put_in(text: str, macro: Macro, given: tuple[str, ...]) -> str:
    """A text of a macro's body with its parameters replaced by the arguments of one use."""
    bound = dict(zip(macro.params or (), given, strict=False))
    return re.sub(r"[A-Za-z_]\w*", lambda match: bound.get(match[0], match[0]), text)


def list_at(text: str, start: int, closing: str = ">") -> tuple[str, ...] | None:
    """Parts of a list that is open at `start`, at its commas; None if it does not close."""
    parts, open_, begin = [], [closing], start
    for match in _PUNCTUATION.finditer(text, start):
        index, char = match.start(), match[0]
        if char in "([{" or (char == "<" and closing == ">"):
            open_.append(_CLOSING[char])
        elif char == open_[-1]:
            open_.pop()
            if not open_:
                parts.append(text[begin:index])
                return tuple(" ".join(part.split()) for part in parts if part.strip())
        elif char == "," and len(open_) == 1:
            parts.append(text[begin:index])
            begin = index + 1
    return None
