"""Correct C++ that tree-sitter-cpp 0.23.4 cannot read: the smallest change of the same length that it can.

Each rule is tried only where its marker text occurs. The list was found by the errors left in real repositories.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import Lexed, before

if TYPE_CHECKING:
    from regpress_lint.cpp.mask.draft import Draft

_NAME = r"[A-Za-z_][\w:]*+"
_TEMPLATE_ARGUMENTS = r"<(?:[^<>;{}]++|<(?:[^<>;{}]++|<[^<>;{}]*+>)*+>)*+>"
_PRIMITIVE = r"(?:unsigned|signed|long|short|int|char|float|double|bool)"


class Gap(NamedTuple):
    """`pattern` (it begins with a literal, for speed) is searched when `marker` occurs in the code view.

    The last character before a match that is no blank has to be one of `after`, if given: "w" stands for any that ends
    a name, "^" for the start of the file. Group 1 is blanked, or overwritten with `spell`.
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
    Gap("...", pattern(r"(?<!\*)(\*++)\s*+\.\.\.", re.ASCII), "w>"),
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
    Gap("->operator", pattern(r"(this\s*+->\s*+operator\s*+\(\s*+\))(?=\s*+\()", re.ASCII), "", "(*this)"),
    Gap("typeid", pattern(rf"typeid\s*+\(\s*+({_PRIMITIVE}\b[^()]*+)\)", re.ASCII), "", "T"),
)
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
            if _stands_after(code, match.start(), gap.after) and "\n" not in code[start : start + len(gap.spell)]:
                draft.mask(start, end, "grammar", gap.spell)
    _mask_ends_of_empty_bodies(draft)
    for directive in lexed.directives:
        if directive.name == "include":
            _mask_include_tail(draft, lexed.bare, directive.start)
    if "\\\r\n" in draft.source:
        _mask_broken_strings(draft)


def _stands_after(code: str, position: int, allowed: str) -> bool:
    if not allowed:
        return position == 0 or not (code[position - 1].isalnum() or code[position - 1] == "_")
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


def _mask_include_tail(draft: Draft, bare: str, start: int) -> None:
    """`#include <x>;` and other text behind the name, which compilers only warn about."""
    match = _INCLUDE_TAIL.match(bare, start)
    if match is not None and match.group(1).strip():
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
