"""Macros that turn a definition into a kernel, where a header leaves them to the files that include it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.mask.keywords import with_keywords
from regpress_lint.cpp.preprocess.macros import MacroTable, expand, layer_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.cpp.preprocess.macros import Macro

# `MY_KERNEL(N) scaled(...)`, `MY_KERNEL scaled(...)`, `MY_KERNEL(scaled)(...)` at the begin of a line.
_HEAD_MACRO = pattern(
    rb"^[ \t]*+(?:static\s++|inline\s++)*+([A-Z][A-Z\d_]{2,})\b"
    rb"(?:[ \t]*+\([^()\n]*+\)\s*+\(|(?:[ \t]*+\([^()\n]*+\))?\s++[A-Za-z_][^;{}()\n]*+\()",
    re.MULTILINE,
)
# `KINDS(SUM)` on a line: with what is handed over it may write whole kernels.
_WRITER = pattern(rb"^[ \t]*+([A-Z][A-Z\d_]{2,})[ \t]*+\(([^()\n]*+)\)[ \t]*+;?[ \t\r]*+$", re.MULTILINE)
_DEVICE_CODE = ("__global__", "__device__", "__launch_bounds__")
_MAX_PARTS = 64  # macros within macros
_WORDS = pattern(rb"[A-Za-z_]\w*+", re.ASCII)
_WORD = pattern(r"[A-Za-z_]\w*")


def left_to_includers(data: bytes, known: MacroTable, tables: Iterable[MacroTable]) -> MacroTable:
    """Macros that only the files define that include a header: those at the head of its definitions that turn them into
    a kernel or a device function, those that write such by themselves, and the macros in their bodies.

    known: what the header itself sees. tables: what the files see that include it, asked one after the other.
    """
    words = {match[1]: None for match in _HEAD_MACRO.finditer(data)}
    for name, given in _WRITER.findall(data):
        if name.decode() not in known:
            words |= dict.fromkeys((name, *_WORDS.findall(given)))
    wanted = [word for each in words if (word := each.decode()) not in known]
    best: tuple[list[Macro], MacroTable] = [], MacroTable()
    for table in tables if wanted else ():
        macros = [macro for word in wanted for macro in table.all(word)]
        if len(macros) > len(best[0]) and any(_makes_device_code(macro, table) for macro in macros):
            best = macros, table
            if all(word in table for word in wanted):
                break
    return MacroTable([layer_of(_with_their_parts(*best))]) if best[0] else best[1]


def makes_kernels(data: bytes, seen: MacroTable, left: MacroTable) -> bool:
    """Whether a text uses a macro that stands for `__global__`, of those that it sees or of `left_to_includers`."""
    names = [macro.name for macro in seen if "__global__" in with_keywords(macro.body)]
    names += (macro.name for macro in left if "__global__" in with_keywords(expand(macro.body, left)))
    return any(name.encode() in data for name in names)


def _makes_device_code(macro: Macro, table: MacroTable) -> bool:
    return any(word in expand(macro.body, table) for word in _DEVICE_CODE)


def _with_their_parts(macros: list[Macro], table: MacroTable) -> tuple[Macro, ...]:
    """Macros, and those that their bodies name."""
    parts = dict.fromkeys(macros)
    waiting = list(macros)
    while waiting and len(parts) < _MAX_PARTS:
        for word in _WORD.findall(waiting.pop().body):
            for inner in table.all(word):
                if inner not in parts:
                    parts[inner] = None
                    waiting.append(inner)
    return tuple(parts)
