"""Length-preserving mask: GPU C++ becomes C++ that a plain C++ grammar reads, every byte at its place.

Removed text is kept as `MaskedItem`s, because the next stage finds kernels, launch bounds and launches
by them.
"""

from __future__ import annotations

import re
from enum import Enum
from operator import itemgetter
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.running import checkpoint
from regpress_lint.core.source import Span
from regpress_lint.cpp.lexical import Directive, Lexed, before, lex, skip_space, split_arguments
from regpress_lint.cpp.mask.call_shapes import Hit, mask_invocations
from regpress_lint.cpp.mask.draft import (
    Draft,
    Holds as Holds,
    MaskedItem as MaskedItem,
    mask_gaps,
    undecided as undecided,
)
from regpress_lint.cpp.mask.keywords import (
    LEAVE,
    ONLY_CLOSE,
    TAKES_ARGUMENTS,
    Meaning,
    Use,
    cuda_keywords,
    expansion,
    meaning_of,
    plain_meaning,
)
from regpress_lint.cpp.mask.macro_blocks import TERMS, by_target, mask_targets, mask_terms
from regpress_lint.cpp.preprocess.macros import EMPTY, MacroTable, call_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator


_IDENTIFIER = pattern(r"[A-Za-z_]\w*+", re.ASCII)
_LAUNCH_TOKEN = pattern(r"<<<|<<\s++<(?![<=])|>>>|>>\s++>|>\s++>>|[()\[\]{};]", re.ASCII)
_LAUNCH_OPEN = pattern(r"<<\s*+<(?![<=])", re.ASCII)
_LOOP_HEAD = pattern(r"(?:for|while|do)\b", re.ASCII)
_CASE_RANGE = pattern(r"\bcase\b(?:[^;:{}.]|::|\.(?!\.\.)){1,200}+(\.\.\.)")
_EMPTY_DEFINE = pattern(r"#\s*+define\s++\w++(?:\([^()]*+\))?[\s\\]++", re.ASCII)
# Each begins with letters that are looked for at once: ten times as fast as one pattern for all of them.
_SPLIT_HEADS = tuple(pattern(word + r"[ \t\r]*+\n\s*+#\s*+if", re.ASCII) for word in ("struct", "class", "union"))
_SPLIT_ELSE = pattern(r"else(?<=\belse)[ \t\r]*+\n\s*+#\s*+endif", re.ASCII)
_BLANKS = " \t\r\n\\"
_CLOSING = {")": "(", "]": "[", "}": "{"}


class Level(Enum):
    """How much is masked. The `_LIKELY` and `_OTHER` forms show one branch of each `#if` and never serve as the only
    tree."""

    M1 = "keywords and launches"
    M2 = "keywords, launches, macros and gaps of the grammar"
    M2_LIKELY = "M2 with the likely branch of each #if"
    M2_OTHER = "M2 with another branch of each #if"
    M1_LIKELY = "M1 with the likely branch of each #if"

    @property
    def uses_macros(self) -> bool:
        """True where macro and grammar rules apply."""
        return self not in (Level.M1, Level.M1_LIKELY)

    @property
    def one_branch(self) -> bool:
        """True where conditionals are cut down to one branch."""
        return self not in (Level.M1, Level.M2)


class Masked(NamedTuple):
    """Masked text of the input's length, with the input's newlines, and the masked items, sorted by start."""

    text: bytes
    items: tuple[MaskedItem, ...]


def mask(data: bytes, macros: MacroTable, level: Level, holds: Holds = undecided) -> Masked:
    """Mask `data`. Linear in its size; raises nothing, whatever the bytes are."""
    # A NUL ends the input for the parser: every step reads a blank in its place.
    readable = data.replace(b"\0", b" ")
    lexed = lex(readable)
    draft = Draft(data, readable, lexed)
    if level.one_branch:
        from regpress_lint.cpp.mask.draft import hidden_ranges

        for start, end in hidden_ranges(lexed, level is Level.M2_OTHER, macros, holds):
            draft.mask(start, end, "directive")
        draft.refresh()
    if any(head.search(lexed.bare) is not None for head in _SPLIT_HEADS):
        from regpress_lint.cpp.mask.draft import split_heads

        for start, end in split_heads(lexed):
            draft.mask(start, end, "directive")
        draft.refresh()
    if _SPLIT_ELSE.search(lexed.bare) is not None:
        from regpress_lint.cpp.mask.draft import split_branches

        for start, end in split_branches(lexed, holds):
            draft.mask(start, end, "directive")
        draft.refresh()
    _mask_pragmas(draft, lexed.directives)
    _mask_empty_defines(draft, lexed)
    if "[[" in draft.code:
        _mask_attributes(draft)
    if "..." in draft.code:
        _mask_case_ranges(draft)
    if by_target(draft.code):
        mask_targets(draft)
        draft.refresh()
    if f"{TERMS}(" in draft.code:
        mask_terms(draft)
        draft.refresh()
    hits = _mask_words(draft, macros if level.uses_macros else EMPTY, level.uses_macros)
    if "<<" in draft.code:
        _mask_launches(draft)
    if level.uses_macros:
        draft.refresh()
        mask_invocations(draft, hits, macros)
        draft.refresh()
        mask_gaps(draft, lexed)
    text, items = draft.finish()
    return Masked(text, items)


def _mask_pragmas(draft: Draft, directives: tuple[Directive, ...]) -> None:
    """`#pragma` lines are blanked, unroll requests kept.

    The grammar has no place for a pragma between `for (...)` and its body: left in, it cuts the body off the loop.
    """
    for directive in directives:
        if directive.name == "pragma":
            unrolls = "unroll" in draft.source[directive.start : directive.end]
            draft.mask(directive.start, directive.end, "unroll" if unrolls else "pragma")


def _mask_empty_defines(draft: Draft, lexed: Lexed) -> None:
    """`#define X(a)` without a body but with a blank behind it: the grammar would take the next line for its body."""
    for directive in lexed.directives:
        if directive.name != "define" or lexed.bare[directive.end - 1] not in _BLANKS:
            continue
        if _EMPTY_DEFINE.fullmatch(lexed.bare, directive.start, directive.end):
            draft.patch(directive.start, directive.end)


def _mask_case_ranges(draft: Draft) -> None:
    """`case 1 ... 3:` of GNU C++, as `case 1 <=> 3:`, which no integer is: lowering makes a range of it."""
    for match in _CASE_RANGE.finditer(draft.code):
        draft.patch(match.start(1), match.end(1), "<=>")


def _mask_attributes(draft: Draft) -> None:
    """`[[...]]`, outermost pairs only; a subscript that holds a lambda has one bracket too few to match."""
    code = draft.code
    pairs = draft.brackets.square()
    position = code.find("[[")
    while position >= 0:
        outer, inner = pairs.get(position), pairs.get(position + 1)
        if outer is not None and inner is not None and inner + 1 == outer:
            draft.mask(position, outer + 1, "attribute")
            position = code.find("[[", outer + 1)
        else:
            position = code.find("[[", position + 1)


def _mask_words(draft: Draft, table: MacroTable, deferring: bool) -> list[Hit]:
    """Mask what a word alone decides; the invocations that need a look around are handed back in order."""
    hits: list[Hit] = []
    done = opened = 0
    for hit in _meaningful_words(draft.code, table, deferring):
        if hit.start < done:
            continue
        checkpoint()
        if hit.meaning.use is Use.KERNEL_WORD:
            heads = _OPENCL_ID.search(draft.code) is not None and _KERNEL_HEAD.match(draft.code, hit.end) is not None
            use, kind = (Use.GLOBAL, "global") if heads else (Use.UNKNOWN_CAPS, "macro")
            hit = hit._replace(meaning=Meaning(use, kind))
            if not heads and not deferring:
                continue
        if hit.meaning.use in _DEFERRED:
            hits.append(hit)
        elif hit.meaning.use is Use.OPEN:
            done = _mask_opened(draft, hit, table) if deferring else 0
            opened += done > 0
        elif opened > 0 and (closed := _closed_by(hit)):
            draft.patch(hit.start, hit.end, closed)
            opened -= closed.count("}")
        elif hit.meaning.use is Use.WRAPPED_TYPE:
            if not _unwrap(draft, hit) and deferring:
                hits.append(hit._replace(meaning=hit.meaning._replace(use=Use.CALL)))
        else:
            done = _mask_word(draft, hit, table)
    return hits


# `KERNEL_FQ KERNEL_FA void name (PARAMETERS ()) {` in OpenCL C where the build defines the macros.
_OPENCL_ID = pattern(r"\bget_(?:global|local|group)_id\b", re.ASCII)
_KERNEL_HEAD = pattern(
    r"\s++(?:(?:[A-Z_][A-Z\d_]*+|static|inline)\s++)*+void\s++\w++\s*+"
    r"\((?:[^(){};]++|\([^(){};]*+\))*+\)\s*+\{",
    re.ASCII,
)
_DEFERRED = frozenset((Use.LOOP, Use.BLOCK, Use.CALL, Use.STATEMENT, Use.UNKNOWN_CAPS))
# Above this many different words one look at every identifier is cheaper than a search for each word.
_FEW = 24


def _meaningful_words(code: str, table: MacroTable, deferring: bool) -> list[Hit]:
    """Every occurrence of a word that is not left alone, in order. Most identifiers are met as a set only, for
    speed."""
    names = set(_IDENTIFIER.findall(code))
    meanings: dict[str, Meaning] = {}
    for name in names:
        meaning = meaning_of(name, table) if name in table else plain_meaning(name)
        if meaning is not LEAVE and (deferring or meaning.use not in _DEFERRED):
            meanings[name] = meaning
    if not meanings:
        return []
    if len(meanings) > _FEW:
        words = ((match, match.group()) for match in _IDENTIFIER.finditer(code))
        return [Hit(match.start(), match.end(), name, meanings[name]) for match, name in words if name in meanings]
    hits = [
        Hit(at, at + len(name), name, meaning) for name, meaning in meanings.items() for at in _occurrences(code, name)
    ]
    return sorted(hits, key=_START)


_START = itemgetter(0)


def _occurrences(code: str, name: str) -> Iterator[int]:
    """Offsets of `name` as a whole identifier."""
    size = len(name)
    at = code.find(name)
    while at >= 0:
        if not (at and code[at - 1] in _WORD_CHARS) and code[at + size : at + size + 1] not in _WORD_CHARS:
            yield at
        at = code.find(name, at + size)


_WORD_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")


def _mask_word(draft: Draft, hit: Hit, table: MacroTable) -> int:
    """Mask one keyword, qualifier or kernel macro; returns the offset up to which the text is dealt with."""
    start, end, name, meaning = hit
    code = draft.code
    arguments: tuple[str, ...] = ()
    parts: list[tuple[int, int]] = []
    takes = name in TAKES_ARGUMENTS if meaning.macro is None else meaning.macro.params is not None
    following = skip_space(code, end)
    if takes or (meaning.use is Use.UNKNOWN_DUNDER and code[following : following + 1] == "("):
        close = draft.brackets.close(following) if code[following : following + 1] == "(" else None
        if close is None and (meaning.macro is not None or meaning.use is Use.UNKNOWN_DUNDER):
            return end
        if close is not None:
            parts = split_arguments(code, following + 1, close)
            arguments = tuple(draft.source[a:b].strip() for a, b in parts)
            end = close + 1
            following = skip_space(code, end)
    if not _applies(meaning.use, code, start, following):
        return hit.end
    if meaning.use is Use.KERNEL_NAME:
        _spell_kernel(draft, hit, end, parts, arguments, table)
        return end
    kind, stands_for = meaning.kind, expansion(meaning, arguments, table)
    if name.startswith("C10_LAUNCH_BOUNDS") and meaning.macro is None:
        stands_for = f"__launch_bounds__({', '.join(arguments)})"
    if kind == "attribute" and meaning.macro is None and parts:
        stands_for = cuda_keywords(code[start:end])
        kind = _kind_of(stands_for)
    if (unrolls := _UNROLLING.get(kind)) is not None and unrolls in draft.source[start:end]:
        kind = "unroll"
    spell = "[=]" if meaning.use is Use.LAMBDA else meaning.spell
    if len(spell) <= hit.end - start or (len(spell) <= end - start and "\n" not in draft.source[start:end]):
        draft.mask(start, end, kind, spell, stands_for)
    else:
        # A kernel macro that is shorter than `void` reads as a type where it stands.
        draft.note(start, end, kind, stands_for)
    if kind == "global" and "__launch_bounds__" in stands_for:
        draft.note(start, end, "launch_bounds", stands_for)
    return end


_UNROLLING = {"pragma": "unroll", "attribute": "unroll_hint"}  # by kind, the word that makes it one for a loop


def _kind_of(keywords: str) -> str:
    """The kind of an attribute that stands for CUDA's keywords."""
    if "__global__" in keywords:
        return "global"
    if not keywords:
        return "attribute"
    return "launch_bounds" if keywords.startswith("__launch_bounds__") else "qualifier"


def _mask_opened(draft: Draft, hit: Hit, table: MacroTable) -> int:
    """`BEGIN_LOOP` with `for (...) {` in the macro: the head of a loop and its brace; the offset behind it, 0 where
    there is no room.
    """
    call = call_arguments(draft.source, hit.end) if hit.meaning.macro is not None and hit.meaning.macro.params else None
    end, arguments = call or (hit.end, ())
    head = expansion(hit.meaning, arguments, table).rstrip()
    spell = next((words for words in ("while(1){", "if(1){") if len(words) <= end - hit.start), "")
    if not spell or not head.endswith("{") or "\n" in draft.source[hit.start : end]:
        return 0
    draft.mask(hit.start, end, "loop", spell, head[:-1].rstrip())
    return end


def _closed_by(hit: Hit) -> str:
    """What `END_LOOP` closes, with `}` in the macro."""
    macro = hit.meaning.macro
    closes = macro is not None and macro.params is None and ONLY_CLOSE.fullmatch(macro.body) is not None
    ends = "".join(macro.body.split()) if macro is not None and closes else ""
    return ends if len(ends) <= hit.end - hit.start else ""


def _unwrap(draft: Draft, hit: Hit) -> bool:
    """Leave of `DEVICE_PTR(float) *p` what the macro stands for, its argument; False where it may be a call."""
    code, opening = draft.code, skip_space(draft.code, hit.end)
    close = draft.brackets.close(opening) if code[opening : opening + 1] == "(" else None
    after = skip_space(code, close + 1) if close is not None else len(code)
    behind = code[after : after + 1]
    if close is None or not (behind in ("*", "&") or behind.isidentifier()):
        return False
    draft.mask(hit.start, opening + 1, hit.meaning.kind)
    draft.mask(close, close + 1, hit.meaning.kind)
    return True


_LONGEST_PARAMETERS = 400
_LAMBDA_BEFORE = pattern(
    r"\]\s*+\((?:[^()]++|\([^()]*+\))*+\)\s*+(?:mutable\s*+)?(?:__\w++\s*+(?:\([^()]*+\)\s*+)?)*+\Z", re.ASCII
)


def _applies(use: Use, code: str, start: int, following: int) -> bool:
    """Whether what follows a word lets it be masked."""
    char = code[following : following + 1]
    if use is Use.UNKNOWN_DUNDER and char == "{":
        if code[before(code, start)] == "]":
            return True
        # An attribute of a lambda, between its parameters and its body; a kernel may have such a name, too.
        return _LAMBDA_BEFORE.search(code, max(0, start - _LONGEST_PARAMETERS), start) is not None
    if use in (Use.IF_BEFORE_WORD, Use.UNKNOWN_DUNDER):
        return char.isidentifier()
    if use is Use.LAMBDA:
        return char in ("(", "{")
    if use is Use.UNROLL_WORD:
        return _LOOP_HEAD.match(code, following) is not None
    return True


def _spell_kernel(
    draft: Draft, hit: Hit, end: int, parts: list[tuple[int, int]], arguments: tuple[str, ...], table: MacroTable
) -> None:
    """`KERNEL(name, ...) {` with `__global__ void name(...)` in the macro: write a definition of `name` in its
    place."""
    index = int(hit.meaning.spell)
    stands_for = expansion(hit.meaning, arguments, table)
    draft.note(hit.start, end, "global", stands_for)
    if "__launch_bounds__" in stands_for:
        draft.note(hit.start, end, "launch_bounds", stands_for)
    if index >= len(arguments) or not arguments[index].isidentifier() or "\n" in draft.source[hit.start : end]:
        return
    name = arguments[index]
    at = draft.source.index(name, parts[index][0])
    room_after = draft.source[end : end + 1] in (" ", "\t")
    spelled = name if draft.code.startswith("(", skip_space(draft.code, end)) else name + "()"
    if at + len(spelled) <= end + room_after:
        stop = max(end, at + len(spelled))
    else:
        at, stop = end - len(spelled), end
    lead = at - hit.start
    draft.patch(hit.start, stop, ("void" if lead > 4 else "T" if lead > 1 else "").ljust(lead) + spelled)


def _mask_launches(draft: Draft) -> None:
    """`<<<config>>>` becomes `(config)`, so that a launch is a call of a call; only where it closes before the
    statement ends."""
    code = draft.code
    opened = _LAUNCH_OPEN.search(code)
    while opened is not None:
        position = opened.start()
        stack: list[tuple[str, int, int]] = []
        for token in _LAUNCH_TOKEN.finditer(code, position):
            position = token.end()
            _launch_token(draft, token, stack)
            if not any_launch(stack):
                break
        else:
            return
        opened = _LAUNCH_OPEN.search(code, position)


def any_launch(stack: list[tuple[str, int, int]]) -> bool:
    """Launches are only ever opened from the bottom of the stack up, so the bottom tells."""
    return bool(stack) and stack[0][0] == "<"


def _launch_token(draft: Draft, token: re.Match[str], stack: list[tuple[str, int, int]]) -> None:
    text = token.group()
    if text[0] == "<":
        stack.append(("<", token.start(), token.end()))
    elif text[0] == ">":
        if stack and stack[-1][0] == "<":
            _, start, end = stack.pop()
            draft.mask(start, end, "launch_open", "  (" if end - start == 3 else "(")
            draft.mask(token.start(), token.end(), "launch_close", ")")
    elif text in "([{":
        stack.append((text, token.start(), token.end()))
    else:
        while stack and stack[-1][0] == "<":
            stack.pop()
        if text != ";" and stack and stack[-1][0] == _CLOSING[text]:
            stack.pop()


# Text that the mask removed from a file, by the token that follows it.


_TOKEN = pattern(rb"\S")
_PRAGMA_LINE = pattern(r"#\s*pragma\s+")
# In a macro.
_STORAGE = pattern(
    r"__(?:shared|constant|device|host|global)__(?!\s*\()|\b__(?:local|constant)\b"
    r"|\b_*(?:noinline|forceinline|always_inline)_*\b(?!\s*\()",
    re.ASCII,
)
_HINT = pattern(r"\b(?:opencl_)?unroll_hint\b_*\s*(?:\(\s*([^()]+?)\s*\))?")
_ANCHORED = frozenset(("qualifier", "global", "launch_bounds", "attribute", "restrict", "macro"))


def unroll_words(text: str, macros: MacroTable) -> str:
    """Words of the pragma that a masked line, `_Pragma("unroll 4")` or unroll macro stands for."""
    if (match := _PRAGMA_LINE.match(text)) is not None:
        return text[match.end() :].partition("//")[0].partition("/*")[0].strip()
    if (match := re.search(r'"([^"]*)"', text)) is not None:
        return match[1]
    name = re.match(r"\w+", text)
    macro = macros.get(name[0]) if name is not None else None
    if macro is not None and (match := re.search(r'"([^"]*)"|\(\s*([^()"]*)\s*\)', macro.body)) is not None:
        return match[1] or match[2] or "unroll"
    return "unroll"


def anchored_words(masked: Masked) -> dict[int, tuple[str, ...]]:
    """Words of GPU code and attributes by the offset of the token that follows them."""
    text = masked.text
    result: dict[int, tuple[str, ...]] = {}
    for item in masked.items:
        if item.kind not in _ANCHORED:
            continue
        if (match := _TOKEN.search(text, item.end)) is not None:
            words = (item.text.decode("utf-8", "replace"), *_STORAGE.findall(item.expansion))
            result[match.start()] = (*result.get(match.start(), ()), *words)
    return result


def unroll_marks(masked: Masked, macros: MacroTable) -> dict[int, tuple[Span, str]]:
    """Masked unroll macros and `_Pragma`s by the offset of the token that follows them."""
    result: dict[int, tuple[Span, str]] = {}
    text = masked.text
    for item in masked.items:
        if item.kind == "unroll" and (match := _TOKEN.search(text, item.end)) is not None:
            written = item.text.decode("utf-8", "replace")
            hint = _HINT.search(item.expansion or written)
            words = f"unroll {hint[1] or ''}".rstrip() if hint is not None else unroll_words(written, macros)
            result[match.start()] = Span(item.start, item.end), words
    return result
