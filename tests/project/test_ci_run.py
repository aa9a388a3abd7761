"""`.ci/run` with tools that only log their arguments: it works for any caller and reports any failure."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("python", "ruff", "lint-imports", "mypy", "mkdocs", "pytest")
SYSTEM = ("bash", "sh", "dirname", "grep", "date", "mkdir", "ln", "id", "timeout", "cat")
# Says what it was called with; FAILING holds the beginnings of calls that fail.
STUB = """#!/bin/sh
call="${0##*/} $*"
told="home ${HOME-unset} | until ${REGPRESS_TESTS_UNTIL-unset} | bytecode ${PYTHONDONTWRITEBYTECODE-kept}"
echo "$call | $told" >>"$LOG"
printf '%s\\n' "$FAILING" | while IFS= read -r begin; do
  [ -z "$begin" ] || case "$call" in "$begin"*) exit 1 ;; esac
done
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


class Done(NamedTuple):
    """How it ended, what it said, and the tools that it called, in their order."""

    status: int
    said: str
    calls: list[str]

    def call(self, begin: str) -> str:
        """The first call that begins so."""
        return next(call for call in self.calls if call.startswith(begin))


class Machine:
    """A checkout with an environment, on a machine that has nothing but this."""

    def __init__(self, folder: Path) -> None:
        self.repository, self.log, self.bin = folder / "repository", folder / "log", folder / "bin"
        venv = self.repository / ".venv" / "bin"
        for each in (self.repository / ".ci", venv, self.bin):
            each.mkdir(parents=True)
        shutil.copy(ROOT / ".ci" / "run", self.repository / ".ci" / "run")
        (self.repository / "README.md").write_text((ROOT / "README.md").read_text())
        for path in (*(venv / name for name in TOOLS), *(self.bin / name for name in ("python3", "apt-get", "npm"))):
            path.write_text(STUB)
            path.chmod(0o755)
        for name in SYSTEM:
            there = shutil.which(name)
            if there is not None:
                (self.bin / name).symlink_to(there)

    def run(self, *command: str, failing: tuple[str, ...] = (), **environment: str) -> Done:
        """Run it as a service would, without a home unless one is given."""
        variables = {"PATH": str(self.bin), "LOG": str(self.log), **environment}
        done = subprocess.run(
            command, cwd=self.repository.parent, env={**variables, "FAILING": "\n".join(failing)}, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, self.log.read_text().splitlines() if self.log.exists() else [])


@pytest.fixture
def bare(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.mark.parametrize("shell", [(), ("bash",), ("sh",)])
def test_any_caller_and_working_folder(bare: Machine, shell: tuple[str, ...]) -> None:
    done = bare.run(*shell, "repository/.ci/run", PYTHONDONTWRITEBYTECODE="1", CDPATH="/usr")
    assert done.status == 0, done.said
    tests = done.call("python -m pytest")
    assert tests.startswith("python -m pytest -q -n auto |")
    assert f"| home {bare.repository}/build/home |" in tests
    assert tests.endswith("| until unset | bytecode kept")
    last = done.calls[-1]
    assert last.startswith("pytest -q -n auto --hypothesis-profile=many -m (slow or compiler")
    until = float(last.partition("until ")[2].partition(" ")[0])
    assert 0 < until - time.time() < 15 * 60
    assert "== end" in done.said


def test_a_home_that_can_be_written_stays(bare: Machine, tmp_path: Path) -> None:
    assert f"| home {tmp_path} |" in bare.run("repository/.ci/run", HOME=str(tmp_path)).call("python -m pytest")


@pytest.mark.parametrize(
    ("failing", "step"),
    [
        ("python -m pytest", "the README's tests"),
        ("ruff format", "lint"),
        ("mypy", "types"),
        ("mkdocs", "documentation"),
        ("pytest", "what takes long"),
    ],
)
def test_failures_are_named_at_the_end(bare: Machine, failing: str, step: str) -> None:
    done = bare.run("repository/.ci/run", failing=(failing,))
    assert done.status == 1
    assert f": {step}" in done.said.splitlines()[-1]


def test_types_and_tests_that_fail_are_both_named(bare: Machine) -> None:
    done = bare.run("repository/.ci/run", failing=("mypy", "pytest"))
    assert done.status == 1
    assert done.said.splitlines()[-1].endswith("browser, types")


@pytest.mark.parametrize("failing", ["apt-get", "npm"])
def test_optional_tools_may_be_missing(bare: Machine, failing: str) -> None:
    done = bare.run("repository/.ci/run", failing=(failing,))
    assert done.status == 0, done.said
    assert "tests that need" in done.said


def test_without_a_network_the_environment_that_is_there_is_tested(bare: Machine) -> None:
    done = bare.run("repository/.ci/run", failing=("python -m pip",))
    assert done.status == 0, done.said
    assert "what was there before is tested" in done.said
    assert done.call("python -m pytest")


def test_without_a_network_and_an_environment_nothing_is_tested(bare: Machine) -> None:
    done = bare.run("repository/.ci/run", failing=("python -m pip", "python -c"))
    assert done.status == 1
    assert "the README's tests" in done.said.splitlines()[-1]
    assert not [call for call in done.calls if "pytest -q" in call]


def test_another_python_where_the_first_one_is_too_old(bare: Machine) -> None:
    newer = bare.bin / "python3.12"
    newer.write_text(STUB)
    newer.chmod(0o755)
    done = bare.run("repository/.ci/run", failing=("python3 -c import sys",))
    assert done.status == 0, done.said
    assert (bare.repository / "build" / "python" / "python3").resolve() == newer
    assert done.call("python3 -m venv")


@pytest.mark.long
def test_environment_variables_change_no_test() -> None:
    given = {"FORCE_COLOR": "1", "GITHUB_ACTIONS": "true", "CI": "true", "COLUMNS": "40", "GIT_DIR": "/nowhere"}
    tests = (
        "tests/commands/test_summary.py",
        "tests/commands/test_cli_failures.py",
        "tests/commands/test_cli_output.py",
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no", *tests],
        cwd=ROOT, env={**os.environ, **given, "TERM": "dumb"}, check=False, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4_000:]
