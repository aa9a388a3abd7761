"""The text that is parsed: spellings of old keyboards, files included in functions, and kernels in string literals."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Annex, Source, Span, Spliced
from regpress_lint.cpp.lexical import before, lex, skip_space

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.cpp.lexical import Directive, Lexed
    from regpress_lint.cpp.preprocess.macros import Macro


# Kernels in string literals, for a compiler that runs with the program: NVRTC, hipRTC, CuPy's RawKernel, PyCUDA.
#
# A literal that holds the definition of a kernel, or several beside each other that do, is a text of its own. Every
# character keeps its place: quotes and escapes are blank.


MAX_LITERALS = 64
_WORD = b"__global__"
_BEGUN = pattern(rb"__global__\s++(?:__launch_bounds__|(?:\w++\s*+(?:\([\w, ]*+\)\s*+)?)*?void)\b")
# A text that ends with the word; a blank behind it tells it from the word by itself, as in a list of keywords.
_LAST = pattern(rb"""__global__(?P<blank>(?:\s|\\[nrt])*+)(?:"(?:""|(?!"))|'(?:''|(?!'))|\)[^()\\\s"]{0,16}")""")
# A head that is a field of a template: `__global__ %s {`, `__global__ {head} {{`.
_FIELD_HEAD = pattern(rb"__global__\s++(?:%s|%\(\w|\{\w|\$\{?\w)")
_GOES_ON = pattern(rb"\s*+(?:[+;%]|<<|\Z)|[ \t]*+\r?\n")
_EXTERN = pattern(rb"\bextern\b[^;{}]*+\Z")
_KERNEL_HEAD = pattern(rb"__global__([^;{}]{1,1000}+)\{")
_RAW = pattern(r'"([^()\\\s]{0,16})\(')
_ESCAPE = pattern(rb'\\(?:\r?\n|.)|["\']', re.DOTALL)
_BETWEEN = pattern(r"[\s\\]*+")
# A comment, or what opens a literal of Python: its prefix and its quotes.
# Of an f-string: a brace, or a field, which may be a name with a conversion and a format.
_FIELD = pattern(rb"\{\{|\}\}|\{(?:(?P<name>[A-Za-z_]\w*+)(?:![rsa])?(?::[^{}]*+)?|[^{}]*+)\}")
_BESIDE = pattern(rb"(?:\s|\\\r?\n|#[^\n]*+\n)*+([rRbBuUfF]{0,3})(\"\"\"|'''|\"|')")
_BLANKED = pattern(rb"[^\r\n]")
_NEAR = 80  # bytes around a literal, or a field, that say what it is
_PYTHON = pattern(rb"#[^\n]*+|(?<!\w)([rRbBuUfF]{0,3})(\"\"\"|'''|\"|')")


# Fields of the other templates of text: `"..." % {...}`, `"..." % (...)` and `string.Template`. None of them is C++.
_KEYED = pattern(rb"%\((?P<name>[A-Za-z_]\w*+)\)[sdifrgexX](?P<braced>)")
_PLACED = pattern(rb"%[sdifrgexX](?!\w)")
_DOLLAR = pattern(rb"\$(?:\{(?P<braced>[A-Za-z_]\w*+)\}|(?P<name>[A-Za-z_]\w*+))")
_TAG = pattern(rb"\{%[-+]?\s*+(\w*+)[^%]*+(?:%(?!\})[^%]*+)*+%\}")
_JINJA = pattern(rb"\{\{\s*+(?P<name>[A-Za-z_]\w*+)\s*+\}\}|\{\{[^{}]*+\}\}")
_PERCENT = pattern(rb"\s*+\)?\s*+%(?!=)")
_FORMAT = pattern(rb"\s*+\)?\s*+\.\s*+format\s*+\(")
_TEMPLATE = pattern(rb"\bTemplate\s*+\(\s*+\Z")
_DOUBLED_HEAD = pattern(rb"__global__[^;]{1,1000}?\)\s*+\{\{")


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
    literals: list[Literal] = []
    done, at = 0, data.find(_WORD)
    while at >= 0 and len(literals) < MAX_LITERALS:
        index = bisect_right(comments, at) - 1
        commented = index >= 0 and at < lexed.comments[index][1]
        if at >= done and lexed.bare[at] == " " and not commented and (literal := _around(data, lexed, at)) is not None:
            done = literal.span.end
            if _defines(literal.text):
                literals.append(literal)
        at = data.find(_WORD, max(at + len(_WORD), done))
    return literals


def begun_in_literals(path: str, data: bytes) -> tuple[Span, ...]:
    """Where literals begin a kernel of which the program puts the rest together when it runs (`+`, `<<`): the words
    `__global__` of literals that define none.
    """
    kinds = (_BEGUN, _FIELD_HEAD) if path.endswith(".py") else (_BEGUN,)
    if all(kind.search(data) is None for kind in (*kinds, _LAST)):
        return ()
    if path.endswith(".py"):
        known = {literal.at for literal in kernels_in_python(data)}
        texts = [(one.at, one.end, one.text) for one in _python_texts(data) if one.at not in known]
    else:
        lexed = lex(data)
        found = kernels_in_literals(data)
        words = (match.start() for kind in (*kinds, _LAST) for match in kind.finditer(data))
        inside = [at for at in words if lexed.bare[at] == " "]
        around = (_around(data, lexed, at) for at in inside if not any(s <= at < e for s, e in lexed.comments))
        texts = [(one.at, one.span.end, one.text) for one in around if one is not None and one not in found]
    starts = {
        at + match.start()
        for at, _, text in texts
        for kind in kinds
        for match in kind.finditer(text)
        if kind is _FIELD_HEAD or b";" not in text[match.end() :]
    }
    starts |= {
        match.start() for at, end, _ in texts for match in _LAST.finditer(data, at, end) if _goes_on(data, at, match)
    }
    return tuple(Span(start, start + len(_WORD)) for start in sorted(starts))


def _goes_on(data: bytes, at: int, word: re.Match[bytes]) -> bool:
    """Whether what begins at a place and ends with the word `__global__` is the beginning of a kernel."""
    behind = _GOES_ON.match(data, word.end()) is not None
    return (bool(word["blank"]) and behind) or _EXTERN.search(data, at, word.start()) is not None


def _defines(text: bytes) -> bool:
    """Whether a text has the definition of a kernel, as far as a glance tells."""
    return any(match[1].rstrip().endswith(b")") for match in _KERNEL_HEAD.finditer(text))


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
    """The literals of a Python file that define kernels. A field of a template (an f-string, `str.format`, `%`,
    `string.Template`) is a name that the source does not define, and any other expression there an unknown name.
    """
    return list(_python_literals(data)) if _WORD in data else []


class _Text(NamedTuple):
    """Literals of Python that stand side by side: where they begin and end, where the first one's text begins, and the
    text up to the last one's end, with blanks in place of what is between two. raw, filled: what their prefixes say.
    """

    start: int
    end: int
    at: int
    text: bytes
    raw: bool
    filled: bool


def _python_texts(data: bytes) -> Iterator[_Text]:
    """The literals of a Python file, with those beside them."""
    position = 0
    while (match := _PYTHON.search(data, position)) is not None:
        position = match.end()
        if match[2] is None:
            continue
        prefix, start, at, parts = match[1].lower(), match.start(), position, bytearray()
        while True:
            end = _python_end(data, position, match[2])
            parts += data[position:end]
            position = end + len(match[2])
            following = _BESIDE.match(data, position) if _WORD in parts else None
            if following is None:
                break
            parts += _BLANKED.sub(b" ", data[end : following.end()])
            match, position = following, following.end()
        yield _Text(start, position, at, bytes(parts), b"r" in prefix, b"f" in prefix)


def _python_literals(data: bytes) -> Iterator[Literal]:
    count = 0
    for one in _python_texts(data):
        text, behind = one.text, data[one.end : one.end + _NEAR]
        if _WORD not in text:
            continue
        if one.filled or _FORMAT.match(behind) or _DOUBLED_HEAD.search(text):
            text = _FIELD.sub(_filled_in, text)
        else:
            text = _without_fields(text, data[max(0, one.start - _NEAR) : one.start], behind)
        if _defines(text):
            yield Literal(Span(one.start, one.end), one.at, text if one.raw else _escapes(text))
            count += 1
            if count == MAX_LITERALS:
                return


def _filled_in(match: re.Match[bytes]) -> bytes:
    """`{{`, or a replacement field of an f-string, as code of the same length."""
    text, name = match[0], match["name"]
    if name is None:
        return text[:1] + b" " if text in (b"{{", b"}}") else re.sub(rb"[^\r\n]", b"_", text)
    return b" " + name + b" " * (len(text) - len(name) - 1)


def _without_fields(text: bytes, before: bytes, behind: bytes) -> bytes:
    """A template of text with names in place of its fields; `before` and `behind` is what stands around the literal."""
    keyed = _KEYED.search(text) is not None
    if keyed:
        text = _KEYED.sub(_named, text)
    elif _PERCENT.match(behind):
        text = _PLACED.sub(lambda match: b"_" * len(match[0]), text)
    if keyed or _PERCENT.match(behind):
        return text.replace(b"%%", b"% ")
    if b"{%" in text or (b"{{" in text and _TEMPLATE.search(before)):  # Jinja
        return _JINJA.sub(_filled_in, _TAG.sub(_tag, text))
    return _DOLLAR.sub(_named, text) if b"${" in text or _TEMPLATE.search(before) else text


def _tag(match: re.Match[bytes]) -> bytes:
    """A tag of Jinja: its end is nothing, and its beginning a call of what is not visible, which may be any code."""
    call = b"template_" + match[1] + b"();"
    blank = re.sub(rb"[^\r\n]", b" ", match[0])
    return blank if match[1].startswith(b"end") or len(call) > len(blank) else call + blank[len(call) :]


def _named(match: re.Match[bytes]) -> bytes:
    """The name of a field. One that is a line or a statement of its own is any code: a call of what is not visible."""
    name, text = match["name"] or match["braced"], match.string
    left = text[max(0, match.start() - _NEAR) : match.start()].rstrip(b" \t")[-1:]
    right = text[match.end() : match.end() + _NEAR].lstrip(b" \t\r")[:1]
    size = len(match[0])
    spelled = [name]
    if left in b"\n{};" and right == b";":
        spelled = [name + b"()", name]
    elif left in b"\n{};" and right in b"\n":
        spelled = [name + b"();", name + b";", name]
    return next(one for one in spelled if len(one) <= size).ljust(size)


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


# The text that is parsed: a file with the spellings of old keyboards and split words read as a compiler reads them,
# and with the files that it includes in the middle of its functions.
#
# Everything keeps its place: a digraph becomes the mark and a blank, a word that goes on behind a backslash is put
# together and the line break moved behind it, a line of code that goes on behind a backslash loses it, and an included
# body is put behind the file's own text.


MAX_ANNEXES = 64
MAX_ANNEX_BYTES = 256 * 1024  # of all that one file includes in its functions
_DIGRAPH = pattern(rb"%:%:|%:|<%|%>|<:(?!:[^:>])|:>")
_SPELLED = {b"%:%:": b"##  ", b"%:": b"# ", b"<%": b"{ ", b"%>": b" }", b"<:": b"[ ", b":>": b" ]"}
_SPLIT = pattern(rb"(?<![\w])(\w+)((?:\\\r?\n\w+)+)")
_BREAK = pattern(rb"\\\r?\n")
# A line of code, and no directive or what goes on of one, that goes on behind a backslash.
_CONTINUED = pattern(rb"(?:\A|(?<!\\)(?<!\\\r)\n)(?![ \t]*+(?:#|%:))[^\n]*\\\r?\n")
_INCLUDE = pattern(r'#[ \t]*+include[ \t]*+(<[^>\n"]{1,512}>|"[^"\n]{1,512}")')
_BRACE = pattern(r"[{}]")
_HEAD = 240  # characters in front of a brace that say what it opens
_SCOPE = pattern(r"\b(?:namespace|extern|struct|class|union|enum)\b[^();]*\Z")
_RECORD = pattern(r"\b(?:struct|class|union)\s+(?:alignas\s*)?([A-Za-z_]\w*)")
_OF_LAMBDA = pattern(r"\]\s*(?:\((?:[^()]|\([^()]*\))*\)[^;{}()]*)?\Z")
_GUARD = pattern(rb"\s*+(?:#[ \t]*+ifndef[ \t]++(\w++)[^\n]*\n\s*+#[ \t]*+define[ \t]++(\w++)[ \t\r]*+\n)")
# What is put around an included text, so that the grammar reads it.
_AROUND = {"statements": (b"\nvoid _() {\n", b"\n}\n"), "values": (b"\nauto _ = {\n", b"\n};\n")}


def as_read(data: bytes) -> bytes:
    """The bytes of a file, as many and with the same lines, without digraphs and words that a line break splits."""
    odd = b"<%" in data or b"%:" in data or b"<:" in data
    split = b"\\\n" in data or b"\\\r\n" in data
    if not odd and not split:
        return data
    split = split and not (_SPLIT.search(data) is None and _CONTINUED.search(data) is None)
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
    """An `#include` inside of a function or a class: the directive, its operand as it is written, and among what it
    stands: "statements", "values" of an array, or the name of the class.
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
    namespace and for a table of the file.
    """
    previous = before(code, brace)
    if previous < 0 or code[previous] in "=,[" or around == "values":
        return "values" if around in ("statements", "values") else ""
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
        return _with_annexes(path, blanks, [], kernels_in_python(data), find)
    text = as_read(data)
    includes = included_in_bodies(lex(text)) if b"include" in text else []
    literals = kernels_in_literals(text)
    return _with_annexes(path, text, includes, literals, find) if includes or literals else Source(path, text)


def _with_annexes(
    path: str,
    text: bytes,
    includes: list[_Include],
    literals: list[Literal],
    find: Callable[[str, bytes], tuple[str, bytes] | None],
) -> Source:
    parts, annexes, size = bytearray(text), list[Annex](), len(text)
    first: tuple[str, ...] = (path,)
    waiting = deque((0, first, include) for include in includes)
    while waiting and len(annexes) < MAX_ANNEXES:
        base, around, (directive, operand, place) = waiting.popleft()
        other = find(around[-1], operand)
        if other is None or other[0] in around or len(parts) - size + len(other[1]) > MAX_ANNEX_BYTES:
            continue
        body = _without_guard(as_read(other[1]))
        opening, closing = _AROUND.get(place) or (f"\nstruct {place} {{\n".encode("latin-1"), b"\n};\n")
        start = len(parts) + len(opening)
        inside = Span(base + directive.start, base + directive.end)
        annexes.append(Annex(inside, Span(start, start + len(body)), other[0]))
        if place != "statements":
            parts[inside.start : inside.end] = b" " * (directive.end - directive.start)
        wrapped = opening + body + closing
        parts += wrapped
        if b"include" in body:
            deeper = included_in_bodies(lex(wrapped))
            waiting += ((start - len(opening), (*around, other[0]), include) for include in deeper)
    for literal in literals:
        parts += b"\n"
        held = Span(len(parts), len(parts) + len(literal.text))
        annexes.append(Annex(literal.span, held, path, literal.at))
        parts += literal.text + b"\n"
    return Spliced(path, bytes(parts), size, tuple(annexes)) if annexes else Source(path, text)


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
    left: list[Span] = []
    for use, text, macro in written:
        data, size = text.encode("utf-8", "replace"), len(macro.name)
        name = Span(use.start, use.start + size)
        if not data or len(parts) - source.size + len(data) > MAX_ANNEX_BYTES:
            left.append(name)
            continue
        parts[use.start : use.end] = _BLANKED.sub(b" ", parts[use.start : use.end])
        parts += b"\n"
        annexes.append(Annex(name, Span(len(parts), len(parts) + len(data)), macro.path, macro.offset, size))
        parts += data + b"\n"
    if not annexes:
        return source, tuple(left)
    return Spliced(source.path, bytes(parts), source.size, tuple(annexes)), tuple(left)


def _without_guard(data: bytes) -> bytes:
    """A text without the lines that keep it from being included twice: it is, in two functions."""
    guard = _GUARD.match(data)
    end = data.rfind(b"#endif") if guard is not None and guard[1] == guard[2] else -1
    if guard is None or end < guard.end():
        return data
    blanks = bytes(byte if byte in b"\r\n" else 0x20 for byte in data[: guard.end()])
    return blanks + data[guard.end() : end] + b"      " + data[end + 6 :]
