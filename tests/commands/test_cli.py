"""`check` as a user meets it: exit status, streams, selection, fixes, output."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import CLEAN, CUDA, HIP, SQUARE, SYCL, codes, process, run, run_json

from regpress_lint import __version__

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def hip(tmp_path: Path) -> Path:
    path = tmp_path / "square.hip"
    path.write_text(HIP)
    return path


@pytest.mark.parametrize(("name", "text"), [("a.hip", HIP), ("a.cu", CUDA), ("a.cpp", SYCL)])
def test_a_square_is_found_in_every_language(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    result = run(capsys, "check", "--output-format", "concise", name)
    line = text.splitlines().index(next(row for row in text.splitlines() if "pow" in row)) + 1
    assert result.status == 1
    assert f"{name}:{line}:" in result.out
    assert "RP201" in result.out
    assert result.err == ""


def test_clean_code_exits_zero(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.hip").write_text(CLEAN)
    assert run(capsys, "check", "a.hip").status == 0


def test_check_is_the_default_command(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    assert run(capsys, hip.name) == run(capsys, "check", hip.name)
    assert run(capsys, "--select", "RP401", hip.name).status == 0


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(capsys, "--version")
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"regpress-lint {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--select", "RP210"), 'unknown rule "RP210"'),
        (("--ignore", "pow-smal-exponent"), 'did you mean "pow-small-exponent"'),
        (("--ignore", "pow"), "did you mean pow-small-exponent?"),
        (("--nope",), 'unknown argument "--nope"\n'),
        (("--arch", "gfx90b"), "did you mean 'gfx9"),
        (("--arch", "gfx90a sm_90"), "names are separated by commas: gfx90a,sm_90"),
        (("--arch", "sm_9"), "did you mean 'sm_90'?"),
        (("--arch", "sm_1"), "did you mean 'sm_100'?"),
        (("--output-format", "conscise"), 'did you mean "concise"'),
        (("--output", "sarif"), "NAME:FILE"),
        (("--output", "serif:x"), 'did you mean "sarif"'),
        (("--output", "json:no/such/folder/x"), "no folder"),
        (("--fail-on", "warn"), "error, warning, info, hint"),
        (("--profile", "stict"), 'did you mean "strict"'),
        (("--block-size", "0"), "from 1 to 1024"),
        (("--low-occupancy", "25"), "from 0 to 1"),
        (("--block-size-gain", "25"), "from 0 to 1"),
        (("-j", "many"), "expected an integer"),
        (("--selct", "RP201"), 'did you mean "--select"'),
        (("--config", "absent.toml"), "absent.toml"),
        (("--statistics", "--output-format", "sarif"), "--statistics"),
        (("--stdin-filename", "x.hip"), "--stdin-filename"),
    ],
)
def test_wrong_use_is_one_line_and_status_two(
    capsys: pytest.CaptureFixture[str], hip: Path, arguments: tuple[str, ...], expected: str
) -> None:
    result = run(capsys, "check", *arguments, hip.name)
    assert result.status == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("regpress-lint: error: ")
    assert expected in result.err


def test_paths_may_precede_and_follow_options(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("a.hip", "b.hip", "c.hip"):
        (tmp_path / name).write_text(HIP)
    result = run(capsys, "check", "a.hip", "--output-format", "concise", "b.hip", "--arch", "gfx90a", "c.hip")
    assert [line.partition(":")[0] for line in result.out.splitlines()[:3]] == ["a.hip", "b.hip", "c.hip"]
    wrong = run(capsys, "check", "a.hip", "--arch", "gfx90a", "b.hip", "--bogus")
    assert (wrong.status, 'unknown argument "b.hip"' in wrong.err or '"--bogus"' in wrong.err) == (2, True)


def test_selection_by_code_prefix_and_name(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    for selector in ("RP201", "rp201", "RP2", "pow-small-exponent", "RP401,RP201"):
        assert codes(capsys, "--select", selector, hip) == ["RP201"], selector
    assert codes(capsys, "--select", "RP4", hip) == []
    assert codes(capsys, "--ignore", "RP2", hip) == []
    assert codes(capsys, "--ignore", "RP2", "--extend-select", "RP201", hip) == ["RP201"]


def test_severity_filter_and_exit_status(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    assert run(capsys, "check", "--fail-on", "error", hip).status == 0
    assert run(capsys, "check", "--exit-zero", hip).status == 0
    assert codes(capsys, "--min-severity", "error", hip) == []


def test_targets_of_a_finding_are_the_enabled_ones(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    found = run_json(capsys, "--arch", "sm_90,gfx90a", hip)["diagnostics"]
    assert [sorted(each["targets"]) for each in found] == [["gfx90a", "sm_90"]]


def test_fix_writes_the_file_and_keeps_its_mode(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    hip.chmod(0o750)
    result = run(capsys, "check", "--fix", "--unsafe-fixes", "--show-fixes", hip)
    assert result.status == 0
    assert f"{hip}:4:10: RP201 pow-small-exponent: write x[i] * x[i]" in result.err
    assert "fixed 1 finding in 1 file" in result.err
    assert "x[i] * x[i]" in hip.read_text()
    assert stat.S_IMODE(hip.stat().st_mode) == 0o750
    assert [path.name for path in hip.parent.iterdir()] == [hip.name]
    before = hip.stat()
    assert run(capsys, "check", "--fix", "--unsafe-fixes", hip).status == 0
    assert hip.stat().st_mtime_ns == before.st_mtime_ns
    assert hip.stat().st_ino == before.st_ino


def test_fix_writes_through_a_link(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    link = hip.with_name("link.hip")
    link.symlink_to(hip.name)
    run(capsys, "check", "--fix", "--unsafe-fixes", link)
    assert link.is_symlink()
    assert SQUARE not in hip.read_text()


def test_fix_leaves_a_file_that_changed_meanwhile(
    capsys: pytest.CaptureFixture[str], hip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from regpress_lint.commands.check import repair

    original = repair.until_stable

    def edited(data: bytes, *rest: object) -> repair.Fixed:
        hip.write_text("// somebody else's\n" + HIP)
        return original(data, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(repair, "until_stable", edited)
    result = run(capsys, "check", "--fix", "--unsafe-fixes", hip)
    assert result.status == 2
    assert "changed while it was linted" in result.err
    assert hip.read_text() == "// somebody else's\n" + HIP


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write read-only files")
def test_fix_of_a_read_only_file_is_an_error(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    hip.chmod(0o444)
    result = run(capsys, "check", "--fix", hip)
    assert result.status == 2
    assert hip.read_text() == HIP


def test_diff_prints_and_writes_nothing(tmp_path: Path, hip: Path) -> None:
    result = process("check", "--diff", "--unsafe-fixes", hip.name, cwd=tmp_path)
    assert result.returncode == 1
    assert b"-  x[i] = pow(x[i], 2.0);\n+  x[i] = x[i] * x[i];\n" in result.stdout
    assert hip.read_text() == HIP
    hip.write_text(CLEAN)
    clean = process("check", "--diff", hip.name, cwd=tmp_path)
    assert (clean.returncode, clean.stdout, clean.stderr) == (0, b"", b"")


def test_diff_tells_how_many_fixes_are_not_safe(tmp_path: Path, hip: Path) -> None:
    result = process("check", "--diff", hip.name, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, b"")
    assert result.stderr == b"1 fix is not safe: --unsafe-fixes includes it\n"
    assert process("check", "--diff", "--quiet", hip.name, cwd=tmp_path).stderr == b""


def test_standard_input(tmp_path: Path) -> None:
    named = process(
        "check", "-", "--stdin-filename", "src/x.hip", "--output-format", "concise", cwd=tmp_path, stdin=HIP.encode()
    )
    assert named.returncode == 1
    assert named.stdout.startswith(b"src/x.hip:4:")
    bare = process("check", "-", "--output-format", "json", cwd=tmp_path, stdin=HIP.encode())
    assert json.loads(bare.stdout)["diagnostics"][0]["path"] == "<stdin>"


@pytest.mark.slow
def test_standard_input_is_fixed_to_standard_output(tmp_path: Path) -> None:
    result = process(
        "check", "-", "--fix", "--unsafe-fixes", "--stdin-filename", "x.hip", cwd=tmp_path, stdin=HIP.encode()
    )
    assert result.stdout.decode() == CLEAN
    assert result.returncode == 0


def test_standard_input_does_not_mix_with_paths(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    result = run(capsys, "check", "-", hip)
    assert result.status == 2
    assert "must be the only one" in result.err


def test_output_to_files(capsys: pytest.CaptureFixture[str], hip: Path, tmp_path: Path) -> None:
    result = run(capsys, "check", "--output", "sarif:a.sarif", "--output", "json:a.json", hip.name)
    assert result.status == 1
    assert json.loads((tmp_path / "a.sarif").read_text())["version"] == "2.1.0"
    assert json.loads((tmp_path / "a.json").read_text())["summary"]["files"] == 1
    assert "RP201" in result.out


def test_statistics(capsys: pytest.CaptureFixture[str], hip: Path) -> None:
    hip.write_text(HIP + HIP.replace("square", "other"))
    assert run(capsys, "check", "--statistics", hip).out == "2  RP201  pow-small-exponent\n"
    found = run(capsys, "check", "--statistics", "--output-format", "json", hip)
    assert json.loads(found.out) == [{"code": "RP201", "name": "pow-small-exponent", "count": 2}]


def test_show_files_and_settings(capsys: pytest.CaptureFixture[str], hip: Path, tmp_path: Path) -> None:
    (tmp_path / "host.cpp").write_text("int main() {}\n")
    assert run(capsys, "check", "--show-files", ".").out == "square.hip\n"
    shown = run(capsys, "check", "--show-settings", "--arch", "mi250x").out
    assert 'arch = ["gfx90a"]' in shown
    assert "configuration file: none" in shown


def test_annotations_on_github(capsys: pytest.CaptureFixture[str], hip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    both = run(capsys, "check", hip.name).out
    assert "::warning " in both
    assert "warning[RP201" in both
    assert "::warning " not in run(capsys, "check", "--output-format", "full", hip.name).out


@pytest.mark.parametrize("jobs", ["1", "2", pytest.param("5", marks=pytest.mark.slow)])
def test_the_same_output_for_any_number_of_jobs(capsys: pytest.CaptureFixture[str], tmp_path: Path, jobs: str) -> None:
    for index in range(12):
        (tmp_path / f"k{index:02}.hip").write_text(HIP)
    found = run_json(capsys, "-j", jobs, ".")
    assert [each["path"] for each in found["diagnostics"]] == [f"k{index:02}.hip" for index in range(12)]
    assert found["summary"]["files"] == 12


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "a.hip").write_text(HIP.replace(SQUARE, " + ".join([SQUARE] * 150)))
    check = f"{sys.executable} -m regpress_lint check --output-format json a.hip"
    command = f"{check} | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert result.stderr == ""  # what is written is longer than a pipe holds
    assert result.stdout.splitlines()[-1] in ("1", "141")


def test_an_interrupt_is_quiet(capsys: pytest.CaptureFixture[str], hip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("regpress_lint.commands.check.command.lint_files", interrupt)
    assert run(capsys, "check", hip) == (130, "", "")


@pytest.mark.slow
def test_output_in_a_locale_that_cannot_encode_it(hip: Path, tmp_path: Path) -> None:
    name = "k\u00e9rnel-\U0001f600.hip"
    hip.rename(tmp_path / name)
    result = process("check", name, cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert result.returncode == 1
    assert b"Traceback" not in result.stderr
    assert b"\\U0001f600" in result.stdout


TURNS = "__device__ inline float turn(float x) { float s, c; sincosf(x, &s, &c); return s * c; }\n"
KERNEL = "__global__ void NAME(float* a) { int i = threadIdx.x; a[i] = turn(a[i]); a[i + 64] = sinf(a[i]); }\n"


def test_one_cause_in_several_kernels_is_one_finding_for_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "turn.h").write_text(TURNS)
    for name in ("one", "two"):
        text = "".join(KERNEL.replace("NAME", f"{name}_{part}").replace("sinf", "") for part in "ab")
        (tmp_path / f"{name}.cu").write_text(f'#include "turn.h"\n{text}')
    wanted = ("--isolated", "--select", "RP109", str(tmp_path))
    out = run(capsys, "check", "--output-format", "concise", *wanted).out
    (line,) = [line for line in out.splitlines() if "RP109" in line]
    assert line.endswith("; the same holds for `one_b`, `two_a` and `two_b` [RP109 register-spill]")
    found = run_json(capsys, *wanted)["diagnostics"]
    assert [each["kernel"] for each in found] == ["one_a", "one_b", "two_a", "two_b"]


def test_one_cause_in_each_kernel_is_a_finding_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(KERNEL.replace("NAME", name).replace("turn", "sinf") for name in ("one", "two"))
    (tmp_path / "a.cu").write_text(text)
    out = run(capsys, "check", "--output-format", "concise", "--isolated", "--select", "RP109", tmp_path).out
    assert out.count("RP109") == 2


@pytest.mark.parametrize(("command", "missing"), [("completion", "bash|zsh|fish"), ("cache", "dir|clean")])
def test_an_error_names_only_missing_required_words(
    command: str, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(capsys, command)
    assert (result.status, result.out) == (2, "")
    assert f"are required: {missing} (see" in result.err
