"""Cached answers belong to one version of the program: another version computes its own, and only the code counts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from regpress_lint.core.settings import Settings
from regpress_lint.lint.cache_validation import fingerprint
from regpress_lint.lint.work import Scope, Work, _key
from regpress_lint.semantics import arguments

if TYPE_CHECKING:
    from pathlib import Path


def _unasked(*_given: object) -> object:
    raise AssertionError


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


def test_bytecode_does_not_change_the_version(package: Path) -> None:
    before = fingerprint(plugins=False)
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "rule.cpython-311.pyc").write_bytes(b"code")
    assert fingerprint(plugins=False) == before


def test_pages_of_rules_and_headers_for_libclang_are_in_no_answer_of_a_plain_run(package: Path) -> None:
    """Half of the program's files: their states would take as long as importing a dozen modules."""
    before = fingerprint(plugins=False)
    (package / "rule.md").write_text("A page.\n")
    (package / "shims").mkdir()
    (package / "shims" / "vector").write_text("#pragma once\n")
    assert fingerprint(plugins=False) == before
    (package / "limits.toml").write_text("limit = 1\n")
    assert fingerprint(plugins=False) != before


def test_a_run_that_asks_libclang_knows_the_headers_that_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "SHIMS", str(tmp_path))
    reports: Work[object] = Work("check", _unasked, _unasked)

    def keys() -> list[str]:
        plain, asked = Settings(semantic="off"), Settings(semantic="on")
        built = Settings(semantic="auto", build_dir="build")
        return [_key(reports, Scope(each, ())) for each in (plain, Settings(semantic="auto"), asked, built)]

    before = keys()
    (tmp_path / "vector").write_text("#pragma once\n")
    assert [old == new for old, new in zip(before, keys(), strict=True)] == [True, True, False, False]
