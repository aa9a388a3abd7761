"""The README's pictures are right: its kernel is compiled, and the estimates shown contain the compiler's numbers."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import compilers
import pytest
from snippets import ROOT

from regpress_lint.__main__ import main
from tools.generators import pictures

if TYPE_CHECKING:
    from pathlib import Path

STRAIN = ROOT / "examples" / "strain"
README = (ROOT / "README.md").read_text(encoding="utf-8")
FIRST_STEPS = (ROOT / "docs" / "first-steps.md").read_text(encoding="utf-8")
USED = re.compile(r"clang(?: 19\.1\.7)? uses (\d+) VGPRs[^.]*?(\d+)")


def estimate(source: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What `kernels` says of the only kernel of a file."""
    capsys.readouterr()
    assert (
        main(["kernels", "--isolated", "--no-cache", "--arch", "gfx90a", "--output-format", "json", str(source)]) == 0
    )
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    return dict(kernel["targets"]["gfx90a"])


def words(name: str) -> str:
    return " ".join(" ".join(ElementTree.fromstring(pictures.pictures()[name]).itertext()).split())


@pytest.mark.slow
def test_all_pictures_show_the_same_estimate() -> None:
    (whole,) = re.findall(r"estimate (\d+) registers per thread \((\d+) to (\d+)\)", words("pressure.svg"))
    (shown,) = re.findall(r"estimate (\d+) on gfx90a", words("finding.svg"))
    assert shown == whole[0]
    assert f"gfx90a {whole[0]} {whole[1]}-{whole[2]}" in words("kernels.svg")


def test_the_waves_that_the_finding_promises_are_those_of_the_fixed_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    (before, after) = re.findall(r"(\d+) waves", words("finding.svg"))
    occupancy = [
        estimate(STRAIN / name, capsys)["occupancy"]["waves_per_simd"] for name in ("strain.hip", "strain_fixed.hip")
    ]
    assert occupancy == [int(before), int(after)]


@pytest.mark.compiler
@pytest.mark.parametrize(("name", "index"), [("strain.hip", 0), ("strain_fixed.hip", 1)])
def test_the_band_of_the_picture_contains_what_clang_uses(
    name: str, index: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = compilers.missing(".hip")
    if reason is not None:
        pytest.skip(reason)
    (used,) = compilers.allocations((STRAIN / name).read_text(encoding="utf-8"), ".hip", tmp_path).values()
    registers = estimate(STRAIN / name, capsys)["registers"]
    assert registers["low"] <= used.registers <= registers["high"]
    assert used.scratch_bytes == 0
    for page in (README, FIRST_STEPS):
        (numbers,) = USED.findall(page)
        assert int(numbers[index]) == used.registers
