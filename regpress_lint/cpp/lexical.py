"""Where the code is in a source file: comments, literals and preprocessor lines set apart, brackets paired.

Every later rule works on a *code view*: the file as latin-1 text (one character a byte, offsets are file offsets)
in which comments, the insides of literals and whole directives are blanks. A rule that searches the view can therefore
never hit a comment or a string.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import OWN_WORD, WORD_BYTES, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# One match for each comment or literal. Possessive quantifiers: no backtracking, so an unterminated one costs one pass.
_SKIP = pattern(
    r"/(?:/[^\n\\]*+(?:\\(?:\r\n|[\s\S])?[^\n\\]*+)*+|\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?)"
    r'|"[^"\\\n]*+(?:\\(?:\r\n|[\s\S])?[^"\\\n]*+)*+"?'
    r"|'[^'\\\n]*+(?:\\(?:\r\n|[\s\S])?[^'\\\n]*+)*+'?"
)
RAW_OPEN = pattern(r'"([^()\\\s]{0,16})\(')
_HASH_LINE = pattern(r"#[^\n\\]*+(?:\\(?:\r\n|[\s\S])?[^\n\\]*+)*+")
_DIRECTIVE_NAME = pattern(r"#[ \t]*+(\w*)", re.ASCII)
_BLANK = {c: (c if c in (0x0A, 0x0D) else 0x20) for c in range(256)}
_CONTINUED = pattern(r"\\(?=\r?\n)")
_ROUND = pattern(r"[()]")
_SQUARE = pattern(r"[\[\]]")
_CURLY = pattern(r"[{}]")
_NEEDLESS = pattern(r"(?<!\w)\s+|\s+(?!\w)")
_SPACE = pattern(r"\s*+", re.ASCII)
_NEAR = 256
CONDITIONS = frozenset(("if", "ifdef", "ifndef"))
ALTERNATIVES = frozenset(("elif", "elifdef", "elifndef", "else"))


class Directive(NamedTuple):
    """A preprocessor line with its continuation lines: `start` at the `#`, `end` before the last newline."""

    start: int
    end: int
    name: str


class Lexed(NamedTuple):
    """`source` is the file as latin-1 text; `bare` has comments and literals blanked, `code` the directives too."""

    source: str
    bare: str
    code: str
    directives: tuple[Directive, ...]
    comments: tuple[tuple[int, int], ...]


def squeezed(text: str) -> str:
    """A name without blanks except between two words: `Row<unsigned int>::N`, `T::Row<4>` for `T::template Row<4>`."""
    return _NEEDLESS.sub("", text.strip()).replace("::template ", "::") if any(map(str.isspace, text)) else text


def blank(text: str) -> str:
    """The same number of characters, all spaces but the newlines (and the backslashes that continue a line)."""
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    blanked = text.translate(_BLANK)
    if "\\" not in text:
        return blanked
    chars = list(blanked)
    for match in _CONTINUED.finditer(text):
        chars[match.start()] = "\\"
    return "".join(chars)


def _raw_end(source: str, quote: int) -> int | None:
    """End of the raw string with its `R` before `quote`; None when it is an ordinary string after all."""
    opened = RAW_OPEN.match(source, quote)
    if opened is None:
        return None
    close = ")" + opened.group(1) + '"'
    end = source.find(close, opened.end())
    return len(source) if end < 0 else end + len(close)


def _is_digit_separator(source: str, quote: int) -> bool:
    """True for the apostrophe in 1'000, False for the one in L'x' or u8'x'."""
    if quote == 0 or not (source[quote - 1].isalnum() and source[quote - 1].isascii()):
        return False
    first = quote
    while first > 0 and quote - first < 4 and source[first - 1].isalnum():
        first -= 1
    return source[first:quote] not in ("L", "u", "U", "u8")


def _blank_inert(source: str) -> tuple[str, list[tuple[int, int]]]:
    """Comments as blanks, literals as their quotes around blanks; and where the comments are."""
    pieces: list[str] = []
    comments: list[tuple[int, int]] = []
    done = position = 0
    while True:
        restarted = False
        for match in _SKIP.finditer(source, position):
            start, end = match.span()
            first = source[start]
            if first == "'" and _is_digit_separator(source, start):
                position, restarted = start + 1, True
                break
            pieces.append(source[done:start])
            if first == '"' and start and source[start - 1] == "R":
                raw_end = _raw_end(source, start)
                if raw_end is not None:
                    pieces.append('"' + blank(source[start + 1 : raw_end - 1]) + '"' * (raw_end - start > 1))
                    done = position = raw_end
                    restarted = True
                    break
            if first == "/":
                pieces.append(blank(source[start:end]))
                comments.append((start, end))
            elif end - start < 2 or source[end - 1] != first:
                pieces.append(first + blank(source[start + 1 : end]))
            else:
                pieces.append(first + blank(source[start + 1 : end - 1]) + first)
            done = end
        if not restarted:
            pieces.append(source[done:])
            return "".join(pieces), comments


def _directives(bare: str) -> tuple[Directive, ...]:
    directives: list[Directive] = []
    for match in _HASH_LINE.finditer(bare):
        start = match.start()
        line = bare.rfind("\n", 0, start) + 1
        before = bare[line:start]
        if before and not before.isspace() and before != "\xef\xbb\xbf":
            continue
        name = _DIRECTIVE_NAME.match(bare, start)
        end = match.end()
        if end > start and bare[end - 1] == "\r":
            end -= 1
        directives.append(Directive(start, end, name.group(1) if name else ""))
    return tuple(directives)


@lru_cache(maxsize=4)
def lex(data: bytes) -> Lexed:
    """Set code apart from comments, literals and directives; linear in the size of the file, raises nothing.

    The last few files are remembered, because the macro scan and up to five mask levels look at the same bytes.
    """
    source = data.decode("latin-1")
    bare, comments = _blank_inert(source)
    directives = _directives(bare)
    pieces: list[str] = []
    done = 0
    for directive in directives:
        pieces += (bare[done : directive.start], bare[directive.start : directive.end].translate(_BLANK))
        done = directive.end
    pieces.append(bare[done:])
    return Lexed(source, bare, "".join(pieces), directives, tuple(comments))


def conditionals(lexed: Lexed, *, guards: bool = False) -> tuple[tuple[int, ...], ...]:
    """Each `#if` of a file as the offsets of its directives, `#endif` included: its arms are between them. One around
    the whole file, the guard of a header, is left out without `guards`.
    """
    stack: list[list[int]] = []
    groups: list[tuple[int, ...]] = []
    for directive in lexed.directives:
        if directive.name in CONDITIONS:
            stack.append([directive.start])
        elif directive.name in ALTERNATIVES and stack:
            stack[-1].append(directive.start)
        elif directive.name == "endif" and stack:
            groups.append((*stack.pop(), directive.start))
    if guards:
        return tuple(groups)
    # Looked for once: a file may have a hundred thousand of them in each other.
    first = len(lexed.code) - len(lexed.code.lstrip("\xef\xbb\xbf \t\r\n"))
    last = len(lexed.code.rstrip())
    return tuple(cuts for cuts in groups if len(cuts) > 2 or cuts[0] > first or cuts[-1] < last)


def without_comments(text: str) -> str:
    """`text` with each comment as one space and literals kept, as a macro body is read."""
    if "/" not in text:
        return text
    return _SKIP.sub(lambda match: " " if match.group()[0] == "/" else match.group(), text)


def skip_space(code: str, position: int) -> int:
    """The first offset at or after `position` that is no white space."""
    match = _SPACE.match(code, position)
    return match.end() if match else position


def before(code: str, position: int) -> int:
    """The last offset before `position` that is no white space, or -1."""
    width = 32
    while position > 0:
        low = max(0, position - width)
        if length := len(code[low:position].rstrip()):
            return low + length - 1
        position, width = low, width * 4
    return -1


class Brackets:
    """Pairs of brackets of one code view.

    Near ones are found by looking; the first far one pairs the whole file once, so that hostile input stays linear.
    """

    __slots__ = ("_bodies", "_code", "_round", "_square")

    def __init__(self, code: str) -> None:
        self._code = code
        self._round: dict[int, int] | None = None
        self._square: dict[int, int] | None = None
        self._bodies: list[tuple[int, int]] | None = None

    def close(self, opening: int) -> int | None:
        """Offset of the `)` that closes the `(` at `opening`, or None."""
        if self._round is None:
            if (near := closing(self._code, opening, opening + _NEAR)) >= 0:
                return near
            self._round = _pairs(self._code, _ROUND, "(")
        return self._round.get(opening)

    def square(self) -> dict[int, int]:
        """All pairs of `[` and `]`."""
        if self._square is None:
            self._square = _pairs(self._code, _SQUARE, "[")
        return self._square

    def in_a_body(self, offset: int) -> bool:
        """Whether an offset is inside the braces of a function: the outermost ones that follow a `)`."""
        if self._bodies is None:
            self._bodies = _bodies(self._code)
        at = bisect_right(self._bodies, (offset, 0)) - 1
        return at >= 0 and offset < self._bodies[at][1]


def closing(text: str, opening: int, end: int | None = None) -> int:
    """Where the `)` of the `(` at an offset is, or of the next one behind it; -1 without one before `end`."""
    depth = 0
    for match in _ROUND.finditer(text, opening, len(text) if end is None else end):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.start()
    return -1


def list_start(text: str, end: int) -> int:
    """Where the template arguments whose `>` ends at `end` begin; -1 if nothing opens them."""
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += (text[at] == ">") - (text[at] == "<")
        if depth == 0:
            return at
    return -1


def _pairs(code: str, pattern: re.Pattern[str], opening: str) -> dict[int, int]:
    stack: list[int] = []
    pairs: dict[int, int] = {}
    for match in pattern.finditer(code):
        if match.group() == opening:
            stack.append(match.start())
        elif stack:
            pairs[stack.pop()] = match.start()
    return pairs


def _bodies(code: str) -> list[tuple[int, int]]:
    bodies: list[tuple[int, int]] = []
    depth, start, outside = 0, -1, 0
    for match in _CURLY.finditer(code):
        if match.group() == "{":
            if start < 0 and (previous := before(code, match.start())) >= 0 and code[previous] == ")":
                start, outside = match.start(), depth
            depth += 1
        else:
            depth = max(depth - 1, 0)
            if start >= 0 and depth <= outside:
                bodies.append((start, match.start()))
                start = -1
    if start >= 0:
        bodies.append((start, len(code)))
    return bodies


def split_arguments(code: str, start: int, end: int) -> list[tuple[int, int]]:
    """Ranges of the arguments between two brackets, split at the commas outside any inner bracket."""
    parts: list[tuple[int, int]] = []
    depth = 0
    first = start
    for match in _SEPARATOR.finditer(code, start, end):
        char = match.group()
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth <= 0:
            parts.append((first, match.start()))
            first = match.end()
    parts.append((first, end))
    return parts


def split_list(text: str) -> list[str]:
    """Template arguments by the text of their list, split at the commas outside any bracket."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()] if text.strip() else []


_SEPARATOR = pattern(r"[()\[\]{},]")


_IN_ARGUMENTS = pattern(r"<<|<=|>=|->|[<>(){}\[\],]")
_OPENS, _CLOSES = frozenset("({["), frozenset(")}]")


@lru_cache(maxsize=1024)  # the same few types are named again and again, and some of them are long
def split_template_arguments(text: str) -> tuple[str, ...]:
    """Arguments of a template by the text between its brackets."""
    text = text.strip().removesuffix(">")
    parts, depth, start, within = [], 0, 0, 0
    for match in _IN_ARGUMENTS.finditer(text):
        sign = match[0]
        if sign in _OPENS:
            within += 1
        elif sign in _CLOSES:
            within -= 1
        elif within:  # `(N < 8)` opens no list
            continue
        elif sign == "<":
            depth += 1
        elif sign == ">":
            depth -= 1
        elif sign == "," and depth == 0:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    parts.append(text[start:].strip())
    return tuple(part for part in parts if part)


# Prototypes of device functions.


_MOST_TEXTS = 64  # whose prototypes are remembered
_STRETCH = pattern(rb"([^;{}]++)(;?)")  # of all, the last character too: else a table is gone through from each byte on
# From a word of the device to the parentheses of what it declares.
_DECLARED = pattern(rb"(?<!\w)(?:__device__|SYCL_EXTERNAL)\b[^()=/]*+(?=\()")
_MARK = pattern(rb"(?<!\w)(?:__device__|SYCL_EXTERNAL)\b")
_WORDS = pattern(rb"\s*+(?:[A-Za-z_\"][\w\"]*+\s++)*+")
_HEAD_WORD = pattern(rb"\w++")
_INSTRUCTION = pattern(rb"\b_*asm_*\s*+\(\s*+\"llvm\.[\w.]++\"\s*+\)\Z")


@lru_cache(maxsize=_MOST_TEXTS)
def prototypes(data: bytes) -> frozenset[bytes]:
    """Names that a text declares as functions of the device: statements without a body, one of whose lines begins with
    words, one of them a word of the device; none that `__asm("llvm.amdgcn.fdot2")` makes an instruction. Each byte is
    looked at a few times, however many names are looked up.
    """
    if b"__device__" not in data and b"SYCL_EXTERNAL" not in data:
        return frozenset()
    return frozenset(name for match in _STRETCH.finditer(data) if match[2] for name in _declared(match[1]))


def _declared(statement: bytes) -> Iterator[bytes]:
    end = statement.rstrip()
    while end.endswith((b"const", b"noexcept")):
        end = end.removesuffix(b"const").removesuffix(b"noexcept").rstrip()
    if not end.endswith(b")") or _INSTRUCTION.search(end) is not None:
        return
    for match in _DECLARED.finditer(statement):
        words = _HEAD_WORD.findall(match[0])
        if words[-2:-1] == [b"operator"]:  # a conversion
            continue
        if match[0].rstrip().endswith(words[-1]) and _begins_a_line(statement, match.start(), match.end()):
            yield words[-1]


def _begins_a_line(statement: bytes, start: int, end: int) -> bool:
    """Whether only words precede a word of the device between two places, in its line."""
    seen = -1  # the line that was looked at last: of several in one line the first counts
    for mark in _MARK.finditer(statement, start, end):
        line = statement.rfind(b"\n", 0, mark.start()) + 1
        if line != seen and _WORDS.fullmatch(statement, line, mark.start()):
            return True
        seen = line
    return False


def words_of(data: bytes) -> frozenset[str]:
    """All words of a text, those of comments and strings included."""
    return frozenset(word.decode("ascii", "replace") for word in set(WORD_BYTES.findall(data)))


def bare_name(written: str) -> str:
    """The last component of a name without template arguments: `Foo` of `ns::Foo<int>`."""
    return written.partition("<")[0].rpartition("::")[2].strip()


def with_meanings(text: str, bound: Mapping[str, str]) -> str:
    """A text with names replaced by their meanings; a class that has its arguments already, `Inner<float>` where
    `Inner` means that, stays as it is.
    """

    def meant(match: re.Match[str]) -> str:
        word = match[0]
        text = bound.get(word, word)
        return word if match.string.startswith("<", match.end()) and text.startswith(f"{word}<") else text

    return OWN_WORD.sub(meant, _with_elements(text, bound) if "..." in text else text)


# The elements of a template's parameter pack among the meanings of its parameters, and how many they are.
_ELEMENTS = pattern(r"(?<![\w.:])(sizeof\s*\.\.\.\s*\(\s*)?([A-Za-z_]\w*)\s*(\.\.\.|\))")
_NOTHING_BEHIND = pattern(r",\s*(?=[>)])")


def pack_meanings(name: str, arguments: Sequence[str]) -> dict[str, str]:
    """What `Ts...` and `sizeof...(Ts)` mean in a template, by these texts; of one alone also what `Ts` is, which may be
    an element of a pack itself.
    """
    single = {name: arguments[0].removesuffix("...")} if len(arguments) == 1 else {}
    return {**single, f"{name}...": ", ".join(arguments), size_of_pack(name): str(len(arguments))}


def size_of_pack(name: str) -> str:
    """The name of the number of elements in a pack."""
    return f"sizeof...({name})"


def _with_elements(text: str, bound: Mapping[str, str]) -> str:
    def meant(match: re.Match[str]) -> str:
        counted, name, end = match.groups()
        if counted is None:
            return bound.get(f"{name}...", match[0]) if end == "..." else match[0]
        return bound.get(size_of_pack(name), match[0])

    replaced = _ELEMENTS.sub(meant, text)
    return _NOTHING_BEHIND.sub("", replaced) if replaced != text else text
