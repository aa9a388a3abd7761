"""The text that is parsed: spellings of old keyboards, files included in functions, and kernels in strings.

Everything keeps its place: a digraph becomes the mark and a blank, a word that goes on behind a backslash is put
together and the line break moved behind it, a line of code that goes on behind a backslash loses it, and an included
body is put behind the file's own text.
"""

from __future__ import annotations

import re
from collections import deque

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Annex, Source, Span, Spliced
from regpress_lint.cpp.language import included_parts
from regpress_lint.cpp.lexical import before, lex, skip_space
from regpress_lint.cpp.preprocess.kernel_strings import (
    BLANKED,
    Literal,
    kernels_in_literals,
    kernels_in_python,
    names_in_literals,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from regpress_lint.cpp.lexical import Directive, Lexed
    from regpress_lint.cpp.preprocess.macros import Macro


MAX_ANNEXES = 64
MAX_ANNEX_BYTES = 256 * 1024  # of all that one file includes in its functions
_DIGRAPH = pattern(rb"%:%:|%:|<%|%>|<:(?!:[^:>])|:>")
_SPELLED = {b"%:%:": b"##  ", b"%:": b"# ", b"<%": b"{ ", b"%>": b" }", b"<:": b"[ ", b":>": b" ]"}
_SPLIT = pattern(rb"(?<![\w])(\w+)((?:\\\r?\n\w+)+)")
_BREAK = pattern(rb"\\\r?\n")
_IN_WORD = pattern(rb"\\\r?\n\w")
# A line of code, and no directive or what goes on of one, that goes on behind a backslash.
_CONTINUED = pattern(rb"(?:\A|(?<!\\)(?<!\\\r)\n)(?![ \t]*+(?:#|%:))[^\n]*\\\r?\n")
_INCLUDE = pattern(r'#[ \t]*+include[ \t]*+(<[^>\n"]{1,512}>|"[^"\n]{1,512}")')
_BRACE = pattern(r"[{}]")
_HEAD = 240  # characters in front of a brace that say what it opens
_SCOPE = pattern(r"\b(?:namespace|extern|struct|class|union|enum)\b[^();]*\Z")
_RECORD = pattern(r"\b(?:struct|class|union)\s+(?:alignas\s*)?([A-Za-z_]\w*)")
_OF_LAMBDA = pattern(r"\]\s*(?:\((?:[^()]|\([^()]*\))*\)[^;{}()]*)?\Z")
_KERNEL_WORDS = (b"__global__", b"__kernel", b"kernel void")
_WRITERS = pattern(rb"(?m)^[ \t]*+#[ \t]*+define[ \t]++(\w++)(?:[^\n\\]|\\\r?\n|\\.)*?__global__")
_GUARD = pattern(rb"\s*+(?:#[ \t]*+ifndef[ \t]++(\w++)[^\n]*\n\s*+#[ \t]*+define[ \t]++(\w++)[ \t\r]*+\n)")
# What is put around an included text, so that the grammar reads it.
_AROUND = {
    "statements": (b"\nvoid _() {\n", b"\n}\n"),
    "values": (b"\nauto _ = {\n", b"\n};\n"),
    "file": (b"\n", b"\n"),
}


def as_read(data: bytes) -> bytes:
    """The bytes of a file, as many and with the same lines, without digraphs and words that a line break splits."""
    odd = b"<%" in data or b"%:" in data or b"<:" in data
    split = b"\\\n" in data or b"\\\r\n" in data
    if not odd and not split:
        return data
    if split:  # the first is quick to find that there is none, as a rule
        in_word = _IN_WORD.search(data) is not None and _SPLIT.search(data) is not None
        split = in_word or _CONTINUED.search(data) is not None
    if not (odd and _DIGRAPH.search(data)) and not split:
        return data
    lexed = lex(data)
    if odd:
        data = _DIGRAPH.sub(lambda match: _digraph(match, lexed.bare), data)
    if split:
        data = _SPLIT.sub(lambda match: _joined(match, lexed), data)
        data = _BREAK.sub(lambda match: _blanked(match, lexed), data)
    return data


def _digraph(match: re.Match[bytes], bare: str) -> bytes:
    return _SPELLED[match[0]] if not bare[match.start()].isspace() else match[0]


def _joined(match: re.Match[bytes], lexed: Lexed) -> bytes:
    start, end = match.span()
    if lexed.bare[start].isspace() or lexed.bare[end - 1].isspace():
        return match[0]  # in a comment or a literal
    breaks = b"".join(_BREAK.findall(match[0]))
    in_directive = lexed.code[start].isspace()
    return _BREAK.sub(b"", match[0]) + (breaks if in_directive else breaks.replace(b"\\", b" "))


def _blanked(match: re.Match[bytes], lexed: Lexed) -> bytes:
    """A break between two words of code without its backslash; those of directives, comments and literals stay."""
    at, code = match.start(), lexed.code
    line = max(code.rfind("\n", 0, at), 0)
    inside = code[line:at].split() != lexed.source[line:at].split() or code[at] != "\\" or code[line:at].count('"') % 2
    return match[0] if inside else b" " + match[0][1:]


class _Include(NamedTuple):
    """An `#include` of a part of the file: the directive, its operand as it is written, and among what it stands:
    "statements", "values" of an array, the name of the class, or "file".
    """

    directive: Span
    operand: bytes
    inside: str


def included_in_bodies(lexed: Lexed) -> list[_Include]:
    """The `#include`s inside of functions and classes.

    One that is all of a lambda's body is not among them: that body is another file's (`names.lambdas`).
    """
    lines = [line for line in lexed.directives if line.name == "include"]
    first = lexed.code.find("{") if lines else -1
    if first < 0 or lines[-1].start < first:
        return []
    includes: list[_Include] = []
    opened: list[tuple[str, int]] = []  # what stands in each open brace (see `_inside`), and where it is
    done, looked_at = 0, -1  # the brace whose first `#include` was looked at: it alone may be all that is in it
    for line in lines:
        for match in _BRACE.finditer(lexed.code, done, line.start):
            if match[0] == "}":
                del opened[-1:]
            else:
                opened.append((_inside(lexed.code, match.start(), opened[-1][0] if opened else ""), match.start()))
        done = line.start
        operand = _INCLUDE.match(lexed.source, line.start)
        inside, brace = opened[-1] if opened else ("", 0)
        alone = inside and brace != looked_at and _is_all_of_a_lambda(lexed, brace, line)
        looked_at = brace
        if inside and operand is not None and not alone:
            written = operand[1].encode("latin-1")
            includes.append(_Include(Span(line.start, line.end), written, inside))
    return includes


def _is_all_of_a_lambda(lexed: Lexed, brace: int, line: Directive) -> bool:
    code = lexed.code
    after = skip_space(code, line.end)
    if code[brace + 1 : line.start].strip() or code[after : after + 1] != "}":
        return False
    return _OF_LAMBDA.search(code[max(0, brace - _HEAD) : brace]) is not None


def _inside(code: str, brace: int, around: str) -> str:
    """The construct that a brace opens, by the text before it: "statements", "values", a class by its name; "" for a
    namespace.
    """
    previous = before(code, brace)
    if previous < 0 or code[previous] in "=,[" or around == "values":
        return "values" if around in ("statements", "values") or code[previous : previous + 1] == "=" else ""
    if code[previous] == "(":
        return around  # statements in brackets
    head = code[max(0, brace - _HEAD) : brace]
    cut = max(head.rfind(mark) for mark in ";{}")
    scope = _SCOPE.search(head[cut + 1 :])
    if scope is None:
        return "statements"
    record = _RECORD.search(scope[0])
    return record[1] if record is not None else ""


def spliced(path: str, data: bytes, find: Callable[[str, bytes], tuple[str, bytes] | None]) -> Source:
    """The source that is parsed of a file; `find` gives path and bytes of what an `#include` in a file means.

    Linear in the size of its input; at most MAX_ANNEXES texts of MAX_ANNEX_BYTES, and none inside of itself.
    """
    if path.endswith(".py"):
        blanks = bytes(byte if byte in b"\r\n" else 0x20 for byte in data)
        kernels = kernels_in_python(data)
        return _with_annexes(path, blanks, [], kernels, names_in_literals(path, data, kernels), find, data)
    text = as_read(data)
    includes = _parts_of(text) if b"include" in text else []
    literals = kernels_in_literals(text)
    if not includes and not literals:
        return Source(path, text)
    return _with_annexes(path, text, includes, literals, names_in_literals(path, text, literals), find)


def _parts_of(text: bytes) -> list[_Include]:
    """The `#include`s of parts of a file."""
    lexed, operands = lex(text), included_parts(text)
    inside = included_in_bodies(lexed)
    directives = {include.directive for include in inside}
    for line in lexed.directives if operands else ():
        directive, match = Span(line.start, line.end), _INCLUDE.match(lexed.source, line.start)
        operand = match[1].encode("latin-1") if match is not None and line.name == "include" else b""
        if operand in operands and directive not in directives:
            inside.append(_Include(directive, operand, "file"))
    return inside


def _writes_kernels(part: bytes, writers: Sequence[bytes]) -> bool:
    """Whether a part of a file has kernels, or uses macros of the file that write or instantiate some (`writers`)."""
    if any(word in part for word in _KERNEL_WORDS):
        return not _is_read_once(part)
    return any(re.search(rb"\b%s\b" % name, part) for name in writers)


def _with_annexes(
    path: str,
    text: bytes,
    includes: list[_Include],
    literals: list[Literal],
    names: list[Literal],
    find: Callable[[str, bytes], tuple[str, bytes] | None],
    own: bytes | None = None,
) -> Source:
    parts, annexes, size = bytearray(text), list[Annex](), len(text)
    writers = _WRITERS.findall(text) if any(include.inside == "file" for include in includes) else []
    first: tuple[str, ...] = (path,)
    waiting = deque((0, first, include) for include in includes)
    while waiting and len(annexes) < MAX_ANNEXES:
        base, around, (directive, operand, place) = waiting.popleft()
        part = find(around[-1], operand)
        if part is None or part[0] in around or len(parts) - size + len(part[1]) > MAX_ANNEX_BYTES:
            continue
        if place == "file" and not _writes_kernels(part[1], writers):
            continue
        body = _without_guard(as_read(part[1]))
        opening, closing = _AROUND.get(place) or (f"\nstruct {place} {{\n".encode("latin-1"), b"\n};\n")
        start = len(parts) + len(opening)
        inside = Span(base + directive.start, base + directive.end)
        annexes.append(Annex(inside, Span(start, start + len(body)), part[0]))
        if place not in ("statements", "file"):
            parts[inside.start : inside.end] = b" " * (directive.end - directive.start)
        wrapped = opening + body + closing
        parts += wrapped
        if b"include" in body:
            deeper = included_in_bodies(lex(wrapped))
            waiting += ((start - len(opening), (*around, part[0]), include) for include in deeper)
    for literal in literals:
        parts += b"\n"
        held = Span(len(parts), len(parts) + len(literal.text))
        annexes.append(Annex(literal.span, held, path, literal.at))
        parts += literal.text + b"\n"
    for name in names:
        parts += b"\nauto _ = "
        annexes.append(Annex(name.span, Span(len(parts), len(parts) + len(name.text)), path, name.at))
        parts += name.text + b";\n"
    return Spliced(path, bytes(parts), size, tuple(annexes), own) if annexes else Source(path, text)


class Written(NamedTuple):
    """A use of a macro that writes whole kernels, `__global__` and body: its place, what it writes, the macro. The text
    is empty where it is too long.
    """

    use: Span
    text: str
    macro: Macro


def with_written(source: Source, written: Sequence[Written]) -> tuple[Source, tuple[Span, ...]]:
    """A source with the kernels that macros write as annexes, and the names of macros for whose text there is no room.

    Their uses are blank then, because the grammar takes several in a row for one broken declaration.
    """
    if not written:
        return source, ()
    parts, annexes = bytearray(source.data), list(source.annexes) if isinstance(source, Spliced) else []
    unwritten: list[Span] = []
    for use, text, macro in written:
        data, size = text.encode("utf-8", "replace"), len(macro.name)
        name = Span(use.start, use.start + size)
        if not data or len(parts) - source.size + len(data) > MAX_ANNEX_BYTES:
            unwritten.append(name)
            continue
        parts[use.start : use.end] = BLANKED.sub(b" ", parts[use.start : use.end])
        parts += b"\n"
        annexes.append(Annex(name, Span(len(parts), len(parts) + len(data)), macro.path, macro.offset, size))
        parts += data + b"\n"
    if not annexes:
        return source, tuple(unwritten)
    own = source.own if source.own is not source.data else None
    return Spliced(source.path, bytes(parts), source.size, tuple(annexes), own), tuple(unwritten)


def _is_read_once(data: bytes) -> bool:
    guard = _GUARD.match(data)
    return b"#pragma once" in data or (guard is not None and guard[1] == guard[2])


def _without_guard(data: bytes) -> bytes:
    """A text without the lines that keep it from being included twice: it is, in two functions."""
    guard = _GUARD.match(data)
    end = data.rfind(b"#endif") if guard is not None and guard[1] == guard[2] else -1
    if guard is None or end < guard.end():
        return data
    blanks = bytes(byte if byte in b"\r\n" else 0x20 for byte in data[: guard.end()])
    return blanks + data[guard.end() : end] + b"      " + data[end + 6 :]
