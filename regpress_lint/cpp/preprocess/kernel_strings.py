"""Kernels in string literals, for a compiler that runs with the program: NVRTC, hipRTC, CuPy's RawKernel, PyCUDA,
clCreateProgramWithSource.

A literal that holds the definition of a kernel, or several beside each other that do, is a text of its own. Every
character keeps its place: quotes and escapes are blank. A literal that is `name<arguments>` and nothing else, of a
template of such a kernel, is an instantiation: `name_expressions` of CuPy's RawModule, nvrtcAddNameExpression.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import RAW_OPEN, lex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.cpp.lexical import Lexed


MAX_LITERALS = 64
_WORD = b"__global__"
_WORDS = (_WORD, b"__kernel")
_BEGUN = pattern(rb"__global__\s++(?:__launch_bounds__|(?:\w++\s*+(?:\([\w, ]*+\)\s*+)?)*?void)\b")
# A text that ends with the word; a blank behind it tells it from the word by itself, as in a list of keywords.
_LAST = pattern(rb"""__global__(?P<blank>(?:\s|\\[nrt])*+)(?:"(?:""|(?!"))|'(?:''|(?!'))|\)[^()\\\s"]{0,16}")""")
# A head that is a field of a template: `__global__ %s {`, `__global__ {head} {{`.
_FIELD_HEAD = pattern(rb"__global__\s++(?:%s|%\(\w|\{\w|\$\{?\w)")
_GOES_ON = pattern(rb"\s*+(?:[+;%]|<<|\Z)|[ \t]*+\r?\n")
_EXTERN = pattern(rb"\bextern\b[^;{}]*+\Z")
_KERNEL_HEAD = pattern(rb"(?:__global__|\b__kernel\b)([^;{}]{1,1000}+)\{")
_ESCAPE = pattern(rb'\\(?:\r?\n|.)|["\']', re.DOTALL)
_BETWEEN = pattern(r"[\s\\]*+")
# A comment, or what opens a literal of Python: its prefix and its quotes.
# Of an f-string: a brace, or a field, which may be a name with a conversion and a format.
FIELD = pattern(rb"\{\{|\}\}|\{(?:(?P<name>[A-Za-z_]\w*+)(?:![rsa])?(?::[^{}]*+)?|[^{}]*+)\}")
_BESIDE = pattern(rb"(?:\s|\\\r?\n|#[^\n]*+\n)*+([rRbBuUfF]{0,3})(\"\"\"|'''|\"|')")
BLANKED = pattern(rb"[^\r\n]")
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
    words = [word for word in _WORDS if word in data]
    if not words or not _defines(data.replace(b'"', b" ")):
        return []
    lexed = lex(data)
    comments = [start for start, _ in lexed.comments]
    literals: list[Literal] = []
    done = 0
    for at in sorted(match.start() for word in words for match in re.finditer(re.escape(word), data)):
        if len(literals) == MAX_LITERALS:
            break
        index = bisect_right(comments, at) - 1
        commented = index >= 0 and at < lexed.comments[index][1]
        if at >= done and lexed.bare[at] == " " and not commented and (literal := _around(data, lexed, at)) is not None:
            done = literal.span.end
            if _defines(literal.text):
                literals.append(literal)
    return literals


def begun_in_literals(path: str, data: bytes) -> tuple[Span, ...]:
    """Where literals begin a kernel of which the program puts the rest together when it runs (`+`, `<<`): the words
    `__global__` of literals that define none.
    """
    kinds = (_BEGUN, _FIELD_HEAD) if path.endswith(".py") else (_BEGUN,)
    if all(kind.search(data) is None for kind in (*kinds, _LAST)):
        return ()
    if path.endswith(".py"):
        places = {literal.at for literal in kernels_in_python(data)}
        texts = [(text.at, text.end, text.text) for text in python_texts(data) if text.at not in places]
    else:
        lexed = lex(data)
        literals = kernels_in_literals(data)
        words = (match.start() for kind in (*kinds, _LAST) for match in kind.finditer(data))
        inside = [at for at in words if lexed.bare[at] == " "]
        around = (_around(data, lexed, at) for at in inside if not any(s <= at < e for s, e in lexed.comments))
        texts = [(one.at, one.span.end, one.text) for one in around if one is not None and one not in literals]
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
    if first and lexed.source[first - 1] == "R" and (raw := RAW_OPEN.match(lexed.source, first)) is not None:
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
    text up to the last one's end, with blanks in place of the text between two. raw, filled: what their prefixes say.
    """

    start: int
    end: int
    at: int
    text: bytes
    raw: bool
    filled: bool


def python_texts(data: bytes) -> Iterator[_Text]:
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
            parts += BLANKED.sub(b" ", data[end : following.end()])
            match, position = following, following.end()
        yield _Text(start, position, at, bytes(parts), b"r" in prefix, b"f" in prefix)


def _python_literals(data: bytes) -> Iterator[Literal]:
    count = 0
    for literal in python_texts(data):
        text, behind = literal.text, data[literal.end : literal.end + _NEAR]
        if _WORD not in text:
            continue
        if literal.filled or _FORMAT.match(behind) or _DOUBLED_HEAD.search(text):
            text = FIELD.sub(filled_in, text)
        else:
            text = _without_fields(text, data[max(0, literal.start - _NEAR) : literal.start], behind)
        if _defines(text):
            yield Literal(Span(literal.start, literal.end), literal.at, text if literal.raw else _escapes(text))
            count += 1
            if count == MAX_LITERALS:
                return


def filled_in(match: re.Match[bytes]) -> bytes:
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
        return _JINJA.sub(filled_in, _TAG.sub(_tag, text))
    return _DOLLAR.sub(_named, text) if b"${" in text or _TEMPLATE.search(before) else text


def _tag(match: re.Match[bytes]) -> bytes:
    """A tag of Jinja: its end is nothing, and its beginning a call of an unseen function, which may be any code."""
    call = b"template_" + match[1] + b"();"
    blank = re.sub(rb"[^\r\n]", b" ", match[0])
    return blank if match[1].startswith(b"end") or len(call) > len(blank) else call + blank[len(call) :]


def _named(match: re.Match[bytes]) -> bytes:
    """The name of a field. One that is a line or a statement of its own is any code: a call of an unseen function."""
    name, text = match["name"] or match["braced"], match.string
    left = text[max(0, match.start() - _NEAR) : match.start()].rstrip(b" \t")[-1:]
    right = text[match.end() : match.end() + _NEAR].lstrip(b" \t\r")[:1]
    size = len(match[0])
    spelled = [name]
    if left in b"\n{};" and right == b";":
        spelled = [name + b"()", name]
    elif left in b"\n{};" and right in b"\n":
        spelled = [name + b"();", name + b";", name]
    return next(form for form in spelled if len(form) <= size).ljust(size)


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


# Instantiations that string literals name.


MAX_NAMES = 64
_NAME = pattern(rb"\s*+&?\s*+((?:\w++\s*+::\s*+)*+(\w++)\s*+<[^;\"'\\]{1,256}>)\s*+")
_QUOTED = pattern(rb'(?<![\\\w])"(\s*+&?\s*+[\w:\s]{1,256}+<[^;"\'\\\n]{1,256}>\s*+)"')
_TEMPLATE_HEAD = rb"__global__[^;{}]{0,512}?\b%s\s*+\("


def names_in_literals(path: str, data: bytes, kernels: Sequence[Literal]) -> list[Literal]:
    """The literals that name instantiations of these kernels, in the order of the file. A name with a field of an
    f-string counts only beside one without: what it stands for is open, and alone it tells nothing.
    """
    if not any(b"template" in kernel.text for kernel in kernels):
        return []
    written = _of_python(data, kernels) if path.endswith(".py") else _of_cpp(data, kernels)
    is_template: dict[bytes, bool] = {}
    named: list[tuple[bytes, bool, Literal]] = []
    for text, at, is_open in written:
        match = _NAME.fullmatch(text)
        if match is None or len(named) == MAX_NAMES:
            continue
        name = match[2]
        if name not in is_template:
            head = re.compile(_TEMPLATE_HEAD % name)
            is_template[name] = any(head.search(kernel.text) for kernel in kernels)
        if is_template[name]:
            start, end = at + match.start(1), at + match.end(1)
            named.append((name, is_open, Literal(Span(start, end), start, match[1])))
    settled = {name for name, is_open, _ in named if not is_open}
    return [literal for name, _, literal in named if name in settled]


def _of_python(data: bytes, kernels: Sequence[Literal]) -> Iterator[tuple[bytes, int, bool]]:
    inside = {kernel.at for kernel in kernels}
    for literal in python_texts(data):
        if b"<" in literal.text and literal.at not in inside:
            is_open = literal.filled and b"{" in literal.text
            yield (FIELD.sub(filled_in, literal.text) if is_open else literal.text), literal.at, is_open


def _of_cpp(data: bytes, kernels: Sequence[Literal]) -> Iterator[tuple[bytes, int, bool]]:
    bare = lex(data).bare if _QUOTED.search(data) is not None else ""
    for match in _QUOTED.finditer(data):
        commented = bare[match.start()] != '"'
        if not commented and not any(kernel.span.start < match.start() < kernel.span.end for kernel in kernels):
            yield match[1], match.start(1), False
