"""Programs of a repository are never run, and its files and links cannot redirect the cache."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run
from limits import limited

from regpress_lint.core import programs
from regpress_lint.lint import git
from regpress_lint.measured import toolchains

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = '#!/bin/sh\ntouch "{}"\n'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one kernel and a program in it for each name that is run, in `tools`."""
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    repository = tmp_path / "repository"
    (repository / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
    (repository / "src" / "a.hip").write_text(HIP)
    for folder in ("tools", "src"):
        for name in ("git", "nvcc", "hipcc", "clang++", "ocloc"):
            place(repository / folder / name, tmp_path / "executed")
    monkeypatch.chdir(repository / "src")
    return repository


def place(path: Path, trace: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(SCRIPT.format(trace))
    path.chmod(0o755)


@pytest.mark.parametrize("entry", [".", "", "{tree}/tools", "../tools", "{outside}/folder", "{outside}/links"])
def test_git_of_the_work_tree_is_never_run(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], entry: str
) -> None:
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "git").symlink_to(tree / "tools" / "git")
    (tmp_path / "folder").symlink_to(tree / "tools")
    real = shutil.which("git")
    monkeypatch.setenv("PATH", f"{entry.format(tree=tree, outside=tmp_path)}{os.pathsep}{os.environ['PATH']}")
    assert git.top(".") == str(tree)
    assert run(capsys, "check", "--no-cache", ".").status == 1
    assert run(capsys, "check", "--no-cache", "--since", "HEAD", ".").status == 2  # there is no commit
    assert not (tmp_path / "executed").exists()
    assert programs.find("git", (str(tree),)) == real


def test_a_git_of_the_superproject_is_never_run_in_a_submodule(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "sub").mkdir()
    (tree / "sub" / ".git").write_text("gitdir: ../.git/modules/sub\n")
    assert programs.repository(str(tree / "sub")) == str(tree)
    monkeypatch.setenv("PATH", str(tree / "tools"))
    assert git.top(str(tree / "sub")) is None


def test_windows_does_not_look_in_the_working_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows starts `git.exe` of the working folder before any of PATH, unless it gets an absolute path."""
    monkeypatch.setattr(programs, "_WINDOWS", True)
    monkeypatch.setenv("PATHEXT", ".exe:.cmd")
    outside = tree.parent / "bin"
    place(tree / "src" / "git.exe", tree.parent / "executed")
    place(outside / "git.cmd", tree.parent / "executed")
    monkeypatch.setenv("PATH", str(outside))
    assert programs.find("git", (str(tree),)) == str(outside / "git.cmd")
    monkeypatch.setenv("PATH", str(tree / "src"))
    assert programs.find("git", (str(tree),)) is None


@pytest.mark.slow
@pytest.mark.parametrize("entry", ["{outside}/links", "{tree}/tools", "{outside}/folder"])
def test_compilers_of_the_repository_are_never_run(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], entry: str
) -> None:
    """Not only those beside the source, and not by a link from elsewhere; nor does a compiler get such a PATH."""
    (tmp_path / "folder").symlink_to(tree / "tools")
    (tmp_path / "links").mkdir()
    for name in ("nvcc", "hipcc", "gcc"):
        (tmp_path / "links" / name).symlink_to(tree / "tools" / "nvcc")
    added = entry.format(tree=tree, outside=tmp_path)
    monkeypatch.setenv("PATH", f"{added}{os.pathsep}{os.environ['PATH']}")
    found = toolchains.find([str(tree / "src")])
    assert not [each for each in (found.hip, found.cuda, found.intel) if each and each.startswith(str(tmp_path))]
    assert added not in found.path.split(os.pathsep)
    for command in (("measure", "a.hip"), ("verify", ".")):
        run(capsys, *command, "--arch", "gfx90a")
    assert not (tmp_path / "executed").exists()


def test_header_folders_of_the_environment_are_reported_and_part_of_the_key(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from regpress_lint.measured.compile import Kept

    plain = Kept(None).key(b"", (), "nvcc")
    monkeypatch.setenv("CPATH", str(tree))
    monkeypatch.setenv("C_INCLUDE_PATH", "")
    monkeypatch.setenv("PATH", "/nowhere")
    assert Kept(None).key(b"", (), "nvcc") != plain
    for command in (("measure", "a.hip"), ("verify", ".")):
        err = run(capsys, *command, "--arch", "gfx90a").err
        assert err.count("warning: CPATH of the environment: compilers find headers there") == 1


@pytest.mark.parametrize("where", [".rc", "../src/.rc", "linked", "../../outside-link"])
def test_a_cache_folder_that_the_repository_names_is_outside_of_it(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.delenv("REGPRESS_LINT_NO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    (tmp_path / "elsewhere").mkdir()
    (tree / "src" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "outside-link").symlink_to(tree / "src" / ".rc")
    (tree / "src" / "regpress.toml").write_text(f'cache-dir = "{where}"\n')
    found = run(capsys, "check", "a.hip")
    assert found.status == 1
    assert found.err.count("cache-dir is in the repository and is not used") == 1
    assert not (tree / "src" / ".rc").exists()
    assert not list((tmp_path / "elsewhere").iterdir())
    assert list((tmp_path / "caches" / "regpress-lint").glob("*.pack"))
    told = run(capsys, "cache", "dir")
    assert told.out == f"{tmp_path}/caches/regpress-lint\n"
    assert "cache-dir is in the repository" in told.err


@pytest.mark.slow
def test_links_and_pipes_in_a_cache_folder(tree: Path, tmp_path: Path) -> None:
    """A folder that the command line names may come with the repository, as in CI."""
    where, victim = tree / "src" / "rc", tmp_path / "victim"
    victim.write_text("precious")
    command = ("check", "--cache-dir", "rc", "a.hip")
    assert limited(*command, cwd=tree / "src", REGPRESS_LINT_NO_CACHE="")[0] == 1
    (pack,) = where.glob("*.pack")
    for kind in ("pipe", "link", "terminal", "folder"):
        pack.unlink()
        if kind == "pipe":
            os.mkfifo(pack)
        elif kind == "folder":
            pack.mkdir()
        else:
            pack.symlink_to(victim if kind == "link" else "/dev/tty")
        for number in range(3):
            (where / f"{pack.name}.{os.getpid() + number}.part").unlink(missing_ok=True)
            (where / f"{pack.name}.{os.getpid() + number}.part").symlink_to(victim)
        status, out, _ = limited(*command, cwd=tree / "src", REGPRESS_LINT_NO_CACHE="")
        assert (status, "RP201" in out) == (1, True), kind
        assert victim.read_text() == "precious", kind
        assert kind == "folder" or (pack.is_file() and not pack.is_symlink()), kind


def test_names_of_files_that_are_written_cannot_be_known(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("REGPRESS_LINT_NO_CACHE", raising=False)
    seen: set[str] = set()
    replace = os.replace

    def noted(source: str, target: str) -> None:
        seen.add(str(source))
        replace(source, target)

    monkeypatch.setattr(os, "replace", noted)
    for number in range(2):
        (tree / "src" / "a.hip").write_text(HIP + "// again\n" * number)
        run(capsys, "check", "--cache-dir", tree.parent / "rc", "a.hip")
    assert len(seen) == 2
    assert not any(str(os.getpid()) in each.rpartition("/")[2].split(".") for each in seen)


def test_uncleanable_cache_is_reported(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REGPRESS_LINT_NO_CACHE", raising=False)
    run(capsys, "check", "--cache-dir", tmp_path / "rc", "a.hip")

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "unlink", refuse)
    found = run(capsys, "cache", "clean", "--cache-dir", tmp_path / "rc")
    assert found.status == 2
    assert found.out.startswith("removed 0 files with 0 bytes from ")
    assert found.err.count("cannot remove") == 1


def test_a_disk_quota_ends_in_a_warning(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REGPRESS_LINT_NO_CACHE", raising=False)

    def full(*_: object) -> None:
        raise OSError(122, "Disk quota exceeded")

    monkeypatch.setattr(os, "replace", full)
    found = run(capsys, "check", "--cache-dir", tmp_path / "rc", "a.hip")
    assert found.status == 1
    assert "disk quota exceeded; every run starts from nothing" in found.err
    assert not list((tmp_path / "rc").glob("*.part"))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["verify", "check", "kernels"])
def test_includes_that_never_end_or_lead_outside(tmp_path: Path, command: str) -> None:
    """A pipe, a device, a circle of folders and a system's file, with limits of memory and CPU time."""
    headers = "".join(f'#include "{name}"\n' for name in ("zero.h", "pipe.h", "/etc/passwd", "circle/circle/zero.h"))
    (tmp_path / "a.hip").write_text(headers + HIP)
    (tmp_path / "zero.h").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.h")
    (tmp_path / "circle").symlink_to(tmp_path)
    before = sorted(os.listdir(tmp_path))
    status, out, err = limited(
        command, "--isolated", "a.hip", cwd=tmp_path, REGPRESS_LINT_NO_CACHE="1", PATH="/nowhere"
    )
    assert status in (0, 1)
    assert "root:" not in out + err
    assert sorted(os.listdir(tmp_path)) == before
