"""Texts that the editor has open, as bytes, the effect of changes on them, and where things are after an edit.

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

from regpress_lint.core.named import NamedTuple, replace
from regpress_lint.core.source import Source, Span, differing
from regpress_lint.lint.suppressions import CODE as UNUSED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from regpress_lint.core.diagnostics import Diagnostic, Finding, Location
    from regpress_lint.core.source import Position
    from regpress_lint.server.workbench import Look


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
    units = position.character
    for offset, byte in enumerate(line):
        if byte & 0xC0 == 0x80:  # not the first byte of a character
            continue
        if units <= 0:
            return start + offset
        units -= 2 if encoding == "utf-16" and byte >= 0xF0 else 1
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
        document = self._open.get(uri)
        return None if document is None else Text(uri, path_of(uri), document[0], _as_read(document[1]))

    def version(self, uri: str) -> int | None:
        """Version of a document; None for one that is not open."""
        document = self._open.get(uri)
        return None if document is None else document[0]

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


_LINE = re.compile(r"\blines? \d")
Found = dict[str, tuple["Finding", ...]]
"""Findings of the rules about a kernel, by code."""


class Edit(NamedTuple):
    """The bytes from `start` to `old_end` became those from `start` to `new_end`; lines: by how many there are more."""

    start: int
    old_end: int
    new_end: int
    lines: int

    @property
    def grown(self) -> int:
        """By how much all text after it has moved."""
        return self.new_end - self.old_end

    def moved(self, span: Span) -> Span | None:
        """Where a span is now; None for one that the edit touches."""
        if span.end <= self.start:
            return span
        return Span(span.start + self.grown, span.end + self.grown) if span.start >= self.old_end else None


def edit_between(old: bytes, new: bytes) -> Edit:
    """The one edit that makes a text of another, as small as it can be."""
    start, old_end, new_end = differing(old, new)
    return Edit(start, old_end, new_end, new.count(b"\n", start, new_end) - old.count(b"\n", start, old_end))


def rebased(by_code: Found, edit: Edit, path: str) -> Found | None:
    """The findings of a file, at their new places; None if the edit touches one, or a message tells a moved line."""
    try:
        return {
            code: tuple(_rebased(finding, edit, path) for finding in findings) for code, findings in by_code.items()
        }
    except _TouchedError:
        return None


class _TouchedError(Exception):
    """A place is not there any more, or a line is not known by its number any more."""


def _rebased(old: Finding, edit: Edit, path: str) -> Finding:
    def at(span: Span) -> Span:
        moved = edit.moved(span)
        if moved is None:
            raise _TouchedError
        return moved

    texts = (old.message, old.help, *(note.message for note in old.notes))
    if edit.lines and any(_LINE.search(text) for text in texts):
        raise _TouchedError
    fix = old.fix
    if fix is not None:
        fix = fix._replace(edits=tuple(replacement._replace(span=at(replacement.span)) for replacement in fix.edits))
    notes = tuple(note._replace(span=at(note.span)) if note.path in (None, "", path) else note for note in old.notes)
    return old._replace(span=at(old.span), notes=notes, fix=fix)


def lost(before: Look, now: Look) -> frozenset[str]:
    """Names of kernels that were seen before, that the text still names, and that its broken trees do not show."""
    if now.analysis is None or not now.analysis.is_broken:
        return frozenset()
    gone = {kernel.name for kernel in before.kernels} - {kernel.name for kernel in now.kernels}
    return frozenset(name for name in gone if name and re.search(rb"\b%b\b" % re.escape(name.encode()), now.text.data))


def opened(before: Look, now: Look) -> bool:
    """Whether the text is in the middle of being typed: a brace, a parenthesis or a quotation is open that was not, or
    is closed without one, and the trees of what follows it say nothing. Earlier findings stay until the file is whole
    again.
    """
    if now.analysis is None or not now.analysis.is_broken:
        return False
    old, new = before.text.data, now.text.data
    odd = any((old.count(quote) - new.count(quote)) % 2 for quote in (b'"', b"'"))
    return odd or any(_balance(old, pair) != _balance(new, pair) for pair in (b"{}", b"()"))


_OTHER_BRANCH = re.compile(rb"^[ \t]*#[ \t]*el(?:se|if)\b.*?(?=^[ \t]*#[ \t]*endif\b|\Z)", re.MULTILINE | re.DOTALL)


def _balance(data: bytes, pair: bytes) -> int:
    """Openings less closings, of each conditional only in its first branch: all of them may open the same brace."""
    text = _OTHER_BRANCH.sub(b"", data)
    return text.count(pair[:1]) - text.count(pair[1:])


def kept(before: Look, now: Look, names: Collection[str | None]) -> tuple[Diagnostic, ...]:
    """Earlier findings about these kernels, at their new places: without those in the changed text, and without fixes,
    because their effect is unknown.
    """
    edit = edit_between(before.text.data, now.text.data)
    unused = now.partial  # what a comment silences is known once all kernels are
    texts = (
        _moved(diagnostic, edit, now)
        for diagnostic in before.report.diagnostics
        if diagnostic.kernel in names or (unused and diagnostic.code == UNUSED)
    )
    return tuple(diagnostic for diagnostic in texts if diagnostic is not None)


def _moved(diagnostic: Diagnostic, edit: Edit, now: Look) -> Diagnostic | None:
    place = _at(diagnostic.location, edit, now)
    if place is None:
        return None
    others = [(note, _at(note.location, edit, now)) for note in diagnostic.related]
    related = tuple(note._replace(location=at) for note, at in others if at is not None)
    return replace(diagnostic, location=place, related=related, fix=None)


def _at(location: Location, edit: Edit, now: Look) -> Location | None:
    if location.path != now.text.path:
        return location
    span = edit.moved(Span(location.start.byte, location.end.byte))
    if span is None:
        return None
    source = now.source
    start = source.position(span.start)
    return location._replace(start=start, end=source.position(span.end), line_text=source.line_text(start.line))
