"""What git lists of a work tree, at once or begun early: names as they are, whatever is in them."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from regpress_lint.lint import git
from regpress_lint.lint.discovery import begin, surroundings

if TYPE_CHECKING:
    from pathlib import Path

ENDINGS = frozenset(("cu", "hip", "h"))
NAMES = ("a.cu", "B.CU", "sub/c.hip", "tab\tin it.h", "line\nbreak.h", "ü.hip", "100644 not a mode\t.h", "two.dots.cu")
OTHERS = ("cu", "d.py", "e.cu.txt", "sub/hip", "f.cup")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree of which every second file is tracked."""
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for name in (*NAMES, *OTHERS):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    subprocess.run(["git", "add", "--", *NAMES[::2], *OTHERS[::2]], cwd=tmp_path, check=True)
    return tmp_path


def test_sources_are_listed_tracked_or_not(tree: Path) -> None:
    assert git.files(str(tree), ENDINGS) == sorted(NAMES)


def test_a_list_that_was_begun_is_the_same_and_is_taken_once(tree: Path) -> None:
    git.begin_files(str(tree))
    (tree / "later.cu").write_text("")
    assert set(NAMES) <= set(git.files(str(tree), ENDINGS) or ()) <= {*NAMES, "later.cu"}
    assert git.files(str(tree), ENDINGS) == sorted((*NAMES, "later.cu"))


def test_forked_process_lists_files_itself(tree: Path) -> None:
    """Two processes that read one pipe would each get a part of the list."""
    git.begin_files(str(tree))
    child = os.fork()
    if child == 0:
        os._exit(0 if git.files(str(tree), ENDINGS) == sorted(NAMES) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert git.files(str(tree), ENDINGS) == sorted(NAMES)


def test_surroundings_are_what_they_are_without_a_beginning(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    plain = list(surroundings(("sub/c.hip",), (), ()))
    monkeypatch.setattr("regpress_lint.lint.discovery.MOST_FOLDERS", 0)
    begin(["sub/c.hip"])
    assert list(surroundings(("sub/c.hip",), (), ())) == plain == sorted(set(NAMES) - {"sub/c.hip"})


def test_a_file_outside_of_a_work_tree_begins_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError("git was asked")

    monkeypatch.setattr(git, "_asked", asked)
    monkeypatch.setattr("regpress_lint.lint.discovery.MOST_FOLDERS", 0)
    begin([str(tmp_path / "a.cu")])


def test_single_names_are_listed_literally(tree: Path) -> None:
    (tree / "[ab].cu").write_text("")
    assert git.files(str(tree), ENDINGS, ("[ab].cu", "sub/c.hip", "absent.cu", "d.py")) == ["[ab].cu", "sub/c.hip"]


def test_no_file_list_without_git(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    git.begin_files(str(tree))
    assert git.files(str(tree), ENDINGS) is None


def test_every_rename_is_known_by_its_own_old_name(tree: Path) -> None:
    for name in NAMES[::2]:  # told apart by what they hold
        (tree / name).write_text(f"{name}\n" * 9)
    options = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *options, "commit", "-qam", "all"], cwd=tree, check=True)
    moved = {name: f"new {number}.cu" for number, name in enumerate(NAMES[::2])}
    for old, new in moved.items():
        subprocess.run(["git", "mv", old, new], cwd=tree, check=True)
    assert git.renames(str(tree), "HEAD") == moved
