"""Every command and every configuration snippet on the documentation's pages works verbatim."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from functools import cache
from typing import TYPE_CHECKING

import pytest
import yaml
from cli_helpers import CUDA, HIP, SYCL
from corpus import drawn
from snippets import PAGES, PROGRAM, ROOT, Fence, commands, fences, fences_of, shell_commands

from regpress_lint.__main__ import main
from regpress_lint.cli.parser import parse
from regpress_lint.config.load import load
from regpress_lint.lint.baseline import parse as parse_baseline

if TYPE_CHECKING:
    from pathlib import Path

# Their rules are those that the pages write: tests/docs/test_writing_rules.py and test_example_plugin.py run them.
OTHER_RULES = ("docs/writing-rules.md", "examples/plugin/README.md")
# These run for ever, or ask compilers and want what they said: their words are read, and they are not run.
NOT_RUN = frozenset(("server", "measure", "verify", "--measured", "--confirmed"))
SAMPLES = "testdata/kernels"  # of which a part is enough here
SMELLS = ROOT / "testdata" / "kernels" / "smells"
GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
_PATH = re.compile(r"`((?:tools|tests|testdata|regpress_lint|rules|schemas|examples|editors|docs)/[\w./-]+)`")
_BARE = re.compile(r"`(\w+\.py)`")
_SCRIPT = re.compile(r"\bpython (tools/\w+\.py)")
_MODULE = re.compile(r"\bpython -m (tools\.\w+\.\w+)")
_INLINE = re.compile(r"`(regpress-lint [^`]+)`")


@cache
def _tracked() -> tuple[str, ...]:
    """Files of the repository."""
    folders = ("tools", "examples", "regpress_lint", "rules", "tests")
    return tuple(str(path) for folder in folders for path in (ROOT / folder).rglob("*.py"))


def git(folder: Path, *arguments: str) -> None:
    subprocess.run([*GIT, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has everything the pages name: src/, build/, two tags, and origin/main behind the work tree."""
    folder = tmp_path_factory.mktemp("repository")
    for name, text in {"src/step.cu": CUDA, "src/sum.cpp": SYCL, "kernel.hip": HIP}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "init")
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "first")
    git(folder, "tag", "v1.0")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    for source in (SMELLS / "pow.hip", ROOT / "examples" / "strain" / "strain.hip"):
        shutil.copy(source, folder / "src")
    command = {"directory": str(folder), "file": "src/step.cu", "arguments": ["nvcc", "-arch=sm_90", "src/step.cu"]}
    (folder / "build").mkdir()
    (folder / "build" / "compile_commands.json").write_text(json.dumps([command]))
    git(folder, "add", "-A")
    git(folder, "commit", "-m", "second")
    git(folder, "tag", "v1.1")
    return folder


@pytest.fixture
def project(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, as the working folder."""
    for name in ("GITHUB_ACTIONS", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    shutil.copytree(repository, folder)
    monkeypatch.chdir(folder)
    return folder


CALLS = [(fence, words) for fence, words in shell_commands() if fence.page not in OTHER_RULES]


@pytest.mark.parametrize("page", drawn(sorted({fence.page for fence, _ in CALLS}), 6))
def test_every_command_works(
    page: str, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for fence, words in CALLS:
        if fence.page != page:
            continue
        if not NOT_RUN.isdisjoint(words):
            parse(words)
            continue
        monkeypatch.chdir(ROOT if any(word.startswith("testdata/") for word in words) else project)
        status = main([f"{SAMPLES}/lds_stencil" if word == SAMPLES else word for word in words])
        assert status in (0, 1), f"{fence}: {PROGRAM} {' '.join(words)}\n{capsys.readouterr().err}"


def test_commands_are_found_as_people_write_them() -> None:
    text = (
        "$ regpress-lint check src/  # now\nuvx --from git+URL regpress-lint x | cat && .venv/bin/regpress-lint rule\n"
    )
    text += "pip install regpress-lint\nregpress-lint occupancy \\\n  --arch 'a b'\nregpress-lint: note: src/a.hip\n"
    text += "regpress-lint kernels src/       what it's for\n"
    expected = [["check", "src/"], ["x"], ["rule"], ["occupancy", "--arch", "a b"], ["kernels", "src/"]]
    assert list(commands(text)) == expected
    assert {"README.md", "docs/first-steps.md", "docs/adoption.md", "docs/ci.md"} <= {fence.page for fence, _ in CALLS}


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_sentences_have_options_that_exist(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    for found in _INLINE.findall((ROOT / page).read_text(encoding="utf-8")):
        command, *rest = found.split()[1:]
        if command.startswith("-"):
            continue
        with pytest.raises(SystemExit):
            main([command, "--help"])
        text = capsys.readouterr().out
        assert not text.startswith("usage: regpress-lint check") or command == "check", found
        missing = [word for word in rest if word.startswith("--") and word not in text]
        assert missing == [], found


@pytest.mark.parametrize("page", PAGES)
def test_files_and_scripts_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = {*_PATH.findall(text), *_SCRIPT.findall(text)}
    named |= {f"{name.replace('.', '/')}.py" for name in _MODULE.findall(text)}
    places = (ROOT, (ROOT / page).parent)
    assert [path for path in sorted(named) if not any((place / path).exists() for place in places)] == []
    tracked = {os.path.basename(path) for path in _tracked()}
    bare = {name for name in _BARE.findall(text) if name not in tracked}
    assert bare <= {"_name.py"}  # a placeholder


@pytest.mark.parametrize("fence", fences("toml"), ids=str)
def test_toml_is_valid_for_its_reader(fence: Fence, project: Path) -> None:
    document = tomllib.loads(fence.text)
    if fence.title == "regpress-baseline.toml":
        assert parse_baseline(fence.text, fence.title)
    elif PROGRAM in document.get("tool", {}):
        (project / "pyproject.toml").write_text(fence.text)
        assert set(document["tool"]) == {PROGRAM}
        assert load(["kernel.hip"]).path is not None
    elif fence.title in ("", "regpress.toml"):
        (project.parent / "regpress.toml").write_text("")  # what `extend` names
        (project / "regpress.toml").write_text(fence.text)
        assert load(["kernel.hip"]).path is not None


@pytest.mark.parametrize("fence", fences("json"), ids=str)
def test_json_is_json(fence: Fence) -> None:
    json.loads(fence.text)


@pytest.mark.parametrize("fence", fences("yaml"), ids=str)
def test_yaml_names_hooks_and_commands_that_exist(
    fence: Fence, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = yaml.safe_load(fence.text)
    manifest = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    hooks = re.findall(r"- id: (\S+)", fence.text)
    assert set(hooks) <= manifest
    assert document
    for words in commands(fence.text):
        assert main(words) in (0, 1), capsys.readouterr().err


def test_every_shell_block_with_the_program_is_run() -> None:
    for page in PAGES:
        for fence in fences_of(page):
            starts = re.search(rf"^(?:\$ )?{PROGRAM} ", fence.text, re.MULTILINE)
            assert not starts or fence.language in ("", "sh", "console", "bash", "yaml"), str(fence)
