"""Constants of one name in several scopes: which of them a function means, by the function's place.

A name that several scopes of a file define (two namespaces, a class and the file, macros that are defined again) has a
name of its own here for each scope. Lowered code uses that name, and every look-up by name finds one definition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from regpress_lint.core.patterns import pattern
from regpress_lint.cpp.names.file_constants import scopes_around

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from regpress_lint.cpp.names.file_constants import Scopes
    from regpress_lint.cpp.names.parsed_file import Unit

PREFIX = "__at_"  # of the owner that such a name has: no program may define it
_WORD = pattern(rb"[A-Za-z_]\w*+")


def scoped_names(unit: Unit, node: Node, owner: str = "", names: Iterable[str] | None = None) -> dict[str, str]:
    """Meanings at a node of names that several scopes of a file define: the name of a single definition.

    owner: the class of a member that is defined outside of it. names: the requested names, all words of the node if
    None.
    """
    placed, redefined = unit.placed_constants, unit.redefined_macros
    if not placed and not redefined:
        return {}
    if names is None:
        text = unit.source.data[node.start_byte : node.end_byte]
        names = dict.fromkeys(word.decode() for word in _WORD.findall(text))
    result: dict[str, str] = {}
    around: Scopes | None = None
    for name in names:
        if name in placed:
            if around is None:
                around = scopes_around(node, unit.text)
                around = (*around, owner) if owner and owner not in around else around
            scopes = _innermost(placed[name], around, unit.used_namespaces)
            if scopes is not None:
                result[name] = f"{_owner(unit, scopes)}::{name}"
        elif name in redefined:
            before = [at for at, _ in redefined[name] if at < node.start_byte]
            if before:
                result[name] = f"{_owner(unit, (str(before[-1]),))}::{name}"
    return result


def entries_of(unit: Unit, name: str) -> list[Node | int] | None:
    """The definition that such a name stands for; None for any other name, and for one of another file."""
    owner, _, last = name.rpartition("::")
    for scopes, entries in unit.placed_constants.get(last, {}).items():
        if _owner(unit, scopes) == owner:
            return entries
    known = next(
        (value for at, value in unit.redefined_macros.get(last, ()) if _owner(unit, (str(at),)) == owner), None
    )
    return None if known is None else [known]


def _owner(unit: Unit, scopes: Scopes) -> str:
    return f"{PREFIX}{crc32(repr((unit.source.path, scopes)).encode()):x}"


def _innermost(
    found: dict[Scopes, list[Node | int]], around: Scopes, used: tuple[tuple[str, ...], ...]
) -> Scopes | None:
    for depth in range(len(around), -1, -1):
        if around[:depth] in found:
            return around[:depth]
    named = [scopes for scopes in used if scopes in found]
    return named[0] if len(named) == 1 else None
