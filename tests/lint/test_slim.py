"""An installation without libclang: the same findings, and it says what is missing and what that means."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest
from cli_helpers import ROOT

HEADER = """template <class T> struct Size { enum { value = 24 * __builtin_popcount(sizeof(T)) }; };
typedef Size<double> Kept;
"""
TEXT = """#include "sizes.h"
__global__ void square(double* x, int n) {
  double kept[Kept::value];
  for (int i = 0; i < Kept::value; ++i) kept[i] = x[i];
  for (int i = 0; i < n; ++i) x[i] = pow(kept[i], 2.0);
}
"""
PACKAGES = ("tree_sitter", "tree_sitter_cpp")
DISTRIBUTIONS = ("regpress-lint", "tree-sitter", "tree-sitter-cpp")
OPEN = "sizes of types and values of constants that headers outside the project define stay unknown"


@pytest.fixture(scope="module")
def slim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages that has all but libclang and the server's."""
    folder = tmp_path_factory.mktemp("slim")
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        (folder / name).symlink_to(Path(spec.origin).parent)
    for name in DISTRIBUTIONS:
        metadata = Path(str(distribution(name).locate_file(""))).joinpath()
        found = next(metadata.glob(f"{name.replace('-', '_')}-*.dist-info"))
        (folder / found.name).symlink_to(found)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A file that leaves a question for libclang: the extent of an array."""
    (tmp_path / "a.hip").write_text(TEXT)
    (tmp_path / "sizes.h").write_text(HEADER)
    return tmp_path


def started(slim: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(slim), str(ROOT), str(ROOT / "rules")))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GITHUB"))}
    return subprocess.run(  # -S: nothing of this environment's packages
        [sys.executable, "-S", "-m", "regpress_lint", *arguments],
        cwd=folder,
        env={**kept, "PYTHONPATH": path, "REGPRESS_LINT_NO_CACHE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_simulation_has_no_libclang(slim: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import clang"],
        cwd=tmp_path, env={"PYTHONPATH": str(slim)}, capture_output=True, check=False,
    )  # fmt: skip
    assert b"ModuleNotFoundError" in done.stderr


@pytest.mark.parametrize("command", ["check", "kernels", "pressure"])
def test_commands_work_without_libclang(command: str, slim: Path, project: Path) -> None:
    done = started(slim, project, command, "--isolated", "--arch", "gfx90a", "a.hip")
    assert done.returncode in (0, 1), done.stderr
    assert "square" in done.stdout
    assert done.stderr == ""


@pytest.mark.slow
def test_run_without_libclang_reports_unknowns(slim: Path, project: Path) -> None:
    plain = started(slim, project, "kernels", "--semantic", "on", "a.hip")
    assert plain.returncode == 0
    assert "libclang did not answer for 1 file (--verbose says why)" in plain.stderr
    told = started(slim, project, "kernels", "--isolated", "--semantic", "on", "-v", "a.hip").stderr
    assert f"a.hip: libclang: it is not installed (pip install libclang): {OPEN}" in told
    assert "Traceback" not in told


def test_version_names_missing_parts_and_their_use(slim: Path, project: Path) -> None:
    lines = started(slim, project, "--version", "--verbose").stdout.splitlines()
    (libclang,) = (line for line in lines if line.startswith("libclang "))
    assert f"not installed; {OPEN} (pip install libclang)" in libclang
    (pygls,) = (line for line in lines if line.startswith("pygls "))
    assert "not installed; `server` needs it" in pygls


def test_the_server_names_its_extra(slim: Path, project: Path) -> None:
    done = started(slim, project, "server")
    assert done.returncode == 2
    assert "regpress-lint[lsp]" in done.stderr
    assert "Traceback" not in done.stderr
