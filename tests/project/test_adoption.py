"""A team takes it up: a repository with 26 findings, two commands, and a pull request that adds one; with real git.

The configuration of the hook is the one on the page docs/adoption.md, installed by pre-commit from a repository of the
tool; the pull request is looked at by the steps of action.yml in a fresh clone.
"""

from __future__ import annotations

import re
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from ci_runner import Runner
from cli_helpers import NO_NETWORK, copy_tool
from snippets import ROOT, fences_of

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

SMELLS = ROOT / "testdata" / "kernels" / "smells"
EXTENSIONS = ("hip", "cu", "cpp")
FINDINGS = 26
NEW = """
__global__ void __launch_bounds__(256) damp(double* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = pow(v[i], 2.0);
}
"""


def team(folder: Path) -> Runner:
    """A developer's machine: a repository with findings, pushed to a server."""
    folder.mkdir()
    found = Runner(folder)
    for part in ("solver", "viewer"):
        (found.work / part).mkdir()
        for smell in ("pow", "volatile"):
            for extension in EXTENSIONS:
                shutil.copy(SMELLS / f"{smell}.{extension}", found.work / part)
    shutil.copy(SMELLS / "pow.hip", found.work / "energy.hip")
    found.git("init", "-q", "-b", "main")
    found.git("init", "-q", "-b", "main", "--bare", str(folder / "server.git"))
    found.git("remote", "add", "origin", str(folder / "server.git"))
    commit(found, "Kernels")
    found.git("push", "-q", "origin", "main")
    return found


def commit(runner: Runner, message: str, *options: str, status: int = 0) -> str:
    runner.git("add", "-A")
    return runner.git("commit", "-q", "-m", message, *options, status=status)


def pre_commit(runner: Runner, *arguments: str) -> subprocess.CompletedProcess[str]:
    return runner.execute(sys.executable, "-m", "pre_commit", *arguments)


def hook(runner: Runner, folder: Path) -> None:
    """The configuration of the page, with the address and the commit of a repository of the tool."""
    tool = Runner(folder)
    copy_tool(tool.work)
    tool.git("init", "-q")
    commit(tool, "The tool")
    snippet = next(fence for fence in fences_of("docs/adoption.md") if fence.title == ".pre-commit-config.yaml").text
    snippet = re.sub(r"(?<=repo: )\S+", lambda _: str(tool.work), snippet)
    snippet = re.sub(r"(?<=rev: )\S+", tool.git("rev-parse", "HEAD").strip(), snippet)
    (runner.work / ".pre-commit-config.yaml").write_text(snippet)


def pull_request(runner: Runner, folder: Path, base: str) -> tuple[Runner, str]:
    """A runner with a fresh clone of the branch, in which the steps of the action have run; the log of the check."""
    folder.mkdir()
    found = Runner(folder)
    origin = runner.git("remote", "get-url", "origin").strip()
    found.git("clone", "-q", "--branch", "damping", origin, ".")
    checked = found.step("Check")
    assert checked.returncode == 0, checked.stderr
    assert found.step("Compare", diff=base).returncode == 0
    return found, checked.stdout


@pytest.mark.slow
def test_a_repository_is_adopted_in_two_commands_and_a_pull_request_adds_a_finding(tmp_path: Path) -> None:
    here = team(tmp_path / "team")
    (tmp_path / "tool").mkdir()
    hook(here, tmp_path / "tool")

    # The two commands.
    written = here.execute(str(here.program), "baseline", "write")
    assert written.stdout == f"wrote {FINDINGS} findings to regpress-baseline.toml\n"
    assert pre_commit(here, "install").returncode == 0

    installed = pre_commit(here, "install-hooks")
    if installed.returncode and any(text in installed.stdout + installed.stderr for text in NO_NETWORK):
        pytest.skip("pip cannot install the hook's dependencies here")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    commit(here, "Registers are watched")
    quiet = pre_commit(here, "run", "--all-files")
    assert quiet.returncode == 0, quiet.stdout
    here.git("push", "-q", "origin", "main")
    base = here.git("rev-parse", "HEAD").strip()

    # A new kernel, above the old ones: the hook speaks about it, and about nothing else.
    here.git("checkout", "-q", "-b", "damping")
    path = here.work / "energy.hip"
    path.write_text(path.read_text().replace("\nconstexpr", f"{NEW}\nconstexpr", 1))
    refused = commit(here, "Damping", status=1)
    assert refused.count("warning[") == 1
    assert "kernel: damp" in refused
    assert here.git("rev-parse", "HEAD").strip() == base

    # Someone without the hook pushes it: the pull request has one annotation, on that line, and says what is new.
    commit(here, "Damping", "--no-verify")
    here.git("push", "-q", "origin", "damping")
    review, log = pull_request(here, tmp_path / "review", base)
    line = path.read_text().splitlines().index("  if (i < n) v[i] = pow(v[i], 2.0);") + 1
    (annotation,) = (each for each in log.splitlines() if each.startswith("::"))
    assert annotation.startswith(f"::warning file=energy.hip,line={line},")
    assert "`damp`" in review.summary
    assert "`pair_energy`" not in review.summary
    assert review.step("Result").returncode == 1

    # The fix is taken: hook and pull request are content, and the baseline is as it was.
    assert here.execute(str(here.program), "check", "--fix", "--unsafe-fixes", "energy.hip").returncode == 0
    assert "damp" in here.git("diff")
    commit(here, "A product")
    here.git("push", "-q", "origin", "damping")
    assert "regpress-baseline.toml" not in here.git("diff", "--name-only", base)
    merged, log = pull_request(here, tmp_path / "merged", base)
    assert "::warning" not in log
    assert merged.step("Result").returncode == 0
