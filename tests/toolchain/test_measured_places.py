"""File and line of kernels out of the debug information of objects, in every form that compilers here write."""

from __future__ import annotations

import posixpath
import random
import struct
from pathlib import Path

import pytest

from regpress_lint.measured import inputs
from regpress_lint.measured.binary_places import of_code_object, of_cubin
from regpress_lint.measured.dwarf import SPLIT, Cursor, DwarfError, Effort
from regpress_lint.measured.elf import Elf

FOLDER = Path(__file__).resolve().parents[2] / "testdata/measured"
OBJECTS = ["places_5.co", "places_4.co", "places_lines.co", "places_sm_80.cubin", "places_sm_90.cubin"]
DEFINED = {"_Z4overPfi": 6, "_Z4overPdi": 11, "_Z5emptyv": 13, "_Z5applyI5TwiceEvT_Pf": 20, "_Z8inheaderIfEvPT_": 14}
# Lines alone name what is in a body.
INSIDE = {"_Z4overPfi": 8, "_Z4overPdi": 11, "_Z5emptyv": 13, "_Z5applyI5TwiceEvT_Pf": 21, "_Z8inheaderIfEvPT_": 15}


@pytest.mark.parametrize("name", [*OBJECTS, "places_5.s", "places_lines.s"])
def test_every_kernel_has_its_file_and_line(name: str) -> None:
    found = inputs.read((FOLDER / name).read_bytes(), name)
    assert not found.problems
    assert {row.symbol: row.line for row in found.rows} == (INSIDE if "lines" in name else DEFINED)
    suffix = ".cu" if name.endswith(".cubin") else ".hip"
    for row in found.rows:
        assert posixpath.basename(row.path or "") == ("places.h" if "inheader" in row.symbol else "places" + suffix)


def test_missing_debug_information_gives_no_line() -> None:
    for name in ("kernels.co", "kernels.cubin"):
        found = inputs.read((FOLDER / name).read_bytes(), name)
        assert {(row.path, row.line) for row in found.rows} == {(None, None)}


@pytest.mark.parametrize("name", ["places_split_5.co", "places_split_4.co", "split.s"])
def test_split_debug_information_gives_no_line(name: str) -> None:
    """The remaining rows would name the first inlined line, which is in a header."""
    if name == "split.s":
        text = (FOLDER / "places_5.s").read_text()
        data = text.replace(".debug_info", ".debug_info.dwo").encode()
    else:
        data = (FOLDER / name).read_bytes()
    found = inputs.read(data, "k.o")
    assert found.rows
    assert {(row.path, row.line) for row in found.rows} == {(None, None)}
    assert found.problems == (f"k.o: debug information: {SPLIT}",)


@pytest.mark.parametrize("name", OBJECTS)
def test_damaged_debug_information_keeps_the_numbers(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    section = Elf(data).section(".debug_line")
    assert section is not None
    broken = data[: section.offset] + b"\xff" * section.size + data[section.offset + section.size :]
    found, whole = inputs.read(broken, "k.o"), inputs.read(data, "k.o")
    assert [row._replace(path=None, line=None) for row in whole.rows] == list(found.rows)
    assert len(found.problems) == 1
    assert found.problems[0].startswith("k.o: debug information: ")


def test_assembly_without_debug_information_has_only_function_lines() -> None:
    text = (FOLDER / "places_lines.s").read_text()
    found = inputs.read(text.replace("debug_info", "other").encode(), "k.s")
    assert not found.problems
    assert {row.line for row in found.rows} == {None}  # `.loc` lines of a body may be of what is inlined


def test_of_one_file_only_so_much_is_read() -> None:
    elf = Elf((FOLDER / "places_5.co").read_bytes())
    with pytest.raises(DwarfError, match="more than is read of one file"):
        list(of_code_object(elf, Effort(20)))
    with pytest.raises(DwarfError, match="more than is read of one file"):
        list(of_cubin(Elf((FOLDER / "places_sm_90.cubin").read_bytes()), Effort(4)))


def test_numbers_of_variable_length() -> None:
    assert [Cursor(bytes(data)).uleb() for data in ((0x7F,), (0xE5, 0x8E, 0x26))] == [127, 624_485]
    assert [Cursor(bytes(data)).sleb() for data in ((0x7F,), (0x3F,), (0x80, 0x7F))] == [-1, 63, -128]
    for data in (b"", b"\x80", b"\x80" * 40):
        with pytest.raises(DwarfError):
            Cursor(data).uleb()


def test_a_unit_that_is_longer_than_its_section() -> None:
    for data in (struct.pack("<I", 9) + b"\0" * 8, b"\xff" * 12):
        with pytest.raises(DwarfError, match="longer"):
            Cursor(data).length()


@pytest.mark.parametrize("name", OBJECTS)
def test_damaged_debug_sections_end_in_an_answer(name: str) -> None:
    """Bytes are changed in these sections alone, where most of an object's damage does not get to."""
    data, dice = (FOLDER / name).read_bytes(), random.Random(17)
    spans = [(each.offset, each.size) for each in Elf(data).sections if each.name.startswith((".debug", ".rel"))]
    for _ in range(40):
        mutant = bytearray(data)
        for _ in range(dice.randint(1, 3)):
            offset, size = dice.choice([span for span in spans if span[1]])
            mutant[offset + dice.randrange(size)] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
        found = inputs.read(bytes(mutant), name)
        assert found.rows
        assert all(row.line is None or row.line > 0 for row in found.rows)
