"""Text that the mask removed from a file, by the token that follows it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Span

if TYPE_CHECKING:
    from regpress_lint.cpp.parse import Parsed
    from regpress_lint.cpp.preprocess.macros import MacroTable

_WORD = pattern(rb"\S")
_PRAGMA_LINE = pattern(r"#\s*pragma\s+")
# In a macro.
_STORAGE = pattern(r"__(?:shared|constant|device|host|global|noinline)__(?!\s*\()|\b__(?:local|constant)\b", re.ASCII)
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


def anchored_words(parsed: Parsed) -> dict[int, tuple[str, ...]]:
    """Words of GPU code and attributes by the offset of the token that follows them."""
    text = parsed.masked.text
    result: dict[int, tuple[str, ...]] = {}
    for item in parsed.masked.items:
        if item.kind not in _ANCHORED:
            continue
        match = _WORD.search(text, item.end)
        if match is not None:
            words = (item.text.decode("utf-8", "replace"), *_STORAGE.findall(item.expansion))
            result[match.start()] = (*result.get(match.start(), ()), *words)
    return result


def unroll_marks(parsed: Parsed, macros: MacroTable) -> dict[int, tuple[Span, str]]:
    """Masked unroll macros and `_Pragma`s by the offset of the token that follows them."""
    result: dict[int, tuple[Span, str]] = {}
    text = parsed.masked.text
    for item in parsed.masked.items:
        if item.kind == "unroll" and (match := _WORD.search(text, item.end)) is not None:
            written = item.text.decode("utf-8", "replace")
            hint = _HINT.search(item.expansion or written)
            words = f"unroll {hint[1] or ''}".rstrip() if hint is not None else unroll_words(written, macros)
            result[match.start()] = Span(item.start, item.end), words
    return result
