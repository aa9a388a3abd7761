"""Macro invocations that are not valid C++ at their place: statements without `;`, loop heads, blocks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.lexical import before, skip_space, split_arguments
from regpress_lint.cpp.mask.keywords import Meaning, Use, expansion, is_loop, strip_qualifiers, with_keywords
from regpress_lint.cpp.mask.macro_blocks import (
    BODY,
    begins_unknown_block,
    end_in_a_blank,
    mask_block,
    mask_unknown_block,
)
from regpress_lint.cpp.preprocess.macros import expand_macro

if TYPE_CHECKING:
    from regpress_lint.cpp.mask.draft import Draft
    from regpress_lint.cpp.preprocess.macros import MacroTable


# Each level of invocations inside invocations reads the text once more: past this depth the inner ones stay.
MAX_NESTED_INVOCATIONS = 8

_PRIMITIVE = r"(?:unsigned|signed|long|short|int|char|float|double|bool|void|wchar_t|char16_t|char32_t|char8_t"
_PRIMITIVE += r"|u?int(?:8|16|32|64|ptr)_t|s?size_t|ptrdiff_t)"  # names to a compiler, keywords to the grammar
_HAS_TYPE = pattern(rf"\b{_PRIMITIVE}\b|[*&]\s*(?:[,)]|\Z)|\b(?:const|struct|class|typename)\b", re.ASCII)
_TYPE_ARGUMENT = pattern(
    r"(?:(?:const|volatile)\s++)*+typename\s++(?:::)?[A-Za-z_]\w*+(?:::\w++|<[^<>()]*+>)*+\s*+(?:const\b\s*+)?[*&\s]*+|"
    rf"(?:(?:const|volatile|struct|class|typename)\s++)*+"
    rf"(?:(?:{_PRIMITIVE}\b\s*+)++(?:const\b\s*+)?[*&\s]*+|(?:::)?[A-Za-z_]\w*+(?:::\w++)*+(?:<[^<>()]*+>)?\s*+(?:const\b\s*+)?[*&][*&\s]*+)",
    re.ASCII,
)
_DECLARATION_WORD = pattern(
    rf"(?:{_PRIMITIVE}|auto|inline|static|extern|template|class|struct|constexpr|virtual|explicit|typedef|enum|__\w+__)\b",
    re.ASCII,
)
_CAPS_FUNCTION = pattern(r"[A-Za-z_][\w:]*+\s*+\(", re.ASCII)
_HEAD_OF_LAMBDA = pattern(r"\]\s*+\((?:[^()]++|\([^()]*+\))*+\)\s*+\Z")
_LONGEST_HEAD = 400
_HEAD_BEFORE = pattern(r"\b(?:for|while|if)\s*+\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)\Z", re.ASCII)
_WORD_BEFORE = pattern(r"[A-Za-z_]\w*\Z", re.ASCII)
_NO_TYPES = frozenset("return new else case goto throw typename const operator using namespace delete".split())
_KEEPS_STATEMENT = frozenset(("else", "do", "try"))


class Hit(NamedTuple):
    """One word at `start:end` of the code view, with its meaning there."""

    start: int
    end: int
    name: str
    meaning: Meaning


def mask_invocations(draft: Draft, hits: list[Hit], table: MacroTable) -> None:
    """Apply the rules in the order of the text; `hits` come sorted."""
    boundary = -1
    around: list[int] = []
    for hit in hits:
        use = hit.meaning.use
        following = skip_space(draft.code, hit.end)
        char = draft.code[following : following + 1]
        if use is Use.UNKNOWN_CAPS and char not in ("(", "}", "#") and not char.isidentifier():
            continue
        if use in (Use.CALL, Use.LOOP) and char != "(":
            continue
        close = None
        if char == "(" and use is not Use.STATEMENT and use is not Use.BLOCK:
            close = draft.brackets.close(following)
            while around and around[-1] < hit.start:
                around.pop()
            if close is None or len(around) >= MAX_NESTED_INVOCATIONS:
                continue
            around.append(close)
        if (ended := _invocation(draft, hit, following, close, boundary, table)) is not None:
            boundary = ended


def _invocation(
    draft: Draft, hit: Hit, following: int, close: int | None, boundary: int, table: MacroTable
) -> int | None:
    """Mask one invocation; the offset of its last character when a `;` was put behind it, else None."""
    code, use = draft.code, hit.meaning.use
    end = hit.end if close is None else close + 1
    after = skip_space(code, end)
    if close is None:
        return _object(draft, hit, after, boundary, table)
    arguments = split_arguments(code, following + 1, close)
    if _only_braces(draft, hit.start, following, close):
        return close
    texts = tuple(draft.source[a:b].strip() for a, b in arguments) if use is not Use.UNKNOWN_CAPS else ()
    if (
        use is Use.CALL
        and code[after : after + 1] == "{"
        and _HEAD_OF_LAMBDA.search(code, max(0, hit.start - 400), hit.start)
    ):
        draft.mask(hit.start, end, "attribute", "", expansion(hit.meaning, texts, table))
        return None
    macro = hit.meaning.macro
    if use is Use.CALL and macro is not None and mask_block(draft, hit.start, macro, close, arguments, table):
        return close
    if use is Use.CALL and _spreads(hit, table):
        draft.mask(hit.start, following + 1, "macro")
        draft.patch(close, end)
        return None
    if use is Use.LOOP and code[after : after + 1] not in (";", ""):
        draft.note(hit.start, end, "loop", expansion(hit.meaning, texts, table))
        draft.patch(hit.start, hit.end, "while" if len(hit.name) >= 5 else "if" if len(hit.name) > 1 else hit.name)
        _types_to_names(draft, arguments)
        return close
    stands = _stands_as_statement(draft, hit.start, boundary)
    if use is Use.UNKNOWN_CAPS and stands and _unknown_block(draft, hit, end, arguments):
        return None
    if stands and use in (Use.CALL, Use.UNKNOWN_CAPS) and _joined(draft, hit, following, arguments):
        return close
    if stands and use in (Use.CALL, Use.UNKNOWN_CAPS) and _blocks(draft, hit, following, close, arguments, table):
        return close
    if _follows_type(code, hit.start):
        return None
    if _HAS_TYPE.search(code, following, end):
        _types_to_names(draft, arguments)
    if not stands and use is Use.CALL and macro is not None and macro.body[-1:] == ";":
        if code[after : after + 1].isidentifier() or code[after : after + 1] == "}":  # `v[i] = ROTATE(x, 7) y = ...`
            end_in_a_blank(draft, close)
        return None
    stands_for = expansion(hit.meaning, texts, table) if stands else ""
    if not stands or not _needs_end(draft, hit, end, after, stands_for):
        return None
    return _put_end(draft, hit, end, after, stands_for)


def _only_braces(draft: Draft, start: int, opening: int, close: int) -> bool:
    """`TERM(}, }, })`, braces that a macro concatenates: the text keeps them without the macro."""
    inside = draft.code[opening + 1 : close]
    if not ("{" in inside or "}" in inside) or inside.count("{") == inside.count("}"):
        return False
    if inside.strip(" \t\r\n{},;"):
        return False
    draft.mask(start, close + 1, "macro", "")
    for at in range(opening + 1, close):
        if draft.code[at] in "{};":
            draft.patch(at, at + 1, draft.code[at])
    return True


def _spreads(hit: Hit, table: MacroTable) -> bool:
    """Whether a definition of a macro is just its arguments with the commas between: `#define D_DECL(a, b) a, b`."""
    definitions = table.all(hit.name)
    lists = (",".join(definition.params or ()) for definition in definitions)
    return any(one == "".join(macro.body.split()) and "," in one for one, macro in zip(lists, definitions, strict=True))


def _joined(draft: Draft, hit: Hit, following: int, arguments: list[tuple[int, int]]) -> bool:
    """`TERM(a = 1;, b = 2;)`, statements that a macro concatenates: the text keeps them without the macro."""
    code = draft.code
    ended = [code[a:b].rstrip().endswith(";") for a, b in arguments]
    if not any(ended[:-1]):
        return False
    draft.mask(hit.start, following + 1, "macro")
    for (_, end), done in zip(arguments, ended, strict=True):
        draft.patch(end, end + 1, " " if done else ";")
    return True


def _object(draft: Draft, hit: Hit, after: int, boundary: int, table: MacroTable) -> int | None:
    """A word without arguments: a statement, a block, a loop head, or a decoration of a declaration."""
    code, use, char = draft.code, hit.meaning.use, draft.code[after : after + 1]
    previous = before(code, hit.start)
    stands = _stands_as_statement(draft, hit.start, boundary)
    stands_for = expansion(hit.meaning, (), table)
    if use is Use.BLOCK:
        if (previous >= 0 and code[previous] == ")") or (stands and char != ";"):
            draft.mask(hit.start, hit.end, "macro", "{}" if len(hit.name) > 1 else "", stands_for)
        return None
    if use is Use.STATEMENT:
        if stands_for.rstrip().endswith(")") and char not in (";", ""):
            spell = "while(1)" if len(hit.name) >= 8 else "if(1)" if len(hit.name) >= 5 else ""
            if spell:
                draft.mask(hit.start, hit.end, "loop", spell, stands_for)
            return None
        return (
            _put_end(draft, hit, hit.end, after, stands_for)
            if stands and (char.isidentifier() or char == "}")
            else None
        )
    if char in ("}", "#") and stands and "\n" in code[hit.end : after] and _alone_before(code, hit.start):
        return _put_end(draft, hit, hit.end, after, "")
    if not char.isidentifier():
        return None
    if _DECLARATION_WORD.match(code, after) and _WORD_BEFORE.search(code, max(0, previous - 15), previous + 1) is None:
        draft.mask(hit.start, hit.end, "macro")
        return None
    if _is_decoration(code, previous, after):
        draft.mask(hit.start, hit.end, "macro")
        return None
    if stands and "\n" in code[hit.end : after] and _alone_before(code, hit.start):
        return _put_end(draft, hit, hit.end, after, "")
    return None


def _is_decoration(code: str, previous: int, after: int) -> bool:
    """`VOID CALLCONV f(`: the word is between a type and a function's name; or `class EXPORT Name`."""
    word = _WORD_BEFORE.search(code, max(0, previous - 63), previous + 1) if previous >= 0 else None
    if word is None:
        return previous >= 0 and code[previous] in "*&" and _CAPS_FUNCTION.match(code, after) is not None
    if word.group() in ("class", "struct"):
        return True
    return word.group() not in _NO_TYPES and _CAPS_FUNCTION.match(code, after) is not None


def _alone_before(code: str, start: int) -> bool:
    line = code.rfind("\n", 0, start) + 1
    return start - line < 400 and not code[line:start].strip()


def _stands_as_statement(draft: Draft, start: int, boundary: int) -> bool:
    """True where a statement or a declaration may begin."""
    code = draft.code
    previous = before(code, start)
    if previous < 0 or previous == boundary:
        return True
    char = code[previous]
    if char in ";}":
        return True
    if char == ":":
        return code[previous - 1 : previous] != ":"
    if char == "{":
        return previous in draft.blocks or not _opens_list(code, previous)
    if char == ")":
        return _HEAD_BEFORE.search(code, max(0, previous - _LONGEST_HEAD), previous + 1) is not None
    word = _WORD_BEFORE.search(code, max(0, previous - 7), previous + 1)
    return word is not None and word.group() in _KEEPS_STATEMENT


def _opens_list(code: str, brace: int) -> bool:
    """True for the brace of an initialiser or an enumeration, whose elements take no `;`."""
    previous = before(code, brace)
    if previous < 0:
        return False
    if code[previous] in "=,({[":
        return code[previous] != "{" or _opens_list(code, previous)
    head = code[max(0, previous - 63) : previous + 1]
    head = head[max(map(head.rfind, ";{}")) + 1 :]
    return "enum" in head or head.endswith("return")


def _unknown_block(draft: Draft, hit: Hit, end: int, arguments: list[tuple[int, int]]) -> bool:
    """Mask the words that begin a block of an unknown macro; return whether they do."""
    if not begins_unknown_block(draft, hit.start, end):
        return False
    _types_to_names(draft, mask_unknown_block(draft, hit.name, hit.start, end, arguments))
    return True


def _follows_type(code: str, start: int) -> bool:
    """Whether a name precedes the word, as in a declaration `float NAME(int)`."""
    previous = before(code, start)
    if previous < 0:
        return False
    word = _WORD_BEFORE.search(code, max(0, previous - 31), previous + 1)
    return word is not None and word.group() not in ("return", "else", "case", "do", "throw", "co_return", "co_yield")


def _needs_end(draft: Draft, hit: Hit, end: int, after: int, stands_for: str) -> bool:
    """Whether an invocation in statement position lacks its `;`; `stands_for` has the macros of its body replaced."""
    code = draft.code
    char = code[after : after + 1]
    if not (char.isidentifier() or char in ("}", "~")):
        return False
    if "\n" in code[end:after]:
        return True
    macro = hit.meaning.macro
    return macro is not None and (macro.body[-1:] in (";", "}") or stands_for.rstrip()[-1:] in (";", "}"))


def _put_end(draft: Draft, hit: Hit, end: int, after: int, stands_for: str) -> int:
    """Put a `;` behind an invocation: into a blank that follows it, or else over its own last character."""
    draft.note(hit.start, end, "macro", stands_for)
    gap = draft.source[end:after]
    at = end
    if gap.startswith("//"):
        at = end + max(gap.find("\n"), 0)
    while at < after and draft.source[at] in "\r\n":
        at += 1
    if at < after and draft.source[at] in " \t":
        draft.patch(at, at + 1, ";")
    elif end > hit.end:  # `NAME(a, b)` reads `NAME,a, b;`: nothing moves
        opening = skip_space(draft.code, hit.end)
        empty = skip_space(draft.code, opening + 1) == end - 1
        draft.patch(opening, opening + 1, " " if empty else ",")
        draft.patch(end - 1, end, ";")
        draft.note(hit.start, end, "call")
    elif end - hit.start > 1:  # a word that is known by where it stands
        draft.mask(hit.start, end, "type", ";".rjust(end - hit.start, "T"))
    else:
        draft.patch(hit.start, end, ";")
    return end - 1


def _blocks(
    draft: Draft, hit: Hit, opening: int, close: int, arguments: list[tuple[int, int]], table: MacroTable
) -> bool:
    """Statements as macro arguments: leave only them, in braces."""
    code = draft.code
    starts = [skip_space(code, a) for a, _ in arguments]
    branches = [i for i, first in enumerate(starts) if _BRANCH.match(code, first) is not None]
    if not branches and code.find(";", opening, close) < 0:
        return False
    blocks = [i for i, first in enumerate(starts) if code[first : first + 1] == "{"]
    loose = [i for i, (a, b) in enumerate(arguments) if i in branches or _has_loose_semicolon(code, a, b)]
    if not blocks and not loose:
        return False
    first = blocks[0] if blocks else loose[0]
    while not blocks and first > 0 and _OPENED.search(code, *arguments[first - 1]) is not None:
        first -= 1  # `using acc = acc_type<scalar_t, true>;`: that comma is none of the macro's
    if not blocks and hit.meaning.macro is not None:  # nor are those of `int x = i, y = n;`
        first = min(first, max(len(hit.meaning.macro.params or ()) - 1, 0))
    alone = not blocks or (not loose and first == len(arguments) - 1)
    if alone and _headed(draft, hit, opening, close, arguments[: first + 1], table):
        return True
    texts = tuple(draft.source[a:b].strip() for a, b in arguments)
    draft.note(hit.start, close + 1, "macro", expansion(hit.meaning, texts, table))
    if blocks:
        done = hit.start
        for i in blocks:
            draft.blocks.add(starts[i])
            stop = before(code, arguments[i][1]) + 1
            draft.patch(done, starts[i])
            done = stop
        draft.patch(done, close + 1)
        return True
    draft.patch(hit.start, arguments[first][0] - 1)
    draft.patch(arguments[first][0] - 1, arguments[first][0], "{")
    after = skip_space(code, close + 1)
    if code[before(code, close)] not in ";}" and code[after : after + 1] == ";":
        # The last statement takes the bracket's place for its end, and the invocation's own end closes the block.
        draft.patch(close, close + 1, ";")
        draft.patch(after, after + 1, "}")
    else:
        draft.patch(close, close + 1, "}")
    return True


def _headed(
    draft: Draft, hit: Hit, opening: int, close: int, arguments: list[tuple[int, int]], table: MacroTable
) -> bool:
    """`LOOP(k, 8, { a[k] = 0; })`, `LOOP(k, 8, a[k] = 0;)`: the head of a loop or a condition, and its body, which
    begins with the last of `arguments`. Leave both, or nothing where the macro has more.
    """
    macro = hit.meaning.macro
    *before_body, (start, _) = arguments
    if macro is None or not before_body or len(hit.name) < 2:
        return False
    arguments_before = (draft.source[a:b].strip() for a, b in before_body)
    head = _head_before_body(with_keywords(expand_macro(macro, (*arguments_before, BODY), table)))
    if not head:
        return False
    code, comma, word = draft.code, start - 1, "while" if len(hit.name) >= 5 else "if"
    block = skip_space(code, start)
    if code[block : block + 1] == "{":
        draft.blocks.add(block)
        draft.patch(opening + 1, comma, "1")
        draft.patch(comma, start, ")")
        draft.patch(close, close + 1)
    else:
        after = skip_space(code, close + 1)
        ended = code[before(code, close)] in ";}"
        last = close if ended else after if code[after : after + 1] == ";" else close + 1
        if (
            start - opening < 4
            or "\n" in code[opening:start]
            or (last == close + 1 and not code[last : last + 1].isspace())
        ):
            return False
        draft.patch(opening + 1, start, "1){")
        draft.patch(close, close + 1, ";")
        draft.patch(last, last + 1, "}")
    draft.note(hit.start, start, "loop", head)
    draft.patch(hit.start, hit.end, word)
    return True


def _head_before_body(text: str) -> str:
    """The head of a loop that an expansion has before its body, if there is nothing else; else empty."""
    head, _, tail = (part.strip(" \t;") for part in text.partition(BODY))
    while head and not is_loop(strip_qualifiers(head)):
        if not head.endswith("{") or not tail.startswith("}"):
            return ""
        head, tail = head[:-1].rstrip(), tail[1:].lstrip(" \t;")
    while (wrapped := _WRAPPED.match(head)) is not None and tail.startswith("}"):
        head, tail = head[wrapped.end() :], _END.sub("", tail)
    return "" if tail else head


_WRAPPED = pattern(r"(?:do\b)?\s*\{\s*")
_END = pattern(r"\A\}(?:\s*while\s*\(\s*(?:0|false)\s*\))?[\s;]*")


def _has_loose_semicolon(code: str, start: int, end: int) -> bool:
    depth = 0
    for match in _NESTING.finditer(code, start, end):
        char = match.group()
        if char == ";":
            if depth <= 0:
                return True
        else:
            depth += 1 if char in "([{" else -1
    return False


_BRANCH = pattern(r"(?:for|while|if|do|switch)\b\s*+[({]")
_NESTING = pattern(r"[()\[\]{};]")
_OPENED = pattern(r"\w<[\w:][^<>;]*+\Z")  # a list of template arguments that is open at the end


def _types_to_names(draft: Draft, arguments: list[tuple[int, int]]) -> None:
    """A type as an argument becomes a name of the same length."""
    for start, end in arguments:
        first = skip_space(draft.code, start)
        if first >= end:
            continue
        last = before(draft.code, end) + 1
        if last - first > 200 or _TYPE_ARGUMENT.fullmatch(draft.code, first, last) is None:
            continue
        if "\n" not in draft.source[first:last]:
            draft.mask(first, last, "type", "T" * (last - first))
