"""Explained silence: `check --why` for one line, and hidden hints in the summary."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from regpress_lint.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

_CODE = """__global__ void f(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float x = in[i];
  float h[32] = {};
  for (int j = 0; j < n; ++j) h[(int)in[j * 4096 + i] & 31] += 1.0f;
  for (int k = 0; k < 32; ++k) out[k * 4096 + i] = h[k] + x;
}
"""
_SYCL = """#include <sycl/sycl.hpp>
void run(sycl::queue& q, const float* in, float* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float h[64] = {};
    for (int j = 0; j < n; ++j) h[(int)in[j * 4096 + i] & 63] += 1.0f;
    for (int k = 0; k < 64; ++k) out[k * 4096 + i] = h[k];
  });
}
"""


def _why(path: Path, line: int, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main(["check", "--isolated", "--why", f"{path}:{line}", *more]) == 0
    return capsys.readouterr().out


def test_why_explains_the_severity_of_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text(_CODE)
    found = _why(path, 4, capsys)
    assert f"{path}:4: RP403 runtime-indexed-array in `f`" in found
    assert "128 -> 0 bytes of private memory, 16 -> 12 warps per sub-partition on sm_90" in found
    assert "  warning: 128 -> 0 bytes of private memory on sm_90\n" in found


def test_a_line_of_a_header_is_judged_with_the_files_of_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kernel.h"
    path.write_text(_CODE.replace("32]", "BINS]"))
    (tmp_path / "main.cu").write_text('#define BINS 32\n#include "kernel.h"\n')
    assert "RP001" not in _why(path, 4, capsys, str(tmp_path))


def test_why_explains_a_silent_smell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text(_CODE)
    found = _why(path, 3, capsys)
    assert "no finding in `f`: without `volatile`\n  tried: 31 registers either way on sm_90\n" in found
    assert "not reported: nvcc drops `volatile` here" in found
    path = tmp_path / "a.hip"
    path.write_text(_CODE)
    assert "RP401 volatile-private in `f`" in _why(path, 3, capsys)


@pytest.mark.parametrize("waves", [1, 24])
def test_no_slow_path_is_promised_away_while_one_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], waves: int
) -> None:
    """nvcc 13.0.88 keeps the 32 bytes of aobench-cuda (HeCBench) for the one `sincosf` that is left."""
    path = tmp_path / "a.cu"
    path.write_text(
        "__global__ void f(const float* in, float* out, int n) {\n"
        f"  float a[{waves}];\n  for (int k = 0; k < {waves}; ++k) a[k] = in[k * n + threadIdx.x];\n"
        "  for (int j = 0; j < n; ++j) {\n    float p = in[j];\n    float x = cosf(p);\n    float y = sinf(p);\n"
        f"    for (int k = 0; k < {waves}; ++k) a[k] = a[k] * x + y;\n  }}\n"
        f"  for (int k = 0; k < {waves}; ++k) out[k * n + threadIdx.x] = a[k];\n}}\n"
    )
    found = _why(path, 6, capsys)
    assert "32 -> 0 or 32 bytes of private memory" in found
    assert "info: 32 -> " not in found


_SMELLS = """__global__ void f(const float* in, float* out, const double* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] * 0.5;
  double y = pow(d[i], 1.7);
  float h[8];
  for (int k = 0; k < 8; ++k) h[k] = in[k * n + i];
#pragma unroll 4
  for (int k = 0; k < n; ++k) x += in[k];
  for (int k = 0; k < 8; ++k) out[k * 4096 + i] = h[k] + x + y;
}
"""


@pytest.mark.parametrize(
    ("line", "smell", "why"),
    [
        (3, "`0.5` with the suffix `f`\n  tried: ", "not reported: nothing is gained, an operand is double anyway or"),
        (4, "`powf` for `pow`\n  tried: ", "not reported: "),
        (5, "private array `h`\n", "every index is a constant once the loops are unrolled, so that it can stay in"),
        (7, "`#pragma unroll 1`\n  tried: ", "not reported: "),
    ],
)
def test_why_tries_the_changes_of_a_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: int, smell: str, why: str
) -> None:
    path = tmp_path / "a.cu"
    path.write_text(_SMELLS)
    found = _why(path, line, capsys)
    assert f"no finding in `f`: {smell}" in found
    assert why in found


def test_a_line_without_anything_has_an_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text(_CODE)
    assert _why(path, 2, capsys) == f"{path}:2: nothing here that any rule knows, and no change that could be tried\n"


def test_change_that_a_message_names_is_not_called_untried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.hip"
    path.write_text(
        "__global__ void f(const double* in, double* out, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  double s = 0;\n"
        "  for (int j = 0; j < n; ++j) s += exp(in[j * n + i]);\n  out[i] = s;\n}\n"
    )
    assert ": no fix is offered, whether single precision is enough is" in _why(path, 4, capsys, "--arch", "gfx90a")


@pytest.mark.parametrize(("name", "line", "target"), [("a.hip", 4, "gfx90a"), ("a.cpp", 5, "pvc")])
def test_as_json_for_every_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, line: int, target: str
) -> None:
    path = tmp_path / name
    path.write_text(_SYCL if name.endswith(".cpp") else _CODE)
    found = json.loads(_why(path, line, capsys, "--output-format", "json"))
    assert (found["version"], found["line"]) == (1, line)
    (reason,) = [each for each in found["reasons"] if each["code"] == "RP403"]
    assert reason["severity"] in ("info", "warning")
    states = reason["tried"][0]["targets"][target]
    assert states["after"]["memory_bytes"] < states["before"]["memory_bytes"]


@pytest.mark.parametrize("place", ["a.cu", "a.cu:0", "a.cu:x", "a.cu:99", "none.cu:3"])
def test_invalid_line_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_text(_CODE)
    assert main(["check", "--isolated", "--why", place]) == 2


def test_hints_that_are_not_shown_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.cu"
    path.write_text('__global__ void shown(const int* in) {\n  printf("%d", in[0]);\n}\n')
    main(["check", "--isolated", "--no-cache", "--ignore", "RP109", str(path)])
    assert capsys.readouterr().out == "No findings in 1 kernel of 1 file (1 hint hidden: --profile strict).\n"
    main(["check", "--isolated", "--no-cache", "--ignore", "RP109,RP204", str(path)])
    assert capsys.readouterr().out == "No findings in 1 kernel of 1 file.\n"
