"""The outline of a file, by which related files are searched: its includes and its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.language import stated_language

if TYPE_CHECKING:
    from regpress_lint.core.settings import Language


_MAX_INCLUDES_PER_FILE = 512
_INCLUDE = pattern(
    rb'#[ \t]*+include[ \t]*+(?:(<[^>\n"]{1,512}>|"[^"\n]{1,512}")'
    # `M2S(INCLUDE_PATH/inc_types.h)`: a macro makes a text of it. Folders in capitals are macros, too.
    rb"|\w++\([ \t]*+(?:[A-Z_][A-Z0-9_]*+/)*+(?P<made>[\w./+-]{1,512}\.\w++)[ \t]*+\))"
)


class Outline(NamedTuple):
    """Of one file: the operands of its `#include`s as texts without quotes, and the language that it names itself."""

    includes: tuple[str, ...] = ()
    language: Language | None = None


def outline(path: str, data: bytes) -> Outline:
    names = (include[1:-1].decode("utf-8", "replace") for include in scan_includes(data))
    return Outline(tuple(names), stated_language(path, data))


def scan_includes(data: bytes) -> tuple[bytes, ...]:
    """Operands of the `#include` lines with their quotes or angle brackets, in order, under any `#if`."""
    names: dict[bytes, None] = {}
    for match in _INCLUDE.finditer(data):
        names[match[1] or b'"%s"' % match["made"]] = None
        if len(names) >= _MAX_INCLUDES_PER_FILE:
            break
    return tuple(names)
