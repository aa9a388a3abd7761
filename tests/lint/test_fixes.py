"""Fixes on bytes: selection, overlaps, line endings and differences that git and patch apply."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from regpress_lint.core import fixes
from regpress_lint.core.diagnostics import Applicability, Diagnostic, Location, ResolvedEdit, ResolvedFix, Severity
from regpress_lint.core.source import BOM, Position, Source

if TYPE_CHECKING:
    from pathlib import Path


def at(byte: int) -> Position:
    return Position(1, byte + 1, byte + 1, byte + 1, byte)


def fix(*edits: tuple[int, int, str], applicability: Applicability = "safe") -> ResolvedFix:
    return ResolvedFix("t", applicability, tuple(ResolvedEdit(at(start), at(end), text) for start, end, text in edits))


def diagnostic(path: str, repair: ResolvedFix | None) -> Diagnostic:
    return Diagnostic(
        code="RP201",
        name="n",
        severity=Severity.WARNING,
        location=Location(path, at(0), at(1), ""),
        message="m",
        fix=repair,
    )


def test_collect_takes_safe_fixes_and_unsafe_ones_on_request() -> None:
    safe, unsafe = fix((0, 1, "s")), fix((2, 3, "u"), applicability="unsafe")
    found = [diagnostic("b", safe), diagnostic("a", unsafe), diagnostic("b", unsafe), diagnostic("c", None)]
    assert fixes.collect(found) == {"b": [safe]}
    assert fixes.collect(found, unsafe=True) == {"b": [safe, unsafe], "a": [unsafe]}
    assert fixes.collect([diagnostic("a", fix())]) == {}


@pytest.mark.parametrize(
    ("repairs", "result", "count"),
    [
        ([], b"abcdef", 0),
        ([fix((0, 2, "X")), fix((4, 5, ""))], b"Xcdf", 2),
        ([fix((4, 5, "Y")), fix((0, 2, "X"))], b"XcdYf", 2),  # any order in
        ([fix((1, 4, "Y")), fix((0, 2, "X"))], b"Xcdef", 1),  # first by position wins
        ([fix((0, 1, "X"), (4, 6, "Z")), fix((5, 6, "Y")), fix((2, 3, "W"))], b"XbWdZ", 2),  # second edit overlaps
        ([fix((0, 1, "X")), fix((0, 1, "X"), (3, 4, "Y"))], b"Xbcdef", 1),  # all or nothing
        ([fix((2, 2, "X")), fix((2, 2, "Y"))], b"abXcdef", 1),  # two insertions: their order would be a guess
        ([fix((2, 4, "X")), fix((4, 4, "Y"))], b"abXef", 1),  # an insertion that touches
        ([fix((2, 4, "X")), fix((4, 5, "Y"))], b"abXYf", 2),  # neighbours
        ([fix((0, 2, "X"), (1, 3, "Y")), fix((5, 6, "Z"))], b"abcdeZ", 1),  # overlaps itself
        ([fix((3, 7, "X"))], b"abcdef", 0),  # outside
        ([fix((6, 6, "X"))], b"abcdefX", 1),
        ([fix((0, 6, ""))], b"", 1),
    ],
)
def test_apply(repairs: list[ResolvedFix], result: bytes, count: int) -> None:
    assert fixes.apply(b"abcdef", repairs) == (result, count)


def test_apply_keeps_bom_crlf_astral_characters_and_invalid_bytes() -> None:
    data = BOM + "/* 𐐀 */ pow(x, 2.0);\r\n".encode() + b"\xff\r\n"
    source = Source("a.hip", data)
    start = data.index(b"pow")
    edit = ResolvedEdit(source.position(start), source.position(start + len("pow(x, 2.0)")), "x *\n  x")
    expected = BOM + "/* 𐐀 */ x *\r\n  x;\r\n".encode() + b"\xff\r\n"
    assert fixes.apply(data, [ResolvedFix("t", "safe", (edit,))]) == (expected, 1)
    assert fixes.apply(b"a\n", [fix((0, 1, "𐐀\udcff"))]) == ("𐐀".encode() + b"\xff\n", 1)


def greedy(data: bytes, repairs: list[ResolvedFix]) -> tuple[bytes, int]:
    """`fixes.apply` by comparing everything with everything, on files with LF endings."""
    taken: list[ResolvedEdit] = []
    count = 0
    for repair in sorted(repairs, key=lambda item: [(e.start.byte, e.end.byte) for e in item.edits]):
        ends = [0, *(bound for edit in repair.edits for bound in (edit.start.byte, edit.end.byte)), len(data)]
        apart = all(
            one.end.byte < two.start.byte
            or two.end.byte < one.start.byte
            or (one.end.byte == two.start.byte and one.start.byte < one.end.byte and two.start.byte < two.end.byte)
            or (two.end.byte == one.start.byte and one.start.byte < one.end.byte and two.start.byte < two.end.byte)
            for one in taken
            for two in repair.edits
        )
        if ends == sorted(ends) and apart:
            taken += repair.edits
            count += 1
    for edit in sorted(taken, key=lambda item: (item.start.byte, item.end.byte), reverse=True):
        data = data[: edit.start.byte] + edit.text.encode() + data[edit.end.byte :]
    return data, count


@given(
    st.binary(max_size=30).filter(lambda data: b"\r\n" not in data),
    st.lists(st.lists(st.tuples(st.integers(0, 32), st.integers(0, 6)), min_size=1, max_size=3), max_size=8),
)
def test_apply_agrees_with_the_plain_algorithm(data: bytes, ranges: list[list[tuple[int, int]]]) -> None:
    repairs = [
        fix(*((start, start + size, f"<{index}>") for start, size in sorted(group)))
        for index, group in enumerate(ranges)
    ]
    assert fixes.apply(data, repairs) == greedy(data, repairs)


CASES = {
    "plain": (b"a\nb\nc\n", b"a\nB\nc\n"),
    "crlf": (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
    "no final newline": (b"a\nb", b"a\nB"),
    "newline added": (b"a\nb", b"a\nb\n"),
    "newline removed": (b"a\nb\n", b"a\nb"),
    "invalid utf-8": (b"\xff\nb\xfe\n", b"\xff\nB\xfe\n"),
    "form feed and lone cr": (b"a\x0cb\rc\nd\n", b"a\x0cb\rc\nD\n"),
    "bom and astral": (BOM + "𐐀\r\nx\r\n".encode(), BOM + "𐐀\r\ny\r\n".encode()),
    "emptied": (b"a\n", b""),
    "far apart": (b"x\n" * 30, b"y\n" + b"x\n" * 28 + b"z\n"),
}


@pytest.mark.parametrize("name", ["src/k.hip", "a b.hip", 'é".hip', "t\ta\n.hip"])
@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_git_applies_the_difference(tmp_path: Path, name: str, case: tuple[bytes, bytes]) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    before, after = case
    target = tmp_path / name
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(before)
    text = fixes.unified_diff(name, before, after)
    (tmp_path / "d.patch").write_bytes(text.encode("utf-8", "surrogateescape"))
    command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "d.patch"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + text
    assert target.read_bytes() == after


def test_no_difference_is_empty_and_absolute_paths_lose_their_slash() -> None:
    assert fixes.unified_diff("a", b"x", b"x") == ""
    assert fixes.unified_diff("/r/a", b"x\n", b"y\n").splitlines()[:2] == ["--- a/r/a", "+++ b/r/a"]
