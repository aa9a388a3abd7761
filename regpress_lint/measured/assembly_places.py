"""File and line of functions in AMD's assembly: by `.loc` lines, and by the entries of debug information, which clang
prints with a comment beside every value.
"""

from __future__ import annotations

import os
import re

from regpress_lint.core.named import NamedTuple

_FILE = re.compile(
    r"^[ \t]*\.file[ \t]+(\d{1,9})[ \t]+\"([^\"\n]{0,4096})\"(?:[ \t]+\"([^\"\n]{1,4096})\")?", re.MULTILINE
)
_BEGIN = re.compile(r"^\.Lfunc_begin(\d{1,9}):", re.MULTILINE)
_LOC = re.compile(r"^[ \t]*\.loc[ \t]+(\d{1,9})[ \t]+(\d{1,9})\b", re.MULTILINE)
# The place of the function itself stands before its prologue; later ones may be of what is inlined first.
_OWN = re.compile(
    r"^\.Lfunc_begin\d+:[^\n]*\n(?:[ \t]*\.(?:file|cfi_sections)[^\n]*\n)*" + _LOC.pattern[1:], re.MULTILINE
)
_ENTRIES = re.compile(r"^[ \t]*\.section[ \t]+\.debug_info\b[^\n]*\n(.*?)^[ \t]*\.section\b", re.MULTILINE | re.DOTALL)
_SPLIT = re.compile(r"^[ \t]*\.section[ \t]+\.debug_info\.dwo\b", re.MULTILINE)
_WORD = re.compile(
    r"^[ \t]*(?:\.\w+[ \t]+(\S+))?[ \t]*;(?: Abbrev \[\d+\] \w+:\w+)?"
    r" DW_(TAG_\w+|AT_(?:high_pc|decl_file|decl_line|call_file|call_line))[ \t]*$",
    re.MULTILINE,
)
_END_OF = re.compile(r"\.Lfunc_end(\d{1,9})-")
_NUMBER = re.compile(r"\d{1,9}")


class _Entry(NamedTuple):
    """The places in a function's entry: file and line of its definition, and those of the first call in it."""

    file: int | None = None
    line: int | None = None
    call_file: int | None = None
    call_line: int | None = None


class Places:
    """The places of an assembly file's functions. split: its entries go into another file, which numbers files from the
    start."""

    def __init__(self, text: str) -> None:
        named = _FILE.findall(text)  # a file's folder is left out where it is the working folder
        self._files = {int(number): os.path.join(folder, file) if file else folder for number, folder, file in named}
        self.split = _SPLIT.search(text) is not None
        section = None if self.split else _ENTRIES.search(text)
        self._entries = _entries(section[1]) if section is not None else None

    def of(self, body: str) -> tuple[str, int] | None:
        """File and line of the function with this body; None where nothing says them for sure."""
        own, begin = _OWN.search(body), _BEGIN.search(body)
        if own is not None:
            return self._place(int(own[1]), int(own[2]))
        if begin is None or self._entries is None:
            return None
        entry = self._entries.get(int(begin[1]), _Entry())
        if entry.line is not None:
            return self._place(entry.file, entry.line)
        if entry.call_line is not None:
            return self._place(entry.call_file, entry.call_line)
        lines = [(int(file), int(line)) for file, line in _LOC.findall(body)]
        return self._place(lines[0][0], min(line for file, line in lines if file == lines[0][0])) if lines else None

    def _place(self, file: int | None, line: int) -> tuple[str, int] | None:
        path = self._files.get(-1 if file is None else file)
        return None if path is None or line <= 0 else (os.path.normpath(path).replace("\\", "/"), line)


def _entries(text: str) -> dict[int, _Entry]:
    """Entries of functions by the number of their labels."""
    found: dict[int, _Entry] = {}
    number, tag = -1, ""
    for value, word in _WORD.findall(text):
        if word.startswith("TAG_"):
            tag = word
            number = -1 if word == "TAG_subprogram" else number
        elif word == "AT_high_pc" and tag == "TAG_subprogram":
            end = _END_OF.match(value)
            number = int(end[1]) if end is not None else -1
            found.setdefault(number, _Entry())
        elif number >= 0 and _NUMBER.fullmatch(value) is not None:
            field = _FIELDS.get((tag, word))
            if field is not None and getattr(found[number], field) is None:
                found[number] = found[number]._replace(**{field: int(value)})
    return found


_FIELDS = {
    ("TAG_subprogram", "AT_decl_file"): "file",
    ("TAG_subprogram", "AT_decl_line"): "line",
    ("TAG_inlined_subroutine", "AT_call_file"): "call_file",
    ("TAG_inlined_subroutine", "AT_call_line"): "call_line",
}
