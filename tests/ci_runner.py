"""A runner of GitHub's, as far as the steps of action.yml that are lines of shell need one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import yaml
from cli_helpers import IMPATIENT
from snippets import ROOT

if TYPE_CHECKING:
    from pathlib import Path

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}
DEFAULTS = {name: entry["default"] for name, entry in ACTION["inputs"].items()}


class Runner:
    """A folder that looks like a runner's, with a place for a checkout in it."""

    def __init__(self, folder: Path) -> None:
        self.temp, self.work, self.bin = folder / "temp", folder / "work", folder / "bin"
        for each in (self.temp, self.work, self.bin):
            each.mkdir()
        self.files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in self.files.values():
            path.touch()
        paths = os.pathsep.join((str(ROOT), str(ROOT / "rules")))
        self.program = self.script("regpress-lint", f'PYTHONPATH={paths} exec {sys.executable} -m regpress_lint "$@"')

    def script(self, name: str, text: str) -> Path:
        """A program that the lines of shell find."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    def git(self, *arguments: str, status: int = 0) -> str:
        """What git says, on both streams, in the checkout."""
        done = self.execute("git", *arguments)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def environment(self) -> dict[str, str]:
        """Environment variables of a process without git's and without those of a CI service."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "GITHUB_", "CI_", "PYTHON", "PRE_"))}
        clean |= {
            f"GIT_{role}_{what}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        clean |= {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "PRE_COMMIT_HOME": f"{self.temp}/hooks",
            **IMPATIENT,
        }
        clean |= {name: str(path) for name, path in self.files.items()}
        return clean | {"PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "RUNNER_TEMP": str(self.temp)}

    def execute(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program in the checkout."""
        return subprocess.run(
            command,
            cwd=self.work,
            env=self.environment() | variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def step(self, name: str, event: dict[str, str] | None = None, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step of the action with these inputs, the others' defaults, and what GitHub tells about the event."""
        known = {f"inputs.{key}": value for key, value in {**DEFAULTS, **inputs}.items()}
        known |= {"steps.install.outputs.program": str(self.program), **self.outputs(), **(event or {})}
        variables = {
            key: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known.get(found[1], ""), value)
            for key, value in STEPS[name].get("env", {}).items()
        }
        return self.execute(
            *("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]),
            GITHUB_ACTIONS="true",
            GITHUB_REPOSITORY="o/r",
            GITHUB_WORKSPACE=str(self.work),
            **variables,
        )

    def outputs(self) -> dict[str, str]:
        """What steps have written for later ones, of whichever step."""
        written = dict(line.split("=", 1) for line in self.files["GITHUB_OUTPUT"].read_text().splitlines())
        return {f"steps.{id_}.outputs.{key}": value for key, value in written.items() for id_ in ("check", "compare")}

    @property
    def summary(self) -> str:
        """The page of the run."""
        return self.files["GITHUB_STEP_SUMMARY"].read_text()
