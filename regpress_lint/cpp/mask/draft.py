"""A mask in the making: the text, its code view and the list of masked items."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import ALTERNATIVES, CONDITIONS, Brackets, Lexed, before, blank, skip_space

if TYPE_CHECKING:
    from collections.abc import Container

    from regpress_lint.cpp.lexical import Directive


class MaskedItem(NamedTuple):
    """A masked range: `text` is the file's own bytes in `start:end`; `expansion` the text of a macro."""

    start: int
    end: int
    kind: str
    text: bytes
    expansion: str = ""


_COMMENT = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def _without_comments(data: bytes, lexed: Lexed) -> bytearray:
    """The file with its comments blanked: the tree is smaller, and no walk has to step over them.

    Comments of preprocessor lines stay: the grammar minds blanks at the end of an `#include`.
    """
    text = bytearray(data)
    directives = iter(lexed.directives)
    directive = next(directives, None)
    for start, end in lexed.comments:
        while directive is not None and directive.end <= start:
            directive = next(directives, None)
        if directive is None or start < directive.start:
            text[start:end] = data[start:end].translate(_COMMENT)
    return text


class Draft:
    """The only mutable thing of the masking, alive during one call of `mask`. All edits keep length and newlines.

    data: the file's own bytes, which the items quote; readable: the same length, as `lexed` was derived from it.
    blocks: offsets of braces that hold statements though they stand where an argument would.
    """

    __slots__ = ("_code", "_data", "_items", "_text", "blocks", "brackets", "code", "source")

    def __init__(self, data: bytes, readable: bytes, lexed: Lexed) -> None:
        self._data = data
        self._text = _without_comments(readable, lexed)
        self._code = bytearray(lexed.code, "latin-1")
        self._items: list[MaskedItem] = []
        self.blocks: set[int] = set()
        self.source = lexed.source
        self.code = lexed.code
        self.brackets = Brackets(self.code)

    def note(self, start: int, end: int, kind: str, expansion: str = "") -> None:
        """Remember a range as masked without changing it."""
        self._items.append(MaskedItem(start, end, kind, self._data[start:end], expansion))

    def patch(self, start: int, end: int, spell: str = "") -> None:
        """Write `spell` (no longer than the range, which has no newline that early) and blanks over a range."""
        text = spell + blank(self.source[start + len(spell) : end])
        raw = text.encode("latin-1", "replace")  # a macro may stand for more than bytes
        self._text[start:end] = raw
        self._code[start:end] = raw

    def mask(self, start: int, end: int, kind: str, spell: str = "", expansion: str = "") -> None:
        """`note` and `patch` in one."""
        self.note(start, end, kind, expansion)
        self.patch(start, end, spell)

    def refresh(self) -> None:
        """Let `code` and `brackets` show the edits made so far."""
        code = self._code.decode("latin-1")
        if code != self.code:
            self.code = code
            self.brackets = Brackets(code)

    def finish(self) -> tuple[bytes, tuple[MaskedItem, ...]]:
        """The masked text and its items, sorted by their start."""
        return bytes(self._text), tuple(sorted(self._items))


# Correct C++ that tree-sitter-cpp 0.23.4 cannot read: the smallest change of the same length that it can.
#
# Each rule is tried only where its marker text occurs. The list was found by the errors left in real repositories.


_NAME = r"[A-Za-z_][\w:]*+"
_TEMPLATE_ARGUMENTS = r"<(?:[^<>;{}]++|<(?:[^<>;{}]++|<[^<>;{}]*+>)*+>)*+>"
_PRIMITIVE = r"(?:unsigned|signed|long|short|int|char|float|double|bool)"
_WORDS = rf"{_PRIMITIVE}(?:\s++{_PRIMITIVE})*+"
_ARGUMENT = r"\((?:[^();]++|\([^();]*+\))*+\)"


class Gap(NamedTuple):
    """`pattern` (it begins with a literal, for speed) is searched when `marker` occurs in the code view.

    The last character before a match that is no blank has to be one of `after`, if given: "w" stands for any that ends
    a name, "^" for the start of the file. Group 1 is blanked, or overwritten with `spell`, in which \\2 is group 2.
    """

    marker: str
    pattern: re.Pattern[str]
    after: str = ""
    spell: str = ""


GAPS = (
    Gap(
        "new ",
        pattern(
            rf"new\s++(?:const\s++)?(?:(?:unsigned|struct|long|signed)\s++)*+{_NAME}(?:{_TEMPLATE_ARGUMENTS})?\s*+(\*[*\s]*+)\[",
            re.ASCII,
        ),
    ),
    Gap("...", pattern(r"(?<!\*)(\*++)\s*+\.\.\.(?!\s*+[)*])", re.ASCII), "w>"),
    # Of `int unused[] = {(a[I] = b[I], 0)...};` the zeros are for nobody, and the grammar reads `(x = y, z)` as a fold.
    Gap("...", pattern(r"(,\s*+0\s*+)(?=\)\s*+\.\.\.)", re.ASCII), "w)]}>"),
    Gap('"', pattern(r'" *"\s*+([A-Za-z_]\w*+)\s*+(?=["),;])', re.ASCII)),
    Gap("{", pattern(r"(\{\s*+\})(?=\s*+[,)])", re.ASCII), "=", "0"),
    Gap("typename", pattern(rf"(typename)\s++(?={_NAME}(?:{_TEMPLATE_ARGUMENTS}(?:::\w++)*+)*+\s*+[({{])", re.ASCII)),
    Gap("using ", pattern(r"using\s++[\w:]++(\s*+,[\w:\s,]++);", re.ASCII)),
    Gap("using typename", pattern(r"using (typename)\b", re.ASCII)),
    Gap("template", pattern(r"(template)\s++\w++\s*+(?=\()", re.ASCII), ".>:"),
    Gap("decltype", pattern(r"(decltype)\s*+\([^();]*+\)\s*+\{", re.ASCII), "=(,w{"),
    Gap("template", pattern(r"(template\s++(?:class|struct)\b[^;{}]{0,400}+;)", re.ASCII), ";}^"),
    Gap("extern template", pattern(r"(extern template\s++(?:class|struct)\b[^;{}]{0,400}+;)", re.ASCII), ";}^"),
    Gap(".operator", pattern(r"(\.\s*+operator\s*+\(\s*+\))(?=\s*+\()", re.ASCII), "w)]>"),
    Gap("->*", pattern(r"(->\*)(?=\s*+\w)", re.ASCII), "w)]", ".* "),
    Gap("->operator", pattern(r"((\w++)\s*+->\s*+operator\s*+\(\s*+\))(?=\s*+\()", re.ASCII), "", r"(*\2)"),
    Gap("__typeof", pattern(rf"(__typeof(?:__)?\s*+\(\s*+({_WORDS})\s*+\))", re.ASCII), "", r"\2"),
    Gap("__typeof", pattern(rf"(__typeof(?:__)?)(?=\s*+\((?!\s*+{_WORDS}\s*+\)))", re.ASCII), "", "decltype"),
    Gap("typeof", pattern(rf"(typeof\s*+\(\s*+({_WORDS})\s*+\))", re.ASCII), "", r"\2"),
    Gap("typeof", pattern(rf"(typeof\s*+(?!\(\s*+{_WORDS}\s*+\)){_ARGUMENT})(?=\s*+[\w*&])", re.ASCII), "", "auto"),
    Gap(
        "__builtin_bit_cast",
        pattern(r"(__builtin_bit_cast\s*+\(\s*+([^(){},;<>]++(?:<[^(){};<>]*+>)?)\s*+,)", re.ASCII),
        "",
        r"bit_cast<\2>(",
    ),
    Gap("__label__", pattern(r"(__label__\s++\w++(?:\s*+,\s*+\w++)*+\s*+;)", re.ASCII)),
    # Code of a device is never evaluated by the compiler.
    Gap("consteval", pattern(r"if\s++(consteval)(?=\s*+\{)", re.ASCII), "", "(false)"),
    Gap("consteval", pattern(r"if\s*+((?:!\s*+|not\s++)consteval)(?=\s*+\{)", re.ASCII), "", "(true)"),
    Gap("typeid", pattern(rf"typeid\s*+\(\s*+({_PRIMITIVE}\b[^()]*+)\)", re.ASCII), "", "T"),
)
_NO_TYPES = r"(?!(?:return|delete|throw|else|case|goto|new|typedef|using|co_\w++)\b)"
# `float const* p(a + i)` and `auto p(a + i)`, up to the bracket, and the next one of several: `, *q(p)`.
_OF_TYPE = rf"{_NO_TYPES}(?:{_WORDS}|{_NAME}(?:{_TEMPLATE_ARGUMENTS}(?:::\w++)?)?+)\s*+(?:const\b\s*+)?[*&]++\s*+"
_INITIALISED = pattern(
    rf"(?:[;{{}}]|\bfor\s*+\()\s*+(?:(?:const|static)\s++)*+(?:auto\s++(?:const\s++)?|{_OF_TYPE}(?:const\b\s*+)?)\w++\s*+(\()",
    re.ASCII,
)
_NEXT_INITIALISED = pattern(r",\s*+[*&]++\s*+(?:const\b\s*+)?\w++\s*+(\()", re.ASCII)
_PARAMETERS = pattern(rf"\s*+(?:\)|(?:{_PRIMITIVE}|void|const|struct)\b|{_NAME}\s*+[*&]*+\s*+\w++\s*+[,)])", re.ASCII)
_NEAR = 64  # bytes
_HEADS = ("struct", "class", "union")
_BROKEN_STRING = pattern(r"\\\r\n")
_EMPTY_BODY = pattern(r"\{\s*+\}\s*+(;)")
_LONGEST_PARAMETERS = 2000  # bytes
_INCLUDE_TAIL = pattern(r'#[ \t]*+include[ \t]*+(?:<[^>\n]*+>|"[^"\n]*+")([^\n]*+)')


def mask_gaps(draft: Draft, lexed: Lexed) -> None:
    """Apply every rule whose marker occurs."""
    code = draft.code
    for gap in GAPS:
        if gap.marker not in code:
            continue
        for match in gap.pattern.finditer(code):
            start, end = match.span(1)
            spell = match.expand(gap.spell) if gap.spell else ""
            if _stands_after(code, match.start(), gap.after) and "\n" not in code[start : start + len(spell)]:
                draft.mask(start, end, "grammar", spell)
    _mask_ends_of_empty_bodies(draft)
    _mask_initialised_pointers(draft)
    for directive in lexed.directives:
        if directive.name == "include":
            _mask_include_tail(draft, lexed.bare, directive.start)
    if "\\\r\n" in draft.source:
        _mask_broken_strings(draft)


def _stands_after(code: str, position: int, allowed: str) -> bool:
    word = position > 0 and (code[position - 1].isalnum() or code[position - 1] == "_")
    if word and (not allowed or code[position].isalnum()):  # the end of a longer name
        return False
    if not allowed:
        return True
    previous = before(code, position)
    if previous < 0:
        return "^" in allowed
    char = code[previous]
    return char in allowed if not (char.isalnum() or char == "_") else "w" in allowed


def _mask_ends_of_empty_bodies(draft: Draft) -> None:
    """`void f() {};`: the grammar takes the braces for a variable's initialiser."""
    code = draft.code
    for match in _EMPTY_BODY.finditer(code):
        close = before(code, match.start())
        if close < 0 or code[close] != ")":
            continue
        depth, opening = 0, close
        while opening > max(0, close - _LONGEST_PARAMETERS):
            depth += (code[opening] == ")") - (code[opening] == "(")
            if not depth:
                break
            opening -= 1
        name = before(code, opening)
        named = name >= 0 and (code[name].isalnum() or code[name] in "_>")  # a lambda has a bracket there
        if not depth and named and not draft.brackets.in_a_body(opening):
            draft.mask(match.start(1), match.end(1), "grammar")


def _mask_initialised_pointers(draft: Draft) -> None:
    """`float* p(a + i);` as `float* p=a + i ;`: the grammar takes the brackets for those of parameters."""
    code, brackets = draft.code, draft.brackets
    for match in _INITIALISED.finditer(code):
        head: re.Match[str] | None = match
        while head is not None:
            opening = head.start(1)
            close = brackets.close(opening)
            if close is None or _PARAMETERS.match(code, opening + 1) or not brackets.in_a_body(opening):
                break
            after = skip_space(code, close + 1)
            if code[after : after + 1] not in (";", ","):
                break
            draft.mask(opening, opening + 1, "grammar", "=")
            draft.mask(close, close + 1, "grammar")
            head = _NEXT_INITIALISED.match(code, after)


def _mask_include_tail(draft: Draft, bare: str, start: int) -> None:
    """`#include <x>;` and other text behind the name, which compilers only warn about."""
    if (match := _INCLUDE_TAIL.match(bare, start)) is not None and match.group(1).strip():
        draft.mask(*match.span(1), "grammar")


def _mask_broken_strings(draft: Draft) -> None:
    """A string that goes on after backslash, CR, LF: the grammar takes CR as the escaped one and trips over LF."""
    open_quote = False
    done = 0
    for match in _BROKEN_STRING.finditer(draft.source):
        position = match.start()
        open_quote ^= draft.code.count('"', done, position) % 2 == 1
        done = position
        if open_quote:
            draft.mask(position, position + 2, "grammar", " \\")


# One branch of every `#if`: what a file looks like when its alternatives are not all read at once.


Holds = Callable[[str], "bool | None"]  # whether a directive's branch is compiled, as far as that is known


def undecided(_directive: str) -> None:
    """Nothing is known of any condition."""


# Names that are taken as defined: the file is read as C++ by a GPU compiler.
_DEFINED = r"(?:__cplusplus|__CUDACC__|__HIPCC__|__HIP__|__CUDA__|SYCL_LANGUAGE_VERSION)"
_FALSE = pattern(rf"#\s*(?:if\s+0|if\s+!\s*defined\s*\(?\s*{_DEFINED}\s*\)?|ifndef\s+{_DEFINED})\s*", re.ASCII)
_TRUE = pattern(rf"#\s*(?:(?:el)?if\s+1|if\s+defined\s*\(?\s*{_DEFINED}\s*\)?|ifdef\s+{_DEFINED})\s*", re.ASCII)


_DEFINED_NAME = r"defined\s*\(?\s*\w+\s*\)?"
_ASKS = pattern(rf"#\s*if(?:def\s+\w+|\s+{_DEFINED_NAME}(?:\s*\|\|\s*{_DEFINED_NAME})*)\s*", re.ASCII)
_KERNEL_WORDS = ("__global__", "__device__", "<<<", "KOKKOS_", "AMREX_", "RAJA", "ALPAKA_FN_ACC")
_ASKED = pattern(r"(?:ifdef\s+|defined\s*\(?\s*)(\w+)", re.ASCII)


def _verdict(bare: str, directive: Directive) -> bool | None:
    text = bare[directive.start : directive.end]
    if _FALSE.fullmatch(text):
        return False
    return True if _TRUE.fullmatch(text) else None


def _is_left_out(lexed: Lexed, parts: list[Directive], defined: Container[str], holds: Holds) -> bool:
    """True for `#ifdef DEBUG` without an `#else`, of a name that is defined neither here nor by who includes the file,
    around a part of a function: printing that is switched off; and for what does not hold. Definitions are read
    whatever they stand under.
    """
    if len(parts) != 2:
        return False
    text = lexed.bare[parts[0].start : parts[0].end]
    names = _ASKED.findall(text) if _ASKS.fullmatch(text) else []
    undefined = bool(names) and not any(name in defined or name.startswith("_") for name in names)
    held = holds(text)
    if held or (held is None and not undefined):
        return False
    inside = lexed.code[parts[0].end : parts[1].start]
    if any(word in inside for word in _KERNEL_WORDS):
        return False
    return inside.count("{") == inside.count("}")


def _conditionals(lexed: Lexed) -> tuple[list[list[Directive]], list[list[Directive]]]:
    """Directives of each conditional from its `#if` to its `#endif`, inner ones first, and of those without an end."""
    closed: list[list[Directive]] = []
    stack: list[list[Directive]] = []
    for directive in lexed.directives:
        if directive.name in CONDITIONS:
            stack.append([directive])
        elif directive.name in ALTERNATIVES and stack:
            stack[-1].append(directive)
        elif directive.name == "endif" and stack:
            closed.append([*stack.pop(), directive])
    return closed, stack


def hidden_ranges(
    lexed: Lexed, other: bool, defined: Container[str] = (), holds: Holds = undecided
) -> list[tuple[int, int]]:
    """Ranges to blank so that each conditional keeps one branch: the first that is likely, or with `other` the last
    (the first where the likely one is the last), unless the condition is known; `defined` are the macros,
    `holds` tells what is likely of a directive.

    The directive lines of the conditionals themselves are in the ranges, which are sorted and do not overlap.
    """
    ranges: list[tuple[int, int]] = []
    closed, open_ones = _conditionals(lexed)
    for parts in closed:
        if _is_left_out(lexed, parts, defined, holds):
            ranges.append((parts[0].start, parts[1].end))
        else:
            ranges += _hidden_of(lexed.bare, parts, other, holds)
    for unfinished in open_ones:
        ranges += [(directive.start, directive.end) for directive in unfinished]
    return _merged(ranges)


def split_heads(lexed: Lexed) -> list[tuple[int, int]]:
    """Conditionals between `struct` and the name, which have attributes for one compiler: the grammar has no place for
    them there, and would lose the class.
    """
    ranges = []
    for parts in _conditionals(lexed)[0]:
        start, end = parts[0].start, parts[-1].end
        head = lexed.code[max(0, start - _NEAR) : start].rstrip()
        if head.endswith(_HEADS) and not any(mark in lexed.code[start:end] for mark in "{};"):
            ranges.append((start, end))
    return _merged(ranges)


_ENDS_WITH_ELSE = pattern(r"\belse\s*+\Z")


def split_branches(lexed: Lexed, holds: Holds = undecided) -> list[tuple[int, int]]:
    """The lines of conditionals whose only part ends with `else`, `#ifdef A if (n) { a(); } else #endif { b(); }`; all
    of one that is left out.
    """
    ranges: list[tuple[int, int]] = []
    for parts in _conditionals(lexed)[0]:
        first, last = parts[0], parts[-1]
        if len(parts) == 2 and _ENDS_WITH_ELSE.search(lexed.code, first.end, last.start) is not None:
            left_out = False in (_verdict(lexed.bare, first), holds(lexed.bare[first.start : first.end]))
            ranges += [(first.start, last.end)] if left_out else [(part.start, part.end) for part in parts]
    return _merged(ranges)


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same ground without overlaps: deep nests would otherwise be blanked once for each level."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _hidden_of(bare: str, parts: list[Directive], other: bool, holds: Holds) -> list[tuple[int, int]]:
    """Hidden ranges of one conditional; `parts` are its directives from `#if` to `#endif`."""
    branches = range(len(parts) - 1)
    verdicts = [_verdict(bare, parts[i]) for i in branches]
    certain = next((i for i in branches if verdicts[i] is True), None)
    open_ones = [i for i in branches if verdicts[i] is not False]
    chosen = certain
    if certain is None and open_ones:
        chosen = next((i for i in open_ones if holds(bare[parts[i].start : parts[i].end]) is not False), open_ones[0])
        if other:
            chosen = open_ones[-1] if chosen != open_ones[-1] else open_ones[0]
    hidden = [(parts[i].start, parts[i].end) for i in (*branches, len(parts) - 1)]
    hidden += [(parts[i].start, parts[i + 1].end) for i in branches if i != chosen]
    return hidden
