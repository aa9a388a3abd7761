"""The first look at much: the worst findings and counts by rule, at most a screen; and where one is explained."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import CLEAN, HIP, ROOT, SQUARE, run
from format_samples import LBM, locate

from regpress_lint.core.diagnostics import Diagnostic, Related, Report, Severity
from regpress_lint.render import render
from regpress_lint.render.text import worst_first

if TYPE_CHECKING:
    from pathlib import Path

PLACE = locate(LBM, "pow(x, 2.0)")
MANY = HIP.replace(f"  x[i] = {SQUARE};\n", f"  x[i] = {SQUARE};\n" * 30)


def finding(code: str, severity: Severity, message: str = "costs") -> Diagnostic:
    return Diagnostic(
        code=code,
        name=f"name-{code.lower()}",
        severity=severity,
        location=PLACE,
        message=message,
        related=(Related(PLACE, "a note"),),
    )


def summed(diagnostics: list[Diagnostic], height: int = 40, width: int = 100) -> list[str]:
    return "".join(
        render("summary", Report(diagnostics=tuple(diagnostics), files=3, kernels=9), height=height, width=width)
    ).split("\n")


@pytest.mark.parametrize("height", [24, 40, 60])
@pytest.mark.parametrize("rules", [1, 9, 40])
def test_it_is_at_most_a_screen(height: int, rules: int) -> None:
    found = [finding(f"RP{number % rules:03}", Severity(number % 3 + 1)) for number in range(200)]
    lines = summed(found, height)
    assert height // 2 < len(lines) <= height
    assert max(map(len, lines)) <= 100


def test_worst_finding_is_first_and_each_rule_appears_once_before_repeats() -> None:
    rows = [("A", 2), ("A", 2), ("B", 2), ("B", 2), ("B", 2), ("C", 1), ("D", 3)]
    ordered = worst_first([finding(code, Severity(severity)) for code, severity in rows])
    assert [each.code for each in ordered] == ["D", "B", "A", "B", "A", "B", "C"]


def test_counts_by_rule_and_by_severity() -> None:
    found = [finding("RP201", Severity.WARNING)] * 40 + [finding("RP101", Severity.INFO)] * 2
    lines = summed([*found, finding("RP101", Severity.ERROR)])
    assert "1 error, 2 info  RP101 name-rp101" in lines
    assert "40 warning       RP201 name-rp201" in lines
    assert lines[-3:] == [
        "All of them: --output-format full, or concise for a line each.",
        "Explain one: `regpress-lint rule RP101`",
        "",
    ]
    assert not [line for line in lines if "a note" in line]


def test_short_output_has_no_counts_by_rule() -> None:
    lines = summed([finding("RP201", Severity.WARNING)])
    assert lines[-3:] == ["Found 1 warning in 3 files (9 kernels).", "Explain one: `regpress-lint rule RP201`", ""]
    assert not [line for line in lines if line.startswith(("1 warning", "All of them"))]
    assert summed([]) == ["No findings in 9 kernels of 3 files.", ""]


def test_full_output_ends_with_where_a_finding_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(MANY)
    (tmp_path / "clean.hip").write_text(CLEAN)
    out = run(capsys, "check", tmp_path / "a.hip").out
    assert out.endswith("\nExplain one: `regpress-lint rule RP201`\n")
    assert out.count("[RP201 ") == 30, "all of them, where nobody watches"
    assert "Explain" not in run(capsys, "check", tmp_path / "clean.hip").out
    assert "Explain" not in run(capsys, "check", tmp_path / "a.hip", "--output-format", "concise").out


@pytest.mark.parametrize("form", ["full", "summary"])
def test_quiet_prints_only_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    (tmp_path / "a.hip").write_text(MANY)
    (tmp_path / "clean.hip").write_text(CLEAN)
    loud = run(capsys, "check", tmp_path / "a.hip", "--output-format", form)
    quiet = run(capsys, "check", "-q", tmp_path / "a.hip", "--output-format", form)
    assert loud.status == quiet.status == 1
    shown, beside = quiet.out.count("[RP201 "), loud.out.count("[RP201 ")
    assert shown == beside == 30 if form == "full" else shown >= beside > 0  # a summary is as long as a screen
    assert not [line for line in quiet.out.splitlines() if line.startswith(("Found", "Explain", "All of them"))]
    assert run(capsys, "check", "--quiet", tmp_path / "clean.hip").out == ""
    fixed = run(capsys, "check", "--fix", "--unsafe-fixes", "--quiet", tmp_path / "a.hip")
    assert (fixed.status, fixed.out, fixed.err) == (0, "", "")


@pytest.mark.parametrize(
    ("flags", "most"),
    [
        ((), 24),
        pytest.param(("--output-format", "full"), 1000, marks=pytest.mark.slow),
        (("--output-format", "concise"), 31),
    ],
)
def test_long_output_on_a_terminal_is_summed_up_by_default(tmp_path: Path, flags: tuple[str, ...], most: int) -> None:
    (tmp_path / "a.hip").write_text(MANY)
    ours, theirs = os.openpty()
    path = os.pathsep.join((str(ROOT), str(ROOT / "rules")))
    environ = {k: v for k, v in os.environ.items() if k not in ("GITHUB_ACTIONS", "COLUMNS")}
    command = [sys.executable, "-m", "regpress_lint", "check", "a.hip", *flags]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environ | {"PYTHONPATH": path, "LINES": "24"}, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
    os.close(ours)
    assert process.wait(timeout=60) == 1
    progress = re.compile(r"(\x1b\[K)?\d+ of \d+ files")  # of a slow machine
    lines = [line for line in shown.decode().splitlines() if progress.fullmatch(line) is None]
    assert (len(lines) <= most) is True
    assert (len(lines) > 24) is bool(flags)


def test_languages_that_are_judged_for_different_gpus_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.hip").write_text(HIP)
    said = "Without --arch each language has its own GPU: CUDA for sm_90, HIP for gfx90a."
    assert "Without --arch" not in run(capsys, "check", tmp_path).out
    (tmp_path / "b.cu").write_text("__global__ void k(float* x) { x[threadIdx.x] = __ldg(x); }\n")
    assert said in run(capsys, "check", tmp_path).out
    assert said in run(capsys, "check", "--output-format", "summary", tmp_path).out
    assert "Without --arch" not in run(capsys, "check", "--arch", "sm_90", tmp_path).out


def test_a_finding_of_two_kernels_is_shown_for_either(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "__global__ void {0}(double* x) {{ x[threadIdx.x] = SQUARE(x[threadIdx.x]); }}\n"
    text = "#define SQUARE(v) pow(v, 2.0)\n" + "".join(map(body.format, ("first", "second")))
    (tmp_path / "a.hip").write_text(text)
    for name in ("first", "second"):
        out = run(capsys, "check", "--kernel", name, tmp_path / "a.hip").out
        assert "kernels: first, second" in out
        assert out.count("used here") == 2
