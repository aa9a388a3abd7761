"""Objects whose parts lie over each other, or unpack to more than they can: bounded in memory and CPU time."""

from __future__ import annotations

import os
import struct
import threading
import time
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from corpus import TESTDATA, drawn
from limits import limited

from regpress_lint.cli.measured import bytes_of
from regpress_lint.core.reading import without_waiting
from regpress_lint.measured.bundles import BUNDLE
from regpress_lint.measured.elf import MACHINE_AMDGPU, MACHINE_CUDA

if TYPE_CHECKING:
    from collections.abc import Callable

MEASURED = TESTDATA / "measured"
_NAME = b"_Z" + b"k" * 65_000 + b"\0"


def elf(sections: list[tuple[int, int, int, int, int]], body: bytes, machine: int) -> bytes:
    """An ELF file: sections are name, kind, offset and size (in the body), link; the last one has the names."""
    table = 64 + len(body)
    header = struct.pack(
        "<16sHHIQQQIHHHHHH",
        b"\x7fELF\2\1\1",
        *(3, machine, 1, 0, 0, table, 0, 64, 0, 0, 64),
        *((len(sections), len(sections) - 1) if len(sections) < 0xFF00 else (0, 0xFFFF)),
    )
    rows = [
        struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, 64 + offset, size, link, 0, 0, 0)
        for name, kind, offset, size, link in sections
    ]
    if len(sections) >= 0xFF00:
        rows[0] = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, len(sections), len(sections) - 1, 0, 0, 0)
    return header + body + b"".join(rows)


def symbols_of_one_name(step: int, machine: int) -> bytes:
    """40,000 symbols, each with a name of 64 KB: the same one, or each a part of it."""
    names = b"\0" + _NAME + b".symtab\0"
    table = b"".join(struct.pack("<IBBHQQ", 1 + number * step, 2, 0x10, 1, number, 8) for number in range(40_000))
    return elf(
        [(0, 0, 0, 0, 0), (len(names) - 8, 2, len(names), len(table), 2), (0, 3, 0, len(names), 0)],
        names + table,
        machine,
    )


def sections_of_one_name(step: int) -> bytes:
    names = b"\0" + _NAME
    return elf(
        [(1 + number * step, 1, 0, 8, 0) for number in range(30_000)] + [(0, 3, 0, len(names), 0)], names, MACHINE_CUDA
    )


def sections_of_one_place() -> bytes:
    """A host object of which each section is the same megabyte that may hold device code."""
    names = b"\0.hip_fatbin\0"
    body = names + b"x" * (1 << 20)
    return elf([(1, 1, 0, len(body), 0)] * 30_000 + [(0, 3, 0, len(names), 0)], body, 62)


def bundle_of_one_place() -> bytes:
    """4,096 entries that are the same 4 MB each."""
    size = 4 << 20
    start = 32 + 4096 * 24
    entries = struct.pack("<QQQ", start, size, 0) * 4096
    return BUNDLE + struct.pack("<Q", 4096) + entries + b"\x7fELF\2\1\1" + b"\0" * (size - 7)


def bomb(size: int) -> bytes:
    """A compressed bundle that honestly declares its unpacked size, a thousand times its own."""
    stream = zlib.compressobj(9)
    packed = b"".join(stream.compress(b"\0" * (1 << 20)) for _ in range(size >> 20)) + stream.flush()
    return b"CCOB" + struct.pack("<HHQQQ", 3, 0, 32 + len(packed), size, 0) + packed


def lz4_bomb() -> bytes:
    """An entry of a CUDA fat binary whose 3 bytes each copy 4 from 64 KB before."""
    packed = b"\xff" + b"\xff" * 256 + b"\x0f" + b"x" * (15 + 255 * 256 + 15) + b"\xff\xff\x00" * 300_000
    plain = 200_000_000
    entry = struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 80, len(packed), len(packed), 0, 1, 0, 90, 0, 0, 0x2000, 0, plain)
    entry += b"\0" * (80 - len(entry))
    return b"\x50\xed\x55\xba" + struct.pack("<HHQ", 1, 16, len(entry) + len(packed)) + entry + packed


OBJECTS: dict[str, Callable[[], bytes]] = {
    "symbols, one name, AMD": lambda: symbols_of_one_name(0, MACHINE_AMDGPU),
    "symbols, one name, NVIDIA": lambda: symbols_of_one_name(0, MACHINE_CUDA),
    "symbols, parts of a name, AMD": lambda: symbols_of_one_name(1, MACHINE_AMDGPU),
    "symbols, parts of a name, NVIDIA": lambda: symbols_of_one_name(1, MACHINE_CUDA),
    "sections, one name": lambda: sections_of_one_name(0),
    "sections, parts of a name": lambda: sections_of_one_name(1),
    "sections, one place": sections_of_one_place,
    "bundle, one place": bundle_of_one_place,
    "bomb of zlib": lambda: bomb(100 << 20),
    "bomb of LZ4": lz4_bomb,
}


@pytest.mark.parametrize("name", drawn(OBJECTS, 3))
def test_an_object_takes_bounded_memory_and_time(tmp_path: Path, name: str) -> None:
    (tmp_path / "k.o").write_bytes(OBJECTS[name]())
    status, _, err = limited("measure", "k.o", cwd=tmp_path)
    assert status == 2
    assert "k.o: " in err
    assert "Traceback" not in err
    assert len(err) < 100_000


@pytest.mark.skipif(not Path("/dev/zero").is_char_device(), reason="no named pipes")
def test_a_device_without_end_is_not_read(tmp_path: Path) -> None:
    """All that could be read of it would be a GB; the limit of memory is half of that."""
    status, _, err = limited("measure", "--log", "/dev/zero", cwd=tmp_path)
    assert (status, err) == (2, 'regpress-lint: error: cannot read "/dev/zero": it is a device\n')


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_log_is_read_from_a_slow_pipe(tmp_path: Path) -> None:
    """`measure --log <(make 2>&1)`: what was not there yet when it was opened."""
    log, pipe = (MEASURED / "hipcc.log").read_bytes(), tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with open(pipe, "wb", buffering=0) as stream:
            for at in range(0, len(log), 1_000):
                time.sleep(0.02)
                stream.write(log[at : at + 1_000])

    writer = threading.Thread(target=write)
    writer.start()
    with open(pipe, "rb", buffering=0, opener=without_waiting):  # the writer can open it
        time.sleep(0.01)
        data = bytes_of(str(pipe))
    writer.join()
    assert data == log
