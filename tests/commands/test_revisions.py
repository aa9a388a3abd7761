"""`diff` and `check --since` on real git repositories: moved and unmoved lines, and files that are never touched."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from cli_helpers import CLEAN, HIP, codes, process, run, run_json
from format_samples import validate

from regpress_lint import lint_bytes
from regpress_lint.commands.diff.changes import Changes, TargetChange, regraded
from regpress_lint.commands.diff.output import markdown, moves, text
from regpress_lint.commands.kernels.rows import InstanceRow, OccupancyRow, TargetRow
from regpress_lint.core.diagnostics import Diagnostic, Location, Severity
from regpress_lint.core.source import Position
from regpress_lint.core.uncertainty import Band
from regpress_lint.lint.git import tree
from regpress_lint.render.terminal import Palette

if TYPE_CHECKING:
    from pathlib import Path

GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
STEP = """#include <hip/hip_runtime.h>
#include "square.h"
__global__ void step(double *x, int n) {
  __shared__ double tile[TILE];
  tile[threadIdx.x] = x[n];
  x[n] = squared(tile[0]);
}
void go(double *x, int n) { step<<<n, 256>>>(x, n); }
"""
HEADER = """#define TILE 256
__device__ inline double squared(double v) { return pow(v, 2.0); }
"""


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GITHUB_ACTIONS", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    folder = tmp_path / "repository"
    (folder / "src").mkdir(parents=True)
    monkeypatch.chdir(folder)
    (folder / "src" / "a.hip").write_text(HIP)
    (folder / "src" / "step.hip").write_text(STEP)
    (folder / "src" / "square.h").write_text(HEADER)
    git("init", "-q", ".")
    commit("first")
    return folder


def git(*arguments: str) -> str:
    return subprocess.run([*GIT, *arguments], check=True, capture_output=True, text=True).stdout


def commit(message: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", message)


def difference(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, object]]:
    document = json.loads(run(capsys, "diff", "--output-format", "json", *arguments).out)
    validate("diff", document)
    return {each["name"]: each for each in document["kernels"]}


def since(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str]]:
    found = run_json(capsys, "--since", *arguments)["diagnostics"]
    return [(each["kernel"], each["code"]) for each in found]


# --since


def test_only_kernels_that_changed_are_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert since(capsys, "HEAD") == []
    assert run(capsys, "check", "--since", "HEAD", ".").status == 0
    text = f"// a comment\n{HIP}" + HIP.split("\n", 1)[1].replace("square", "other")
    (repository / "src" / "a.hip").write_text(text.replace("  x[i] = pow", "\n      x[i]   = pow"))
    assert since(capsys, "HEAD") == [("other", "RP201")]
    (repository / "src" / "new.hip").write_text(HIP)
    assert ("square", "RP201") in since(capsys, "HEAD", "src")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("step.hip", "tile[0]", "tile[1]"),
        ("step.hip", "<<<n, 256>>>", "<<<n, 128>>>"),
        ("step.hip", "__global__ void step", "__global__ void __launch_bounds__(256) step"),
        ("square.h", "pow(v, 2.0)", "pow(v + 1.0, 2.0)"),
        ("square.h", "TILE 256", "TILE 512"),
    ],
)
def test_body_launch_bounds_callee_and_constants_are_a_kernels_own(
    repository: Path, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str
) -> None:
    (repository / "src" / "step.hip").write_text(STEP.replace("squared(tile[0])", "squared(tile[0]) + pow(x[0], 2.0)"))
    commit("a finding in the kernel")
    path = repository / "src" / file
    path.write_text(path.read_text().replace(old, new))
    found = since(capsys, "HEAD")
    assert ("step", "RP201") in found
    assert {kernel for kernel, _ in found} == {"step"}


def test_changes_of_the_other_branch_are_not_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git("checkout", "-q", "-b", "topic")
    git("checkout", "-q", "main")
    (repository / "src" / "a.hip").write_text(CLEAN)
    commit("repaired on main")
    git("checkout", "-q", "topic")
    assert since(capsys, "main") == []
    git("mv", "src/a.hip", "src/renamed.hip")
    assert since(capsys, "main") == []


def test_since_with_a_wrong_revision_and_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = run(capsys, "check", "--since", "no-such-branch", ".")
    assert (wrong.status, wrong.err) == (
        2,
        'regpress-lint: error: git does not know the revision "no-such-branch" here\n',
    )
    assert run(capsys, "check", "--since", "--upload-pack=x", ".").status == 2
    assert process("check", "-", "--since", "HEAD", cwd=tmp_path, stdin=b"").returncode == 2
    monkeypatch.chdir(tmp_path)
    assert "there is no git repository" in run(capsys, "check", "--since", "HEAD", "repository").err


# diff


@pytest.mark.slow
def test_changes_between_two_revisions(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "src" / "square.h").write_text(HEADER.replace("TILE 256", "TILE 4096"))
    (repository / "src" / "a.hip").write_text(CLEAN)
    commit("second")
    found = difference(capsys, "HEAD~1", "HEAD")
    assert set(found) == {"square", "step"}
    assert [each["code"] for each in found["square"]["findings"]["gone"]] == ["RP201"]  # type: ignore[index]
    assert found["square"]["worse"] is False
    target = found["step"]["targets"]["gfx90a"]  # type: ignore[index]
    assert target["before"]["waves_per_simd"] > target["after"]["waves_per_simd"]
    assert (target["worse"], found["step"]["status"], found["step"]["path"]) == (True, "changed", "src/step.hip")
    text = run(capsys, "diff", "HEAD~1", "HEAD").out
    assert "step  src/step.hip:3\n  TILE 256 -> 4096\n  gfx90a: 8 -> 2 waves per SIMD, limited by LDS" in text
    assert text.endswith("2 of 2 kernels changed, 1 is worse.\n")
    assert run(capsys, "diff", "--exit-code", "HEAD~1", "HEAD").status == 1
    assert run(capsys, "diff", "--exit-code", "HEAD", "HEAD~1").status == 1
    assert difference(capsys, "HEAD", "HEAD") == {}
    assert run(capsys, "diff", "HEAD").out == "No kernel differs.\n"


@pytest.mark.slow
def test_files_that_no_change_reaches_are_not_analysed(
    repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def noted(data: bytes, path: str, *rest: Any, **named: Any) -> Any:
        looked.append(path.rpartition("/")[2])
        return lint_bytes(data, path, *rest, **named)

    monkeypatch.setattr("regpress_lint.commands.diff.revisions.lint_bytes", noted)
    (repository / "src" / "square.h").write_text(HEADER.replace("TILE 256", "TILE 4096"))
    assert set(difference(capsys, "HEAD")) == {"step"}
    assert sorted(looked) == ["square.h", "square.h", "step.hip", "step.hip"]
    looked.clear()
    (repository / "src" / "Makefile").write_text("CXXFLAGS += -DTILE=64\n")
    difference(capsys, "HEAD")
    assert looked.count("a.hip") == 2


def test_markdown_for_a_pull_request(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "src" / "square.h").write_text(HEADER.replace("TILE 256", "TILE 4096"))
    (repository / "src" / "b|`x.hip").write_text(HIP.replace("square", "new_kernel"))
    out = run(capsys, "diff", "HEAD", "--output-format", "markdown").out
    assert out.startswith("<!-- regpress-lint diff -->\n")
    rows = [line for line in out.splitlines() if line.startswith("| ")]
    assert all(len(line.replace("\\|", "").split("|")) == 6 for line in rows), rows
    assert any("8 → 2 waves per SIMD" in line.replace("\\", "") for line in rows)
    assert "**New findings**" in out


@pytest.mark.slow
def test_folders_added_removed_and_moved_kernels(
    tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    (other / "src").mkdir(parents=True)
    (other / "src" / "moved.hip").write_text(HIP)
    (other / "src" / "c.hip").write_text(HIP.replace("square", "fresh"))
    found = difference(capsys, str(repository), str(other))
    assert {name: each["status"] for name, each in found.items()} == {"fresh": "added", "step": "removed"}
    (other / "src" / "moved.hip").write_text(HIP.replace("pow(x[i], 2.0)", "pow(x[i], 2.0) + pow(x[i], 7.0)"))
    found = difference(capsys, str(repository), str(other))
    assert (found["square"]["status"], found["square"]["was"]) == ("changed", "src/a.hip")


def test_the_configuration_of_today_holds_for_both(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "src" / "b.hip").write_text(HIP)
    commit("second")
    (repository / "regpress.toml").write_text(
        'arch = "sm_90"\nexclude = ["src/step.hip"]\n[per-file-ignores]\n"src/a*" = ["RP201"]\n'
    )
    found = difference(capsys, "HEAD~1", "HEAD")
    assert set(found) == {"square"}
    assert set(found["square"]["targets"]) == {"sm_90"}  # type: ignore[call-overload]
    assert len(found["square"]["findings"]["new"]) == 1  # type: ignore[index]
    assert difference(capsys, "HEAD", "HEAD") == {}


def test_nothing_is_touched_and_nothing_stays(
    tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("TMPDIR", str(own))
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    touched = tmp_path / "touched"
    git("config", "core.fsmonitor", f"touch {touched}")
    git("config", "filter.evil.smudge", f"touch {touched}; cat")
    git("config", "filter.evil.clean", f"touch {touched}; cat")
    git("config", "diff.external", f"touch {touched}")
    git("config", "log.showSignature", "true")
    git("config", "gpg.program", f"touch {touched}")
    (repository / ".gitattributes").write_text("*.hip filter=evil diff=evil\n")
    before = {path: path.stat().st_mtime_ns for path in (repository / "src").iterdir()}
    (repository / "src" / "a.hip").write_text(CLEAN)
    run(capsys, "diff", "HEAD")
    run(capsys, "check", "--since", "HEAD")
    codes(capsys, ".")
    assert not touched.exists()
    assert list(own.iterdir()) == []
    assert [path for path, time in before.items() if path.stat().st_mtime_ns != time] == [repository / "src" / "a.hip"]
    assert not os.path.exists(repository / ".git" / "worktrees")


def test_link_is_not_read_as_a_file_of_a_commit(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It would be a second kernel of the same text, or text from outside of the repository."""
    (repository / "src" / "link.hip").symlink_to("a.hip")
    commit("a link")
    assert {blob.path for blob in tree(str(repository), "HEAD")} == {"src/a.hip", "src/step.hip", "src/square.h"}
    assert difference(capsys, "HEAD~1", "HEAD") == {}


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert 'did you mean "markdown"' in run(capsys, "diff", "HEAD", "--output-format", "markdwon").err
    assert 'not know the revision "nothing"' in run(capsys, "diff", "nothing").err
    assert run(capsys, "diff").status == 2


# All together: a repository with findings is adopted, and a pull request adds one


@pytest.mark.slow
def test_a_repository_is_adopted_and_a_branch_adds_a_finding(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for index in range(24):
        (repository / "src" / f"old{index}.hip").write_text(HIP.replace("square", f"old{index}"))
    assert run(capsys, "baseline", "write").out.startswith("wrote 2")
    commit("adopt regpress-lint")
    assert run(capsys, "check", ".").status == 0
    git("checkout", "-q", "-b", "topic")
    (repository / "src" / "a.hip").write_text(HIP.replace("pow(x[i], 2.0)", "pow(x[i], 2.0) + pow(x[i], 3.0)"))
    (repository / "src" / "old3.hip").write_text(CLEAN.replace("square", "old3"))
    commit("a feature")
    new = run_json(capsys, ".")["diagnostics"]
    assert [(each["path"], each["code"]) for each in new] == [("src/a.hip", "RP201")]
    assert run_json(capsys, "--since", "main", ".")["diagnostics"] == new
    assert run(capsys, "check", "--since", "main", ".").status == 1
    assert "1 finding fixed" in run(capsys, "baseline", "check").out
    comment = run(capsys, "diff", "main", "HEAD", "--output-format", "markdown").out
    assert "2 of 27 kernels changed, 1 is worse" not in comment.split("\n")[0]
    assert "`pow(x[i], 3.0)`" in comment
    assert "**Gone**" in comment
    assert (repository / "src" / "a.hip").read_text() == git("show", "HEAD:src/a.hip")


# diff: pairs, causes and limits


PRESSED = """#include <hip/hip_runtime.h>
__global__ void sums(float* out, const float* in, int n) {
  float acc[N];
  for (int i = 0; i < N; ++i) acc[i] = 0;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < N; ++i) acc[i] += in[k * N + i];
  for (int i = 0; i < N; ++i) out[threadIdx.x * N + i] = acc[i];
}
"""


@pytest.mark.slow
def test_the_variable_that_explains_a_change_is_named(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "src" / "sums.cu").write_text(
        PRESSED.replace("N]", "16]").replace("< N", "< 16").replace("* N", "* 16")
    )
    commit("sums of sixteen")
    (repository / "src" / "sums.cu").write_text(
        PRESSED.replace("N]", "48]").replace("< N", "< 48").replace("* N", "* 48")
    )
    found = difference(capsys, "--arch", "gfx90a", "HEAD")["sums"]
    assert "`acc` holds 16 -> 48 registers at the peak" in found["targets"]["gfx90a"]["why"]  # type: ignore[index]
    assert "because `acc` holds" in run(capsys, "diff", "--arch", "gfx90a", "HEAD").out


def test_growth_does_not_explain_a_fall(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n__global__ void scaled(double* out, const double* in, int n) {\n"
        "  double a[8], s = 0;\n  for (int i = 0; i < 8; ++i) a[i] = in[i * n];\n"
        "  for (int k = 0; k < n; ++k) s += pow(in[k], 2.0);\n"
        "  for (int i = 0; i < 8; ++i) out[i * n + threadIdx.x] = a[i] * s;\n}\n"
    )
    (repository / "src" / "scaled.hip").write_text(text)
    commit("eight of them")
    wider = text.replace("8", "10")
    (repository / "src" / "scaled.hip").write_text(wider.replace("pow(in[k], 2.0)", "in[k] * in[k]"))
    target = difference(capsys, "--arch", "gfx90a", "HEAD")["scaled"]["targets"]["gfx90a"]  # type: ignore[index]
    assert target["after"]["registers"]["estimate"] < target["before"]["registers"]["estimate"]
    assert target["why"] == "`pow` holds 60 -> 0 registers at the peak"
    commit("ten of them")
    (repository / "src" / "scaled.hip").write_text(wider)
    target = difference(capsys, "--arch", "gfx90a", "HEAD")["scaled"]["targets"]["gfx90a"]  # type: ignore[index]
    assert target["why"] == "`pow` holds 0 -> 60 registers at the peak"


def test_an_array_that_moves_to_memory_is_the_cause(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = PRESSED.replace("N]", "16]").replace("< N", "< 16").replace("* N", "* 16")
    (repository / "src" / "sums.cu").write_text(text)
    commit("in registers")
    (repository / "src" / "sums.cu").write_text(
        text.replace("+= in[k * 16 + i]", "+= in[k * 16 + i] + acc[(n + i) & 15]")
    )
    found = difference(capsys, "--arch", "sm_90", "HEAD")["sums"]
    assert found["targets"]["sm_90"]["why"] == "`acc` is now in private memory"  # type: ignore[index]
    assert found["worse"]


def test_a_renamed_kernel_is_paired_by_its_body(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "src" / "step.hip").write_text(STEP.replace("step", "advance").replace("n, 256", "n, 128"))
    found = difference(capsys, "HEAD")
    assert {name: each["status"] for name, each in found.items()} == {"advance": "changed"}
    assert found["advance"]["was_name"] == "step"
    assert "(was step)" in run(capsys, "diff", "HEAD").out


def test_a_finding_about_edited_code_is_neither_new_nor_gone(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "src" / "a.hip").write_text(HIP.replace("pow(x[i], 2.0)", "pow(x[i + 1], 2.0)"))
    assert "square" not in difference(capsys, "HEAD")
    (repository / "src" / "a.hip").write_text(HIP.replace("pow(x[i], 2.0)", "pow(x[i], 2.0) + exp(pow(x[i], 3.0))"))
    assert [each["code"] for each in difference(capsys, "HEAD")["square"]["findings"]["new"]] == ["RP201"]  # type: ignore[index]


def test_a_finding_of_another_severity_is_one_line() -> None:
    place = Location("a.hip", Position(4, 3, 3, 3, 40), Position(4, 9, 9, 9, 46), "  x[i] = y;")
    was = Diagnostic(
        code="RP105",
        name="low-occupancy",
        severity=Severity.INFO,
        location=place,
        message="`k` fills 4 slots",
        kernel="k",
    )
    now = replace(was, severity=Severity.WARNING, message="`k` fills 2 slots")
    other = replace(was, code="RP201")
    gone = replace(was, kernel="m", message="`m` fills 1 slot")
    assert regraded([now, other], [was, gone]) == ([(was, now)], [other], [gone])
    changes = Changes((), 1, (now, other), (was, gone))
    lines = [line.strip() for line in text(changes, Palette(), 100) if line.startswith("  ")]
    assert [line[0] for line in lines] == ["+", "~", "-"]
    assert lines[1].startswith("~ info -> warning[RP105 low-occupancy]: `k` fills 2 slots")
    assert "**Of another severity**\n\n- a.hip:4: info → warning" in "".join(markdown(changes))


@pytest.mark.slow
def test_kernels_can_be_chosen_and_small_moves_left_out(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "src" / "square.h").write_text(HEADER.replace("TILE 256", "TILE 4096"))
    (repository / "src" / "a.hip").write_text(CLEAN)
    assert set(difference(capsys, "--kernel", "sq*", "HEAD")) == {"square"}
    assert set(difference(capsys, "--only-worse", "HEAD")) == {"step"}
    assert run(capsys, "diff", "--threshold", "many", "HEAD").status == 2
    other = run(capsys, "diff", "--exit-code", "--kernel", "squares", "HEAD")
    assert (other.status, "no kernel that a change reaches is called" in other.err) == (0, True)
    (repository / "src" / "square.h").write_text(HEADER)
    (repository / "src" / "a.hip").write_text(HIP.replace("x[i] = pow", "x[i] = x[0] + pow"))
    moved = difference(capsys, "--threshold", "0", "HEAD")
    assert set(moved) == {"square"}
    assert difference(capsys, "--threshold", "100", "HEAD") == {}


def test_changed_device_code_without_a_kernel_is_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.hip", "step.hip"):
        (repository / "src" / name).unlink()
    commit("functions only")
    (repository / "src" / "square.h").write_text(HEADER.replace("2.0", "3.0"))
    found = run(capsys, "diff", "HEAD")
    assert (found.status, found.out) == (0, "No kernel found.\n")
    assert "no kernel found that src/square.h could change" in found.err
    assert run(capsys, "diff", "--exit-code", "HEAD").status == 2
    assert run(capsys, "diff", "--exit-code", "HEAD", "HEAD").status == 0


def test_revisions_of_a_bare_repository_are_compared(
    tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "src" / "a.hip").write_text(CLEAN)
    commit("second")
    git("clone", "-q", "--bare", str(repository), str(tmp_path / "bare.git"))
    monkeypatch.chdir(tmp_path / "bare.git")
    assert set(difference(capsys, "HEAD~1", "HEAD")) == {"square"}
    assert "not know the revision" in run(capsys, "diff", "HEAD~9", "HEAD").err


def test_a_larger_budget_is_put_in_words(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repository / "src" / "step.hip").write_text(STEP.replace("void step", "void __launch_bounds__(256) step"))
    assert "the compiler can use 512 instead of 128" in run(capsys, "diff", "HEAD").out


@pytest.mark.parametrize(
    ("estimate", "scratch", "worse"), [(73, 8, False), (73, 40, True), (96, 96, True), (72, 0, False)]
)
def test_a_register_beyond_the_budget_is_nothing_worse_while_waves_are_gained(
    estimate: int, scratch: int, worse: bool
) -> None:
    def row(registers: int, budget: int, scratch_bytes: int, fraction: float) -> TargetRow:
        waves = OccupancyRow(1, 16, 4, 64, fraction, (), None)
        return TargetRow("sm_90", Band(52, registers, 132), budget, scratch_bytes, waves, ())

    change = TargetChange("sm_90", row(81, 96, 0, 5 / 16), row(estimate, 72, scratch, 7 / 16))
    assert change.worse is worse


@pytest.mark.parametrize(("tried", "comparable"), [(("<8>", "<16>"), True), (("<16>",), False)])
def test_middles_of_different_instantiations_are_not_compared(tried: tuple[str, ...], comparable: bool) -> None:
    def row(estimate: int, high: int, executed: tuple[str, ...], waves: float) -> TargetRow:
        instances = tuple(
            InstanceRow(each, "a.cu", 1, Band(1, 2, 3) if each in executed else None, 0)
            for each in ("<8>", "<16>", "<32>")
        )
        held = OccupancyRow(waves, 16, 4, 64, waves / 16, (), None)
        return TargetRow("sm_90", Band(42, estimate, high), 255, 0, held, instances)

    change = TargetChange("sm_90", row(56, 121, ("<8>", "<16>"), 8), row(85, 255, tried, 4))
    assert (change.comparable, change.worse, change.moved) == (comparable, comparable, True)
    text = ", ".join(moves(change, "->"))
    assert ("2 of 3 -> 1 of 3" in text) is not comparable
    assert ("warps" in text) is comparable
