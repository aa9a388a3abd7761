"""The guide for those who write rules: its files are taken out of the page, and its rule works as it says."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tools.measure import rule_size

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "writing-rules.md"
FILES = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the files of the guide, installed: pip leaves the entry point of pyproject.toml in such a folder."""
    folder = tmp_path_factory.mktemp("plugin")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    information = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    information.mkdir()
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in each.items()) for group, each in entry_points(project)]
    (information / "entry_points.txt").write_text("\n".join(lines))
    return folder


def entry_points(project: dict[str, object]) -> list[tuple[str, dict[str, str]]]:
    found = project["entry-points"]
    assert isinstance(found, dict)
    return list(found.items())


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(map(str, (folder, ROOT, ROOT / "rules")))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def check(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    options = ("--isolated", "--select", "BAR101", "--output-format", "json")
    return python(folder, "-m", "regpress_lint", "check", *options, *files)


def test_rule_finds_the_documented_case(plugin: Path) -> None:
    files = ("divergent.cu", "uniform.cu")
    done = python(
        plugin, "-m", "regpress_lint", "check", "--isolated", "--select", "BAR101", "--output-format", "json", *files
    )
    assert (done.returncode, done.stderr) == (1, "")
    (found,) = json.loads(done.stdout)["diagnostics"]
    line = next(n for n, text in enumerate(FILES["divergent.cu"].splitlines(), 1) if "expect:" in text)
    assert (found["code"], found["severity"], found["path"]) == ("BAR101", "warning", "divergent.cu")
    assert (found["start"]["line"], found["kernel"]) == (line, "sum")
    assert found["message"] == "`__syncthreads` is reached only by threads with `lane < width`"


def test_its_page_is_shown(plugin: Path) -> None:
    shown = python(plugin, "-m", "regpress_lint", "rule", "divergent-barrier")
    assert shown.returncode == 0
    assert "A barrier that not all threads of a block reach." in shown.stdout


@pytest.mark.slow
def test_the_test_of_the_page_passes(plugin: Path) -> None:
    done = python(plugin, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_barrier_rules.py")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_a_barrier_in_a_header_is_reported_at_the_kernel(plugin: Path) -> None:
    (plugin / "step.h").write_text("__device__ void step(int i) { if (threadIdx.x < i) __syncthreads(); }\n")
    (plugin / "user.cu").write_text('#include "step.h"\n__global__ void user(int n) { step(n); }\n')
    done = python(
        plugin, "-m", "regpress_lint", "check", "--isolated", "--select", "BAR101", "--output-format", "json", "user.cu"
    )
    (found,) = json.loads(done.stdout)["diagnostics"]
    assert (found["start"]["line"], found["related"][0]["path"]) == (2, "step.h")


def test_the_rule_needs_no_more_than_ten_names_and_the_page_explains_them() -> None:
    names = rule_size.concepts(GUIDE.read_text())
    assert 1 < len(names) <= rule_size.CONCEPTS
    rows = [line for line in GUIDE.read_text().splitlines() if line.startswith("| `")]
    assert [name for name in names if not any(f"`{name}`" in row.split("|")[1] for row in rows)] == []
