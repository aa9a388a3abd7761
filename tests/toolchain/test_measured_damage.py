"""One case for each guard of `measure` against bad input: a line that names the fault, never a traceback.

Mutants (test_measure_command.py) find unforeseen faults; here each sentence of the documentation has its test,
which `tools/robustness/guards.py` shows to fail without the guard.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from regpress_lint.measured import elf, inputs, toolchains
from regpress_lint.measured.amd import unpacked
from regpress_lint.measured.bundles import device_binaries
from regpress_lint.measured.elf import Elf, ElfError
from regpress_lint.measured.intel import read_zebin

FOLDER = Path(__file__).resolve().parents[2] / "testdata/measured"
CODE = (FOLDER / "kernels.co").read_bytes()
_COUNT_OF_SECTIONS, _TABLE_OF_SECTIONS, _MACHINE = 60, 40, 18  # where the header of an ELF file has them


def problem(data: bytes) -> str:
    found = inputs.read(data, "k.o")
    assert not found.rows
    (line,) = found.problems
    return line


def changed(data: bytes, at: int, form: str, *values: int) -> bytes:
    piece = struct.pack(form, *values)
    return data[:at] + piece + data[at + len(piece) :]


def note_at(data: bytes) -> int:
    """Where AMD's note begins."""
    section = next(each for each in Elf(data).sections if each.name == ".note")
    return section.offset


def test_an_object_that_is_cut() -> None:
    assert problem(CODE[:40]) == "k.o: the ELF header is cut"
    assert problem(CODE[: len(CODE) // 2]) == "k.o: the section table is cut or of an unknown form"
    assert problem(changed(CODE, _COUNT_OF_SECTIONS, "<H", 0xFFF0)) == "k.o: the section table is cut"


def test_an_elf_file_that_is_not_for_a_gpu() -> None:
    """A host program, and one for an unknown machine."""
    for machine in (62, 183, 60_000):
        assert problem(changed(CODE, _MACHINE, "<H", machine)) == "k.o: no device code in it"
    assert problem(changed(CODE, 4, "<BB", 1, 1)) == "k.o: not a 64-bit little-endian ELF file"


@pytest.mark.parametrize("length", [1 << 20, 0xFFFFFFFF])
def test_a_note_with_a_wrong_length(length: int) -> None:
    at = note_at(CODE)
    assert problem(changed(CODE, at + 4, "<I", length)) == "k.o: a note is longer than its section"
    with pytest.raises(ElfError, match="longer than its section"):
        list(Elf(changed(CODE, at, "<I", length)).notes())


def test_messagepack_that_is_damaged() -> None:
    for data, expected in (
        (b"\xdd\xff\xff\xff\xff\x01", "beyond its end"),
        (b"\xdb\x7f\xff\xff\xff", "beyond its end"),
        (b"\xce\x01", "is cut"),
        (b"\x91" * 100_000, "nested too deeply"),
        (b"\xc1", "unknown kind"),
    ):
        with pytest.raises(ValueError, match=expected):
            unpacked(data)


def test_truncated_binaries() -> None:
    """A bundle whose entry ends behind it, and a compressed one that is cut or unpacks to more than it says."""
    bundle = (FOLDER / "bundle.hipfb").read_bytes()
    assert "an entry of an offload bundle is cut" in problem(bundle[: len(bundle) - 600])
    assert "wrong number of entries" in problem(changed(bundle, 24, "<Q", 1 << 40))
    packed = (FOLDER / "compressed.ccob").read_bytes()
    (size,) = struct.unpack_from("<I", packed, 12)
    for data in (packed[:-100], changed(packed, 12, "<I", size + 1)):
        assert "a compressed offload bundle is cut" in problem(data)
    assert len(elf.zlib_unpacked(zlib.compress(bytes(1 << 20)), 100)) == 100
    fat = (FOLDER / "kernels.fatbin").read_bytes()
    assert "is cut" in problem(fat[: len(fat) // 2])


def test_a_device_binary_of_intel_without_its_description() -> None:
    """An ELF file of Intel's machine alone is none."""
    assert read_zebin(Elf(CODE), "k.o").problems == ("k.o: a device binary without .ze_info",)
    assert list(device_binaries(b"\x7fELF")) != []


def test_a_folder_of_path_that_is_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative to a working folder that another user may own."""
    (tmp_path / "here").mkdir()
    mine = tmp_path / "here" / "nvcc"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for path, expected in (("here", None), (str(mine.parent), str(mine))):
        monkeypatch.setenv("PATH", path)
        assert toolchains.find([str(tmp_path / "tree")]).cuda == expected
