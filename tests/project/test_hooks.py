"""The pre-commit hook as a user installs it: from a git repository, into pre-commit's own environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import CUDA, HIP, IMPATIENT, NO_NETWORK, ROOT, SYCL, copy_tool

if TYPE_CHECKING:
    from pathlib import Path

# A table that a safe fix makes `static`, since nvcc fills it again in each thread; clang does not.
TABLE = """__global__ void __launch_bounds__(256) digits(const unsigned char *a, unsigned char *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr unsigned char hex[] = "0123456789abcdef";
  b[i] = hex[a[i] & 15];
}
"""
FILES = {"a.hip": HIP, "b.cu": CUDA + TABLE, "c.cpp": SYCL}
HOOKS = (("regpress-lint", "pre-commit"), ("regpress-lint-fix", "manual"))


def execute(cwd: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command without the variables of a surrounding git hook or CI."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GITHUB_", "PYTHONPATH", "PRE_COMMIT"))}
    identity = {f"GIT_{role}_{what}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    kept |= IMPATIENT | identity | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, **environment}
    return subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=False, timeout=300)


def commit(folder: Path) -> str:
    """Make a repository of everything in a folder; its commit."""
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "all")):
        done = execute(folder, "git", *arguments)
        assert done.returncode == 0, done.stderr
    return execute(folder, "git", "rev-parse", "HEAD").stdout.strip()


def pre_commit(cwd: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return execute(cwd, sys.executable, "-m", "pre_commit", *arguments, **environment)


@pytest.mark.slow
def test_the_manifest_is_valid(tmp_path: Path) -> None:
    result = pre_commit(ROOT, "validate-manifest", ".pre-commit-hooks.yaml", PRE_COMMIT_HOME=str(tmp_path))
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_manifest_takes_every_extension_that_folders_are_searched_for() -> None:
    from regpress_lint.lint.discovery import EXTENSIONS

    manifest = (ROOT / ".pre-commit-hooks.yaml").read_text()
    patterns = [line.split("files: ")[1] for line in manifest.splitlines() if "files: " in line]
    assert len(patterns) == manifest.count("- id: ")
    for pattern in patterns:
        assert set(pattern.removeprefix(r"\.(").removesuffix(")$").split("|")) == EXTENSIONS


@pytest.mark.slow
def test_the_hook_fails_on_a_smell_and_passes_once_it_is_fixed(tmp_path: Path) -> None:
    tool, project = tmp_path / "tool", tmp_path / "project"
    copy_tool(tool)
    revision = commit(tool)
    project.mkdir()
    for name, text in FILES.items():
        (project / name).write_text(text)
    (project / "notes.md").write_text("pow(x, 2.0)\n")
    hooks = "\n".join(f"  - id: {name}\n    stages: [{stage}]" for name, stage in HOOKS)
    (project / ".pre-commit-config.yaml").write_text(f"repos:\n- repo: {tool}\n  rev: {revision}\n  hooks:\n{hooks}\n")
    commit(project)
    cache = {"PRE_COMMIT_HOME": str(tmp_path / "cache")}

    installed = pre_commit(project, "install-hooks", **cache)
    if installed.returncode and any(text in installed.stdout + installed.stderr for text in NO_NETWORK):
        pytest.skip("pip cannot install the hook's dependencies here")
    assert installed.returncode == 0, installed.stdout + installed.stderr

    smelly = pre_commit(project, "run", "--all-files", **cache)
    assert smelly.returncode == 1
    assert all(f"{name}:" in smelly.stdout for name in FILES), smelly.stdout
    assert smelly.stdout.count("RP201 pow-small-exponent") == len(FILES)
    assert "notes.md" not in smelly.stdout

    fixed = pre_commit(project, "run", "--all-files", "--hook-stage", "manual", **cache)
    assert "files were modified by this hook" in fixed.stdout
    assert execute(project, "git", "diff", "--name-only").stdout.split() == ["b.cu"]
    assert "  static constexpr unsigned char hex" in (project / "b.cu").read_text()
    for name in FILES:  # `pow` has no safe fix
        text = (project / name).read_text()
        assert "pow(x[i], 2.0)" in text
        (project / name).write_text(re.sub(r"(sycl::)?pow\(x\[i\], 2\.0\)", "x[i] * x[i]", text))

    clean = pre_commit(project, "run", "--all-files", **cache)
    assert clean.returncode == 0, clean.stdout
