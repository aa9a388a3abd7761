"""Places in a text as an editor counts them: lines from 0, columns in the units that were agreed on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from lsprotocol import types

if TYPE_CHECKING:
    from regpress_lint.core.source import Position, Source, Span

Encoding = Literal["utf-8", "utf-16", "utf-32"]


def to_client(position: Position, encoding: Encoding) -> types.Position:
    """A place of ours as the editor has it."""
    column = {"utf-8": position.column, "utf-16": position.utf16, "utf-32": position.codepoint}[encoding]
    return types.Position(position.line - 1, column - 1)


def range_of(source: Source, span: Span, encoding: Encoding) -> types.Range:
    """A range of bytes as the editor has it."""
    return types.Range(*(to_client(source.position(offset), encoding) for offset in span))


def offset_of(source: Source, position: types.Position, encoding: Encoding) -> int:
    """The byte at a place; behind the end of a line it is that end, behind the last line the end of the text."""
    if position.line >= source.line_count:
        return len(source.data)
    start, end = source.line_span(position.line + 1)
    start = max(start, source.text_start)
    line = source.data[start:end]
    if encoding == "utf-8":
        return min(start + position.character, end)
    left = position.character
    for offset, byte in enumerate(line):
        if byte & 0xC0 == 0x80:  # not the first byte of a character
            continue
        if left <= 0:
            return start + offset
        left -= 2 if encoding == "utf-16" and byte >= 0xF0 else 1
    return end
