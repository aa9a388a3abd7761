"""Logs of normal builds: the CMake module and the launcher, with real compilers."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import compilers
import pytest
from cli_helpers import CUDA, HIP, ROOT, run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

pytestmark = pytest.mark.compiler
MODULE = ROOT / "examples/cmake/RegpressMeasure.cmake"
PROJECT = """cmake_minimum_required(VERSION 3.20)
project(measured LANGUAGES {language})
list(APPEND CMAKE_MODULE_PATH "{module}")
include(RegpressMeasure)
add_library(kernels OBJECT a{suffix} b{suffix})
{options}
regpress_measure(kernels LANGUAGES {language})
"""


def built(folder: Path, language: str, suffix: str, text: str, options: str, words: list[str]) -> Path:
    """A project of two files, configured and built; its logs."""
    for name in ("a", "b"):
        (folder / f"{name}{suffix}").write_text(text.replace("square", f"square_{name}"))
    project = PROJECT.format(language=language, suffix=suffix, module=MODULE.parent, options=options)
    (folder / "CMakeLists.txt").write_text(project)
    build = folder / "build"
    for command in (
        ["cmake", "-S", str(folder), "-B", str(build), *words],
        ["cmake", "--build", str(build), "-j", "2"],
    ):
        subprocess.run(command, check=True, capture_output=True, timeout=300)
    return build / "regpress-logs"


def measured(capsys: pytest.CaptureFixture[str], log: Path) -> Mapping[str, dict[str, str]]:
    out = run(capsys, "measure", "--log", log, "--output-format", "csv").out
    return {row["kernel"]: row for row in csv.DictReader(io.StringIO(out))}


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake on PATH")
def test_a_cuda_project(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    compilers.need(".cu")
    text = CUDA.replace("#include <cuda_runtime.h>\n", "")
    log = built(tmp_path, "CUDA", ".cu", text, "", ["-DCMAKE_CUDA_ARCHITECTURES=90"])
    rows = measured(capsys, log)
    assert {name: row["target"] for name, row in rows.items()} == {"square_a": "sm_90", "square_b": "sm_90"}
    # What is compiled again takes the place of what was said before.
    changed = (tmp_path / "a.cu").read_text().replace("square_a", "renamed")
    (tmp_path / "a.cu").write_text(changed)
    subprocess.run(["cmake", "--build", str(tmp_path / "build")], check=True, capture_output=True, timeout=300)
    assert sorted(measured(capsys, log)) == ["renamed", "square_b"]


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake on PATH")
def test_a_hip_project(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    compilers.need(".hip")
    chain = compilers.chain()
    flags = f"-x hip --offload-arch=gfx90a --cuda-device-only --rocm-path={chain.hip_root} -S"
    flags += f" --rocm-device-lib-path={chain.device_libs}"
    options = f'target_compile_options(kernels PRIVATE "SHELL:{flags}")'
    log = built(tmp_path, "CXX", ".cpp", HIP, options, [f"-DCMAKE_CXX_COMPILER={chain.clang}"])
    rows = measured(capsys, log)
    assert {name: row["target"] for name, row in rows.items()} == {"square_a": "gfx90a", "square_b": "gfx90a"}
    assert rows["square_a"]["path"].endswith("a.cpp")


def test_the_line_of_shell_in_the_documentation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    compilers.need(".cu")
    page = (ROOT / "docs/measure.md").read_text()
    line = next(line for line in page.splitlines() if line.startswith("logged()"))
    (tmp_path / "a.cu").write_text(CUDA.replace("#include <cuda_runtime.h>\n", ""))
    command = f"{line}\nlogged nvcc -arch=sm_90 -Xptxas -v -cubin -o out.cubin a.cu"
    subprocess.run(["sh", "-c", command], check=True, cwd=tmp_path, timeout=120, env=os.environ)
    assert measured(capsys, tmp_path / "regpress.log")["square"]["target"] == "sm_90"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake on PATH")
def test_installed_launcher_is_called_and_its_warnings_are_read(tmp_path: Path) -> None:
    """As with ccache: the project's own launcher stays in front of the compiler, and a successful build still warns."""
    chain = compilers.chain()
    if chain.clang is None:
        pytest.skip("no clang++-19 on PATH")
    for name in ("launcher", "own"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/{name}.called\nexec "$@"\n')
        (tmp_path / name).chmod(0o755)
    (tmp_path / "a.cpp").write_text("#warning here it is\nint a;\n")
    (tmp_path / "b.cpp").write_text("int b;\n")
    shutil.copy(ROOT / "examples/cmake/RegpressMeasure.cmake", tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CXX)\ninclude(RegpressMeasure.cmake)\n"
        "add_library(one OBJECT a.cpp)\nregpress_measure(one LANGUAGES CXX)\n"
        "add_library(two OBJECT b.cpp)\n"
        f'set_target_properties(two PROPERTIES CXX_COMPILER_LAUNCHER "{tmp_path}/own")\n'
        "regpress_measure(two LANGUAGES CXX)\n"
    )
    build = tmp_path / "build"
    given = [f"-DCMAKE_CXX_COMPILER={chain.clang}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={tmp_path}/launcher"]
    subprocess.run(
        ["cmake", "-S", str(tmp_path), "-B", str(build), *given], check=True, capture_output=True, timeout=300
    )
    done = subprocess.run(["cmake", "--build", str(build)], check=True, capture_output=True, text=True, timeout=300)
    assert "here it is" in done.stdout + done.stderr
    assert len((tmp_path / "launcher.called").read_text().splitlines()) == 1
    assert len((tmp_path / "own.called").read_text().splitlines()) == 1
    assert len(list((build / "regpress-logs").glob("*.log"))) == 2
