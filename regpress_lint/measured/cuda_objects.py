"""cubins (ELF): registers, stack, shared memory and barriers of every kernel, as `cuobjdump -res-usage` prints them.

The numbers are in records of the sections `.nv.info` (a format byte, an attribute byte, then two bytes of value or of
length), shared memory is the size of `.nv.shared.KERNEL`. A cubin does not record spills.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from regpress_lint.core.measured import Row
from regpress_lint.measured.ptxas import canonical
from regpress_lint.measured.rows import Reading, reading
from regpress_lint.measured.versions import cuda_version
from regpress_lint.targets.occupancy import architecture, is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.measured.elf import Elf, Section

_FRAME_SIZE, _REGISTERS, _BARRIERS, _MAX_THREADS, _REQUIRED = 0x11, 0x2F, 0x4C, 0x05, 0x10
_RESERVED = ".nv.reservedSmem."
_ENTRY = 0x10  # STO_CUDA_ENTRY: a kernel among the symbols
_WITH_LENGTH = 4
_INFO, _TEXT, _SHARED = ".nv.info", ".text.", ".nv.shared."
_NEW_ABI = 0x41  # of CUDA 13's cubins: the GPU is in the second byte of the flags, before in the first
_MOST_THREADS = 1 << 16


def read(elf: Elf, name: str) -> Reading:
    """Rows of one cubin."""
    table = elf.symbols()
    entries = {symbol.name for symbol in table if symbol.other & _ENTRY}
    sections = {each.name: each for each in elf.sections}
    target = canonical(f"sm_{elf.flags >> 8 & 0xFF if elf.os_abi == _NEW_ABI else elf.flags & 0xFF}")
    version = _version(elf)
    # Where the system reserves shared memory, linked cubins count it into what a kernel's section takes.
    linked = any(symbol.name.startswith(_RESERVED) for symbol in table)
    reserved = architecture(target).lds_reserved_per_group if linked and is_known(target) else 0
    by_symbol, problems = _by_symbol(elf, sections.get(_INFO), [symbol.name for symbol in table], name)
    rows = []
    for section in elf.sections:
        symbol = section.name.removeprefix(_TEXT)
        if not section.name.startswith(_TEXT) or symbol not in entries:
            continue
        own = by_symbol.get(symbol, {})
        registers = own.get(_REGISTERS, section.info >> 24)  # older tools wrote them there
        shared = sections.get(_SHARED + symbol)
        details = _details(elf, sections.get(f"{_INFO}.{symbol}"), problems, name)
        if not registers:
            problems.append(f"{name}: kernel {symbol}: its registers are not in this cubin")
        rows.append(
            Row(
                symbol,
                target,
                registers=registers or None,
                vgprs=registers or None,
                scratch_bytes=own.get(_FRAME_SIZE),
                lds_bytes=max(0, shared.size - reserved) if shared is not None else 0,
                code_bytes=section.size,
                barriers=details.get(_BARRIERS, section.flags >> 20 & 0x7F),
                max_threads=details.get(_REQUIRED, details.get(_MAX_THREADS)),
                compiler="nvcc",
                version=version,
                origin="cubin",
                inputs=(name,),
            )
        )
    return reading(rows, problems)


def _by_symbol(
    elf: Elf, section: Section | None, symbols: list[str], name: str
) -> tuple[dict[str, dict[int, int]], list[str]]:
    """Numbers of functions by attribute; those of all functions of a cubin are in one section."""
    found: dict[str, dict[int, int]] = {}
    problems: list[str] = []
    for attribute, value in _records(elf, section, problems, name):
        if attribute in (_FRAME_SIZE, _REGISTERS) and len(value) == 8:
            number, count = struct.unpack("<II", value)
            if number < len(symbols):
                found.setdefault(symbols[number], {})[attribute] = count
    return found, problems


def _details(elf: Elf, section: Section | None, problems: list[str], name: str) -> dict[int, int]:
    """Numbers of one kernel by attribute."""
    found: dict[int, int] = {}
    for attribute, value in _records(elf, section, problems, name):
        if attribute in (_MAX_THREADS, _REQUIRED) and len(value) == 12:
            x, y, z = struct.unpack("<III", value)
            if 0 < x * y * z < _MOST_THREADS:
                found[attribute] = x * y * z
        elif attribute == _BARRIERS:
            found[attribute] = value[0]
    return found


def _records(elf: Elf, section: Section | None, problems: list[str], name: str) -> Iterator[tuple[int, bytes]]:
    """Attributes and values of a section; a length beyond its end ends it with a problem."""
    data = elf.content(section) if section is not None else b""
    at = 0
    while at + 4 <= len(data):
        form, attribute, value = data[at], data[at + 1], data[at + 2 : at + 4]
        at += 4
        if form == _WITH_LENGTH:
            (length,) = struct.unpack("<H", value)
            value, at = data[at : at + length], at + length
        if at > len(data):
            problems.append(f"{name}: a record of {section.name if section else ''} is longer than its section")
            return
        yield attribute, value


def _version(elf: Elf) -> str | None:
    section = elf.section(".note.nv.tkinfo")
    return None if section is None else cuda_version(elf.content(section).decode("latin-1"))
