"""Code that a file's macros may hide from the reader of a function: names in their bodies, and whole statements."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from regpress_lint.core.source import Source
    from regpress_lint.cpp.syntax_tree import Name
    from regpress_lint.program.model import File

_MACRO = pattern(r"(?m)^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)]*)\))?((?:[^\n]*\\\r?\n)*[^\n]*)")
_WORD = pattern(r"[A-Za-z_]\w*")
# An assignment, a call, or a way out.
_EFFECT = pattern(r"[^=!<>]=[^=]|\+\+|--|\w\s*\(|;|\b(?:return|goto|break|continue|asm)\b")


def macro_words(source: Source) -> frozenset[str]:
    """Words in the macros that a file defines, their parameters aside: a variable of that name may be used by one."""
    return _words(source.data)


@lru_cache(maxsize=8)
def _words(data: bytes) -> frozenset[str]:
    found: set[str] = set()
    for macro in _MACRO.finditer(data.decode("utf-8", "replace")) if b"define" in data else ():
        found.update(set(_WORD.findall(macro[2])) - set(_WORD.findall(macro[1] or "")))
    return frozenset(found)


def has_effect(file: File, name: Name) -> bool:
    """True for a macro without parameters that does something, and does not only stand for a value."""
    body = file.macro(name.name) if name.variable is None else None
    return body is not None and _EFFECT.search(body) is not None
