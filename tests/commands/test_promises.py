"""A new user relies on these: no unrequested writes, the nearest configuration wins, and failures are reported."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, codes, process, run, run_json
from corpus import drawn

from regpress_lint.core.errors import suggestion

if TYPE_CHECKING:
    from pathlib import Path

UNSAFE = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) k(double *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = pow(x[i], 2.0);
  y[i] = y[i] * 2.5;
}
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.hip").write_text(HIP)


def test_no_timed_property() -> None:
    from hypothesis import settings

    assert settings.default is not None
    assert settings.default.deadline is None


# 1. Fixes


@pytest.mark.slow
def test_unsafe_fixes_count_more_and_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text(UNSAFE)
    narrow, every = (run_json(capsys, "a.hip")["summary"][key] for key in ("fixable", "fixable_unsafe"))
    wide = run_json(capsys, "--unsafe-fixes", "a.hip")["summary"]["fixable"]
    assert narrow < wide == every
    assert (tmp_path / "a.hip").read_text() == UNSAFE
    shown = run(capsys, "check", "--unsafe-fixes", "a.hip").out
    assert shown.splitlines()[-2].endswith(f"{wide} fixable with --fix --unsafe-fixes.")
    piped = process("check", "-", "--unsafe-fixes", cwd=tmp_path, stdin=UNSAFE.encode())
    assert b"fixable with" in piped.stdout
    assert b"#include" not in piped.stdout
    assert "x[i] * x[i]" not in (tmp_path / "a.hip").read_text()
    run(capsys, "check", "--fix", "--unsafe-fixes", "a.hip")
    assert "x[i] * x[i]" in (tmp_path / "a.hip").read_text()


# 2. Configuration


@pytest.mark.slow
def test_the_nearest_configuration_counts_for_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.hip").write_text(HIP)
    (tmp_path / "sub" / "regpress.toml").write_text('ignore = ["RP201"]\n')
    assert codes(capsys, "sub/x.hip") == []
    for paths in (["a.hip", "sub/x.hip"], ["."], ["sub/x.hip", "a.hip"]):
        found = run_json(capsys, *paths)
        assert [each["path"] for each in found["diagnostics"]] == ["a.hip"], paths
        assert found["summary"]["files"] == 2
    named = process("check", "-", "--stdin-filename", "sub/x.hip", cwd=tmp_path, stdin=HIP.encode())
    assert named.returncode == 0


def test_excludes_severities_and_the_exit_status_are_a_files_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("x.hip", "gen.hip"):
        (tmp_path / "sub" / name).write_text(HIP)
    (tmp_path / "sub" / "regpress.toml").write_text('exclude = ["gen.hip"]\nfail-on = "error"\n')
    (tmp_path / "gen.hip").write_text(HIP)
    found = run_json(capsys, ".")["diagnostics"]
    assert [each["path"] for each in found] == ["a.hip", "gen.hip", "sub/x.hip"]
    assert run(capsys, "check", "sub").status == 0
    assert run(capsys, "check", ".").status == 1
    (tmp_path / "sub" / "regpress.toml").write_text('[severity]\npow-small-exponent = "error"\nRP2 = "hint"\n')
    assert {each["path"]: each["severity"] for each in run_json(capsys, "a.hip", "sub")["diagnostics"]} == {
        "a.hip": "warning",
        "sub/gen.hip": "error",
        "sub/x.hip": "error",
    }


def test_a_wrong_file_further_down_stops_the_run_before_anything_is_linted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "x.hip").write_text(HIP)
    (tmp_path / "sub" / "regpress.toml").write_text('ignore = ["RP999"]\n')
    result = run(capsys, "check", ".")
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith(f'regpress-lint: error: {tmp_path}/sub/regpress.toml: ignore: unknown rule "RP999"')


# 3. Standard input


@pytest.mark.parametrize("flags", drawn([["--fix", "--unsafe-fixes"], ["--diff", "--unsafe-fixes"], []], 3))
def test_an_excluded_name_of_standard_input(tmp_path: Path, flags: list[str]) -> None:
    (tmp_path / "regpress.toml").write_text('exclude = ["gen"]\n')
    named = ["check", "-", "--stdin-filename", "gen/x.hip", "--output-format", "concise", *flags]
    left_out = process(*named, "--force-exclude", cwd=tmp_path, stdin=HIP.encode())
    assert left_out.returncode == 0
    assert left_out.stdout == (HIP.encode() if flags == ["--fix", "--unsafe-fixes"] else b"")
    assert process(*named, cwd=tmp_path, stdin=HIP.encode()).stdout != left_out.stdout


# 5. Paths in formats for services


def _repository(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True, env={"PATH": os.environ["PATH"]})
    (folder / "src").mkdir()
    (folder / "src" / "x.hip").write_text(HIP)


def _uri(text: str) -> str:
    (result,) = json.loads(text)["runs"][0]["results"]
    uri: str = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    return uri


def test_paths_are_relative_to_the_root_of_the_repository(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _repository(tmp_path / "repo")
    monkeypatch.chdir(tmp_path / "repo" / "src")
    given = ["x.hip", "../src/x.hip", str(tmp_path / "repo" / "src" / "x.hip")]
    for path in given:
        assert _uri(run(capsys, "check", "--output-format", "sarif", path).out) == "src/x.hip"
        assert "file=src/x.hip," in run(capsys, "check", "--output-format", "github", path).out
        assert run_json(capsys, path)["diagnostics"][0]["path"] == os.path.normpath(path)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert _uri(run(capsys, "check", "--output-format", "sarif", "x.hip").out) == "repo/src/x.hip"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "elsewhere"))
    prefixed = run(capsys, "check", "--output-format", "sarif", "--path-prefix", "third_party/lib", "x.hip").out
    assert _uri(prefixed) == "third_party/lib/src/x.hip"


def test_a_file_outside_of_the_repository_has_no_dots_in_sarif(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _repository(tmp_path / "repo")
    monkeypatch.chdir(tmp_path / "repo" / "src")
    uri = _uri(run(capsys, "check", "--output-format", "sarif", "../../a.hip").out)
    assert uri == f"file://{tmp_path}/a.hip"


# 7. Input that is not understood


@pytest.mark.parametrize("command", ["check", "kernels"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (HIP.encode("utf-16"), "it is UTF-16 text; save it as UTF-8"),
        (b"\xfe\xff" + HIP.encode("utf-16-be"), "it is UTF-16 text; save it as UTF-8"),
        (HIP.replace("\n", "\r").encode(), "its lines end in CR alone; convert them to LF"),
    ],
)
def test_text_that_is_not_understood_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, data: bytes, said: str
) -> None:
    (tmp_path / "odd.hip").write_bytes(data)
    result = run(capsys, command, "odd.hip", "a.hip")
    assert (result.status, result.err) == (2, f'regpress-lint: error: "odd.hip" cannot be read: {said}\n')
    assert "square" in result.out


def test_utf_16_without_gpu_code_is_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "resource.h").write_bytes("#define ID 1\n".encode("utf-16"))
    assert run(capsys, "check", ".").err == ""


def test_a_selection_without_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "check", "--select", "RP201", "--ignore", "RP201", "a.hip")
    assert (result.status, result.out) == (2, "")
    assert "the selection leaves no rule" in result.err
    (tmp_path / "regpress.toml").write_text('ignore = ["ALL"]\n')
    by_file = run(capsys, "check", "a.hip")
    assert by_file.status == 0
    assert f"warning: {tmp_path}/regpress.toml: the selection leaves no rule" in by_file.err


# 8. Suggestions and SARIF's texts


def test_dashes_do_not_make_names_similar() -> None:
    assert suggestion("--baselin", ["--select", "--baseline"]) == ', did you mean "--baseline"?'
    assert suggestion("--bas-line", ["--select", "--isolated"]) == ""


def test_sarif_begins_sentences_with_capitals_and_has_pages_of_rules_that_occur(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run(capsys, "check", "--output-format", "sarif", "a.hip").out
    assert len(text) < 20_000
    rules = {rule["id"]: rule["help"]["markdown"] for rule in json.loads(text)["runs"][0]["tool"]["driver"]["rules"]}
    assert "## What it does" in rules["RP201"]
    assert rules.keys() == {"RP201"}
    (result,) = json.loads(text)["runs"][0]["results"]
    sentences = result["message"]["text"].split(". ")
    assert not [each for each in sentences if each[:1].islower()]


# 10. Tables


def test_kernels_sorted_and_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "b.hip").write_text(
        "__global__ void big(float *x) { __shared__ float s[1024]; s[threadIdx.x] = x[0]; x[1] = s[0]; }\n"
    )

    def names(*arguments: str) -> list[str]:
        text = run(capsys, "kernels", "--output-format", "json", *arguments, ".").out
        return [each["name"] for each in json.loads(text)["kernels"]]

    assert names() == ["square", "big"]
    assert names("--sort", "registers") == ["square", "big"]
    assert names("--sort", "lds") == names("--sort", "name") == ["big", "square"]
    assert names("--sort", "lds", "--top", "1") == ["big"]
    assert names("--kernel", "sq*") == ["square"]
    assert run(capsys, "kernels", "--kernel", "squar", ".").err.endswith(
        'no kernel here is called "squar", did you mean "square"?\n'
    )
    assert run(capsys, "kernels", "--sort", "lds", "--top", "1", ".").out.splitlines()[1].startswith("big ")
    wrong = run(capsys, "kernels", "--sort", "register", ".")
    assert (wrong.status, 'did you mean "registers"?' in wrong.err) == (2, True)
    assert run(capsys, "kernels", "--top", "0", ".").status == 2


@pytest.mark.parametrize("width", ["80", "100", ""])
def test_a_table_fits_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    deep = tmp_path / "a_folder_with_a_long_name" / "and_another_one_below_it"
    deep.mkdir(parents=True)
    text = "template <typename T> __global__ void a_kernel_with_a_rather_long_name_of_its_own(T *x) { x[0] = x[1]; }\n"
    (deep / "kernels_of_the_whole_project.hip").write_text(text)
    for arguments in (["kernels", "."], ["rule"]):
        lines = [line for line in run(capsys, *arguments).out.splitlines() if not line.endswith(".hip:1")]
        assert max(map(len, lines)) <= int(width or 100), arguments
    assert "? the source does not say the block size" in run(capsys, "kernels", ".").out


def test_every_mark_of_the_table_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.hip").write_text("__global__ void k(float *x) { extern __shared__ float s[]; s[0] = x[0]; }\n")
    out = run(capsys, "kernels", "a.hip").out
    assert "256?" in out
    assert "\n256? the source does not say the block size" in out
    assert "\n? under LDS: the source does not say how much" in out
