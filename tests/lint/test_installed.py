"""Cached answers belong to one version of the program: another version computes its own, and only the code counts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from regpress_lint.cpp.names import project
from regpress_lint.lint import cache_validation
from regpress_lint.lint.cache_validation import fingerprint

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rules in a folder of their own, as under development."""
    folder = tmp_path / "regpress_rules"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "rule.py").write_text("LIMIT = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [each for each in sys.modules if each.partition(".")[0] == "regpress_rules"]:
        monkeypatch.delitem(sys.modules, name)  # as where all answers come from the cache
    return folder


def test_another_rule_or_another_package_beside_it_is_another_program(package: Path) -> None:
    found = [fingerprint(plugins=False)]
    (package / "rule.py").write_text("LIMIT = 20\n")
    found.append(fingerprint(plugins=False))
    (package / "below").mkdir()
    (package / "below" / "other.py").write_text("")
    found.append(fingerprint(plugins=False))
    (package.parent / "tree_sitter-9.9.dist-info").mkdir()
    found.append(fingerprint(plugins=False))
    assert len(set(found)) == len(found)
    assert found[-1] == fingerprint(plugins=False)


def test_what_python_compiles_it_to_says_nothing(package: Path) -> None:
    before = fingerprint(plugins=False)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "rule.cpython-311.pyc").write_bytes(b"code")
    assert fingerprint(plugins=False) == before


def test_a_run_that_asks_only_the_cache_sees_as_many_neighbours_as_the_one_that_filled_it() -> None:
    """`present` works without the parser, and says what `project` says."""
    assert cache_validation._MAX_BESIDE == project._MAX_BESIDE
