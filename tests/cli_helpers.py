"""Shared by tests of the command line: kernels with a known finding, and a run inside this process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from regpress_lint.__main__ import main

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parent.parent
SQUARE = "pow(x[i], 2.0)"
HIP = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) square(double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = pow(x[i], 2.0);
}
"""
# Its fix keeps every result: the variable is an integer, and says only what is read and written.
EXACT = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) picked(const double *x, double *y) {
  volatile int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
"""
CUDA = HIP.replace("#include <hip/hip_runtime.h>\n", "#include <cuda_runtime.h>\n")
SYCL = """#include <sycl/sycl.hpp>
void square(sycl::queue &q, double *x) {
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    x[i] = sycl::pow(x[i], 2.0);
  });
}
"""
CLEAN = HIP.replace(SQUARE, "x[i] * x[i]")


_LEFT_OUT = shutil.ignore_patterns(".git", ".*_cache", "__pycache__", ".venv", "*.pyc", ".hypothesis")
# What pip says when there is no network or no index: then a test cannot say anything about what is installed.
# It is asked once: without a network it would try for many minutes.
IMPATIENT = {"PIP_RETRIES": "1", "PIP_DEFAULT_TIMEOUT": "20", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
NO_NETWORK = ("No matching distribution found", "Could not find a version", "Connection", "Temporary failure")


def copy_tool(folder: Path) -> None:
    """Put a copy of this repository's files there, without what is built in it."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        built = {"build", "dist"} if Path(folder) == ROOT else set()
        return _LEFT_OUT(folder, names) | built & {*names}

    shutil.copytree(ROOT, folder, ignore=left_out, dirs_exist_ok=True)


class Result(NamedTuple):
    """Exit status and both streams of a run."""

    status: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Result:
    """Run the command line in this process."""
    capsys.readouterr()
    status = main([str(argument) for argument in arguments])
    return Result(status, *capsys.readouterr())


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    """JSON that `check` writes."""
    return json.loads(run(capsys, "check", "--output-format", "json", *arguments).out)


def codes(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[str]:
    """Codes of the findings of `check`."""
    return [found["code"] for found in run_json(capsys, *arguments)["diagnostics"]]


def process(*arguments: str, cwd: Path, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command line as its own process, with nothing of CI or of git in its environment."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GITHUB_", "PYTHON"))}
    kept |= {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "rules"))), **environment}
    return subprocess.run(
        [sys.executable, "-m", "regpress_lint", *arguments],
        cwd=cwd,
        input=stdin,
        env=kept,
        capture_output=True,
        check=False,
        timeout=120,
    )
