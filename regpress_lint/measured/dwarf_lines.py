"""DWARF's line tables, versions 2 to 5: which files a unit names, and which line an address is of."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.dwarf import Cursor, DwarfError, Form, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.measured.dwarf import Effort, Sections

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
        found = table(sections, at, effort)
        yield found
        at = found.end


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
    folders = [_text(row) for row in _rows(cursor, width, sections, effort)]
    files: dict[int, tuple[str, str]] = {}
    for number, row in enumerate(_rows(cursor, width, sections, effort)):
        folder = row.get(_FOLDER)
        known = folders[folder] if isinstance(folder, int) and folder < len(folders) else ""
        files[number] = (joined(folders[0] if folders else "", known), _text(row))
    return files


def _text(row: dict[int, int | str | None]) -> str:
    path = row.get(_PATH)
    return path if isinstance(path, str) else ""


def joined(*parts: str) -> str:
    """A path of parts with forward slashes; an absolute part drops those before it, with or without a Windows drive."""
    path = ""
    for part in (each.replace("\\", "/") for each in parts):
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
