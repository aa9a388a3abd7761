"""Code that macros write: kernels, functions and members of classes, also where a header leaves the macros to the
files that include it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import WORD, pattern, whole_word
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import lex, words_of
from regpress_lint.cpp.mask.keywords import with_keywords
from regpress_lint.cpp.preprocess.macros import (
    MAX_EXPANSION,
    MacroTable,
    call_arguments,
    expand,
    expand_macro,
    layer_of,
)
from regpress_lint.cpp.preprocess.splicing import Written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.cpp.preprocess.macros import Macro


_MOST_USES = 64
_MOST_WRITTEN = 512  # uses of one macro that writes kernels
_MAX_DEPTH = 3  # of macros that use each other
_FAR = 300  # bytes in front of a brace
_LONGEST = 8000  # bytes of a use
_PUNCTUATION = pattern(r"[()\[\]{}<>,]")
_BRACE = pattern(r"[{}]")
_NAMESPACE = pattern(r"(?:\bnamespace\b[\w\s:]*|\bextern\W*)\Z")
_TEMPLATE = pattern(r"\s*+template\s*+<[^(){};<>]*+(?:<[^(){};<>]*+>[^(){};<>]*+)*+>")
_BEFORE_DEVICE = pattern(r"[\w:<>\s*&#]*+")
_CLASS = pattern(r"\s*+(?:struct|class)\s[^(){};=]*+\{")
_ANNOUNCED = pattern(rf"\A(?:(?:{_TEMPLATE.pattern})?\s*+(?:struct|class)\s[^(){{}};=]*+;)*+")  # which classes follow
# `template <int N> using name = vec<T, N>;`, which a library writes once for each type.
_ALIASES = pattern(rf"(?:{_TEMPLATE.pattern})?\s*+using\s++[\w#]++\s*+=[^;{{}}]*+;")
_CLOSING = {"(": ")", "<": ">", "[": "]", "{": "}"}


def written_functions(data: bytes, macros: MacroTable) -> tuple[Written, ...]:
    """Uses in a file of macros that write whole kernels, device functions or classes of them, by themselves or through
    others, in the order of the file.
    """
    kernels = {macro.name for macro in macros if "__global__" in macro.body and _writes_kernel(macro.body)}
    writers = _writers(macros, kernels)
    if not writers:
        return ()
    # `#define KINDS(F) F(add) F(mul)`: what is handed over is used there.
    handed = {
        macro.name: [number for number, param in enumerate(macro.params or ()) if calls_parameter(macro.body, param)]
        for macro in macros
        if macro.params and macro.name not in writers
    }
    wanted = sorted((writers | {name for name, called in handed.items() if called}) & words_of(data))
    using = [macro for name in wanted if (macro := macros.get(name)) is not None]
    table = MacroTable.of([_without_strings(macro) for macro in macros if macro.name in writers or macro in using])
    uses: list[Written] = []
    inner = inner_braces(data) if using and writers != kernels else ()
    for macro in using:
        for start, end, arguments in placed_uses(data, macro, _MOST_WRITTEN):
            if any(first < start < last for first, last in inner):
                continue
            called = handed.get(macro.name, ())
            if macro.name in writers or any(arguments[n].strip() in writers for n in called if n < len(arguments)):
                uses.append(Written(Span(start, end), _text_of_use(data, start, macro, table), macro))
    return tuple(sorted(uses, key=lambda written: written.use))


def _writers(macros: MacroTable, kernels: set[str]) -> set[str]:
    """Names of the macros that write device code, by themselves or through others. kernels: those that write these."""
    writers = kernels | {
        macro.name
        for macro in macros
        if _writes_device_function(macro.body) or (macro.params and _ALIASES.match(macro.body) is not None)
    }
    for _ in range(_MAX_DEPTH if writers else 0):
        writers |= {macro.name for macro in macros if not writers.isdisjoint(WORD.findall(macro.body))}
    return writers


def _text_of_use(data: bytes, start: int, macro: Macro, table: MacroTable) -> str:
    """A macro's expansion with the arguments of a use; "" if it is too long, or its arguments are not complete."""
    arguments = call_arguments(data[start : start + _LONGEST].decode("latin-1"), len(macro.name))
    text = expand_macro(_without_strings(macro), arguments[1] if arguments is not None else (), table)
    whole = len(text) < MAX_EXPANSION and (arguments is not None or macro.params is None)
    return text if whole else ""


def _writes_device_function(body: str) -> bool:
    """True for a macro that begins with the head of a device function and its body, or with a class that has one."""
    if "__device__" not in body:
        return False
    body = _ANNOUNCED.sub("", body, count=1)
    template = _TEMPLATE.match(body)
    behind_head = body[template.end() :] if template is not None else body
    if _CLASS.match(behind_head) is not None:
        return True
    head, brace, _ = behind_head.partition("{")
    before, device, behind = head.partition("__device__")
    name, parenthesis, parameters = behind.partition("(")
    return (
        bool(brace and device and parenthesis and name.strip())
        and _BEFORE_DEVICE.fullmatch(before) is not None
        and not set("=;[]}") & set(name)
        and not set(";}") & set(parameters)
    )


def inner_braces(data: bytes) -> tuple[tuple[int, int], ...]:
    """The outermost braces of functions, classes and lists: their contents are not at namespace level."""
    code = lex(data).code
    pairs: list[tuple[int, int]] = []
    depth, first = 0, -1
    for brace in _BRACE.finditer(code):
        if first < 0:
            if brace[0] == "{" and _NAMESPACE.search(code, max(0, brace.start() - _FAR), brace.start()) is None:
                depth, first = 1, brace.start()
            continue
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            pairs.append((first, brace.start()))
            first = -1
    return tuple(pairs)


def _without_strings(macro: Macro) -> Macro:
    """A macro with empty literals in place of `#parameter`."""
    names = "|".join(map(re.escape, macro.params or ()))
    if not names or "#" not in macro.body:
        return macro
    return macro._replace(body=re.sub(rf"(?<!#)#\s*(?:{names})\b", '""', macro.body))


def calls_parameter(body: str, name: str) -> bool:
    """True if a macro's body uses a parameter as if it were a macro with arguments."""
    return name in body and re.search(rf"\b{re.escape(name)}\s*\(", body) is not None


def _writes_kernel(body: str) -> bool:
    head, brace, _ = body.partition("__global__")[2].partition("{")
    return bool(brace) and "(" in head and ";" not in head


def placed_uses(data: bytes, macro: Macro, most: int = _MOST_USES) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Where the uses of a macro in a file begin and end, and their arguments."""
    pattern = re.compile(whole_word(macro.name.encode()) + (rb"\s*\(" if macro.params is not None else rb"\b"))
    for count, match in enumerate(pattern.finditer(data)):
        if count >= most or _in_directive(data, match.start()):
            continue
        arguments: tuple[str, ...] = ()
        end = match.end()
        if macro.params is not None:
            text = data[end : end + _LONGEST].decode("latin-1")
            arguments, length = list_and_end(text, 0, ")") or ((), 0)
            end += length
        yield match.start(), end, arguments


def _in_directive(data: bytes, offset: int) -> bool:
    """Is a place on a line of the preprocessor, continuation lines included?"""
    start = data.rfind(b"\n", 0, offset) + 1
    while start > 1 and data[start - 2 : start - 1] == b"\\":
        start = data.rfind(b"\n", 0, start - 1) + 1
    return data[start:offset].lstrip().startswith((b"#", b"//"))


def put_in(text: str, macro: Macro, arguments: tuple[str, ...]) -> str:
    """A text of a macro's body with its parameters replaced by the arguments of one use."""
    bound = dict(zip(macro.params or (), arguments, strict=False))
    if macro.params and macro.params[-1].endswith("..."):
        variadic = macro.params[-1].removesuffix("...") or "__VA_ARGS__"
        bound[variadic] = ", ".join(arguments[len(macro.params) - 1 :])
    replaced = re.sub(r"[A-Za-z_]\w*", lambda match: bound.get(match[0], match[0]), text)
    return _PASTED.sub("", replaced) if "##" in replaced else replaced


def list_at(text: str, start: int, closing: str = ">") -> tuple[str, ...] | None:
    """Parts of a list that is open at `start`, at its commas; None if it does not close."""
    listed = list_and_end(text, start, closing)
    return listed[0] if listed is not None else None


def list_and_end(text: str, start: int, closing: str) -> tuple[tuple[str, ...], int] | None:
    """The parts of a list, and the place behind what closes it."""
    parts, open_, begin = [], [closing], start
    for match in _PUNCTUATION.finditer(text, start):
        index, char = match.start(), match[0]
        if char in "([{" or (char == "<" and closing == ">"):
            open_.append(_CLOSING[char])
        elif char == open_[-1]:
            open_.pop()
            if not open_:
                parts.append(text[begin:index])
                return tuple(" ".join(part.split()) for part in parts if part.strip()), match.end()
        elif char == "," and len(open_) == 1:
            parts.append(text[begin:index])
            begin = index + 1
    return None


_PASTED = pattern(r"\s*##\s*")
_MEMBER = pattern(r"[\w:<>,*&\s\[\]#+-]+")
_HEAD = pattern(
    r"(?:template\s*+<[^{};()#]*+>\s*+)?(?:typedef\s++)?(?:struct|class|union)\b(?:[^;{}=#()]|\([\w\s]*+\))*+\Z"
)
_TAIL = pattern(r"\}[^;{}()]*+;")
_NO_TYPES = frozenset(
    ("return", "using", "typedef", "goto", "template", "inline", "friend", "case", "delete", "else", "static", "public")
)
_LONGEST_HEAD = 400  # bytes of the head of a class


def written_members(data: bytes, macros: MacroTable) -> tuple[Written, ...]:
    """The classes of a file outside of functions and other classes, written out, that get data members by a macro."""
    if b"struct" not in data and b"class" not in data and b"union" not in data:
        return ()
    members = {macro.name: macro for macro in macros if _writes_members(macro) and macro.name.encode() in data}
    if not members:
        return ()
    named = [macro for macro in macros if macro.params and "(" in macro.body and macro.name.encode() in data]
    lists = {macro.name: macro for macro in named if any(calls_parameter(macro.body, p) for p in macro.params or ())}
    using = (*members.values(), *lists.values())
    table = MacroTable.of([*members.values(), *lists.values()])
    by_span: dict[Span, Written] = {}
    code, braces = lex(data).code, inner_braces(data)
    for macro in using:
        for start, end, arguments in placed_uses(data, macro):
            listed = macro.name in members or any(argument.strip() in members for argument in arguments)
            if listed and (";" in macro.body or macro.name in lists or code[end:].lstrip()[:1] == ";"):
                around = _class_around(code, braces, start)
                if around is not None and around not in by_span:
                    text = data[around.start : around.end].decode("latin-1")
                    if len(text) < MAX_EXPANSION and len(text := expand(text, table)) < MAX_EXPANSION:
                        by_span[around] = Written(around, text, macro)
    return tuple(by_span.values())


def _writes_members(macro: Macro) -> bool:
    """Whether a macro's body is nothing but declarations: `T name;`, or `T name` of parameters."""
    body, whole = macro.body, ";" in macro.body
    if "(" in body or not (whole or macro.params) or _MEMBER.fullmatch(body.replace(";", " ")) is None:
        return False
    parts = [WORD.findall(part) for part in body.split(";") if part.strip()]
    if not parts or any(len(part) < 2 or part[0] in _NO_TYPES for part in parts):
        return False
    return whole or parts[0][-1] in (macro.params or ())


def _class_around(code: str, braces: tuple[tuple[int, int], ...], place: int) -> Span | None:
    """The class that has a place directly in its braces, from its head to the semicolon."""
    for first, last in braces:
        if first < place < last and code.count("{", first + 1, place) == code.count("}", first + 1, place):
            head = _HEAD.search(code, max(0, first - _LONGEST_HEAD), first)
            tail = _TAIL.match(code, last)
            return Span(head.start(), tail.end()) if head is not None and tail is not None else None
    return None


# `MY_KERNEL(N) scaled(...)`, `MY_KERNEL scaled(...)`, `MY_KERNEL(scaled)(...)` at the begin of a line.
_HEAD_MACRO = pattern(
    rb"^[ \t]*+(?:static\s++|inline\s++)*+([A-Z][A-Z\d_]{2,})\b"
    rb"(?:[ \t]*+\([^()\n]*+\)\s*+\(|(?:[ \t]*+\([^()\n]*+\))?\s++[A-Za-z_][^;{}()\n]*+\()",
    re.MULTILINE,
)
# `KINDS(SUM)` on a line: with what is handed over it may write whole kernels.
_WRITER = pattern(rb"^[ \t]*+([A-Z][A-Z\d_]{2,})[ \t]*+\(([^()\n]*+)\)[ \t]*+;?[ \t\r]*+$", re.MULTILINE)
_DEVICE_CODE = ("__global__", "__device__", "__launch_bounds__")
_MAX_PARTS = 64  # macros within macros
_WORDS = pattern(rb"[A-Za-z_]\w*+", re.ASCII)


def left_to_includers(data: bytes, seen: MacroTable, tables: Iterable[MacroTable]) -> MacroTable:
    """Macros that only the files define that include a header: those at the head of its definitions that turn them into
    a kernel or a device function, those that write such by themselves, and the macros in their bodies.

    seen: what the header itself sees. tables: what the files see that include it, asked one after the other.
    """
    words = {match[1]: None for match in _HEAD_MACRO.finditer(data)}
    for name, arguments in _WRITER.findall(data):
        if name.decode() not in seen:
            words |= dict.fromkeys((name, *_WORDS.findall(arguments)))
    wanted = [word for written in words if (word := written.decode()) not in seen]
    best: tuple[list[Macro], MacroTable] = [], MacroTable()
    for table in tables if wanted else ():
        macros = [macro for word in wanted for macro in table.all(word)]
        if len(macros) > len(best[0]) and any(_makes_device_code(macro, table) for macro in macros):
            best = macros, table
            if all(word in table for word in wanted):
                break
    return MacroTable([layer_of(_with_their_parts(*best))]) if best[0] else best[1]


def makes_kernels(data: bytes, seen: MacroTable, undefined: MacroTable) -> bool:
    """Whether a text uses a macro that stands for `__global__`, of those that it sees or of `left_to_includers`."""
    names = [macro.name for macro in seen if "__global__" in with_keywords(macro.body)]
    names += (macro.name for macro in undefined if "__global__" in with_keywords(expand(macro.body, undefined)))
    return any(name.encode() in data for name in names)


def _makes_device_code(macro: Macro, table: MacroTable) -> bool:
    return any(word in expand(macro.body, table) for word in _DEVICE_CODE)


def _with_their_parts(macros: list[Macro], table: MacroTable) -> tuple[Macro, ...]:
    """Macros, and those that their bodies name."""
    parts = dict.fromkeys(macros)
    waiting = list(macros)
    while waiting and len(parts) < _MAX_PARTS:
        for word in WORD.findall(waiting.pop().body):
            for inner in table.all(word):
                if inner not in parts:
                    parts[inner] = None
                    waiting.append(inner)
    return tuple(parts)
