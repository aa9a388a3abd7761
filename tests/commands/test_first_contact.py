"""Pointing the linter at the wrong thing prints one line that names it and says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_helpers import run, run_json

from regpress_lint.cli.parser import COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

NONE_HERE = "no HIP, CUDA, SYCL or OpenCL code in the one file here; name the folders or files that have kernels"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "main.cpp").write_text("int main() { return 0; }\n")


@pytest.mark.parametrize("command", [("check",), ("kernels",), ("baseline", "check"), ("verify",)])
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("empty", 'no C++ or GPU source in folder "empty" (git-ignored and excluded files are left out)'),
        ("hots", 'no such file or folder: "hots", did you mean "host"?'),
        ("host", NONE_HERE),
    ],
)
def test_a_place_without_kernels_is_one_line(
    capsys: pytest.CaptureFixture[str], command: tuple[str, ...], path: str, said: str
) -> None:
    assert run(capsys, *command, path) == (2, "", f"regpress-lint: error: {said}\n")


def test_empty_report_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "report", "-o", "r.html", "host") == (2, "", f"regpress-lint: error: {NONE_HERE}\n")


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"ir"}))
def test_a_command_with_a_slip_is_named(capsys: pytest.CaptureFixture[str], command: str) -> None:
    slip = command[:2] + command[1] + command[2:]
    said = f'no such file, folder or command: "{slip}", did you mean "{command}"?'
    assert run(capsys, slip) == (2, "", f"regpress-lint: error: {said}\n")


def test_a_missing_header_is_one_finding_about_all_kernels_that_need_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cu").write_text(
        '#include <cstdio>\n#include "engine.h"\n#include "tools/helper.h"\n'
        "__global__ void draws(float* x) { Engine e(x); x[0] = e.next(); }\n"
        "__global__ void helped(float* x) { x[1] = helper(x[2]); }\n"
        "__global__ void whole(float* x) { x[4] = x[5] * 2; }\n"
        "__global__ void sized(float* x, int n) { short g[MAX]; g[n] = Engine(x).next(); x[n] = g[n + 1]; }\n"
    )
    (first,) = run_json(capsys, "k.cu")["diagnostics"]
    assert (first["code"], first["start"]["line"], first["kernels"]) == ("RP001", 2, ["draws", "helped", "sized"])
    assert first["message"] == "`engine.h` and `tools/helper.h` were not found, and what kernels use of it is not known"
    assert [note["start"]["line"] for note in first["related"]] == [4, 5, 7]
    assert "--define" in first["help"]
    members = "__device__ Engine(float*) {} __device__ float next() { return 1; }"
    (tmp_path / "engine.h").write_text(f"struct Engine {{ {members} }};\n")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "helper.h").write_text("__device__ inline float helper(float x) { return x; }\n")
    (found,) = run_json(capsys, "k.cu")["diagnostics"]
    assert found["kernel"] == "sized"


def test_one_missing_header_is_named_once_for_all_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "common.h").write_text('#include "lib/missing.h"\n')
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.cu").write_text(
            '#include "common.h"\n__global__ void k(float* x) { x[0] = helper(x[1]); }\n'
            "__global__ void l(float* x, int n) { short g[MAX]; g[n] = x[n]; x[0] = g[n + 1]; }\n"
        )
    found = run_json(capsys, ".")["diagnostics"]
    message = "`lib/missing.h` was not found, and what kernels use of it is not known"
    assert [(one["message"], one["start"]["line"], one["kernels"]) for one in found] == [(message, 1, ["k", "l"])] * 3
    out = run(capsys, "check", ".").out
    assert out.count("was not found") == 1
    assert "2 more of RP001" in out


def test_the_help_names_a_header_outside_of_the_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "other" / "sizes.h").write_text("#define N 64\n")
    (tmp_path / "src" / "k.cu").write_text(
        '#include "../other/sizes.h"\n__global__ void k(float* x, int n) {\n  float t[N];\n'
        "  for (int i = 0; i < n; ++i) t[i] = x[i];\n  x[0] = t[n];\n}\n"
    )
    (found,) = run_json(capsys, "src")["diagnostics"]
    assert "`../other/sizes.h` is outside of the folder that was named: `-I other`" in found["help"]
    for seen in ((".",), ("src", "-I", "other")):
        assert [one["code"] for one in run_json(capsys, *seen)["diagnostics"]] == ["RP403"], seen


def test_clean_result_without_kernels_is_distinguished(capsys: pytest.CaptureFixture[str]) -> None:
    result = run(capsys, "check", "host/main.cpp")
    assert (result.status, result.out) == (0, "No findings: no file with GPU code was looked at.\n")
