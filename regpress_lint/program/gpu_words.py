"""Requirements of a function's text on a GPU: instructions of inline assembly, a vendor's built-ins, headers.

The text is read and not the tree: assembly is in macros as often as in functions. A word in one arm of an `#if` whose
other arms serve other GPUs does not count, because the source has something for them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import Brackets, conditionals, lex, without_comments
from regpress_lint.targets.instructions import Asked, asked_by_assembly, asked_by_header, asked_by_name, name_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.cpp.lexical import Lexed
    from regpress_lint.cpp.names.parsed_file import ParsedFile
    from regpress_lint.cpp.names.scope import Scope
    from regpress_lint.cpp.preprocess.macros import MacroTable
    from regpress_lint.cpp.syntax_tree import Function


_ASM = pattern(r"(?<!\w)(?:asm|__asm__|__asm)(?:\s+(?:volatile|__volatile__|inline|goto))*\s*(\()", re.ASCII)
_LITERAL = pattern(r'"((?:[^"\\]|\\.)*+)"', re.ASCII | re.DOTALL)
_BREAK = pattern(r"\\[nrt]")
_INCLUDE = pattern(r'#\s*include\s*[<"]([^>"]+)[>"]', re.ASCII)
# What each word of the tables has in it: a file without any is not gone through.
_MARKS = (
    *(b"asm", b"__builtin_", b"__nvvm", b"_sync", b"__nanosleep", b"__pipeline", b"cluster", b"CUtensorMap"),
    *(b"rocwmma::", b"cute::", b"cutlass::", b"cuda::"),
)


class Word(NamedTuple):
    """A requirement, and where it is."""

    asked: Asked
    offset: int
    path: str


class _Read(NamedTuple):
    """The requirements of one file in the order of its text; `headers` those of its `#include`s outside of any
    choice."""

    words: tuple[Word, ...] = ()
    headers: tuple[Word, ...] = ()
    choices: tuple[tuple[int, ...], ...] = ()
    code: str = ""


def asked_of_gpu(scope: Scope, function: Function) -> tuple[Word, ...]:
    """The unconditional requirements of a function on a GPU, without its callees; headers of its file first."""
    path = function.path or scope.parsed.source.path
    if path == scope.parsed.source.path:
        read = scope.remember("gpu words", partial(_read, scope.parsed))
    else:
        read = scope.project.once(("gpu words", path), partial(_read_header, scope, path))
    start, end = function.span
    first, last = (bisect_left(read.words, at, key=lambda word: word.offset) for at in (start, end))
    words = (word for word in read.words[first:last] if not _is_choice(read, word.offset, function))
    return (*read.headers, *words)


def _is_choice(read: _Read, offset: int, function: Function) -> bool:
    """True if the source has something else for GPUs on which the word at `offset` is not compiled: another arm, the
    rest of the function, or for a function that is empty there its callers. A kernel that is empty there has nothing.
    """
    start, end = function.span
    for cuts in read.choices:
        if not cuts[0] <= offset < cuts[-1]:
            continue
        others = [read.code[a:b] for a, b in pairwise(cuts) if not a <= offset < b]
        if cuts[0] >= start:
            if "global" not in function.qualifiers:
                return True
            around = read.code[function.body_span.start + 1 : cuts[0]] + read.code[cuts[-1] : end - 1]
            if around.strip() or any(text.strip() for text in others):
                return True
        elif function.name and any(re.search(rf"(?<!\w){re.escape(function.name)}\s*\(", text) for text in others):
            return True
    return False


def _read_header(scope: Scope, path: str) -> _Read:
    parsed = scope.project.parsed(path)
    return _read(parsed) if parsed is not None else _Read()


def _read(parsed: ParsedFile) -> _Read:
    data, path = parsed.source.data, parsed.source.path
    macros = _macros(parsed.macros)
    includes = [asked for operand in _INCLUDE.findall(data.decode("latin-1")) if (asked := asked_by_header(operand))]
    if not includes and not macros and not any(mark in data for mark in _MARKS):
        return _Read()
    lexed = lex(data)
    choices = conditionals(lexed)
    words = [Word(asked, offset, path) for offset, asked in (*_assembly(lexed), *_names(lexed), *_used(lexed, macros))]
    headers = tuple(_headers(lexed, choices, path)) if includes else ()
    return _Read(tuple(sorted(words, key=lambda word: word.offset)), headers, choices, lexed.code)


def _assembly(lexed: Lexed) -> Iterator[tuple[int, Asked]]:
    if "asm" not in lexed.code:
        return
    brackets = Brackets(lexed.code)
    for match in _ASM.finditer(lexed.code):
        if (end := brackets.close(match.start(1))) is not None:
            for asked in asked_by_assembly(_literals(lexed.source[match.start(1) : end])):
                yield match.start(), asked


def _literals(text: str) -> str:
    """The contents of all string literals of a text as one: neighbours are one string."""
    return _BREAK.sub(" ", "".join(_LITERAL.findall(without_comments(text))))


def _names(lexed: Lexed) -> Iterator[tuple[int, Asked]]:
    for match in name_pattern().finditer(lexed.code):
        if (asked := asked_by_name(match[0])) is not None:
            yield match.start(), asked


def _macros(table: MacroTable) -> Mapping[str, tuple[Asked, ...]]:
    """The requirements of macros; one with several definitions is a choice."""
    macros: dict[str, tuple[Asked, ...]] = {}
    for macro in table:
        body = macro.body
        if ("asm" in body or "__builtin_amdgcn" in body) and len(table.all(macro.name)) == 1:
            named = (asked_by_name(match[0]) for match in name_pattern().finditer(body))
            assembly = asked_by_assembly(_literals(body)) if _ASM.search(body) else ()
            asked = (*assembly, *(requirement for requirement in named if requirement is not None))
            if asked:
                macros[macro.name] = asked
    return macros


def _used(lexed: Lexed, macros: Mapping[str, tuple[Asked, ...]]) -> Iterator[tuple[int, Asked]]:
    if not macros:
        return
    names = "|".join(map(re.escape, macros))
    for match in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", lexed.code, re.ASCII):
        for asked in macros[match[0]]:
            yield match.start(), asked


def _headers(lexed: Lexed, choices: tuple[tuple[int, ...], ...], path: str) -> Iterator[Word]:
    """The requirements of `#include`s outside of every `#if`."""
    for directive in lexed.directives:
        start = directive.start
        if directive.name != "include" or any(cuts[0] <= start < cuts[-1] for cuts in choices):
            continue
        match = _INCLUDE.match(lexed.source, start)
        asked = asked_by_header(match[1]) if match is not None else None
        if asked is not None:
            yield Word(asked, start, path)
