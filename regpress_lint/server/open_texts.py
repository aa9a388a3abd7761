"""Texts that the editor has open, as bytes, and the effect of changes on them.

Where a document is: URIs and the paths of the pipeline, absolute and with forward slashes.

Places in a text as an editor counts them: lines from 0, columns in the units that were agreed on.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.core.source import Position, Span


def path_of(uri: str) -> str:
    """The path of a document; of one that is no file what its URI says, below a folder that does not exist."""
    path = None
    with suppress(ValueError):  # `file://[::1/a.cu`: no address
        path = to_fs_path(uri)
    if path is None or "\0" in path:
        return "/untitled/" + uri.partition(":")[2].lstrip("/").replace("\0", "")
    return os.path.normpath(path).replace(os.sep, "/")


def uri_of(path: str) -> str:
    return from_fs_path(os.path.abspath(path)) or ""


def is_file(uri: str) -> bool:
    """Whether a document lies on a disk."""
    return uri.startswith("file:")


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


_LONE_RETURN = re.compile(rb"\r(?!\n)")
Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


class Text(NamedTuple):
    """A document at one version. `path` is absolute, with forward slashes."""

    uri: str
    path: str
    version: int
    data: bytes

    @property
    def source(self) -> Source:
        """The bytes with their lines."""
        return Source(self.path, self.data)


class Documents:
    """All texts that are open, by URI. The editor's own line ends are kept apart from the analysed text, where a lone
    CR also ends a line, as in editors.
    """

    def __init__(self) -> None:
        self._open: dict[str, tuple[int, bytes]] = {}

    def open(self, uri: str, version: int, text: str) -> None:
        """Take a text that was opened."""
        self._open[uri] = version, _encoded(text)

    def change(self, uri: str, version: int, changes: Iterable[Change], encoding: Encoding) -> None:
        """Apply changes, one after the other; those of a document that is not open mean nothing."""
        if uri not in self._open:
            return
        _, raw = self._open[uri]
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangeWholeDocument):
                raw = _encoded(change.text)
                continue
            source = Source("", _as_read(raw))
            start, end = (offset_of(source, place, encoding) for place in (change.range.start, change.range.end))
            raw = raw[:start] + _encoded(change.text) + raw[max(start, end) :]
        self._open[uri] = version, raw

    def close(self, uri: str) -> None:
        """Forget a text."""
        self._open.pop(uri, None)

    def get(self, uri: str) -> Text | None:
        """A document as it is now; None for one that is not open."""
        found = self._open.get(uri)
        return None if found is None else Text(uri, path_of(uri), found[0], _as_read(found[1]))

    def version(self, uri: str) -> int | None:
        """Version of a document; None for one that is not open."""
        found = self._open.get(uri)
        return None if found is None else found[0]

    def bytes_by_path(self) -> dict[str, bytes]:
        """The analysed text of each, by path."""
        return {text.path: text.data for text in self.all()}

    def all(self) -> tuple[Text, ...]:
        """All of them, in the order in which they were opened."""
        return tuple(text for uri in tuple(self._open) if (text := self.get(uri)) is not None)


def _encoded(text: str) -> bytes:
    """UTF-8; half of a surrogate pair, which JSON can hold, becomes U+FFFD, which is also one unit of UTF-16."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _as_read(raw: bytes) -> bytes:
    """The analysed text: as long as the original, so that every place is the same."""
    return _LONE_RETURN.sub(b"\n", raw) if b"\r" in raw else raw
