"""The README's pictures are right: its kernel is compiled, and the estimates shown contain the compiler's numbers."""

from __future__ import annotations

import csv
import json
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import compilers
import pytest
from snippets import ROOT

from regpress_lint.__main__ import main
from regpress_lint.cli.parser import COMMANDS
from tools.generators import pictures, result_tables

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


def test_promised_waves_match_the_fixed_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    before, after, tried = re.findall(r"(\d+) waves", words("finding.svg"))
    occupancy = [
        estimate(STRAIN / name, capsys)["occupancy"]["waves_per_simd"] for name in ("strain.hip", "strain_fixed.hip")
    ]
    assert occupancy == [int(before), int(after)]
    assert tried == after


@pytest.mark.compiler
@pytest.mark.parametrize(("name", "index"), [("strain.hip", 0), ("strain_fixed.hip", 1)])
def test_band_of_the_picture_contains_clangs_number(
    name: str, index: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compilers.need(".hip")
    (used,) = compilers.allocations((STRAIN / name).read_text(encoding="utf-8"), ".hip", tmp_path).values()
    registers = estimate(STRAIN / name, capsys)["registers"]
    assert registers["low"] <= used.registers <= registers["high"]
    assert used.scratch_bytes == 0
    for page in (README, FIRST_STEPS):
        (numbers,) = USED.findall(page)
        assert int(numbers[index]) == used.registers


# -------------------------------------------------------------------------------------------------------- statements

STATEMENTS = ROOT / "tools" / "measure" / "results" / "front_page.csv"
_NOT_PROSE = re.compile(r"```.*?```|<!--.*?-->|!\[[^]]*\]\([^)]*\)|^[|#].*?$", re.DOTALL | re.MULTILINE)


def sentences() -> list[str]:
    """The README's sentences, without code, pictures, tables, headings, and targets of links."""
    prose = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", _NOT_PROSE.sub("", README)).replace("**", "")
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", prose))
    return [each for part in paragraphs if part for each in re.split(r"(?<=[.:])\s+(?=[A-Z`*])", part)]


def pairs() -> list[tuple[str, str]]:
    with STATEMENTS.open(encoding="utf-8", newline="") as rows:
        return [(row["statement"], row["command"]) for row in csv.DictReader(rows)]


def test_every_statement_has_a_command() -> None:
    known = [statement for statement, _ in pairs()]
    assert [sentence for sentence in sentences() if not any(each in sentence for each in known)] == []
    text = " ".join(sentences())
    assert [each for each in known if each not in text] == []


@pytest.mark.parametrize("command", [command for _, command in pairs()])
def test_the_command_of_a_statement_exists(command: str) -> None:
    program, *words = shlex.split(command)
    if program == "regpress-lint":
        assert words[0] in COMMANDS
        paths = [word for word in words[1:] if "/" in word]
    else:
        assert (program, words[0]) == ("python", "-m")
        if words[1] != "pytest":
            assert (ROOT / f"{words[1].replace('.', '/')}.py").is_file()
        paths = [word for word in words[2:] if "/" in word]
    for path in paths:
        file, _, test = path.partition("::")
        assert (ROOT / file).exists(), path
        assert not test or f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), path


def test_check_needs_no_other_program() -> None:
    command = [sys.executable, "-m", "regpress_lint", "check", "--no-cache", "--isolated", "examples/strain/strain.hip"]
    done = subprocess.run(command, cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert "RP301" in done.stdout


def test_counts_of_timed_changes_match_the_data() -> None:
    counts = {}
    for by in ("tool", "hand"):
        gains = [float(row["gain"]) for row in result_tables.rows_of("changes.csv") if row["by"] == by]
        counts[by] = [
            len(gains),
            *(sum(map(test, gains)) for test in (result_tables._is_faster, result_tables._is_slower)),
        ]
    tool, hand = counts["tool"], counts["hand"]
    text = " ".join(README.split())
    assert f"{tool[1]} of {tool[0]} automatic fixes in HeCBench made their kernel faster and none slower" in text
    assert tool[2] == 0
    assert f"{hand[1]} of {hand[0]} changes by hand made it faster and {hand[2]} slower" in text
