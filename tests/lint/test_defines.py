"""`--define NAME[=VALUE]` and `defines` in the configuration: macros that only the build defines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint.config.options import WrongValueError, defines
from regpress_lint.core.settings import Settings
from regpress_lint.lint.analysis import Analysis, analyse

if TYPE_CHECKING:
    from pathlib import Path

SIZE = """__global__ void k(const int *q, int *out, int n) {
  int g[MAX_LENGTH];
  for (int i = 0; i < n; i++) g[i] = q[i];
  out[0] = g[(n * 7) % 5];
}
"""
BRANCH = """__global__ void k(const int *q, int *out, int n) {
#if defined(DIM_3D)
  int g[64];
  for (int i = 0; i < n; i++) g[i] = q[i];
  out[0] = g[(n * 7) % 5];
#else
  out[0] = q[0];
#endif
}
"""


def scratch(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> int:
    found = json.loads(run(capsys, "kernels", "--no-cache", "--output-format", "json", *arguments).out)
    (kernel,) = found["kernels"]
    return int(kernel["targets"]["sm_90"]["scratch_bytes"])


@pytest.mark.parametrize("words", [("--define", "MAX_LENGTH=1024"), ("-D", "MAX_LENGTH=1024"), ("-DMAX_LENGTH=2*512",)])
def test_a_size_that_the_build_gives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (tmp_path / "k.cu").write_text(SIZE)
    assert scratch(capsys, *words, tmp_path / "k.cu") == 4096


def test_a_branch_that_the_build_chooses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(BRANCH)
    assert scratch(capsys, tmp_path / "k.cu") == 0
    assert scratch(capsys, "-D", "DIM_3D", tmp_path / "k.cu") == 256


def test_a_configuration_defines_for_its_folder_and_the_command_line_over_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, size in (("a", 16), ("b", 32)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "k.cu").write_text(SIZE)
        (tmp_path / folder / "regpress.toml").write_text(f"defines = {{ MAX_LENGTH = {size} }}\n")
    assert [scratch(capsys, tmp_path / folder) for folder in ("a", "b")] == [64, 128]
    assert scratch(capsys, "-D", "MAX_LENGTH=8", tmp_path / "a") == 32
    (tmp_path / "b" / "k.cu").write_text(BRANCH)
    assert scratch(capsys, "-D", "DIM_3D=1", tmp_path / "b") == 256  # tables add up


def test_command_line_overrides_the_build_and_the_file_overrides_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "k.cu").write_text(f"#ifndef MAX_LENGTH\n#define MAX_LENGTH 4\n#endif\n{SIZE}")
    (tmp_path / "Makefile").write_text("FLAGS = -DMAX_LENGTH=16\n")
    command = {"directory": str(tmp_path), "file": "k.cu", "command": "nvcc -c -DMAX_LENGTH=32 k.cu"}
    assert scratch(capsys, tmp_path / "k.cu") == 64
    assert scratch(capsys, "-DMAX_LENGTH=128", tmp_path / "k.cu") == 512
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    built = ("-p", tmp_path, "--semantic", "off")
    assert scratch(capsys, *built, tmp_path / "k.cu") == 128
    assert scratch(capsys, *built, "-DMAX_LENGTH=256", tmp_path / "k.cu") == 1024
    (tmp_path / "k.cu").write_text(f"#define MAX_LENGTH 8\n{SIZE}")
    assert scratch(capsys, *built, "-DMAX_LENGTH=256", tmp_path / "k.cu") == 32


def test_false_undefines_a_macro_of_the_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(BRANCH)
    (tmp_path / "Makefile").write_text("FLAGS = -DDIM_3D\n")
    assert scratch(capsys, tmp_path / "k.cu") == 256
    (tmp_path / "regpress.toml").write_text("defines = { DIM_3D = false }\n")
    assert scratch(capsys, tmp_path / "k.cu") == 0


def test_bytes_without_a_project_see_defines() -> None:
    analysis = analyse(SIZE.encode(), "k.cu", Settings(defines={"MAX_LENGTH": "256"}))
    assert isinstance(analysis, Analysis)
    (array,) = analysis.facts(analysis.file.kernels[0]).arrays
    assert array.bytes == 1024


def test_another_value_is_another_answer_of_the_cache(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(SIZE)
    found: list[int] = []
    for size in (8, 16, 8):
        words = ("kernels", "--cache-dir", tmp_path / "c", "--output-format", "json", f"-DMAX_LENGTH={size}")
        kernels = json.loads(run(capsys, *words, tmp_path / "k.cu").out)["kernels"]
        found.append(kernels[0]["targets"]["sm_90"]["scratch_bytes"])
    assert found == [32, 64, 32]


def test_macros_with_parameters() -> None:
    assert defines(["SQ(x)=((x) * (x))", "A", "B=", "C=1=2"]) == {"SQ(x)": "((x) * (x))", "A": "1", "B": "", "C": "1=2"}
    assert defines({"A": True, "B": False, "C": 3, "D": "float"}) == {"A": "1", "B": None, "C": "3", "D": "float"}


@pytest.mark.parametrize("value", [["=1"], ["a b=1"], ["A::B=1"], {"A": 1.5}, {"A": "x\ny"}, "A", {"1": 2}, {"A": [1]}])
def test_invalid_macro_is_refused(value: object) -> None:
    with pytest.raises(WrongValueError):
        defines(value)


def test_the_error_names_the_flag(capsys: pytest.CaptureFixture[str]) -> None:
    found = run(capsys, "check", "-D", "1=2", "x.cu")
    assert found.status == 2
    assert "--define: expected NAME or NAME=VALUE" in found.err
