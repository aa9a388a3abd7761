"""`--fix` and `--diff` apply the fixes of printed findings and no others, however the run is narrowed."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import EXACT, HIP, run

if TYPE_CHECKING:
    from pathlib import Path

FIX = ("check", "a.hip", "--fix", "--unsafe-fixes", "--no-cache")
DIFF = ("check", "a.hip", "--diff", "--unsafe-fixes", "--no-cache")
SECOND = "__global__ void __launch_bounds__(256) again(double *y, int i) { y[i] = pow(y[i], 2.0); }\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with `a.hip`, which has one finding."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hip").write_text(HIP)
    return tmp_path


def git(*arguments: str) -> None:
    named = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(("git", *named, *arguments), check=True, capture_output=True)


def removed(diff: str) -> list[str]:
    """Lines that a difference takes away."""
    return [line[1:].strip() for line in diff.splitlines() if line.startswith("-") and not line.startswith("---")]


def test_baseline_findings_are_not_fixed(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    run(capsys, "baseline", "write", "a.hip", "--reason", "compared bit for bit with the CPU")
    (here / "a.hip").write_text(HIP + SECOND)
    assert [line for line in removed(run(capsys, *DIFF).out) if "x[i]" in line] == []
    result = run(capsys, *FIX)
    assert "fixed 1 finding in 1 file" in result.err
    assert (here / "a.hip").read_text() == HIP + SECOND.replace("pow(y[i], 2.0)", "y[i] * y[i]")


def test_untouched_code_of_a_branch_is_not_fixed(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    (here / "a.hip").write_text(HIP + SECOND)
    run(capsys, *FIX, "--since", "HEAD")
    assert (here / "a.hip").read_text() == HIP + SECOND.replace("pow(y[i], 2.0)", "y[i] * y[i]")


def test_unconfirmed_findings_are_hidden(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "a.hip").write_text(HIP + SECOND)
    proof = {
        "version": 1,
        "findings": [
            {"verdict": verdict, "code": "RP201", "path": "a.hip", "kernel": kernel, "line": line, "targets": {}}
            for verdict, kernel, line in (("refuted", "square", 4), ("confirmed", "again", 6))
        ],
    }
    (here / "proof.json").write_text(json.dumps(proof))
    shown = run(capsys, *DIFF, "--confirmed", "proof.json").out
    assert removed(shown) == [SECOND.strip()]


def test_silenced_and_minor_findings_are_not_fixed(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    silent = HIP.replace("2.0);", "2.0);  // regpress: ignore[RP201]")
    (here / "a.hip").write_text(silent + SECOND)
    run(capsys, *FIX)
    assert (here / "a.hip").read_text() == silent + SECOND.replace("pow(y[i], 2.0)", "y[i] * y[i]")
    run(capsys, *FIX, "--min-severity", "error")
    (here / "a.hip").write_text(HIP)
    run(capsys, *FIX, "--min-severity", "error")
    assert (here / "a.hip").read_text() == HIP


def test_a_later_round_makes_no_fix_that_was_not_printed(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """A power in a power takes two rounds; what another kernel has meanwhile is not printed, and stays."""
    nested = HIP.replace("pow(x[i], 2.0)", "pow(pow(x[i], 2.0), 2.0)")
    run(capsys, "baseline", "write", "a.hip")
    (here / "a.hip").write_text(nested.replace("square", "twice") + HIP.partition("\n")[2])
    run(capsys, *FIX)
    text = (here / "a.hip").read_text()
    assert text.count("pow(") == 1
    assert text.endswith(HIP.partition("\n")[2])


@pytest.mark.parametrize("text", [EXACT, HIP])
def test_standard_input_is_narrowed_alike(capsys: pytest.CaptureFixture[str], here: Path, text: str) -> None:
    (here / "a.hip").write_text(text)
    run(capsys, "baseline", "write", "a.hip")
    done = subprocess.run(
        (sys.executable, "-m", "regpress_lint", "check", "-", "--stdin-filename", "a.hip", "--fix", "--unsafe-fixes"),
        input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == text


def test_names_that_are_one_file_stay_one_file(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    os.link("a.hip", "other.hip")
    run(capsys, *FIX)
    assert (here / "a.hip").samefile(here / "other.hip")
    assert "x[i] * x[i]" in (here / "other.hip").read_text()
    assert sorted(path.name for path in here.iterdir()) == ["a.hip", "other.hip"]


@pytest.mark.skipif(os.geteuid() != 0, reason="root may give files away")
def test_root_leaves_a_file_to_its_owner(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    os.chown("a.hip", 1234, 4321)
    run(capsys, *FIX)
    known = (here / "a.hip").stat()
    assert (known.st_uid, known.st_gid) == (1234, 4321)
    assert "x[i] * x[i]" in (here / "a.hip").read_text()


def test_a_link_of_the_repository_leads_to_no_file_outside(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """Nobody named that file: the link came with the repository. One to another file inside is followed."""
    (here / "tree" / "inside").mkdir(parents=True)
    (here / "tree" / ".git").mkdir()
    (here / "tree" / "inside" / "b.hip").write_text(HIP)
    (here / "tree" / "out.hip").symlink_to(here / "a.hip")
    (here / "tree" / "in.hip").symlink_to("inside/b.hip")
    for command in (("check", "--fix", "--unsafe-fixes"), ("check", "--add-ignore", "known")):
        found = run(capsys, *command, "--no-cache", "tree")
        assert found.status == 2
        assert 'cannot write "tree/out.hip": it is a link that leads out of the repository' in found.err
        assert (here / "a.hip").read_text() == HIP
    assert "x[i] * x[i]" in (here / "tree" / "inside" / "b.hip").read_text()
    (here / "tree" / "regpress-baseline.toml").symlink_to(here / "precious")
    (here / "precious").write_text("version = 1\nfindings = []\n")
    assert run(capsys, "baseline", "write", "tree", "--output", "tree/regpress-baseline.toml").status == 2
    assert (here / "precious").read_text() == "version = 1\nfindings = []\n"


def test_fixed_kernels_are_not_reported_missing(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "a.hip").write_text(HIP + SECOND)
    assert "no kernel with findings" not in run(capsys, *FIX, "--kernel", "again").err
    assert (here / "a.hip").read_text() == HIP + SECOND.replace("pow(y[i], 2.0)", "y[i] * y[i]")
    assert "no kernel with findings matches" in run(capsys, *FIX, "--kernel", "nowhere").err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_device_or_a_pipe_is_written_to_and_not_replaced(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """As root a run with `--output json:/dev/null` put a file in its place."""
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    (here / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        assert run(capsys, "check", "--no-cache", "a.hip", "--output", f"json:{name}").status == 1
        assert json.loads(os.read(reader, 1 << 16))["diagnostics"][0]["code"] == "RP201"
        assert stat.S_ISFIFO(os.stat("pipe").st_mode)
    os.close(reader)
    assert (here / "link").is_symlink()
