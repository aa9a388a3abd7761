"""`.githooks/commit-msg`: subjects are short and name their component."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from snippets import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("diff: Pair renamed kernels by body", ""),
        ("RP403: Report per-list counters as info", ""),
        ("Merge branch 'x'", ""),
        ("# a comment\ncheck: Explain silence", ""),
        ("Commands that a slip may mean, in two lines", "component first"),
        ("diff: pair renamed kernels", "component first"),
        (f"diff: Pair {'x' * 70}", "at most 72"),
    ],
)
def test_subjects_are_checked(tmp_path: Path, subject: str, reason: str) -> None:
    message = tmp_path / "message"
    message.write_text(f"{subject}\n\nA body of any length.\n")
    done = subprocess.run([ROOT / ".githooks" / "commit-msg", message], capture_output=True, text=True, check=False)
    assert (done.returncode, reason in done.stderr) == (int(bool(reason)), True)
