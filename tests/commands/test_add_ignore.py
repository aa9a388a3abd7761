"""`check --add-ignore`: comments that silence exactly what is there, wherever the finding stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, codes, process, run

if TYPE_CHECKING:
    from pathlib import Path

LINE = "  x[i] = pow(x[i], 2.0);"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        (LINE, f"{LINE}  // regpress: ignore[RP201] measured in May"),
        (f"{LINE}  // square", f"  // regpress: ignore[RP201] measured in May\n{LINE}  // square"),
        (f"{LINE}  // regpress: ignore[RP403] why", f"{LINE}  // regpress: ignore[RP403, RP201] why"),
        (
            f"  x[i] ={' ' * 90}pow(x[i], 2.0);",
            f"  // regpress: ignore[RP201] measured in May\n  x[i] ={' ' * 90}pow(x[i], 2.0);",
        ),
        ("\tx[i] = /* here */ pow(x[i], 2.0);", None),
        ("  x[i] =\n      pow(x[i],\n          2.0);", None),
        ("  x[i] = pow(x[i], 2.0) + pow(x[i + 1], 2.0);", None),
    ],
)
@pytest.mark.parametrize("ending", [pytest.param("\n", marks=pytest.mark.slow), "\r\n"])
def test_it_silences_and_changes_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, after: str | None, ending: str
) -> None:
    path = tmp_path / "a.hip"
    path.write_bytes(HIP.replace(LINE, line).replace("\n", ending).encode())
    result = run(capsys, "check", "--add-ignore", "measured in May", "a.hip")
    assert result.status == 0
    assert result.err.startswith("silenced ")
    assert result.err.rstrip().endswith("in 1 file")
    written = path.read_bytes().decode()
    if after is not None:
        assert written == HIP.replace(LINE, after).replace("\n", ending)
    assert written.count(ending) == written.count("\n")
    assert "RP201" not in codes(capsys, "a.hip")
    before = path.read_bytes()
    assert run(capsys, "check", "--add-ignore", "again", "a.hip").err == ""
    assert path.read_bytes() == before


def test_the_comment_about_a_macro_is_above_its_first_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    macro = "#define SQUARE(v) \\\n  pow(v, 2.0)\n"
    text = HIP.replace("__global__", f"{macro}__global__").replace("pow(x[i], 2.0)", "SQUARE(x[i])")
    (tmp_path / "a.hip").write_text(text)
    result = run(capsys, "check", "--add-ignore", "r", "a.hip")
    assert result.status == 0
    assert (tmp_path / "a.hip").read_text() == text.replace(macro, f"// regpress: ignore[RP201] r\n{macro}")
    assert codes(capsys, "a.hip") == []


def test_no_comment_splits_a_continued_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The compiler sees both as one: a comment would end where the first does."""
    text = "__global__ void __launch_bounds__(256) square(double *x) \\\n{ *x = pow(*x, 2.0); } //\n"
    (tmp_path / "a.hip").write_text(text)
    assert codes(capsys, "a.hip") == ["RP201"]
    run(capsys, "check", "--add-ignore", "r", "a.hip")
    assert (tmp_path / "a.hip").read_text() == text
    (tmp_path / "a.hip").write_text(text + HIP)
    run(capsys, "check", "--add-ignore", "r", "a.hip")  # and what stands behind it is silenced
    assert (tmp_path / "a.hip").read_text() == text + HIP.replace(LINE, f"{LINE}  // regpress: ignore[RP201] r")


def test_a_reason_cannot_break_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(HIP)
    assert run(capsys, "check", "--add-ignore", "two\nlines \\", "a.hip").status == 0
    assert "// regpress: ignore[RP201] two lines\n" in (tmp_path / "a.hip").read_text()


def test_known_findings_are_skipped_and_wrong_use_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.hip").write_text(HIP)
    run(capsys, "baseline", "write")
    run(capsys, "check", "--add-ignore", "r", "a.hip")
    assert (tmp_path / "a.hip").read_text() == HIP
    assert run(capsys, "check", "--add-ignore", "r", "--fix", "a.hip").status == 2
    assert process("check", "-", "--add-ignore", "r", cwd=tmp_path, stdin=b"").returncode == 2
