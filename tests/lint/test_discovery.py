"""Which files a run looks at."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run

from regpress_lint.lint.discovery import EXTENSIONS, discover

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def put(root: Path, *names: str) -> None:
    """Make files, with their folders."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(HIP)


def git(root: Path, *arguments: str) -> None:
    """Run git without the user's configuration."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=root, env=environment, check=True, capture_output=True)


def names(*paths: str, exclude: tuple[str, ...] = (), force: bool = False) -> list[str]:
    """Files that are found."""
    return [file.path for file in discover(paths, lambda _: exclude, force).files]


def test_extensions_and_hidden_folders(tmp_path: Path) -> None:
    wanted = [f"d/x.{extension}" for extension in EXTENSIONS]
    put(tmp_path, *wanted, "d/UPPER.CU", "d/x.py", "d/cu", "d/.hidden/x.cu", "d/node_modules/x.cu", "d/x.cl")
    assert names("d") == sorted([*wanted, "d/UPPER.CU"])


def test_git_ignored_files_are_left_out(tmp_path: Path) -> None:
    put(tmp_path, "a.hip", "untracked.hip", "build/b.hip", "sub/c.hip", "sub/deleted.hip", "sub/\u00e9 x.hip")
    (tmp_path / ".gitignore").write_text("build/\n")
    git(tmp_path, "init")
    git(tmp_path, "add", "a.hip", "sub")
    (tmp_path / "sub" / "deleted.hip").unlink()
    assert names(".") == ["a.hip", "sub/c.hip", "sub/\u00e9 x.hip", "untracked.hip"]
    assert names("sub") == ["sub/c.hip", "sub/\u00e9 x.hip"]
    assert names("build/b.hip") == ["build/b.hip"]


@pytest.mark.parametrize("repository", [False, True])
def test_hidden_and_installed_folders_are_left_out_with_git_and_without(tmp_path: Path, repository: bool) -> None:
    for name in (".hidden", "node_modules", "kept"):
        (tmp_path / "a" / name / "b").mkdir(parents=True)
        (tmp_path / "a" / name / "b" / "k.cu").write_text("")
    if repository:
        subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    found = [candidate.path for candidate in discover([str(tmp_path)]).files]
    assert found == [str(tmp_path / "a" / "kept" / "b" / "k.cu")]


def test_repositories_inside_repositories(tmp_path: Path) -> None:
    put(tmp_path, "a.hip", "inner/b.hip", "inner/ignored.hip")
    (tmp_path / "inner" / ".gitignore").write_text("ignored.hip\n")
    git(tmp_path, "init")
    git(tmp_path / "inner", "init")
    assert names(".") == ["a.hip", "inner/b.hip"]


def test_a_submodule_is_listed_with_what_its_own_repository_ignores_left_out(tmp_path: Path) -> None:
    put(tmp_path, "a.hip", "with\ttab.hip", "inner.cu/b.hip", "inner.cu/ignored.hip")
    (tmp_path / "inner.cu" / ".gitignore").write_text("ignored.hip\n")
    git(tmp_path, "init")
    git(tmp_path / "inner.cu", "init")
    git(tmp_path / "inner.cu", "add", ".")
    git(tmp_path / "inner.cu", "commit", "-m", "one")
    git(tmp_path, "add", "a.hip", "inner.cu")  # a link to a commit, as `submodule add` makes it
    assert names(".") == ["a.hip", "inner.cu/b.hip", "with\ttab.hip"]


def test_nothing_that_a_repository_configures_is_executed(tmp_path: Path) -> None:
    put(tmp_path, "a.hip")
    git(tmp_path, "init")
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/executed\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.editor", "diff.external", "alias.ls-files"):
        git(tmp_path, "config", key, str(script))
    git(tmp_path, "config", "core.hooksPath", str(tmp_path))
    assert names(".") == ["a.hip"]
    assert not (tmp_path / "executed").exists()


def test_a_broken_repository_is_walked(tmp_path: Path) -> None:
    put(tmp_path, "a.hip")
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    assert names(".") == ["a.hip"]


def test_git_variables_of_a_surrounding_hook_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "one/a.hip", "two/b.hip")
    git(tmp_path / "one", "init")
    git(tmp_path / "two", "init")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "two" / ".git"))
    assert names("one") == ["one/a.hip"]


def test_links(tmp_path: Path) -> None:
    put(tmp_path, "d/a.hip", "elsewhere/b.hip")
    (tmp_path / "d" / "loop").symlink_to(tmp_path / "d", target_is_directory=True)
    (tmp_path / "d" / "file.hip").symlink_to(tmp_path / "elsewhere" / "b.hip")
    (tmp_path / "d" / "dangling.hip").symlink_to("nowhere")
    found = discover(["d"])
    assert [file.path for file in found.files] == ["d/a.hip", "d/file.hip"]
    assert found.problems == ('cannot read "d/dangling.hip": the link has no target',)


def test_exclusion(tmp_path: Path) -> None:
    put(tmp_path, "src/a.hip", "src/gen/b.hip", "third_party/c.hip")
    assert names(".", exclude=("third_party", f"{tmp_path}/src/gen")) == ["src/a.hip"]
    assert names("third_party/c.hip", exclude=("third_party",)) == ["third_party/c.hip"]
    assert names("third_party/c.hip", exclude=("third_party",), force=True) == []


def test_order_and_duplicates(tmp_path: Path) -> None:
    put(tmp_path, "b.hip", "a/z.hip", "a/c.hip")
    assert names("b.hip", ".", "./a/../b.hip", "a") == ["a/c.hip", "a/z.hip", "b.hip"]


def test_missing_paths_and_empty_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path, "kernel.hip", "docs/readme.md", "host/main.cpp")
    (tmp_path / "host" / "main.cpp").write_text("int main() {}\n")
    missing = run(capsys, "check", "kernels.hip", "kernel.hip")
    assert missing.status == 2
    assert missing.err == 'regpress-lint: error: no such file or folder: "kernels.hip", did you mean "kernel.hip"?\n'
    assert "RP201" in missing.out
    empty = run(capsys, "check", "docs")
    assert (empty.status, empty.out) == (2, "")
    assert 'no C++ or GPU source in folder "docs"' in empty.err
    host = run(capsys, "check", "host")
    assert (host.status, host.out) == (2, "")
    assert "no HIP, CUDA, SYCL or OpenCL code" in host.err


def test_named_files_without_gpu_code_are_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.cpp").write_text("int main() {}\n")
    result = run(capsys, "check", "main.cpp")
    assert (result.status, result.err) == (0, "")
    assert run(capsys, "kernels", "main.cpp").status == 0


def test_named_file_of_another_kind_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("nothing\n")
    (tmp_path / "kernel.inc").write_text(HIP)
    (tmp_path / "kernel.hip").write_text(HIP)
    for command in ("check", "kernels"):
        result = run(capsys, command, "notes.txt", "kernel.hip")
        assert result.status == 2
        assert result.err.startswith('regpress-lint: error: "notes.txt" contains no HIP, CUDA, SYCL or OpenCL code')
        assert result.err.count("\n") == 1
        assert "square" in result.out
    assert run(capsys, "check", "kernel.inc").status == 1
    (tmp_path / "host.cpp").write_text("int main() {}\n")
    assert run(capsys, "check", "host.cpp").status == 0
