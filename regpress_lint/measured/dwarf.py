"""The elements of DWARF: numbers of variable length, sections that may be compressed, and the forms of values.

DWARF's line tables, versions 2 to 5: which files a unit names, and which line an address is of.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.elf import UnpackingError, zlib_unpacked, zstd_unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.measured.elf import Elf


ADDRESS = 8
"""Bytes of an address: our ELF files are those of 64 bits."""
_COMPRESSED, _COMPRESSION_HEADER, _ZLIB, _ZSTD = 0x800, 24, 1, 2
_LONGEST_STRING, _LONGEST_NUMBER = 65_536, 10
_UNPACKED_PER_STEP = 4096  # bytes that take about as long as one entry


SPLIT = "it is in another file (-gsplit-dwarf), so kernels have no line"


class DwarfError(ValueError):
    """Debug information that is cut, wrong, or more than is read; the text says which."""


class Effort:
    """How much debug information of one file is still read; containers may overlap, so that a small file holds any."""

    def __init__(self, left: int = 4_000_000) -> None:
        self._left = left

    def spend(self, steps: int = 1) -> None:
        """Count entries and lines. Raises DwarfError where nothing is left."""
        self._left -= steps
        if self._left < 0:
            raise DwarfError("more than is read of one file")


class Cursor:
    """A position in a section. Reading outside of the section raises DwarfError."""

    __slots__ = ("at", "data", "end")

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data, self.at, self.end = data, at, len(data) if end is None else min(end, len(data))
        self.skip(0)

    def skip(self, size: int) -> None:
        """Go on behind so many bytes."""
        self.at += size
        if not 0 <= self.at <= self.end:
            raise DwarfError("it is cut")

    def number(self, size: int) -> int:
        """An unsigned number of so many bytes."""
        start = self.at
        self.skip(size)
        return int.from_bytes(self.data[start : self.at], "little")

    def uleb(self) -> int:
        """An unsigned number of variable length."""
        value, shift = 0, 0
        for _ in range(_LONGEST_NUMBER):
            byte = self.number(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
        raise DwarfError("a number without an end")

    def sleb(self) -> int:
        """A signed number of variable length."""
        start = self.at
        value = self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def string(self) -> str:
        """Text up to its zero."""
        stop = self.data.find(b"\0", self.at, min(self.end, self.at + _LONGEST_STRING))
        if stop < 0:
            raise DwarfError("a name without an end")
        text = self.data[self.at : stop].decode("utf-8", "replace")
        self.at = stop + 1
        return text

    def length(self) -> tuple[int, int]:
        """Where a unit ends that begins here, and how many bytes its offsets have: 4, or 8 behind an escape."""
        size = self.number(4)
        width = 8 if size == 0xFFFFFFFF else 4
        size = self.number(8) if width == 8 else size
        if size > self.end - self.at:
            raise DwarfError("a unit is longer than its section")
        return self.at + size, width


class Sections:
    """The debug sections of a file, unpacked."""

    def __init__(self, elf: Elf, effort: Effort) -> None:
        self._elf, self._effort = elf, effort
        self._known: dict[str, bytes] = {}

    def __call__(self, name: str) -> bytes:
        """The content of a section, b"" of one that the file has not. Raises DwarfError."""
        if name not in self._known:
            self._known[name] = self._content(name)
        return self._known[name]

    def _content(self, name: str) -> bytes:
        section = self._elf.section(name)
        if section is None:
            return b""
        data = self._elf.content(section)
        if not section.flags & _COMPRESSED:
            return data
        cursor = Cursor(data)
        method, size = cursor.number(8) & 0xFFFFFFFF, cursor.number(8)
        if method not in (_ZLIB, _ZSTD):
            raise DwarfError("compressed by an unknown method")
        self._effort.spend(size // _UNPACKED_PER_STEP)
        try:
            return (zlib_unpacked if method == _ZLIB else zstd_unpacked)(data[_COMPRESSION_HEADER:], size)
        except UnpackingError as error:
            raise DwarfError(str(error)) from None


class Form(NamedTuple):
    """How a value is written. constant: the value itself, if the kind of entry holds it."""

    number: int
    constant: int = 0


_STRING, _BLOCK, _INDIRECT, _CONSTANT, _SIGNED = 0x08, 0x09, 0x16, 0x21, 0x0D
_STRP, _LINE_STRP, _REF_ADDR, _EXPRESSION = 0x0E, 0x1F, 0x10, 0x18
_BYTES = {
    0x01: ADDRESS, 0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x19: 0, 0x1C: 4,
    0x1E: 16, 0x20: 8, 0x21: 0, 0x24: 8, 0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4,
}  # fmt: skip
_OFFSETS = frozenset((_STRP, 0x17, 0x1D, _LINE_STRP, 0x1F20, 0x1F21))
_BLOCKS = {0x0A: 1, 0x03: 2, 0x04: 4}
_VARIABLE = frozenset((0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23, 0x1F01, 0x1F02))
ADDRESS_INDICES = frozenset((0x1B, 0x29, 0x2A, 0x2B, 0x2C, 0x1F01))
"""Forms whose value is a number in the table of addresses."""


def size_of(form: Form, width: int, version: int) -> int | None:
    """Bytes of a value; None where the value itself says it."""
    if form.number in _OFFSETS or form.number == _REF_ADDR:
        return ADDRESS if form.number == _REF_ADDR and version == 2 else width
    return _BYTES.get(form.number)


def value(cursor: Cursor, form: Form, width: int, version: int, sections: Sections) -> int | str | None:
    """A value, and go on behind it; None if it is neither a number nor text. Raises DwarfError."""
    kind = form.number
    if kind == _INDIRECT:
        form = Form(cursor.uleb())
        kind = form.number
        if kind in (_INDIRECT, _CONSTANT):
            raise DwarfError("a form that names itself")
    size = size_of(form, width, version)
    if kind == _CONSTANT:
        return form.constant
    if size is not None:
        number = cursor.number(size)
        return _text(sections, kind, number) if kind in (_STRP, _LINE_STRP) else number
    if kind == _STRING:
        return cursor.string()
    if kind in _VARIABLE:
        return cursor.uleb()
    if kind == _SIGNED:
        return cursor.sleb()
    if kind in _BLOCKS or kind in (_BLOCK, _EXPRESSION):
        cursor.skip(cursor.number(_BLOCKS[kind]) if kind in _BLOCKS else cursor.uleb())
        return None
    raise DwarfError(f"an unknown form (0x{kind:x})")


def _text(sections: Sections, kind: int, at: int) -> str:
    return Cursor(sections(".debug_line_str" if kind == _LINE_STRP else ".debug_str"), at).string()


SECTION = ".debug_line"
_PATH, _FOLDER = 1, 2  # what a column of version 5's tables holds
_MOST_NAMES = 65_536
_DRIVE = re.compile(r"[A-Za-z]:/")


class Table(NamedTuple):
    """One unit: its files as (folder, name) by number, where its program stands, and how opcodes count."""

    files: dict[int, tuple[str, str]]
    start: int
    end: int
    step: int
    base: int
    range: int
    lengths: bytes


class Line(NamedTuple):
    """From this address on the code is of a line of a file."""

    address: int
    file: int
    line: int


def tables(sections: Sections, effort: Effort) -> Iterator[Table]:
    """All units of a file, one after another. Raises DwarfError for malformed data."""
    at, size = 0, len(sections(SECTION))
    while at < size:
        unit = table(sections, at, effort)
        yield unit
        at = unit.end


def table(sections: Sections, at: int, effort: Effort) -> Table:
    """The unit that begins there. Raises DwarfError."""
    cursor = Cursor(sections(SECTION), at)
    cursor.end, width = cursor.length()
    end, version = cursor.end, cursor.number(2)
    if not 2 <= version <= 5:
        raise DwarfError(f"line numbers of version {version}")
    if version == 5:
        cursor.skip(2)
    header = cursor.number(width)
    start = cursor.at + header
    if start > end:
        raise DwarfError("it is cut")
    step = cursor.number(1)
    cursor.skip(2 if version >= 4 else 1)
    base, reach, opcodes = cursor.number(1), cursor.number(1), cursor.number(1)
    lengths = bytes(cursor.number(1) for _ in range(opcodes - 1))
    cursor.end = start
    files = _files(cursor, width, sections, effort) if version == 5 else _old_files(cursor, effort)
    return Table(files, start, end, step, base - 256 if base > 127 else base, reach, lengths)


def _old_files(cursor: Cursor, effort: Effort) -> dict[int, tuple[str, str]]:
    """Those of versions 2 to 4; the folder 0 is the one of the compilation, which other entries know."""
    folders = [""]
    while folder := cursor.string():
        effort.spend()
        folders.append(folder)
    files: dict[int, tuple[str, str]] = {}
    while name := cursor.string():
        effort.spend()
        number = cursor.uleb()
        cursor.uleb(), cursor.uleb()
        files[len(files) + 1] = (folders[number] if number < len(folders) else "", name)
    return files


def _files(cursor: Cursor, width: int, sections: Sections, effort: Effort) -> dict[int, tuple[str, str]]:
    """Those of version 5, counted from 0; other folders are seen from the first, that of the compilation."""
    folders = [_line_text(row) for row in _rows(cursor, width, sections, effort)]
    files: dict[int, tuple[str, str]] = {}
    for number, row in enumerate(_rows(cursor, width, sections, effort)):
        folder = row.get(_FOLDER)
        name = folders[folder] if isinstance(folder, int) and folder < len(folders) else ""
        files[number] = (joined(folders[0] if folders else "", name), _line_text(row))
    return files


def _line_text(row: dict[int, int | str | None]) -> str:
    path = row.get(_PATH)
    return path if isinstance(path, str) else ""


def joined(*parts: str) -> str:
    """A path of parts with forward slashes; an absolute part drops those before it, with or without a Windows drive."""
    path = ""
    for part in (part.replace("\\", "/") for part in parts):
        path = part if _DRIVE.match(part) is not None else posixpath.join(path, part)
    return path


def _rows(cursor: Cursor, width: int, sections: Sections, effort: Effort) -> list[dict[int, int | str | None]]:
    columns = [(cursor.uleb(), Form(cursor.uleb())) for _ in range(cursor.number(1))]
    count = cursor.uleb()
    if count > _MOST_NAMES or not columns:
        if count:
            raise DwarfError("a wrong number of files")
        return []
    effort.spend(count)
    return [{kind: value(cursor, form, width, 5, sections) for kind, form in columns} for _ in range(count)]


def lines(data: bytes, unit: Table, effort: Effort, at: int | None = None) -> Iterator[Line | None]:
    """Rows of a unit's program, None at the end of each sequence. at: where in it to begin, with nothing set yet."""
    cursor = Cursor(data, unit.start if at is None else at, unit.end)
    address, file, line = 0, 1, 1
    if unit.range == 0:
        raise DwarfError("line numbers without a range")
    first = len(unit.lengths) + 1
    while cursor.at < cursor.end:
        effort.spend()
        code = cursor.number(1)
        if code >= first:
            forward, up = divmod(code - first, unit.range)
            address, line = address + forward * unit.step, line + unit.base + up
            yield Line(address, file, line)
        elif code == 0:  # an extended one, with its length
            size = cursor.uleb()
            behind, kind = cursor.at + size, cursor.number(1) if size else 0
            if kind == 1:
                yield None
                address, file, line = 0, 1, 1
            elif kind == 2:
                address = cursor.number(min(size - 1, 8))
            cursor.skip(behind - cursor.at)
        elif code == 1:
            yield Line(address, file, line)
        elif code == 2:
            address += cursor.uleb() * unit.step
        elif code == 3:
            line += cursor.sleb()
        elif code == 4:
            file = cursor.uleb()
        elif code == 8:
            address += (255 - first) // unit.range * unit.step
        elif code == 9:
            address += cursor.number(2)
        else:
            for _ in range(unit.lengths[code - 1]):
                cursor.uleb()
