"""A small reader of 64-bit little-endian ELF files: sections, symbols and notes, every length checked.

The compression of bundles and fat binaries: zlib, zstd where this Python has it, and LZ4.

pyelftools 0.33 does not stand in for it and `dwarf`: it refuses the line tables of a cubin (NVIDIA's relocations), took
40 times as long to read `testdata/measured/hipcc.o` (36 ms with its debug information, and 0.9 ms here), and of 200
damaged cubins two ended in a MemoryError.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


MOST_BYTES = 1 << 30
"""No more is unpacked of one file, whatever its header promises."""


class UnpackingError(ValueError):
    """Data that is cut, or a method that this machine lacks; the text says which."""


def zlib_unpacked(data: bytes, size: int) -> bytes:
    """At most `size` bytes of a zlib stream."""
    import zlib

    try:
        return zlib.decompressobj().decompress(data, min(size, MOST_BYTES))
    except zlib.error:
        raise UnpackingError("the zlib stream is cut or wrong") from None


def zstd_unpacked(data: bytes, size: int) -> bytes:
    """At most `size` bytes of a zstd frame: by Python 3.14's own module or the package `zstandard`, else an error."""
    if size > MOST_BYTES:
        raise UnpackingError(f"more than {MOST_BYTES:,} bytes")
    try:
        return _by_python(data, size) or _by_package(data, size)
    except UnpackingError:
        raise
    except Exception as error:  # each module has its own
        raise UnpackingError(f"the zstd frame is cut or wrong ({type(error).__name__})") from None


def _by_python(data: bytes, size: int) -> bytes | None:
    import importlib

    try:
        module = importlib.import_module("compression.zstd")
    except ImportError:
        return None
    plain: bytes = module.ZstdDecompressor().decompress(data, size)
    return plain


def _by_package(data: bytes, size: int) -> bytes:
    import importlib

    try:
        module = importlib.import_module("zstandard")
    except ImportError:
        raise UnpackingError("it is compressed with zstd: Python 3.14 or `pip install zstandard` reads that") from None
    # decompress() makes room for whatever the frame promises; a reader gives as much as it is asked for.
    unpacked: bytes = module.ZstdDecompressor().stream_reader(data).read(size)
    return unpacked


def lz4_unpacked(data: bytes, size: int) -> bytes:
    """`size` bytes of an LZ4 block, which CUDA's fat binaries hold."""
    if size > MOST_BYTES:
        raise UnpackingError(f"more than {MOST_BYTES:,} bytes")
    out = bytearray()
    at = 0
    try:
        while at < len(data) and len(out) < size:
            token = data[at]
            at += 1
            literals, at = _length(data, at, token >> 4)
            out += data[at : at + literals]
            at += literals
            if len(out) >= size or at >= len(data):
                break
            distance = data[at] | data[at + 1] << 8
            copied, at = _length(data, at + 2, token & 15)
            if not 0 < distance <= len(out):
                raise UnpackingError("the LZ4 block is wrong")
            _copy(out, distance, min(copied + 4, size - len(out)))
    except IndexError:
        raise UnpackingError("the LZ4 block is cut") from None
    if len(out) < size:
        raise UnpackingError("the LZ4 block is cut")
    return bytes(out[:size])


def _length(data: bytes, at: int, first: int) -> tuple[int, int]:
    total = first
    while first == 15:
        total += data[at]
        at += 1
        if data[at - 1] != 255:
            break
    return total, at


def _copy(out: bytearray, distance: int, count: int) -> None:
    """Append what stands `distance` back; it may reach into what is being written."""
    begin = len(out) - distance
    piece = bytes(out[begin : begin + min(distance, count)])
    out += (piece * (count // distance + 1))[:count]


MAGIC = b"\x7fELF"
MACHINE_CUDA, MACHINE_AMDGPU, MACHINE_INTELGT = 190, 224, 205
FUNCTION = 2
"""The kind of symbols of functions."""
RELOCATABLE = 1
"""The kind of files that are not linked yet."""
_HEADER, _SECTION = struct.Struct("<16sHHIQQQIHHHHHH"), struct.Struct("<IIQQQQIIQQ")
_SYMBOL, _NOTE = struct.Struct("<IBBHQQ"), struct.Struct("<III")
_NOTES, _NO_BITS, _EXTENDED = 7, 8, 0xFFFF
_MOST_SECTIONS, _LONGEST_NAME = 200_000, 65_536
# How often a file may be read over: names share their ends, sections are asked for by several readers. Where names or
# sections lie over each other, a file of 1 MB would become any number of them.
_MOST_TIMES, _AT_LEAST = 16, 1 << 20


class ElfError(ValueError):
    """Not an ELF file of this kind, or one that is cut; the text says which."""


class Section(NamedTuple):
    name: str
    kind: int
    flags: int
    offset: int
    size: int
    link: int
    info: int


class Symbol(NamedTuple):
    """One entry of the symbol table; `other` holds what vendors mark kernels with, `value` where it stands."""

    name: str
    kind: int
    other: int
    size: int
    value: int


class Elf:
    """An ELF file in memory. Raises ElfError if it is not one or its section table does not fit."""

    def __init__(self, data: bytes) -> None:
        if data[:4] != MAGIC or len(data) < _HEADER.size:
            raise ElfError("no ELF file" if data[:4] != MAGIC else "the ELF header is cut")
        ident, kind, machine, _, _, _, table, flags, _, _, _, width, count, names = _HEADER.unpack_from(data)
        if ident[4:6] != b"\x02\x01":
            raise ElfError("not a 64-bit little-endian ELF file")
        self.data, self.kind, self.machine = data, kind, machine
        self.flags, self.os_abi = flags, ident[7]
        self._left = _MOST_TIMES * len(data) + _AT_LEAST
        self._symbols: list[Symbol] | None = None
        self.sections = self._sections(table, width, count, names)
        self._by_name = {section.name: section for section in reversed(self.sections)}

    def _sections(self, table: int, width: int, count: int, names: int) -> tuple[Section, ...]:
        if not table:
            return ()
        if width != _SECTION.size or table + width > len(self.data):
            raise ElfError("the section table is cut or of an unknown form")
        if count == 0:  # more than fit into the header: the first section says how many
            count = _SECTION.unpack_from(self.data, table)[5]
        if names == _EXTENDED:
            names = _SECTION.unpack_from(self.data, table)[6]
        if count > _MOST_SECTIONS or table + width * count > len(self.data):
            raise ElfError("the section table is cut")
        raw = [_SECTION.unpack_from(self.data, table + width * number) for number in range(count)]
        strings = self._bytes(raw[names][4], raw[names][5]) if names < count else b""
        named = self._named(strings, (fields[0] for fields in raw))
        return tuple(Section(name, fields[1], fields[2], *fields[4:8]) for name, fields in zip(named, raw, strict=True))

    def _named(self, strings: bytes, places: Iterable[int]) -> list[str]:
        """The names at places of a table of strings. Raises ElfError for too much of them."""
        read: dict[int, str] = {}
        names: list[str] = []
        for at in places:
            name = read.get(at)
            if name is None:
                name = read[at] = text(strings, at)
                self._take(len(name))
            names.append(name)
        return names

    def _take(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise ElfError("its sections or names lie over each other")

    def section(self, name: str) -> Section | None:
        """The first section of this name."""
        return self._by_name.get(name)

    def content(self, section: Section) -> bytes:
        """Bytes of a section, none of one that takes no room in the file; of one that is cut what is there. Raises
        ElfError where sections have been read over so often that they lie over each other.
        """
        if section.kind == _NO_BITS:
            return b""
        data = self._bytes(section.offset, section.size)
        self._take(len(data))
        return data

    def _bytes(self, offset: int, size: int) -> bytes:
        return self.data[offset : offset + size]

    def symbols(self) -> list[Symbol]:
        """Entries of `.symtab`; none of a table that is cut or has no names. Raises ElfError as `content` does."""
        if self._symbols is None:
            self._symbols = self._read_symbols()
        return self._symbols

    def _read_symbols(self) -> list[Symbol]:
        table = self.section(".symtab")
        if table is None or table.link >= len(self.sections):
            return []
        strings, content = self.content(self.sections[table.link]), self.content(table)
        whole = len(content) // _SYMBOL.size * _SYMBOL.size
        raw = list(_SYMBOL.iter_unpack(content[:whole]))
        names = self._named(strings, (symbol[0] for symbol in raw))
        return [
            Symbol(name, info & 15, other, size, value)
            for name, (_, info, other, _, value, size) in zip(names, raw, strict=True)
        ]

    def notes(self, only: Section | None = None) -> Iterator[tuple[bytes, int, bytes]]:
        """Owner, type and content of every note, or of those of a section. Raises ElfError for one that is cut."""
        for section in self.sections if only is None else (only,):
            if only is not None or section.kind == _NOTES:
                yield from _notes(self.content(section))


def _notes(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    at = 0
    while at + _NOTE.size <= len(data):
        name_size, size, kind = _NOTE.unpack_from(data, at)
        name_at = at + _NOTE.size
        content_at = name_at + _aligned(name_size)
        if content_at + size > len(data):
            raise ElfError("a note is longer than its section")
        yield data[name_at : name_at + name_size].rstrip(b"\0"), kind, data[content_at : content_at + size]
        at = content_at + _aligned(size)


def _aligned(size: int) -> int:
    return (size + 3) & ~3


def text(strings: bytes, at: int) -> str:
    """The string that begins there in a table of strings; "" outside of it."""
    end = strings.find(b"\0", at, at + _LONGEST_NAME)
    return strings[at:end].decode("utf-8", "replace") if 0 <= at < end else ""
