"""Completion of the command line, asked of the shells themselves; and what `--version --verbose` says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint import __version__
from regpress_lint.cli.parser import COMMANDS, grammar
from regpress_lint.commands.completion import SHELLS, script
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


def test_bash_completes(tmp_path: Path) -> None:
    asked = "\n".join(
        f"COMP_WORDS=(regpress-lint {begun}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); COMPREPLY=(); _regpress_lint; "
        'echo "${COMPREPLY[@]}"'
        for begun, _ in BEGUN
    )
    (tmp_path / "script").write_text(script("bash") + asked)
    found = answers(shell("bash"), "--norc", "script", cwd=tmp_path)
    assert [{*line.split()} for line in found] == [wanted for _, wanted in BEGUN]


def test_bash_leaves_names_of_files_to_readline(tmp_path: Path) -> None:
    asked = (
        'COMP_WORDS=(regpress-lint check --config x); COMP_CWORD=3; _regpress_lint; echo "<${COMPREPLY[@]}>"\n'
        "complete -p regpress-lint\n"
    )
    (tmp_path / "script").write_text(script("bash") + asked)
    found = answers(shell("bash"), "--norc", "script", cwd=tmp_path)
    assert found == ["<>", "complete -o default -F _regpress_lint regpress-lint"]


def test_fish_completes(tmp_path: Path) -> None:
    asked = "\n".join(f"complete -C 'regpress-lint {begun}' | string split -f1 \\t; echo" for begun, _ in BEGUN)
    (tmp_path / "script").write_text(f"function regpress-lint; end\n{script('fish')}{asked}\n")
    found = answers(shell("fish"), "--no-config", "script", cwd=tmp_path)
    assert [{*part.split()} for part in "\n".join(found).split("\n\n")] == [wanted for _, wanted in BEGUN]


def test_zsh_understands_its_script(tmp_path: Path) -> None:
    (tmp_path / "script").write_text(script("zsh"))
    assert answers(shell("zsh"), "-f", "-n", "script", cwd=tmp_path) == []


@pytest.mark.parametrize("name", SHELLS)
def test_every_option_of_every_command_is_in_the_script(name: str) -> None:
    text = script(name)
    for command, parser in grammar().items():
        assert re.search(rf"\b{command}\b", text)
        for option in (option for action in parser._actions for option in action.option_strings):
            shown = option if name != "fish" else f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            assert re.search(rf"{re.escape(shown)}(?![\w-])", text), (command, option)
    assert set(grammar()) == set(COMMANDS)


def test_completion_prints_a_script_or_lists_the_shells(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "completion", "bash").out == script("bash")
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
