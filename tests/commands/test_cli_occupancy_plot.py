"""`occupancy --plot`: well-formed, self-contained, marks the kernel's occupancy, and no label hides another."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint.commands.occupancy.answer import answer
from regpress_lint.commands.occupancy.plot import panel
from regpress_lint.commands.occupancy.svg import frame_of, render
from regpress_lint.targets.occupancy import KernelUse, architecture, architectures, grf_budget

if TYPE_CHECKING:
    from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)


def draw(capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: str, status: int = 0) -> ET.Element:
    result = run(capsys, "occupancy", *arguments.split(), "--plot", "a.svg")
    assert result.status == status
    assert result.out
    return ET.fromstring((tmp_path / "a.svg").read_text("utf-8"))


def texts(picture: ET.Element) -> list[str]:
    return ["".join(each.itertext()) for each in picture.iter(f"{SVG}text")]


def test_the_standard_example(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = draw(capsys, tmp_path, "--arch mi250x --registers 102")
    shown = texts(picture)
    assert "102 registers: 4 of 8 waves" in shown
    assert "96 registers: 5 waves" in shown
    assert "4 of 8 waves per SIMD (50%), limited by registers" in shown
    assert {"64", "72", "80", "96", "128", "168", "256", "512", "100%", "registers per thread", "free"} < set(shown)
    assert {"registers allow 4", "LDS: no limit", "block size allows 8", "resident waves"} < set(shown)
    assert picture.findtext(f"{SVG}title") == "Occupancy: gfx90a"
    assert "limited by registers" in (picture.findtext(f"{SVG}desc") or "")
    assert len(list(picture.iter(f"{SVG}circle"))) == 2


def test_it_depends_on_nothing_outside(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = draw(capsys, tmp_path, "--arch mi250x,gfx1100,sm_90,pvc --registers 102 --lds 20K")
    assert {each.tag.removeprefix(SVG) for each in picture.iter()} == {
        *("svg", "title", "desc", "rect", "g", "text", "tspan", "clipPath", "path", "circle")
    }
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert "nan" not in text
    assert re.findall(r"url\([^)]*\)", text) == [f"url(#plot{index})" for index in range(4)]


def test_ties_spills_and_impossible_launches(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tie = texts(draw(capsys, tmp_path, "--arch mi250x --registers 102 --lds 16K"))
    assert "4 of 8 waves per SIMD (50%), limited by registers and LDS" in tie
    assert not any("5 waves" in text for text in tie)  # fewer registers alone gain none
    spilled = texts(draw(capsys, tmp_path, "--arch pvc --registers 76"))
    assert "76 registers: 8 of 8 hardware threads, 12 spilled" in spilled
    assert "register mode allows 8" in spilled
    large = texts(draw(capsys, tmp_path, "--arch pvc --registers 150 --grf 256"))
    assert "150 registers: 4 of 8 hardware threads, 22 spilled" in large
    assert "register mode allows 4" in large
    assert "4 of 8 hardware threads per EU (50%), limited by hardware thread slots of the 256 GRF mode" in large
    impossible = draw(capsys, tmp_path, "--arch sm_80 --registers 200 --block 288", status=2)
    assert any(text.startswith("cannot work: ") for text in texts(impossible))
    assert not list(impossible.iter(f"{SVG}circle"))


@pytest.mark.parametrize(
    ("sweep", "expected"),
    [
        ("lds", ["20 KiB of LDS: 3 of 8 waves", "16 KiB of LDS: 4 waves", "LDS per block, KiB", "10.5"]),
        ("block", ["blocks of 256: 3 of 8 waves", "threads per block", "1024"]),
        ("sgprs", ["90 SGPRs: 3 of 8 waves", "SGPRs per wave", "SGPRs allow 8"]),
    ],
)
def test_other_axes(capsys: pytest.CaptureFixture[str], tmp_path: Path, sweep: str, expected: list[str]) -> None:
    sgprs = "--sgprs 90" if sweep == "sgprs" else ""
    picture = draw(capsys, tmp_path, f"--arch mi250x --registers 40 --lds 20K --sweep {sweep} {sgprs}")
    shown = texts(picture)
    assert [text for text in expected if text not in shown] == []


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("a.png", '"a.png" must end in .svg'),
        ("absent/a.svg", 'the folder "absent" does not exist'),
        ("folder.svg", '"folder.svg" is a folder'),
    ],
)
def test_a_file_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, file: str, expected: str
) -> None:
    (tmp_path / "folder.svg").mkdir()
    result = run(capsys, "occupancy", "--arch", "sm_90", "--registers", "8", "--plot", file)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert expected in result.err


def test_text_is_escaped() -> None:
    mine = panel(answer(architecture("sm_90"), KernelUse(vgprs=8)), "registers")
    hostile = mine._replace(name='<script>"&', title="\x00]]>", kernel="</text>")
    picture = ET.fromstring(render([hostile]))
    assert texts(picture)[0].startswith('<script>"&')
    assert not list(picture.iter(f"{SVG}script"))


@pytest.mark.parametrize("resource", ["registers", "lds_bytes", "block_size"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(arch.name, marks=() if arch.name in ("gfx90a", "gfx1201", "sm_90", "pvc") else pytest.mark.slow)
        for arch in architectures()
    ],
)
def test_marks_are_on_the_curve_and_labels_inside(name: str, resource: str) -> None:
    arch = architecture(name)
    modes = arch.grf_modes
    for use in (KernelUse(vgprs=30), KernelUse(vgprs=120, lds_bytes=20_000, block_size=192)):
        mine = panel(answer(arch, use), resource)  # type: ignore[arg-type]
        frame = frame_of(mine, 640, 540)
        for mark in (mine.mark, mine.next):
            if mark is None:
                continue
            index = next(i for i, edge in enumerate(mine.edges[1:]) if mark.x <= edge)
            # The curve shows the smallest register mode that is enough: a kernel in a larger one is below it.
            smaller = any(
                mode.registers < use.grf and use.vgprs <= grf_budget(arch, 32, mode.registers) for mode in modes
            )
            below = resource == "registers" and smaller and mark is mine.mark
            now = answer(arch, use).now
            assert mark.y == (now.waves / now.simds if below else mine.resident[index])
        picture = ET.fromstring(render([mine, mine]))
        boxes = [
            tuple(float(each.get(key, "0")) for key in ("x", "y", "width", "height"))
            for each in picture.find(f"{SVG}g") or ()
            if each.tag == f"{SVG}rect" and each.get("rx") == "5"
        ]
        assert all(x >= 60 and x + width <= frame.right + 1 and y > 70 for x, y, width, _ in boxes)
        for i, (x, y, width, height) in enumerate(boxes):
            assert all(x > a + w or a > x + width or y > b + h or b > y + height for a, b, w, h in boxes[:i])
