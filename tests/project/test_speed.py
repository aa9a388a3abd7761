"""Other tools are found where they were installed, and their absence is said."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tools.measure.speed import program_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("folder", ["bin", "."])
def test_a_program_of_the_folder_finds_the_modules_beside_it(folder: str, tmp_path: Path) -> None:
    program = tmp_path / folder / "cpplint"
    program.parent.mkdir(exist_ok=True)
    program.write_text("#!/usr/bin/env python3\nimport cpplint_module\nprint(cpplint_module.NAME)\n")
    program.chmod(0o755)
    (tmp_path / "cpplint_module.py").write_text("NAME = 'found'\n")
    command = program_of("cpplint", str(tmp_path))
    assert command is not None
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "found\n"


def test_a_missing_tool_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program_of("ast-grep", "") is None
    assert capsys.readouterr().err == "ast-grep is not installed: the table has no row of it\n"
