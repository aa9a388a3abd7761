"""Assumptions not taken from the source or its build are reported: a file's language, an unknown GPU."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import Result, run, run_json

from regpress_lint.compilation.flags import parse
from regpress_lint.compilation.gpus import nearest
from regpress_lint.cpp.conditions import predefined

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = "__global__ void k(const float *x, float *y, int e) { y[threadIdx.x] = pow(x[threadIdx.x], e); }\n"
HIP = "#include <hip/hip_runtime.h>\n__global__ void z(float *x) { x[0] = 1; }\n"
TILE = """__global__ void __launch_bounds__(256) k(const double *p, double *o, int n) {
  double v[24];
#pragma unroll
  for (int i = 0; i < 24; ++i) v[i] = p[i * 64 + threadIdx.x];
  for (int r = 0; r < n; ++r)
#pragma unroll
    for (int i = 0; i < 24; ++i) v[i] = v[i] * v[(i + 1) % 24];
#pragma unroll
  for (int i = 0; i < 24; ++i) o[i * 64 + threadIdx.x] = v[i];
}
"""


@pytest.mark.parametrize("others", [("z.hip",), ("z.hip", "y.hip", "x.hip"), ()])
def test_cu_file_is_cuda_beside_any_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], others: tuple[str, ...]
) -> None:
    for name in others:
        (tmp_path / name).write_text(HIP)
    (tmp_path / "k.cu").write_text(PLAIN)
    assert [found["code"] for found in run_json(capsys, "--no-cache", tmp_path)["diagnostics"]] == ["RP202"]


def test_a_cu_that_a_hip_file_includes_is_hip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "k.cu").write_text(PLAIN)
    (tmp_path / "z.hip").write_text('#include "k.cu"\n' + HIP)
    found = run(capsys, "kernels", "--no-cache", "--output-format", "json", tmp_path)
    assert {kernel["language"] for kernel in json.loads(found.out)["kernels"]} == {"hip"}
    assert "is read as" not in found.err


@pytest.mark.parametrize("command", ["check", "kernels"])
def test_header_between_hip_files_is_hip_and_reported_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "k.h").write_text(PLAIN)
    (tmp_path / "z.hip").write_text(HIP)
    for _ in range(2):  # the second answer is the cache's
        found = run(capsys, command, "--cache-dir", tmp_path / "c", tmp_path)
        assert found.err.count("k.h is read as HIP, by the files beside it") == 1


def test_a_folder_that_decides_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pow-hip").mkdir()
    (tmp_path / "pow-hip" / "k.cu").write_text(PLAIN)
    assert "k.cu is read as HIP, by its folder" in run(capsys, "check", "--no-cache", tmp_path).err


# ------------------------------------------------------------------------------------------------------------- GPUs


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("gfx1154", "gfx1153"),
        ("gfx909", "gfx908"),
        ("sm_85", "sm_86"),
        ("sm_104a", "sm_103"),
        ("sm_52", "sm_60"),
        ("sm_35", "sm_60"),
        ("compute_85", "sm_86"),
        ("intel_gpu_xyz", None),
        ("generic", None),
    ],
)
def test_the_nearest_of_the_family(name: str, other: str | None) -> None:
    assert nearest(name) == other


def built(folder: Path, capsys: pytest.CaptureFixture[str], flags: str, *more: str) -> Result:
    (folder / "k.cu").write_text(TILE)
    entry = {"directory": str(folder), "file": "k.cu", "command": f"clang++ -x hip -c {flags} k.cu"}
    (folder / "compile_commands.json").write_text(json.dumps([entry]))
    words: tuple[str | Path, ...] = ("--semantic", "off", "-p", folder, "--output-format", "json", *more, folder)
    return run(capsys, "kernels", "--no-cache", *words)


def test_unknown_gpu_of_a_command_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = built(tmp_path, capsys, "--offload-arch=gfx1154")
    (kernel,) = json.loads(found.out)["kernels"]
    assert list(kernel["targets"]) == ["gfx1153"]
    assert found.err.count("gfx1154 of the compile commands is not known: its kernels are answered for gfx1153") == 1


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        (
            "--offload-arch=gfx9999",
            "gfx9999 of the compile commands is not known, nor is anything like it: its kernels ",
        ),
        ("--offload-arch=sm_88x", "sm_88x of the compile commands is not known: its kernels are answered for sm_88"),
        ("-arch=sm_88x", "sm_88x of the compile commands is not known: its kernels are answered for sm_88"),
        ("--offload-arch=gfx12-9-generic", "gfx12-9-generic of the compile commands is not known: its kernels are "),
    ],
)
def test_the_gpu_that_answers_for_an_unknown_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, told: str
) -> None:
    found = built(tmp_path, capsys, flag)
    (kernel,) = json.loads(found.out)["kernels"]
    (target,) = kernel["targets"]
    assert told in found.err
    assert f"are answered for {target}\n" in found.err


def test_no_note_if_another_gpu_is_requested(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "not known" not in built(tmp_path, capsys, "--offload-arch=gfx1154", "--arch", "gfx90a").err


def test_wide_waves_of_rdna_leave_room_for_fewer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # clang 19: 12 of 16 waves with -mwavefrontsize64, 16 without
    waves: list[float] = []
    for flags in ("", "-mwavefrontsize64", "-mwavefrontsize64 -mno-wavefrontsize64"):
        (kernel,) = json.loads(built(tmp_path, capsys, f"--offload-arch=gfx1100 {flags}").out)["kernels"]
        waves.append(kernel["targets"]["gfx1100"]["occupancy"]["waves_per_simd"])
    assert waves == [16, 12, 16]


def test_wave_width_is_a_macro() -> None:
    assert predefined("hip", targets=("gfx1100",))["__AMDGCN_WAVEFRONT_SIZE__"] == "32"
    assert predefined("hip", targets=("gfx1100",), wave=64)["__AMDGCN_WAVEFRONT_SIZE__"] == "64"
    assert predefined("hip", targets=("gfx90a",), wave=32)["__AMDGCN_WAVEFRONT_SIZE__"] == "64"


def test_processor_names_count_as_unknown_gpus() -> None:
    words = ["hipcc", "--offload-arch=gfx942,gfx1154", "-fsycl-targets=spir64,nvptx64-nvidia-cuda"]
    assert parse(words, "/b", "/b/a.hip", lambda _: []).unknown_targets == (("gfx1154", "gfx1153"),)
