"""A mask in the making: the text, its code view and the list of masked items."""

from __future__ import annotations

from regpress_lint.core.named import NamedTuple
from regpress_lint.cpp.lexical import Brackets, Lexed, blank


class MaskedItem(NamedTuple):
    """A masked range: `text` is the file's own bytes in `start:end`; `expansion` the text of a macro."""

    start: int
    end: int
    kind: str
    text: bytes
    expansion: str = ""


_COMMENT = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))


def _without_comments(data: bytes, lexed: Lexed) -> bytearray:
    """The file with its comments blanked: the tree is smaller, and no walk has to step over them.

    Comments of preprocessor lines stay: the grammar minds blanks at the end of an `#include`.
    """
    text = bytearray(data)
    directives = iter(lexed.directives)
    directive = next(directives, None)
    for start, end in lexed.comments:
        while directive is not None and directive.end <= start:
            directive = next(directives, None)
        if directive is None or start < directive.start:
            text[start:end] = data[start:end].translate(_COMMENT)
    return text


class Draft:
    """The only mutable thing of the masking, alive during one call of `mask`. All edits keep length and newlines.

    data: the file's own bytes, which the items quote; readable: the same length, as `lexed` was derived from it.
    blocks: offsets of braces that hold statements though they stand where an argument would.
    """

    __slots__ = ("_code", "_data", "_items", "_text", "blocks", "brackets", "code", "source")

    def __init__(self, data: bytes, readable: bytes, lexed: Lexed) -> None:
        self._data = data
        self._text = _without_comments(readable, lexed)
        self._code = bytearray(lexed.code, "latin-1")
        self._items: list[MaskedItem] = []
        self.blocks: set[int] = set()
        self.source = lexed.source
        self.code = lexed.code
        self.brackets = Brackets(self.code)

    def note(self, start: int, end: int, kind: str, expansion: str = "") -> None:
        """Remember a range as masked without changing it."""
        self._items.append(MaskedItem(start, end, kind, self._data[start:end], expansion))

    def patch(self, start: int, end: int, spell: str = "") -> None:
        """Write `spell` (no longer than the range, which has no newline that early) and blanks over a range."""
        text = spell + blank(self.source[start + len(spell) : end])
        raw = text.encode("latin-1", "replace")  # a macro may stand for more than bytes
        self._text[start:end] = raw
        self._code[start:end] = raw

    def mask(self, start: int, end: int, kind: str, spell: str = "", expansion: str = "") -> None:
        """`note` and `patch` in one."""
        self.note(start, end, kind, expansion)
        self.patch(start, end, spell)

    def refresh(self) -> None:
        """Let `code` and `brackets` show the edits made so far."""
        code = self._code.decode("latin-1")
        if code != self.code:
            self.code = code
            self.brackets = Brackets(code)

    def finish(self) -> tuple[bytes, tuple[MaskedItem, ...]]:
        """The masked text and its items, sorted by their start."""
        return bytes(self._text), tuple(sorted(self._items))
