"""The plugin in examples/plugin, built and installed as a stranger would: its rule works like a built-in one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "plugin"
KERNEL = """#include <cuda_runtime.h>
__global__ void decay(float* x, float t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= __expf(-x[i] * t);
}
"""
pytestmark = pytest.mark.skipif(find_spec("hatchling") is None, reason="not installed: hatchling")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder into which the plugin's wheel was unpacked, which is what an installer does with it; pip takes seconds."""
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__", ".*", "dist"))
    (wheel,) = WheelBuilder(str(folder / "source")).build(directory=str(folder / "dist"), versions=["standard"])
    assert Path(wheel).name.startswith("regpress_lint_acme-")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def python(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(map(str, (site, ROOT, ROOT / "rules")))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def lint(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "decay.cu").write_text(KERNEL)
    return python(site, folder, "-m", "regpress_lint", *arguments)


def test_findings_of_the_plugin_are_among_the_others(site: Path, tmp_path: Path) -> None:
    done = lint(site, tmp_path, "check", "--isolated", "--output-format", "json", "decay.cu")
    assert (done.returncode, done.stderr) == (0, "")
    (found,) = json.loads(done.stdout)["diagnostics"]
    assert (found["code"], found["severity"], found["start"]["line"]) == ("ACME101", "info", 4)
    assert found["message"] == "`__expf` is an approximation"
    assert found["url"] == "https://rules.example.com/approximate-intrinsic"


def test_it_is_selected_and_ignored_by_name_and_code(site: Path, tmp_path: Path) -> None:
    for words, expected in (
        (("--select", "approximate-intrinsic"), True),
        (("--select", "RP2"), False),
        (("--ignore", "ACME101"), False),
    ):
        done = lint(site, tmp_path, "check", "--isolated", "--output-format", "concise", *words, "decay.cu")
        assert ("ACME101" in done.stdout) is expected, done.stderr


def test_fix_of_the_plugin_is_applied(site: Path, tmp_path: Path) -> None:
    done = lint(site, tmp_path, "check", "--isolated", "--select", "ACME101", "--fix", "--unsafe-fixes", "decay.cu")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "decay.cu").read_text() == KERNEL.replace("__expf", "expf")


def test_its_page_is_its_docstring(site: Path, tmp_path: Path) -> None:
    text = lint(site, tmp_path, "rule", "ACME101").stdout
    assert text.startswith("ACME101 approximate-intrinsic\n")
    assert "The error of these intrinsics grows with the argument." in " ".join(text.split())
    assert text.endswith("https://rules.example.com/approximate-intrinsic\n")
    listed = lint(site, tmp_path, "rule").stdout.splitlines()
    assert any(line.split()[:2] == ["ACME101", "approximate-intrinsic"] for line in listed)
    page = json.loads(lint(site, tmp_path, "rule", "approximate-intrinsic", "--output-format", "json").stdout)
    assert "## Fix safety" in page["documentation"]


def test_sarif_carries_its_help(site: Path, tmp_path: Path) -> None:
    done = lint(site, tmp_path, "check", "--isolated", "--output-format", "sarif", "decay.cu")
    (run,) = json.loads(done.stdout)["runs"]
    (result,) = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (rule["id"], rule["name"]) == ("ACME101", "approximate-intrinsic")
    assert "## When to ignore" in rule["help"]["markdown"]
    assert rule["helpUri"] == "https://rules.example.com/approximate-intrinsic"
    assert rule["defaultConfiguration"]["level"] == "note"


@pytest.mark.slow
def test_its_own_tests_pass(site: Path) -> None:
    source = site.parent / "source"
    done = python(site, source, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
