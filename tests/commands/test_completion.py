"""Completion of the command line, asked of the shells themselves; and what `--version --verbose` says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint import __version__
from regpress_lint.cli.parser import COMMANDS, grammar
from regpress_lint.commands.completion import SCRIPTS, candidates
from regpress_lint.lint import registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEGUN = [
    ("ke", {"kernels"}),
    ("kernels --sort sc", {"scratch"}),
    ("kernels --arch sm_9", {"sm_90"}),
    ("kernels --arch gfx90a,sm_9", {"gfx90a,sm_90"}),
    ("check --output-format rd", {"rdjson", "rdjsonl"}),
    ("diff --output-format m", {"markdown"}),
    ("check --select RP80", {"RP801", "RP802"}),
    ("rule pow-", {"pow-small-exponent"}),
    ("baseline w", {"write"}),
    ("--unsafe", {"--unsafe-fixes"}),
    ("check --fail-on w", {"warning"}),
    ("report --profile st", {"strict"}),
    ("completion f", {"fish"}),
]


def shell(name: str) -> str:
    """A shell's program."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def answers(*command: str, cwd: Path) -> list[str]:
    # A shell complains of a locale that is not there.
    environment = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize(("begun", "wanted"), BEGUN)
def test_words_allowed_at_the_cursor(begun: str, wanted: set[str]) -> None:
    assert {*candidates(begun.split())} == wanted


def test_values_behind_an_equals_sign() -> None:
    assert candidates(["kernels", "--arch=sm_9"]) == ["--arch=sm_90"]
    assert candidates(["kernels", "--arch", "=", "sm_9"]) == ["sm_90"]  # as bash splits it


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_every_command_is_offered(command: str) -> None:
    options = {option for action in grammar()[command]._actions for option in action.option_strings}
    assert {*candidates([command, "-"])} == options


def test_names_of_files_are_left_to_the_shell() -> None:
    assert candidates(["check", "--config", ""]) == []
    assert candidates(["check", ""]) == []


ASKED = "kernels --arch gfx90a,sm_9"


def asking(name: str) -> str:
    """The script of a shell, of this program as it is here."""
    program = f"{shlex.quote(sys.executable)} -m regpress_lint completion words"
    return SCRIPTS[name].replace("regpress-lint completion words", program)


def test_bash_completes(tmp_path: Path) -> None:
    asked = f'COMP_WORDS=(regpress-lint {ASKED}); COMP_CWORD=3; _regpress_lint; echo "${{COMPREPLY[@]}}"\n'
    (tmp_path / "script").write_text(asking("bash") + asked)
    assert answers(shell("bash"), "--norc", "script", cwd=tmp_path) == ["gfx90a,sm_90"]


def test_fish_completes(tmp_path: Path) -> None:
    asked = f"complete -C 'regpress-lint {ASKED}'\n"
    (tmp_path / "script").write_text(f"function regpress-lint; end\n{asking('fish')}{asked}")
    assert answers(shell("fish"), "--no-config", "script", cwd=tmp_path) == ["gfx90a,sm_90"]


def test_zsh_completes(tmp_path: Path) -> None:
    around = 'compdef() { : }; compadd() { shift; print -l "$@" }\n'
    asked = f"words=(regpress-lint {ASKED}); CURRENT=4; _regpress_lint\n"
    (tmp_path / "script").write_text(around + asking("zsh") + asked)
    assert answers(shell("zsh"), "-f", "script", cwd=tmp_path)[0] == "gfx90a,sm_90"


def test_completion_prints_a_script_or_lists_the_shells(capsys: pytest.CaptureFixture[str]) -> None:
    assert "complete -o default -F _regpress_lint regpress-lint" in run(capsys, "completion", "bash").out
    assert run(capsys, "completion", "words", "ke").out == "kernels\n"
    result = run(capsys, "completion", "fisch")
    assert (result.status, result.out) == (2, "")
    assert "fish" in result.err


@pytest.mark.parametrize("flags", [("--version", "--verbose"), ("-V", "-v")])
def test_the_version_in_detail(flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    first, *lines = run(capsys, *flags).out.splitlines()
    assert first == f"regpress-lint {__version__}"
    found = dict(line.split(maxsplit=1) for line in lines)
    assert {"python", "tree-sitter", "tree-sitter-cpp", "libclang", "pygls", "targets", "rules"} <= set(found)
    assert re.match(r"\d+\.\d+", found["tree-sitter"])
    assert re.fullmatch(r"\d+ AMD, \d+ NVIDIA and \d+ Intel GPUs, tables [0-9a-f]{12}", found["targets"])


@pytest.fixture
def _rules_are_loaded_anew() -> Iterator[None]:
    """A process keeps the rules that it loaded first: neither this test nor the others may see those of the others."""
    registry.load.cache_clear()
    yield
    registry.load.cache_clear()


@pytest.mark.usefixtures("_rules_are_loaded_anew")
def test_plugins_are_named_with_their_versions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    information = tmp_path / "team_rules-2.5.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: team-rules\nVersion: 2.5\n")
    (information / "entry_points.txt").write_text("[regpress_lint.rules]\nteam = team_rules:rules\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "plugin           team-rules 2.5" in run(capsys, "--version", "--verbose").out.splitlines()
