"""Files that hold device binaries: clang's offload bundles (including CCOB), fat binaries of HIP and CUDA, host
objects.

Contents are found by their own first bytes, so that a file may hold several bundles one after another, as
an executable of many translation units does.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.measured.elf import (
    MACHINE_AMDGPU,
    MACHINE_CUDA,
    MACHINE_INTELGT,
    MAGIC,
    Elf,
    ElfError,
    UnpackingError,
    lz4_unpacked,
    zlib_unpacked,
    zstd_unpacked,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

BUNDLE, COMPRESSED, FAT, PACKAGE = b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB", b"\x50\xed\x55\xba", b"\x10\xff\x10\xad"
# Sections of host objects that hold device code.
_HOLDERS = re.compile(r"\.hip_fatbin|\.nv_fatbin|__nv_relfatbin|\.llvm\.offloading|__CLANG_OFFLOAD_BUNDLE__.*")
_DEVICES = (MACHINE_AMDGPU, MACHINE_CUDA, MACHINE_INTELGT)
_MOST_ENTRIES, _MOST_DEEP = 4096, 4
_MOST_BINARIES, _MOST_UNPACKED = 16_384, 2 << 30  # of one file in all
# Entries lie side by side in each other: what is copied of a file and of what it unpacks to is that a few times.
_MOST_COPIES, _AT_LEAST = 16, 1 << 20
# Device code for many GPUs, in which each is like the others, is compressed to a thirtieth.
_MOST_RATIO, _MOST_OF_FEW = 200, 16 << 20
_FAT_HEADER, _FAT_ENTRY = struct.Struct("<4sHHQ"), struct.Struct("<HHIQIIHHIIIQQQ")
_IS_ELF, _LZ4, _ZSTD = 2, 0x2000, 0x8000
_ZLIB_METHOD, _ZSTD_METHOD = 0, 1


class Found(NamedTuple):
    """A device binary, or why something that should hold one could not be read. name: of the GPU by its container."""

    elf: Elf | None
    name: str = ""
    problem: str = ""


class _Within:
    """Where the reading of one file is: how deep, and the remaining allowance for the whole file.

    The counts are one for the file: containers may overlap, so that a small file holds any number of them. left: of
    binaries, bytes that are unpacked, and bytes that are copied.
    """

    def __init__(self, depth: int, left: list[int]) -> None:
        self.depth, self._left = depth, left

    def inner(self) -> _Within:
        return _Within(self.depth + 1, self._left)

    def copied(self, data: memoryview | bytes) -> bytes:
        """The bytes, counted. Raises UnpackingError where entries overlap."""
        self._left[2] -= len(data)
        if self._left[2] < 0:
            raise UnpackingError("its entries lie over each other")
        return bytes(data)

    def take(self, binaries: int, unpacked: int = 0, packed: int = 0) -> None:
        """Count these. Raises UnpackingError where nothing is left, and for a size that compression does not give."""
        if unpacked > max(packed * _MOST_RATIO, _MOST_OF_FEW):
            raise UnpackingError(f"{packed:,} bytes do not unpack to {unpacked:,}")
        self._left[0] -= binaries
        self._left[1] -= unpacked
        self._left[2] += unpacked * _MOST_COPIES
        if min(self._left) < 0:
            raise UnpackingError("it holds more device code than is read of one file")


def device_binaries(data: bytes, name: str = "", within: _Within | None = None) -> Iterator[Found]:
    """All of a file, in its order; a form that the file does not contain adds none."""
    within = within or _Within(0, [_MOST_BINARIES, _MOST_UNPACKED, len(data) * _MOST_COPIES + _AT_LEAST])
    if within.depth > _MOST_DEEP:
        yield Found(None, problem="device code that is wrapped too deeply")
        return
    start = data[:24]
    if start[:4] == MAGIC:
        yield from _elf(data, within, name)
    elif start == BUNDLE or start[:4] in (COMPRESSED, FAT, PACKAGE):
        yield from _wrapped(data, within)


def _elf(data: bytes, within: _Within, name: str) -> Iterator[Found]:
    try:
        elf = Elf(data)
    except ElfError as error:
        yield Found(None, problem=str(error))
        return
    if elf.machine in _DEVICES or elf.section(".ze_info") is not None:
        yield Found(elf, name)
        return
    for section in elf.sections:
        if _HOLDERS.fullmatch(section.name) is not None:
            try:
                content = within.copied(elf.content(section))
            except (ElfError, UnpackingError) as error:
                yield Found(None, problem=str(error))
                return
            if len(content) < section.size:
                yield Found(None, problem=f"section {section.name} is cut")
            if content[:4] == MAGIC:
                yield from device_binaries(content, within=within.inner())
            else:
                yield from _wrapped(content, within)


_STARTS = re.compile(b"|".join(map(re.escape, (BUNDLE, COMPRESSED, FAT, PACKAGE))))


def _wrapped(data: bytes, within: _Within) -> Iterator[Found]:
    """Containers one after another, with whatever is between them."""
    at, number = 0, 0
    view = memoryview(data)  # slices of an executable of many units would copy it again for each of them
    while (match := _STARTS.search(data, at)) is not None and number < _MOST_ENTRIES:
        number += 1
        try:
            within.take(1)
            reader = {BUNDLE: _bundle, COMPRESSED: _compressed, FAT: _fat, PACKAGE: _package}[match[0]]
            size, inside = reader(view[match.start() :], within)
            yield from inside
        except (struct.error, UnpackingError, ValueError) as error:
            yield Found(None, problem=str(error) if isinstance(error, ValueError) else "a header is cut")
            size = len(match[0])
        at = match.start() + max(size, len(match[0]))


def _bundle(data: memoryview, within: _Within) -> tuple[int, list[Found]]:
    (count,) = struct.unpack_from("<Q", data, 24)
    if count > _MOST_ENTRIES:
        raise ValueError("an offload bundle with a wrong number of entries")
    at, size = 32, 32
    binaries: list[Found] = []
    for _ in range(count):
        offset, length, name_length = struct.unpack_from("<QQQ", data, at)
        at += 24
        name = bytes(data[at : at + min(name_length, 4096)]).decode("utf-8", "replace")
        at += name_length
        if at > len(data) or offset + length > len(data):
            binaries.append(Found(None, problem="an entry of an offload bundle is cut"))
            break
        within.take(1)
        binaries += device_binaries(within.copied(data[offset : offset + length]), name, within.inner())
        size = max(size, at, offset + length)
    return size, binaries


def _compressed(data: memoryview, within: _Within) -> tuple[int, list[Found]]:
    version, method = struct.unpack_from("<HH", data, 4)
    total: int | None = None
    if version == 1:
        (size,), header = struct.unpack_from("<I", data, 8), 20
    elif version == 2:
        (total, size), header = struct.unpack_from("<II", data, 8), 24
    elif version == 3:
        (total, size), header = struct.unpack_from("<QQ", data, 8), 32
    else:
        raise ValueError(f"a compressed offload bundle of an unknown version ({version})")
    whole = len(data) if total is None else total
    if whole > len(data):
        raise ValueError("a compressed offload bundle is cut")
    packed = within.copied(data[header:whole])
    if method not in (_ZLIB_METHOD, _ZSTD_METHOD):
        raise ValueError(f"an offload bundle that is compressed by an unknown method ({method})")
    within.take(1, size, len(packed))
    plain = (zlib_unpacked if method == _ZLIB_METHOD else zstd_unpacked)(packed, size)
    if len(plain) < size:
        raise ValueError("a compressed offload bundle is cut")
    return whole, list(device_binaries(plain, within=within.inner()))


def _fat(data: memoryview, within: _Within) -> tuple[int, list[Found]]:
    """CUDA's: entries of PTX and cubins behind a header."""
    _, _, header, size = _FAT_HEADER.unpack_from(data)
    end = header + size
    if header < _FAT_HEADER.size or end > len(data):
        raise ValueError("a CUDA fat binary is cut")
    at = header
    binaries: list[Found] = []
    while at + _FAT_ENTRY.size <= end and len(binaries) < _MOST_ENTRIES:
        kind, _, head, length, packed, _, _, _, gpu, _, _, flags, _, plain = _FAT_ENTRY.unpack_from(data, at)
        if head < _FAT_ENTRY.size or at + head + length > end:
            raise ValueError("an entry of a CUDA fat binary is cut")
        content = within.copied(data[at + head : at + head + length])
        at += head + length
        if kind != _IS_ELF:
            continue
        try:
            within.take(1)
            if flags & (_LZ4 | _ZSTD):
                within.take(0, plain, len(content))
                content = (zstd_unpacked if flags & _ZSTD else lz4_unpacked)(content[: packed or length], plain)
            binaries += device_binaries(content, f"sm_{gpu}", within.inner())
        except UnpackingError as error:
            binaries.append(Found(None, problem=f"the code for sm_{gpu} is left out: {error}"))
    return end, binaries


def _package(data: memoryview, within: _Within) -> tuple[int, list[Found]]:
    """clang's newer driver: one image behind two headers."""
    _, _, size, entry, entry_size = struct.unpack_from("<4sIQQQ", data)
    if size > len(data) or entry + 48 > len(data) or entry_size < 48:
        raise ValueError("an offload package is cut")
    image, length = struct.unpack_from("<QQ", data, entry + 32)
    if image + length > size:
        raise ValueError("the image of an offload package is cut")
    return size, list(device_binaries(within.copied(data[image : image + length]), within=within.inner()))
