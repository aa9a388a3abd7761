"""Output of `ptxas -v` (and of `nvlink -v` for linked device code) in a build log.

The line with the registers does not name its kernel: it belongs to the last one that was begun. Where several compilers
write at once, two kernels may wait for such a line; then both are left out with a problem.

cubins (ELF): registers, stack, shared memory and barriers of every kernel, as `cuobjdump -res-usage` prints them.

The numbers are in records of the sections `.nv.info` (a format byte, an attribute byte, then two bytes of value or of
length), shared memory is the size of `.nv.shared.KERNEL`. A cubin does not record spills.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from regpress_lint.core.measured import Row
from regpress_lint.measured.rows import COLOR, Reading, cuda_version, reading, without_spills
from regpress_lint.targets.occupancy import architecture, is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.measured.elf import Elf, Section


MARKS = ("Compiling entry function", "nvlink info")
_BEGIN = re.compile(r"ptxas info\s*: Compiling entry function '(?P<symbol>[^'\n]+)' for '(?P<target>\w+)'")
_PROPERTIES = re.compile(r"ptxas info\s*: Function properties for '?(?P<symbol>[^'\s]+)'?\s*$")
_FRAME = re.compile(
    r"\s+(?P<stack>\d{1,9}) bytes stack frame, (?P<stores>\d{1,9}) bytes spill stores, \d{1,9} bytes spill loads"
)
_USED = re.compile(r"ptxas info\s*: Used (?P<registers>\d{1,9}) registers(?P<rest>.*)")
_LINKED = re.compile(r"nvlink info\s*: Function properties for '(?P<symbol>[^'\n]+)'")
_LINKED_USE = re.compile(r"nvlink info\s*: used (?P<registers>\d{1,9}) registers,")
_SHARED = re.compile(r"(\d{1,9})(?:\+\d{1,9})? bytes smem")
_BARRIERS = re.compile(r"used (\d{1,9}) barriers")
_MOST_WAITING = 64


class _Begun:
    """An entry function whose lines are coming."""

    def __init__(self, symbol: str, target: str) -> None:
        self.symbol, self.target = symbol, target
        self.frame: tuple[int, int] | None = None


def read_log(text: str, name: str) -> Reading:
    problems: list[str] = []
    version = cuda_version(text)
    lines = COLOR.sub("", text).splitlines()
    rows = [row._replace(version=version) for row in (*_compiled(lines, name, problems), *_linked(lines, name))]
    return reading(rows, problems)


def _compiled(lines: list[str], name: str, problems: list[str]) -> Iterator[Row]:
    waiting: list[_Begun] = []
    subject: str | None = None
    for line in lines:
        if (match := _BEGIN.search(line)) is not None:
            waiting = [*waiting, _Begun(match["symbol"], match["target"])][-_MOST_WAITING:]
        elif (match := _PROPERTIES.search(line)) is not None:
            subject = match["symbol"]
            continue
        elif subject is not None and (match := _FRAME.match(line)) is not None:
            mine = [kernel for kernel in waiting if kernel.symbol == subject]
            if len(mine) > 1:  # of two GPUs at once
                problems += [_left_out(name, kernel) for kernel in mine]
                waiting = [kernel for kernel in waiting if kernel not in mine]
            elif mine:
                mine[0].frame = int(match["stack"]), int(match["stores"])
        elif (match := _USED.search(line)) is not None:
            if len(waiting) == 1 and waiting[0].frame is not None:
                yield _row(waiting[0], match, name)
            else:
                problems += [_left_out(name, kernel) for kernel in waiting]
            waiting = []
        subject = None
    problems += [f"{name}: kernel {kernel.symbol} is left out: the log ends before its registers" for kernel in waiting]


def _left_out(name: str, kernel: _Begun) -> str:
    return f"{name}: kernel {kernel.symbol} is left out: lines of several compilers are mixed"


def _row(kernel: _Begun, used: re.Match[str], name: str) -> Row:
    assert kernel.frame is not None
    stack, stores = kernel.frame
    registers, shared, barriers = int(used["registers"]), _SHARED.search(used["rest"]), _BARRIERS.search(used["rest"])
    spills = -(-stores // 4)
    return Row(
        kernel.symbol,
        canonical(kernel.target),
        registers=registers,
        vgprs=registers,
        spills=spills,
        scratch_bytes=stack,
        unspilled_scratch_bytes=without_spills(stack, spills),
        lds_bytes=int(shared[1]) if shared else 0,  # ptxas leaves out what is zero
        barriers=int(barriers[1]) if barriers else None,
        compiler="nvcc",
        origin="ptxas",
        inputs=(name,),
    )


def _linked(lines: list[str], name: str) -> Iterator[Row]:
    """Kernels of `nvlink -v`. It names no GPU; its stack holds callees', its shared memory the system's."""
    symbol = None
    for line in lines:
        if (match := _LINKED.search(line)) is not None:
            symbol = match["symbol"]
        elif symbol is not None and (match := _LINKED_USE.search(line)) is not None:
            registers = int(match["registers"])
            yield Row(symbol, registers=registers, vgprs=registers, compiler="nvcc", origin="nvlink", inputs=(name,))
            symbol = None


def canonical(name: str) -> str:
    """`sm_90` of `sm_90a`; a GPU that we do not know keeps its name."""
    return architecture(name).name if is_known(name) else name


_FRAME_SIZE, _REGISTERS, _BARRIER_COUNT, _MAX_THREADS, _REQUIRED = 0x11, 0x2F, 0x4C, 0x05, 0x10
_RESERVED = ".nv.reservedSmem."
_ENTRY = 0x10  # STO_CUDA_ENTRY: a kernel among the symbols
_WITH_LENGTH = 4
_INFO, _TEXT, _SHARED_SECTION = ".nv.info", ".text.", ".nv.shared."
_NEW_ABI = 0x41  # of CUDA 13's cubins: the GPU is in the second byte of the flags, before in the first
_MOST_THREADS = 1 << 16
_COUNTED_SINCE = 90


def read_cubin(elf: Elf, name: str) -> Reading:
    table = elf.symbols()
    entries = {symbol.name for symbol in table if symbol.other & _ENTRY}
    sections = {section.name: section for section in elf.sections}
    capability = elf.flags >> 8 & 0xFF if elf.os_abi == _NEW_ABI else elf.flags & 0xFF
    target = canonical(f"sm_{capability}")
    version = _version(elf)
    # Where the system reserves shared memory, linked cubins count it into what a kernel's section takes, and so do all
    # of CUDA 12 (12.0, 12.6 and 12.9) for sm_90 and later.
    counted = any(symbol.name.startswith(_RESERVED) for symbol in table)
    counted |= elf.os_abi != _NEW_ABI and capability >= _COUNTED_SINCE
    reserved = architecture(target).lds_reserved_per_group if counted and is_known(target) else 0
    by_symbol, problems = _by_symbol(elf, sections.get(_INFO), [symbol.name for symbol in table], name)
    rows = []
    for section in elf.sections:
        symbol = section.name.removeprefix(_TEXT)
        if not section.name.startswith(_TEXT) or symbol not in entries:
            continue
        attributes = by_symbol.get(symbol, {})
        registers = attributes.get(_REGISTERS, section.info >> 24)  # older tools wrote them there
        shared = sections.get(_SHARED_SECTION + symbol)
        details = _details(elf, sections.get(f"{_INFO}.{symbol}"), problems, name)
        if not registers:
            problems.append(f"{name}: kernel {symbol}: its registers are not in this cubin")
        rows.append(
            Row(
                symbol,
                target,
                registers=registers or None,
                vgprs=registers or None,
                scratch_bytes=attributes.get(_FRAME_SIZE),
                lds_bytes=max(0, shared.size - reserved) if shared is not None else 0,
                code_bytes=section.size,
                barriers=details.get(_BARRIER_COUNT, section.flags >> 20 & 0x7F),
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
    sizes: dict[str, dict[int, int]] = {}
    problems: list[str] = []
    for attribute, value in _records(elf, section, problems, name):
        if attribute in (_FRAME_SIZE, _REGISTERS) and len(value) == 8:
            number, count = struct.unpack("<II", value)
            if number < len(symbols):
                sizes.setdefault(symbols[number], {})[attribute] = count
    return sizes, problems


def _details(elf: Elf, section: Section | None, problems: list[str], name: str) -> dict[int, int]:
    """Numbers of one kernel by attribute."""
    details: dict[int, int] = {}
    for attribute, value in _records(elf, section, problems, name):
        if attribute in (_MAX_THREADS, _REQUIRED) and len(value) == 12:
            x, y, z = struct.unpack("<III", value)
            if 0 < x * y * z < _MOST_THREADS:
                details[attribute] = x * y * z
        elif attribute == _BARRIER_COUNT:
            details[attribute] = value[0]
    return details


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
