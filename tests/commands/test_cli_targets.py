"""`regpress-lint targets NAME`: every number of a GPU with its source and what checked it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from snippets import ROOT

from regpress_lint.__main__ import main
from regpress_lint.targets.occupancy import architecture, architectures

if TYPE_CHECKING:
    from pathlib import Path


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["targets", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")


@pytest.mark.parametrize("arguments", [[], ["h100"], ["mi300x", "pvc"]])
@pytest.mark.parametrize("width", [80, 100])
def test_no_line_is_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    _, out, _ = _run(capsys, *arguments)
    assert max(map(len, out.splitlines())) <= width


def test_one_architecture_in_detail(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = _run(capsys, "mi250x")
    lines = {line.split("  ")[0]: line for line in out.splitlines()}
    assert status == 0
    assert out.startswith("gfx90a: CDNA 2")
    assert " 512 " in lines["registers per SIMD"]
    assert "getTotalNumVGPRs" in lines["registers per SIMD"]
    # The LDS step is Mesa's word alone and marked so; the registers were compared with clang.
    assert re.search(r" 512 +- +Mesa", lines["LDS is handed out in, bytes"])
    assert "1: compared with the resource-usage remark of LLVM" in out
    assert "-: not compared with a vendor's tool" in out


@pytest.mark.parametrize("arch", [arch.name for arch in architectures()])
def test_every_architecture_has_its_details(capsys: pytest.CaptureFixture[str], arch: str) -> None:
    status, out, _ = _run(capsys, arch)
    assert status == 0
    assert out.startswith(f"{arch}: {architecture(arch).title}")
    assert out.count("\n") >= 15


def test_both_modes_and_wave_sizes_of_rdna_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(capsys, "gfx1100")
    assert "1536 (wave32), 768 (wave64)" in out
    assert "65536 (CU), 131072 (WGP)" in out


def test_several_names_each_once(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(capsys, "h100,sm_90", "a100")
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("sm_")] == ["sm_90", "sm_80"]


def test_json_has_every_number(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = _run(capsys, "gfx950", "max1550", "--output-format", "json")
    first, second = json.loads(out)["targets"]
    assert (first["name"], first["verified"], second["name"]) == ("gfx950", False, "pvc")
    assert {number["key"] for number in first["numbers"]} <= set(first["unverified"])
    checked = {number["key"]: number["check"] for number in second["numbers"]}
    assert checked["runtime_barrier_slots"] is None
    assert "Occupancy Calculator" in checked["barrier_slots"]


def test_unknown_name_is_wrong_use_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _run(capsys, "gfx90b")
    assert (status, out) == (2, "")
    assert "did you mean 'gfx90a'?" in err


def test_the_list_points_to_the_details(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = _run(capsys)
    assert status == 0
    assert "regpress-lint targets NAME" in out
    assert "gfx950*" in out


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sm_101a", "sm_101a is answered as sm_110"),
        ("gfx703", "gfx703 is answered as gfx70"),
        ("sm_90a", ""),
        ("h100", ""),
        ("gfx90a:xnack-", ""),
    ],
)
def test_name_of_another_compiler_is_answered_with_a_note(
    name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(ROOT / "testdata" / "sweep" / "tile.cu")
    assert main(["kernels", "--isolated", "--no-cache", "--arch", name, path]) == 0
    error = capsys.readouterr().err
    assert said in error
    assert ("is answered as" in error) == bool(said)


def test_a_name_in_the_configuration_is_answered_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.toml").write_text('arch = ["sm_101a", "gfx90a"]\n')
    (tmp_path / "regpress.toml").write_text('extend = "base.toml"\n')
    (tmp_path / "k.cu").write_text("__global__ void k(float* x) { x[threadIdx.x] = 1; }\n")
    assert main(["check", "--no-cache", "k.cu"]) == 0
    assert capsys.readouterr().err.count("sm_101a is answered as sm_110") == 1
    assert main(["check", "--no-cache", "--arch", "sm_90", "k.cu"]) == 0
    assert "answered as" not in capsys.readouterr().err
