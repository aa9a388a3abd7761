"""Options of `check` for people: --color, --kernel, --ignore-suppressions, --statistics --verbose and --watch."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, ROOT, codes, run, run_json

from regpress_lint.cli.parser import parse
from regpress_lint.commands.check import modes as watch
from regpress_lint.render import terminal

if TYPE_CHECKING:
    from pathlib import Path

TWO = "namespace app {\n" + HIP.replace("square", "first") + "}\n" + HIP.replace("square", "second")
ESCAPE = "\x1b["


@pytest.fixture(autouse=True)
def _plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hip").write_text(HIP)
    (tmp_path / "two.hip").write_text(TWO)


def test_colours_can_be_forced_into_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert ESCAPE not in run(capsys, "check", "a.hip").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert ESCAPE in run(capsys, "check", "--color", "always", "a.hip").out
    assert ESCAPE not in run(capsys, "check", "a.hip").out  # a choice is of one run


def test_colours_can_be_refused_against_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for command in (("check", "a.hip"), ("pressure", "a.hip"), ("rule", "RP201")):
        assert ESCAPE in run(capsys, *command).out
        assert ESCAPE not in run(capsys, *command, "--color=never").out


def test_a_wrong_colour_choice_names_the_right_ones(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "check", "--color", "sometimes", "a.hip")
    assert done.status == 2
    assert "'auto', 'always', 'never'" in done.err


def test_machine_formats_stay_without_colour(capsys: pytest.CaptureFixture[str]) -> None:
    assert ESCAPE not in run(capsys, "check", "--color", "always", "--output-format", "json", "a.hip").out


@pytest.mark.parametrize(("glob", "names"), [("first", {"first"}), ("s*", {"second"}), ("*", {"first", "second"})])
def test_only_findings_of_the_kernels_that_are_named_are_shown(
    glob: str, names: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = run_json(capsys, "--kernel", glob, "two.hip")["diagnostics"]
    assert {each["kernel"].rpartition("::")[2] for each in found} == names


def test_a_glob_that_no_kernel_matches_is_not_silence(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "check", "--kernel", "thrid", "two.hip")
    assert done.status == 0
    assert "no kernel with findings matches --kernel thrid" in done.err
    assert "second" in done.err


def test_a_fix_is_made_in_the_named_kernels_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, "check", "--fix", "--unsafe-fixes", "--kernel", "second", "two.hip")
    text = (tmp_path / "two.hip").read_text()
    assert (text.count("pow("), TWO.count("pow(")) == (1, 2)
    assert "pow(" in text[: text.index("second")]


def test_ignore_suppressions_reports_silenced_findings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    silenced = "\n".join(
        f"{line}  // regpress: ignore[RP201] bit for bit" if "pow(" in line else line for line in HIP.splitlines()
    )
    (tmp_path / "a.hip").write_text(silenced)
    assert codes(capsys, "a.hip") == []
    assert codes(capsys, "--ignore-suppressions", "a.hip") == ["RP201"]
    assert codes(capsys, "a.hip") == []  # nor does the cache mix the two up


@pytest.mark.parametrize("flags", [("--ignore-suppressions", "--fix"), ("--watch", "--fix"), ("--watch", "-")])
def test_options_that_only_show_do_not_go_with_those_that_write(
    flags: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    done = run(capsys, "check", *flags, *(() if "-" in flags else ("a.hip",)))
    assert done.status == 2
    assert flags[0] in done.err
    assert (tmp_path / "a.hip").read_text() == HIP


def test_verbose_statistics_have_the_time_of_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check", "--statistics", "a.hip").out == "1  RP201  pow-small-exponent\n"
    for _ in range(2):  # answers of an earlier run have no times: they are not used
        rows = [line.split() for line in run(capsys, "check", "--statistics", "-v", "a.hip").out.splitlines()]
        assert rows[0][0] == "1"
        assert rows[0][2:] == ["s", "RP201", "pow-small-exponent"]
        assert len(rows) > 20
        assert sum(float(row[1]) for row in rows) > 0
    assert run(capsys, "check", "--statistics", "a.hip").out == "1  RP201  pow-small-exponent\n"


def test_the_state_of_a_run_changes_with_files_and_configuration(tmp_path: Path) -> None:
    arguments = parse(["check", "."])
    before = watch.snapshot(arguments)
    assert {os.path.basename(path) for path in before} == {"a.hip", "two.hip"}
    (tmp_path / "new.hip").write_text(HIP)
    more = watch.snapshot(arguments)
    assert more != before
    (tmp_path / "regpress.toml").write_text('ignore = ["RP201"]\n')
    assert watch.snapshot(arguments) != more


@pytest.mark.skipif(not hasattr(os, "kill") or sys.platform == "win32", reason="Ctrl-C is sent as a signal here")
def test_watching_checks_again_after_a_change_and_ends_with_the_last_status(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "regpress_lint", "check", "--isolated", "--watch", "a.hip"]
    process = subprocess.Popen(
        [*command, "--output-format", "concise"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=tmp_path, env=environment,
    )  # fmt: skip
    late = threading.Timer(60, process.kill)
    late.start()
    assert process.stderr is not None
    assert process.stderr.readline().startswith("watching 1 file")
    (tmp_path / "a.hip").write_text(HIP.replace("pow(x[i], 2.0)", "x[i] * x[i]"))
    assert process.stderr.readline().startswith("watching 1 file")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate()
    late.cancel()
    assert out.count("RP201") == 1
    assert process.returncode == 0


def test_forced_colour_overrides_the_stream() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal.choose_color("never")
    try:
        assert not terminal.use_color(Terminal(), {})
    finally:
        terminal.choose_color("auto")
    assert terminal.use_color(Terminal(), {})
