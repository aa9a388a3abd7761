"""Each line of `tests/security_promises.md` names tests that exist, and each guard and gate is still at its place."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tools.robustness.gates import GATES
from tools.robustness.guards import GUARDS
from tools.robustness.reading_guards import READING, Guard

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"`(test_\w+\.py)::(test_\w+)`")


def rows() -> list[str]:
    lines = (ROOT / "tests" / "security_promises.md").read_text().splitlines()
    return [line for line in lines if line.startswith("| ")][1:]


@cache
def written_in(name: str) -> frozenset[str]:
    (path,) = (ROOT / "tests").rglob(name)
    tree = ast.parse(path.read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_each_attack_has_a_test() -> None:
    assert len(rows()) > 30
    assert [row for row in rows() if not NAMED.findall(row.rpartition(" | ")[2])] == []


def test_the_tests_exist() -> None:
    named = {pair for row in rows() for pair in NAMED.findall(row)}
    assert {(name, test) for name, test in named if test not in written_in(name)} == set()


@pytest.mark.parametrize("guard", [*READING, *GUARDS], ids=lambda guard: guard.name)
def test_guards_removes_existing_text(guard: Guard) -> None:
    assert (ROOT / "regpress_lint" / guard.path).read_text(encoding="utf-8").count(guard.text) == 1
    named = [test.partition("::") for test in guard.tests.split()]
    assert [test for file, _, test in named if test and test.partition("[")[0] not in written_in(file)] == []


def test_gates_breaks_existing_text() -> None:
    kept = [gate for gate in GATES if gate.path != ".git-subject"]
    assert [gate.name for gate in kept if gate.text not in (ROOT / gate.path).read_text(encoding="utf-8")] == []
    assert [gate.name for gate in kept if gate.text == gate.broken] == []
