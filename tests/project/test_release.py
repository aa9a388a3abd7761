"""A release: one version everywhere, every place that a tag changes is known, and no placeholder is left."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from snippets import ROOT

from tools import release

if TYPE_CHECKING:
    from pathlib import Path

VERSION = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
WORDS = re.compile(r"OWNER|git\+URL|repo: URL")


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that a release changes, as a repository of their own."""
    for name in {place.path for place in release.places()}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for command in (("init", "-q"), ("add", "-A")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True, capture_output=True)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return tmp_path


def test_every_file_with_a_version_has_the_same_one() -> None:
    assert VERSION is not None
    found = {place.path: place.text for place in release.places(release.VERSIONS) if place.kind == "version"}
    assert found == dict.fromkeys(release.VERSIONS, VERSION[1])


@pytest.mark.slow
def test_a_dry_run_lists_every_place_and_changes_nothing(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file() and ".git" not in path.parts}
    assert release.main(["--dry-run", "v0.2.0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {path: path.read_bytes() for path in before} == before
    assert any(re.fullmatch(r"README\.md:\d+: version: \S+ -> 0\.2\.0", line) for line in lines)
    assert any(line.startswith("packages/spack/package.py:") and "digest" in line for line in lines)
    for name in before:
        text = name.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            if WORDS.search(line) and not release._ABOUT.match(str(name.relative_to(copy))):
                known = f"{name.relative_to(copy).as_posix()}:{number}:"
                assert any(each.startswith(known) for each in lines) or "recipe-maintainers" in text, line


@pytest.mark.slow
def test_a_release_is_refused_until_everything_is_replaced(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["--check", "v0.2.0"]) == 1
    said = capsys.readouterr().out
    assert "README.md:" in said
    assert "still" in said
    apply = ["--apply", "v0.2.0", "--repository", "lab/regpress-lint", "--date", "2027-01-31", "--sha256", "ab" * 32]
    assert release.main(apply) == 0
    capsys.readouterr()
    assert release.main(["--check", "v0.2.0"]) == 0, capsys.readouterr().out
    assert capsys.readouterr().out == "v0.2.0: ready\n"
    assert "rev: v0.2.0 " in (copy / "README.md").read_text(encoding="utf-8")
    assert "git+https://github.com/lab/regpress-lint" in (copy / "README.md").read_text(encoding="utf-8")
    assert "## 0.2.0 (2027-01-31)" in (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "ab" * 32 in (copy / "packages/conda/recipe.yaml").read_text(encoding="utf-8")


def test_invalid_tag_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        release.main(["--dry-run", "latest"])
    assert "no tag of a release" in capsys.readouterr().err
