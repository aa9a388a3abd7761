"""Classes whose data members are written by macros: `struct P { FIELD(float, x) FIELDS(FIELD) };`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import lex
from regpress_lint.cpp.names.macro_calls import calls_parameter, inner_braces, placed_uses
from regpress_lint.cpp.preprocess.macros import MAX_EXPANSION, MacroTable, expand
from regpress_lint.cpp.preprocess.splicing import Written

if TYPE_CHECKING:
    from regpress_lint.cpp.preprocess.macros import Macro

_NAME = pattern(r"[A-Za-z_]\w*")
_MEMBER = pattern(r"[\w:<>,*&\s\[\]#+-]+")
_HEAD = pattern(
    r"(?:template\s*+<[^{};()#]*+>\s*+)?(?:typedef\s++)?(?:struct|class|union)\b(?:[^;{}=#()]|\([\w\s]*+\))*+\Z"
)
_TAIL = pattern(r"\}[^;{}()]*+;")
_NO_TYPES = frozenset(
    ("return", "using", "typedef", "goto", "template", "inline", "friend", "case", "delete", "else", "static", "public")
)
_FAR = 400  # bytes of the head of a class


def written_members(data: bytes, macros: MacroTable) -> tuple[Written, ...]:
    """The classes of a file outside of functions and other classes, written out, that get data members by a macro."""
    if b"struct" not in data and b"class" not in data and b"union" not in data:
        return ()
    members = {each.name: each for each in macros if _writes_members(each) and each.name.encode() in data}
    if not members:
        return ()
    named = [macro for macro in macros if macro.params and "(" in macro.body and macro.name.encode() in data]
    lists = {each.name: each for each in named if any(calls_parameter(each.body, p) for p in each.params or ())}
    using = (*members.values(), *lists.values())
    table = MacroTable.of([*members.values(), *lists.values()])
    found: dict[Span, Written] = {}
    code, braces = lex(data).code, inner_braces(data)
    for macro in using:
        for start, end, given in placed_uses(data, macro):
            listed = macro.name in members or any(each.strip() in members for each in given)
            if listed and (";" in macro.body or macro.name in lists or code[end:].lstrip()[:1] == ";"):
                around = _class_around(code, braces, start)
                if around is not None and around not in found:
                    text = data[around.start : around.end].decode("latin-1")
                    if len(text) < MAX_EXPANSION and len(text := expand(text, table)) < MAX_EXPANSION:
                        found[around] = Written(around, text, macro)
    return tuple(found.values())


def _writes_members(macro: Macro) -> bool:
    """Whether a macro's body is nothing but declarations: `T name;`, or `T name` of parameters."""
    body, whole = macro.body, ";" in macro.body
    if "(" in body or not (whole or macro.params) or _MEMBER.fullmatch(body.replace(";", " ")) is None:
        return False
    parts = [_NAME.findall(part) for part in body.split(";") if part.strip()]
    if not parts or any(len(part) < 2 or part[0] in _NO_TYPES for part in parts):
        return False
    return whole or parts[0][-1] in (macro.params or ())


def _class_around(code: str, braces: tuple[tuple[int, int], ...], place: int) -> Span | None:
    """The class that has a place directly in its braces, from its head to the semicolon."""
    for first, last in braces:
        if first < place < last and code.count("{", first + 1, place) == code.count("}", first + 1, place):
            head = _HEAD.search(code, max(0, first - _FAR), first)
            tail = _TAIL.match(code, last)
            return Span(head.start(), tail.end()) if head is not None and tail is not None else None
    return None
