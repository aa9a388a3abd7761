"""Pointing the linter at the wrong thing prints one line that names it and says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint.cli.parser import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

NONE_HERE = "no HIP, CUDA, SYCL or OpenCL code in the one file here; name the folders or files that have kernels"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "main.cpp").write_text("int main() { return 0; }\n")


@pytest.mark.parametrize("command", [("check",), ("kernels",), ("baseline", "check"), ("verify",)])
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("empty", 'no C++ or GPU source in folder "empty" (git-ignored and excluded files are left out)'),
        ("hots", 'no such file or folder: "hots", did you mean "host"?'),
        ("host", NONE_HERE),
    ],
)
def test_a_place_without_kernels_is_one_line(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...], path: str, said: str
) -> None:
    assert run(capsys, *command, path) == (2, "", f"regpress-lint: error: {said}\n")


def test_empty_report_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "report", "-o", "r.html", "host") == (2, "", f"regpress-lint: error: {NONE_HERE}\n")


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"ir"}))
def test_a_command_with_a_slip_is_named(capsys: pytest.CaptureFixture[str], command: str) -> None:
    slip = command[:2] + command[1] + command[2:]
    said = f'no such file, folder or command: "{slip}", did you mean "{command}"?'
    assert run(capsys, slip) == (2, "", f"regpress-lint: error: {said}\n")


def test_clean_result_without_kernels_is_distinguished(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "check", "host/main.cpp")
    assert (result.status, result.out) == (0, "No findings: no file with GPU code was looked at.\n")
