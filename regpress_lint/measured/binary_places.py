"""File and line of kernels by the debug information of their binary (`-g`, `-g1`, `-lineinfo`, `-G`).

clang's entries (DWARF 2 to 5) name the line of a definition; with `-g1` they name none, and the first line of the body
that is known stands for it. ptxas begins the lines of each kernel with that of its definition, at an address that a
relocation names.
"""

from __future__ import annotations

import posixpath
import struct
from bisect import bisect_right
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured import dwarf
from regpress_lint.measured.dwarf import ADDRESS, ADDRESS_INDICES, SPLIT, Cursor, DwarfError, Effort, Form, Sections
from regpress_lint.measured.elf import FUNCTION, RELOCATABLE, ElfError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from regpress_lint.core.measured import Row
    from regpress_lint.measured.dwarf import Table
    from regpress_lint.measured.elf import Elf
    from regpress_lint.measured.rows import Reading

    Reader = Callable[[Elf, Effort], Iterator[tuple[str, "Place"]]]


_INFO, _ABBREVIATIONS, _ADDRESSES = ".debug_info", ".debug_abbrev", ".debug_addr"
_FUNCTION, _INLINED = 0x2E, 0x1D
_LOW, _TABLE, _FOLDER, _ADDRESS_BASE = 0x11, 0x10, 0x1B, 0x73
_OTHER_FILE = (0x76, 0x2130)  # the name of the file that the entries of a unit were split off into, of 5 and of GNU's 4
_FILE, _LINE, _CALL_FILE, _CALL_LINE = 0x3A, 0x3B, 0x58, 0x59
_ELSEWHERE = (0x31, 0x47)  # the entry that this one is an instance or the definition of
_REFERENCES = frozenset((0x11, 0x12, 0x13, 0x14, 0x15))  # forms that count from the start of the unit
_FULL, _PARTIAL, _SKELETON = 1, 3, 4
_MOST_DEEP = 4

Values = dict[int, "int | str | None"]


class Written(NamedTuple):
    """A function's file and line as its unit's line table counts files; exact: of its definition, else inside it.

    folder: where the unit was compiled.
    """

    table: int
    folder: str
    file: int | None = None
    line: int | None = None
    exact: bool = False


class _Kind(NamedTuple):
    """A kind of entry: whether it has children, and its values."""

    tag: int
    nests: bool
    values: tuple[tuple[int, Form], ...]
    sizes: tuple[int, ...] | None
    """Bytes of an entry as one number, where all of its values have a fixed size."""


class _Unit(NamedTuple):
    start: int
    first: int
    end: int
    version: int
    width: int
    kinds: Mapping[int, _Kind]


def functions(sections: Sections, wanted: Collection[int], effort: Effort) -> Iterator[tuple[int | None, Written]]:
    """Address and place of the functions that begin at these addresses; of each unit, in front of them, its line table
    alone. Raises DwarfError for malformed data.
    """
    cursor = Cursor(sections(_INFO))
    tables: dict[tuple[int, int, int], dict[int, _Kind]] = {}
    while cursor.at < cursor.end:
        effort.spend()
        start = cursor.at
        end, width = cursor.length()
        version = cursor.number(2)
        if not 2 <= version <= 5:
            raise DwarfError(f"entries of version {version}")
        kind = cursor.number(1) if version == 5 else _FULL
        if version == 5:
            cursor.skip(1)
        at = cursor.number(width)
        if version < 5:
            cursor.skip(1)
        elif kind == _SKELETON:
            cursor.skip(8)
        if kind in (_FULL, _PARTIAL, _SKELETON):
            key = (at, width, version)
            if key not in tables:
                tables[key] = _kinds(sections, at, width, version, effort)
            yield from _of_unit(sections, _Unit(start, cursor.at, end, version, width, tables[key]), wanted, effort)
        cursor.at = end


def _kinds(sections: Sections, at: int, width: int, version: int, effort: Effort) -> dict[int, _Kind]:
    cursor = Cursor(sections(_ABBREVIATIONS), at)
    kinds: dict[int, _Kind] = {}
    while code := cursor.uleb():
        tag, nests = cursor.uleb(), cursor.number(1) != 0
        values = []
        while True:
            effort.spend()
            name, form = cursor.uleb(), cursor.uleb()
            constant = cursor.sleb() if form == 0x21 else 0
            if not name and not form:
                break
            values.append((name, Form(form, constant)))
        sizes = [dwarf.size_of(form, width, version) for _, form in values]
        fixed = [size for size in sizes if size is not None]
        kinds[code] = _Kind(tag, nests, tuple(values), (sum(fixed),) if len(fixed) == len(sizes) else None)
    return kinds


def _of_unit(
    sections: Sections, unit: _Unit, wanted: Collection[int], effort: Effort
) -> Iterator[tuple[int | None, Written]]:
    cursor = Cursor(sections(_INFO), unit.first, unit.end)
    table, folder, base = -1, "", ADDRESS
    depth = 0
    inside: tuple[int, int, Written] | None = None  # the function that is waited for, its depth, what is known of it
    while cursor.at < cursor.end:
        effort.spend()
        code = cursor.uleb()
        if code == 0:
            depth -= 1
            if inside is not None and depth <= inside[1]:
                yield inside[0], inside[2]
                inside = None
            if depth <= 0:
                return
            continue
        kind = unit.kinds.get(code)
        if kind is None:
            raise DwarfError("an entry of an unknown kind")
        if depth == 0:
            values = _values(cursor, kind, unit, sections)
            if any(name in values for name in _OTHER_FILE):
                # The lines alone would name what was inlined first, in whichever file.
                raise DwarfError(SPLIT)
            table, named = _number(values, _TABLE, -1), values.get(_FOLDER)
            folder = named if isinstance(named, str) else ""  # version 5's line tables hold it, too
            base = _number(values, _ADDRESS_BASE, ADDRESS)
            if table < 0:
                return
            yield None, Written(table, folder)
        elif kind.tag == _FUNCTION and inside is None:
            values = _values(cursor, kind, unit, sections)
            if (low := _low(values, kind, sections, base)) is not None and low in wanted:
                written = _written(values, kind, unit, sections, Written(table, folder))
                if kind.nests and not written.exact:
                    inside = (low, depth, written)
                else:
                    yield low, written
        elif kind.tag == _INLINED and inside is not None and depth == inside[1] + 1:
            inside = (*inside[:2], _earlier(inside[2], _values(cursor, kind, unit, sections)))
        elif kind.sizes is not None:
            cursor.skip(kind.sizes[0])
        else:
            _values(cursor, kind, unit, sections)
        depth += kind.nests
        if depth == 0:
            return


def _values(cursor: Cursor, kind: _Kind, unit: _Unit, sections: Sections) -> Values:
    return {name: dwarf.value(cursor, form, unit.width, unit.version, sections) for name, form in kind.values}


def _number(values: Values, name: int, default: int = 0) -> int:
    number = values.get(name)
    return number if isinstance(number, int) else default


def _low(values: Values, kind: _Kind, sections: Sections, base: int) -> int | None:
    low = values.get(_LOW)
    if not isinstance(low, int):
        return None
    form = next(form.number for name, form in kind.values if name == _LOW)
    return Cursor(sections(_ADDRESSES), base + low * ADDRESS).number(ADDRESS) if form in ADDRESS_INDICES else low


def _written(values: Values, kind: _Kind, unit: _Unit, sections: Sections, empty: Written) -> Written:
    """The place that the entry has, or the one that it refers to."""
    for _ in range(_MOST_DEEP):
        if _LINE in values:
            return empty._replace(file=_number(values, _FILE), line=_number(values, _LINE), exact=True)
        forms = dict(kind.values)
        name = next((name for name in _ELSEWHERE if name in values and forms[name].number in _REFERENCES), None)
        if name is None:
            break
        cursor = Cursor(sections(_INFO), unit.start + _number(values, name), unit.end)
        origin = unit.kinds.get(cursor.uleb())
        if origin is None:
            break
        kind, values = origin, _values(cursor, origin, unit, sections)
    return empty


def _earlier(written: Written, call: Values) -> Written:
    """The first line at which a function calls something, as far as calls in its file go: it is inside the function."""
    file, line = call.get(_CALL_FILE), call.get(_CALL_LINE)
    if not isinstance(file, int) or not isinstance(line, int) or line <= 0:
        return written
    if written.line is not None and (file != written.file or line >= written.line):
        return written
    return written._replace(file=file, line=line)


_RELOCATIONS = {".rela.debug_line": struct.Struct("<QQq"), ".rel.debug_line": struct.Struct("<QQ")}
_SET_ADDRESS, _END = b"\0\x09\x02", b"\0\1\1"
_TEXT = ".text."


class Place(NamedTuple):
    """Where a kernel is written."""

    path: str
    line: int


def placed(reading: Reading, elf: Elf, name: str, effort: Effort, read: Reader) -> Reading:
    """Rows of a binary with their places; errors in the debug information only lose the places."""
    places: dict[str, Place] = {}
    problems: tuple[str, ...] = ()
    try:
        for symbol, place in read(elf, effort):
            if place.line > 0:
                places.setdefault(symbol, place)
    except (DwarfError, ElfError) as error:
        problems = (f"{name}: debug information: {error}",)

    def with_place(row: Row) -> Row:
        place = places.get(row.symbol)
        return row if place is None else row._replace(path=place.path, line=place.line)

    return reading._replace(rows=tuple(map(with_place, reading.rows)), problems=(*reading.problems, *problems))


def of_code_object(elf: Elf, effort: Effort) -> Iterator[tuple[str, Place]]:
    """Symbols and places of AMD's functions. Raises DwarfError."""
    if elf.kind == RELOCATABLE:  # nobody has given its functions addresses yet
        return
    at = {symbol.value: symbol for symbol in elf.symbols() if symbol.kind == FUNCTION and symbol.size}
    sections = Sections(elf, effort)
    units: dict[int, tuple[str, Table]] = {}
    for address, written in functions(sections, at, effort):
        if written.table not in units:
            units[written.table] = (written.folder, dwarf.table(sections, written.table, effort))
        file = units[written.table][1].files.get(written.file if written.file is not None else -1)
        if address is not None and file is not None and written.line is not None:
            yield at.pop(address).name, _place(written.folder, file, written.line)
    for folder, table in units.values():  # `-g1` has no entry of a function into which nothing was inlined
        ranges = {address: address + symbol.size for address, symbol in at.items()}
        for address, (number, line) in _first_lines(sections, table, ranges, effort).items():
            if number in table.files:
                yield at.pop(address).name, _place(folder, table.files[number], line)


def _first_lines(
    sections: Sections, table: Table, ranges: dict[int, int], effort: Effort
) -> dict[int, tuple[int, int]]:
    """Of functions by their address: the file of their first instruction, and the smallest line in it."""
    starts = sorted(ranges)
    first_lines: dict[int, tuple[int, int]] = {}
    for row in dwarf.lines(sections(dwarf.SECTION), table, effort):
        number = bisect_right(starts, row.address) - 1 if row is not None else -1
        if row is None or number < 0 or row.address >= ranges[starts[number]] or row.line <= 0:
            continue
        file, line = first_lines.setdefault(starts[number], (row.file, row.line))
        if row.file == file and row.line < line:
            first_lines[starts[number]] = (file, row.line)
    return first_lines


def of_cubin(elf: Elf, effort: Effort) -> Iterator[tuple[str, Place]]:
    """Symbols and places of kernels. Raises DwarfError."""
    relocations = sorted(_relocations(elf))
    if not relocations:
        return
    effort.spend(len(relocations))
    names = [symbol.name for symbol in elf.symbols()]
    sections = Sections(elf, effort)
    data, number = sections(dwarf.SECTION), 0
    for table in dwarf.tables(sections, effort):
        while number < len(relocations) and relocations[number][0] < table.end:
            at, symbol = relocations[number][0] - len(_SET_ADDRESS), relocations[number][1]
            number += 1
            fresh = at == table.start or data[at - len(_END) : at] == _END
            if at < table.start or not fresh or data[at : at + len(_SET_ADDRESS)] != _SET_ADDRESS:
                continue
            first = next(dwarf.lines(data, table, effort, at), None)
            if first is not None and symbol < len(names) and first.file in table.files:
                yield names[symbol].removeprefix(_TEXT), _place("", table.files[first.file], first.line)


def _relocations(elf: Elf) -> Iterator[tuple[int, int]]:
    """Offset and symbol of each that is for the line table."""
    for section in elf.sections:
        if (form := _RELOCATIONS.get(section.name)) is not None:
            data = elf.content(section)
            whole = len(data) // form.size * form.size
            yield from ((fields[0], fields[1] >> 32) for fields in form.iter_unpack(data[:whole]))


def _place(folder: str, file: tuple[str, str], line: int) -> Place:
    return Place(posixpath.normpath(dwarf.joined(folder, *file)), line)
