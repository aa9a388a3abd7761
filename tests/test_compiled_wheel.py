"""The wheel that mypyc compiles says byte for byte what the pure Python one says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("regpress_lint", "rules")
KERNELS = (ROOT / "testdata/kernels", ROOT / "testdata/RP403")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("clang") is None, reason="no C compiler"),
]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked wheel, compiled without optimisation: what is tested is that it says the same."""
    pytest.importorskip("mypyc")
    tree = tmp_path_factory.mktemp("tree")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("README.md", "LICENSE", "pyproject.toml", "build_backend.py", "build_hook.py"):
        shutil.copy(ROOT / name, tree)
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel"],
        cwd=tree,
        env=os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1", "MYPYC_OPT_LEVEL": "0"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = (tree / "dist").glob("*.whl")
    unpacked = tree / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    return unpacked


def _said(package_path: str, *arguments: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "regpress_lint", *arguments, "--no-cache", "--isolated", *map(str, KERNELS)],
        cwd=os.sep,
        env=os.environ | {"PYTHONPATH": package_path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode in (0, 1), run.stderr
    return run.stdout


def test_modules_are_compiled_and_the_pure_sources_lie_beside_them(compiled: Path) -> None:
    libraries = {path.name.split(".")[0] for path in compiled.rglob("*.so")}
    assert {"evaluate", "merge", "schedule", "expressions", "expression_nodes"} <= libraries
    assert (compiled / "regpress_lint/ir/build/evaluate.py").exists()
    assert (compiled / "regpress_rules").is_dir()


@pytest.mark.parametrize("command", ["check", "kernels"])
def test_compiled_and_pure_say_the_same(compiled: Path, command: str) -> None:
    arguments = (command, "--arch", "gfx90a,sm_90,pvc", "--output-format", "json")
    assert _said(str(compiled), *arguments) == _said(f"{ROOT}{os.pathsep}{ROOT / 'rules'}", *arguments)
