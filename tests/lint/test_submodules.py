"""`--since` in a repository with submodules: what they have is as unchanged as they are."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, codes, run

from regpress_lint.lint import git

if TYPE_CHECKING:
    from pathlib import Path

NAMED = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always")


def commit(folder: Path, *files: str) -> None:
    for command in (("add", "--", *files), ("commit", "-q", "-m", "a")):
        subprocess.run(["git", *NAMED, *command], cwd=folder, check=True)


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a kernel of its own and one in a submodule, which holds another submodule."""
    for name in ("inner", "library", "top"):
        folder = tmp_path / name
        folder.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
        (folder / f"{name}.hip").write_text(HIP.replace("square", name))
        commit(folder, f"{name}.hip")
        if name != "inner":
            other = tmp_path / ("inner" if name == "library" else "library")
            add = ("submodule", "--quiet", "add", str(other), f"deps/{other.name}")
            subprocess.run(["git", *NAMED, *add], cwd=folder, check=True)
            commit(folder, ".")
    deep = ("submodule", "--quiet", "update", "--init", "--recursive")
    subprocess.run(["git", *NAMED, *deep], cwd=tmp_path / "top", check=True)
    monkeypatch.chdir(tmp_path / "top")
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path / "top"


@pytest.mark.slow
def test_a_submodule_that_did_not_change_has_no_new_findings(top: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert codes(capsys, ".") == ["RP201"] * 3
    assert codes(capsys, "--since", "HEAD", ".") == []
    deep = top / "deps/library/deps/inner/inner.hip"
    deep.write_text(HIP.replace("square", "inner") + HIP.replace("square", "more"))
    assert codes(capsys, "--since", "HEAD", ".") == ["RP201"]
    deep.write_text(HIP.replace("square", "inner"))
    assert run(capsys, "check", "--since", "HEAD", ".").status == 0


def test_files_of_submodules_are_read_from_their_own_repositories(top: Path) -> None:
    blobs = [blob for blob in git.tree(str(top), "HEAD") if blob.path.endswith(".hip")]
    paths = ["deps/library/deps/inner/inner.hip", "deps/library/library.hip", "top.hip"]
    assert sorted(blob.path for blob in blobs) == paths
    read = {blob.path: data.decode() for blob, data in git.contents(str(top), blobs)}
    assert read == {path: (top / path).read_text() for path in paths}


def test_an_empty_folder_of_a_submodule_is_not_the_repository_around_it(top: Path) -> None:
    (top / "deps/library/.git").unlink()
    assert [blob.path for blob in git.tree(str(top), "HEAD") if blob.path.endswith(".hip")] == ["top.hip"]
