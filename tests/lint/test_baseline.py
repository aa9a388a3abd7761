"""Adoption in a repository that has findings: the baseline file, its coverage, fixed findings, and git."""

from __future__ import annotations

import subprocess
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cli_helpers import CLEAN, HIP, SQUARE, codes, process, run, run_json

from regpress_lint import lint_bytes
from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.errors import UsageError
from regpress_lint.core.settings import Settings
from regpress_lint.lint.baseline import Baseline, Entry, Key, parse, render

if TYPE_CHECKING:
    from pathlib import Path

FILE = "regpress-baseline.toml"
GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.hip").write_text(HIP)


def git(*arguments: str) -> None:
    subprocess.run([*GIT, *arguments], check=True, capture_output=True)


def entries(path: Path) -> list[Entry]:
    return parse((path / FILE).read_text(), FILE)


def test_two_commands_adopt_it_and_only_new_findings_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for index in range(4):
        (tmp_path / "src" / f"k{index}.hip").write_text(HIP)
    written = run(capsys, "baseline", "write", "src")
    assert (written.status, written.out) == (0, f"wrote 5 findings to {FILE}\n")
    quiet = run(capsys, "check", "src")
    assert (quiet.status, quiet.err) == (0, "")
    assert quiet.out == "No findings in 5 kernels of 5 files. 5 in the baseline.\n"
    (tmp_path / "src" / "a.hip").write_text(HIP + HIP.replace("square", "other"))
    (found,) = run_json(capsys, "src")["diagnostics"]
    assert found["kernel"] == "other"
    assert run(capsys, "check", "--force-exclude", "src/a.hip", "src/k3.hip").status == 1
    assert len(codes(capsys, "--no-baseline", "src")) == 6
    assert len(codes(capsys, "--isolated", "src")) == 6
    assert codes(capsys, "--isolated", "--baseline", FILE, "src") == ["RP201"]


def test_code_that_moves_resurrects_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "baseline", "write")
    moved = "// a new head\n\n" + HIP.replace("  x[i] =", "\n\n      x[i] =").replace("int i", "const int i")
    (tmp_path / "src" / "a.hip").write_text(moved)
    assert codes(capsys, "src") == []


def test_additional_or_more_severe_finding_is_new(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "baseline", "write")
    twice = HIP.replace(f"  x[i] = {SQUARE};", f"  x[i] = {SQUARE};\n  x[i] = {SQUARE};")
    (tmp_path / "src" / "a.hip").write_text(twice)
    found = run_json(capsys, "src")["diagnostics"]
    assert [each["start"]["line"] for each in found] == [5]
    (tmp_path / "src" / "a.hip").write_text(HIP)
    assert codes(capsys, "--severity", "RP201:error", "src") == ["RP201"]


def test_fixed_finding_is_reported_and_pruned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "src" / "b.hip").write_text(HIP)
    run(capsys, "baseline", "write", "--reason", "measured in May")
    assert run(capsys, "baseline", "check").out == "the baseline is what is there\n"
    (tmp_path / "src" / "a.hip").write_text(CLEAN)
    note = "1 of its findings is fixed (`regpress-lint baseline prune` removes them)"
    assert run(capsys, "check", "src").err == f"regpress-lint: note: {FILE}: {note}\n"
    assert run(capsys, "check", "src/b.hip").err == ""  # nobody looked at a.hip
    told = run(capsys, "baseline", "check")
    assert told.status == 1
    assert told.out.splitlines() == [f"{FILE}: 1 finding fixed", "  src/a.hip: RP201 in `square`: pow(x[i], 2.0)"]
    assert run(capsys, "baseline", "prune").status == 0
    assert [entry.key.path for entry in entries(tmp_path)] == ["src/b.hip"]
    assert entries(tmp_path)[0].reason == "measured in May"
    assert run(capsys, "baseline", "prune").out == "nothing to prune\n"
    (tmp_path / "src" / "b.hip").unlink()
    run(capsys, "baseline", "prune")
    assert entries(tmp_path) == []


@pytest.mark.parametrize("order", [("--fix",), ("--fix", "--unsafe-fixes"), ("--add-ignore", "a law of physics")])
def test_baseline_keeps_its_entries_after_fixes_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], order: tuple[str, ...]
) -> None:
    for name in "bc":
        (tmp_path / "src" / f"{name}.hip").write_text(HIP)
    run(capsys, "baseline", "write")
    other = HIP.replace("square", "other").partition("\n")[2]
    (tmp_path / "src" / "a.hip").write_text(HIP + other)
    told = run(capsys, "check", *order, "src")
    assert "3 in the baseline." in told.out
    assert "baseline prune" not in told.err
    assert run(capsys, "baseline", "prune").out == "nothing to prune\n"


def test_writing_again_keeps_reasons_and_the_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "baseline", "write")
    text = (tmp_path / FILE).read_text().replace(" },\n", ', reason = "a law of physics" },\n')
    (tmp_path / FILE).write_text(text)
    (tmp_path / "src" / "A.hip").write_text(HIP)
    run(capsys, "baseline", "write", "--reason", "new")
    assert [(entry.key.path, entry.reason) for entry in entries(tmp_path)] == [
        ("src/A.hip", "new"),
        ("src/a.hip", "a law of physics"),
    ]
    again = (tmp_path / FILE).read_bytes()
    run(capsys, "baseline", "write", ".", "src/a.hip")
    assert (tmp_path / FILE).read_bytes() == again
    run(capsys, "baseline", "write", "src/a.hip")  # what lies elsewhere stays
    assert (tmp_path / FILE).read_bytes() == again


def test_entry_survives_a_rename_known_to_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git("init", "-q", ".")
    run(capsys, "baseline", "write")
    git("add", "-A")
    git("commit", "-q", "-m", "all")
    git("mv", "src/a.hip", "src/renamed.hip")
    assert codes(capsys, "src") == []
    assert run(capsys, "check", "src").err == ""
    git("commit", "-q", "-m", "renamed")
    assert codes(capsys, "src") == []
    run(capsys, "baseline", "write")
    assert [entry.key.path for entry in entries(tmp_path)] == ["src/renamed.hip"]


def test_rename_moves_only_its_own_entries() -> None:
    old, new, other = (Entry(Key(path, "k", "RP201", ""), number) for path, number in (("a", 1), ("b", 2), ("c", 3)))
    moved = Baseline([old, other], str).moved({"a": "b"})
    assert list(moved.entries.values()) == [new._replace(number=1), other]
    # What stands under the new name already is of that file, and stays.
    assert list(Baseline([old, new], str).moved({"a": "b"}).entries.values()) == [new]


def test_internal_error_is_not_recorded_and_hides_no_entry() -> None:
    (found,) = lint_bytes(HIP.encode(), "a.hip", Settings(select=("RP201",))).diagnostics
    ours = replace(found, code="RP009")
    written = Baseline([], str).written([ours, found, ours, found], lambda _key: True)
    assert [(entry.key.rule, entry.number) for entry in written] == [("RP201", 2)]


def test_the_key_of_the_configuration_and_a_folder_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "b.hip").write_text(HIP)
    (tmp_path / "lib" / "regpress.toml").write_text('baseline = "known.toml"\n')
    assert run(capsys, "check", "lib").err.startswith('regpress-lint: error: no baseline "')
    assert run(capsys, "baseline", "write", ".").status == 0
    assert [entry.key.path for entry in entries(tmp_path)] == ["src/a.hip"]
    assert tomllib.loads((tmp_path / "lib" / "known.toml").read_text())["findings"][0]["path"] == "b.hip"
    assert codes(capsys, ".") == []


@pytest.mark.slow
def test_standard_input_and_fixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "baseline", "write")
    piped = process("check", "-", "--stdin-filename", "src/a.hip", cwd=tmp_path, stdin=HIP.encode())
    assert piped.returncode == 0
    run(capsys, "check", "--fix", "src")  # known findings are nobody's business here
    assert (tmp_path / "src" / "a.hip").read_text() == HIP


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("findings = [", "not valid TOML"),
        ("findings = []", "not a baseline of version 1"),
        ("version = 1\nfindings = 3", "findings must be an array"),
        ("version = 1\nfindings = [{}]", "finding 1: path and rule must be a string"),
        ('version = 1\nfindings = [{ path = "a", severity = "info" }]', "path and rule must be a string"),
        ('version = 1\nfindings = [{ rule = "RP201", severity = "info" }]', "path and rule must be a string"),
        ('version = 1\nfindings = [{ path = "a", rule = "RP201", severity = "bad" }]', "severity must be one of"),
        ('version = 1\nfindings = [{ path = "a", rule = 7 }]', "rule must be a string"),
        ('version = 1\nfindings = [{ path = "a", rule = "R", severity = "info", count = 0 }]', "1 or more"),
        ('version = 1\nfindings = [{ pth = "a" }]', 'unknown key "pth"'),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, expected: str) -> None:
    (tmp_path / FILE).write_text(text)
    result = run(capsys, "check", "src")
    assert result.status == 2
    assert result.err.startswith(f"regpress-lint: error: {FILE}: ")
    assert expected in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("source", [HIP, CLEAN, ""])
def test_missing_named_file_is_always_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    (tmp_path / "src" / "a.hip").write_text(source)
    said = f'regpress-lint: error: no baseline "{tmp_path / "gone.toml"}" (`regpress-lint baseline write` makes it)\n'
    for words in (("src",), ("src/a.hip",), ("--fix", "src"), ("--diff", "src/a.hip")):
        named = run(capsys, "check", "--baseline", "gone.toml", *words)
        assert (named.status, named.out, named.err) == (2, "", said)
    arguments = ("check", "--baseline", "gone.toml", "-", "--stdin-filename", "src/a.hip")
    piped = process(*arguments, cwd=tmp_path, stdin=source.encode())
    assert (piped.returncode, piped.stdout, piped.stderr) == (2, b"", said.encode())
    (tmp_path / "regpress.toml").write_text('baseline = "gone.toml"\n')
    assert run(capsys, "check", "src").err == said
    assert "baseline" not in run(capsys, "check", "--no-baseline", "src").err


def test_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, expected in (
        (("wrte",), 'did you mean "write"?'),
        (("prune",), "no baseline here"),
        (("check", "--reason", "x"), "--reason is for"),
    ):
        result = run(capsys, "baseline", *arguments)
        assert (result.status, expected in result.err) == (2, True)


def test_any_text_comes_back() -> None:
    hostile = 'a"b\\c\u2028 \U0001f600 \x7f \t\x01 {x} # ]'
    entry = Entry(Key(hostile, hostile, "RP201", hostile), 3, Severity.HINT, hostile)
    assert parse(render([entry]), "f") == [entry]
    with pytest.raises(UsageError):
        parse("x", "f")
