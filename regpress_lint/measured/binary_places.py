"""File and line of kernels by the debug information of their binary (`-g`, `-g1`, `-lineinfo`, `-G`).

clang's entries name the line of a definition; with `-g1` they name none, and the first line of the body that is known
stands for it. ptxas begins the lines of each kernel with that of its definition, at an address that a relocation names.
"""

from __future__ import annotations

import posixpath
import struct
from bisect import bisect_right
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured import dwarf_lines
from regpress_lint.measured.dwarf import DwarfError, Effort, Sections
from regpress_lint.measured.dwarf_functions import functions
from regpress_lint.measured.elf import FUNCTION, RELOCATABLE, ElfError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from regpress_lint.core.measured import Row
    from regpress_lint.measured.dwarf_lines import Table
    from regpress_lint.measured.elf import Elf
    from regpress_lint.measured.rows import Reading

_RELOCATIONS = {".rela.debug_line": struct.Struct("<QQq"), ".rel.debug_line": struct.Struct("<QQ")}
_SET_ADDRESS, _END = b"\0\x09\x02", b"\0\1\1"
_TEXT = ".text."


class Place(NamedTuple):
    """Where a kernel is written."""

    path: str
    line: int


def placed(found: Reading, elf: Elf, name: str, effort: Effort, read: Reader) -> Reading:
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

    return found._replace(rows=tuple(map(with_place, found.rows)), problems=(*found.problems, *problems))


def of_code_object(elf: Elf, effort: Effort) -> Iterator[tuple[str, Place]]:
    """Symbols and places of AMD's functions. Raises DwarfError."""
    if elf.kind == RELOCATABLE:  # nobody has given its functions addresses yet
        return
    at = {each.value: each for each in elf.symbols() if each.kind == FUNCTION and each.size}
    sections = Sections(elf, effort)
    units: dict[int, tuple[str, Table]] = {}
    for address, written in functions(sections, at, effort):
        if written.table not in units:
            units[written.table] = (written.folder, dwarf_lines.table(sections, written.table, effort))
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
    found: dict[int, tuple[int, int]] = {}
    for row in dwarf_lines.lines(sections(dwarf_lines.SECTION), table, effort):
        number = bisect_right(starts, row.address) - 1 if row is not None else -1
        if row is None or number < 0 or row.address >= ranges[starts[number]] or row.line <= 0:
            continue
        file, line = found.setdefault(starts[number], (row.file, row.line))
        if row.file == file and row.line < line:
            found[starts[number]] = (file, row.line)
    return found


def of_cubin(elf: Elf, effort: Effort) -> Iterator[tuple[str, Place]]:
    """Symbols and places of kernels. Raises DwarfError."""
    relocations = sorted(_relocations(elf))
    if not relocations:
        return
    effort.spend(len(relocations))
    names = [each.name for each in elf.symbols()]
    sections = Sections(elf, effort)
    data, number = sections(dwarf_lines.SECTION), 0
    for table in dwarf_lines.tables(sections, effort):
        while number < len(relocations) and relocations[number][0] < table.end:
            at, symbol = relocations[number][0] - len(_SET_ADDRESS), relocations[number][1]
            number += 1
            fresh = at == table.start or data[at - len(_END) : at] == _END
            if at < table.start or not fresh or data[at : at + len(_SET_ADDRESS)] != _SET_ADDRESS:
                continue
            first = next(dwarf_lines.lines(data, table, effort, at), None)
            if first is not None and symbol < len(names) and first.file in table.files:
                yield names[symbol].removeprefix(_TEXT), _place("", table.files[first.file], first.line)


def _relocations(elf: Elf) -> Iterator[tuple[int, int]]:
    """Offset and symbol of each that is for the line table."""
    for section in elf.sections:
        form = _RELOCATIONS.get(section.name)
        if form is not None:
            data = elf.content(section)
            whole = len(data) // form.size * form.size
            yield from ((fields[0], fields[1] >> 32) for fields in form.iter_unpack(data[:whole]))


def _place(folder: str, file: tuple[str, str], line: int) -> Place:
    return Place(posixpath.normpath(dwarf_lines.joined(folder, *file)), line)


if TYPE_CHECKING:
    Reader = Callable[[Elf, Effort], Iterator[tuple[str, Place]]]
