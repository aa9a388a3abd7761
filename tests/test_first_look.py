"""What `check` shows first of many findings: the worst ones that fit, and how many others there are of each rule."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, ROOT, run

if TYPE_CHECKING:
    from pathlib import Path

VOLATILE = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) sum(float *x) {
  volatile float all = 0;
  for (int k = 0; k < 4; ++k) all = all + x[k];
  x[threadIdx.x] = all;
}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    for number in range(6):
        (tmp_path / f"a{number}.hip").write_text(HIP)
    (tmp_path / "z.hip").write_text(VOLATILE)
    (tmp_path / "regpress.toml").write_text('arch = "gfx90a"\nseverity = { RP401 = "error" }\n')


def on_a_terminal(lines: int, *arguments: str) -> list[str]:
    """Lines that a run prints on a terminal of so many lines and 100 columns."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, 100, 0, 0))
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}"}
    command = [sys.executable, "-m", "regpress_lint", *arguments]
    with subprocess.Popen(command, stdout=theirs, env=environment) as process:
        os.close(theirs)
        data = b""
        try:
            while piece := os.read(ours, 1 << 16):
                data += piece
        except OSError:  # Linux says so that the other end is closed
            pass
        os.close(ours)
        assert process.wait(timeout=60) == 1
    return data.decode().splitlines()


def test_the_worst_comes_first_and_the_others_are_counted_by_rule(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "check", "--top", "2").out
    assert out.index("error[RP401") < out.index("warning[RP201")
    assert out.count("[RP") == 2
    assert "\n5 more:\n  5  warning  RP201  pow-small-exponent\n" in out
    assert "`--top 0` shows all, `--select RP201` those of a rule." in out
    assert "\nFound 1 error and 6 warnings in 7 files" in out


@pytest.mark.parametrize("arguments", [(), ("--top", "0"), ("--top", "7"), ("--top", "99")])
def test_all_findings_keep_their_order(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    out = run(capsys, "check", *arguments).out
    assert out.count("[RP") == 7
    assert out.index("a0.hip") < out.index("error[RP401")
    assert " more:" not in out


def test_what_is_not_shown_counts_all_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "check", "--top", "1", "--output", "json:all.json", "a0.hip", "a1.hip")
    assert result.status == 1
    assert len(json.loads((tmp_path / "all.json").read_text())["diagnostics"]) == 2


@pytest.mark.parametrize("arguments", [("--top", "x"), ("--top", "-1"), ("--top", "3", "--output-format", "json")])
def test_wrong_use_is_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    result = run(capsys, "check", *arguments)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert "--top" in result.err


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_on_a_terminal_it_fits_the_screen() -> None:
    lines = on_a_terminal(36, "check")
    assert len(lines) < 36
    text = "\n".join(lines)
    assert text.index("error[RP401") < text.index("warning[RP201")
    assert " more:" in text
    tall = on_a_terminal(200, "check")
    assert "\n".join(tall).count("[RP") == 7
    tiny = on_a_terminal(5, "check")
    assert "\n".join(tiny).count("[RP") == 1
