"""Where the project of a file begins: includes are searched from there, and nothing above it is read."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from regpress_lint.core.reading import is_inside
from regpress_lint.lint.projects import Projects

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("git", ["folder", "file"])
def test_root_is_the_repository_at_any_depth(tmp_path: Path, git: str) -> None:
    root = tmp_path / "repository"
    (root / "src" / "kernels").mkdir(parents=True)
    if git == "folder":
        (root / ".git").mkdir()
    else:
        (root / ".git").write_text("gitdir: elsewhere\n")  # a worktree or a submodule
    path = root / "src" / "kernels" / "a.hip"
    projects = Projects([str(path)], [str(root / "src" / "kernels")])
    assert projects.root_of(str(path)) == str(root)
    assert projects.root_of(str(root / "b.hip")) == str(root)


def test_without_version_control_it_is_the_folder_that_was_named(tmp_path: Path) -> None:
    path = tmp_path / "src" / "kernels" / "a.hip"
    path.parent.mkdir(parents=True)
    assert Projects([str(path)], [str(tmp_path / "src")]).root_of(str(path)) == str(tmp_path / "src")
    assert Projects([str(path)], []).root_of(str(path)) == str(path.parent)


def test_it_is_spelled_as_paths_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A root above the working folder has no relative spelling: the working folder stands for it."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src" / "kernels").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert Projects().root_of("src/kernels/a.hip") == "."
    monkeypatch.chdir(tmp_path / "src")
    assert Projects().root_of("kernels/a.hip") == "."
    assert Projects().root_of(str(tmp_path / "src" / "a.hip")) == str(tmp_path)


@pytest.mark.parametrize(
    ("root", "path", "inside"),
    [
        (".", "a.h", True),
        (".", "..", False),
        (".", "../a.h", False),
        (".", "/a.h", False),
        (".", "..a.h", True),
        ("/p", "/p", True),
        ("/p", "/p/a.h", True),
        ("/p", "/pq/a.h", False),
        ("/", "/a.h", True),
    ],
)
def test_files_below_a_root(root: str, path: str, inside: bool) -> None:
    assert is_inside(root, path) is inside


@pytest.mark.slow
def test_a_run_over_hundreds_of_folders_keeps_the_last_projects_only(tmp_path: Path) -> None:
    folders = [str(tmp_path / f"program{number}") for number in range(40)]
    projects = Projects([f"{folder}/a.cu" for folder in folders], folders)
    kept = [weakref.ref(projects.of(f"{folder}/a.cu")) for folder in folders]
    gc.collect()
    assert projects.of(f"{folders[-1]}/b.cu") is kept[-1]()
    assert sum(each() is not None for each in kept) < 10
