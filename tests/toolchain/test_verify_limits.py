"""How long `verify` takes and how much at once: --budget, -j, and a line that says how far it is."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run
from test_verify_command import compiler

from regpress_lint.cli import progress

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(autouse=True)
def _two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    for name in ("a.hip", "b.hip"):
        Path(name).write_text(HIP)


def arguments(folder: Path, seconds: float, *more: str) -> Sequence[str | Path]:
    """Those of `verify` with a compiler that takes so long, and notes when it begins and ends."""
    fake = compiler(folder, 30)
    fake.write_text(f"{fake.read_text()}sleep {seconds}\necho end >> '{folder}/runs'\n")
    return (
        "verify",
        "a.hip",
        "b.hip",
        "--isolated",
        "--no-cache",
        "--arch",
        "gfx90a",
        "--unsafe-fixes",
        "--compiler",
        fake,
        *more,
    )


def test_nothing_is_begun_after_the_budget(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    given = arguments(tmp_path, 1.2, "--budget", "1", "-j", "1", "--output-format", "json")
    found = json.loads(run(capsys, *given).out)
    assert found["compiled"] == (tmp_path / "runs").read_text().count("run") == 1
    assert [finding["verdict"] for finding in found["findings"]] == ["unverified", "unverified"]


@pytest.mark.parametrize(("jobs", "most"), [("1", 1), ("2", 2)])
def test_so_many_compilers_run_at_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, jobs: str, most: int
) -> None:
    assert run(capsys, *arguments(tmp_path, 0.3, "-j", jobs)).status == 0
    running = [0]
    for word in (tmp_path / "runs").read_text().split():
        running.append(running[-1] + (1 if word == "run" else -1))
    assert (max(running), running[-1]) == (most, 0)


def test_progress_is_shown_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from regpress_lint.__main__ import main

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_PACE", 0.0)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main([str(word) for word in arguments(tmp_path, 0)]) == 0
    assert "1 of 2 files" in terminal.getvalue()
