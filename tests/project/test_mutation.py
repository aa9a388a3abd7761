"""Mutation testing runs the tests that can tell: those that reach the changed line, the quick and different first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.robustness import mutation
from tools.robustness.mutation import Mutant, Work, changed
from tools.robustness.mutation_map import LONG, ROUNDS, Reached, at_import, chosen, completed, merged, present, readers

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = "a = 1\n\n\ndef f():\n    return 2\n"


@pytest.mark.parametrize(("after", "lines"), [("a = 0", [1]), ("    return 3", [5])])
def test_a_mutant_is_looked_for_where_it_changes_the_module(after: str, lines: list[int]) -> None:
    before = BEFORE.splitlines()
    text = [after if number in lines else line for number, line in enumerate(before, 1)]
    assert changed(BEFORE, "\n".join(text)) == lines


def test_fastest_row_of_each_function_is_first() -> None:
    tests = ["t.py::a[1]", "t.py::a[2]", "t.py::b", "t.py::other"]
    reached = Reached(tests, [0.1, 0.2, 3.0, 0.0], {"m.py": {"5": [0, 1, 2], "9": [3]}})
    assert chosen(reached, "m.py", [5]) == [[0, 2, 1]]


def test_a_constant_of_a_module_is_everybody_s_who_reaches_the_module() -> None:
    reached = Reached(["t.py::a", "t.py::b"], [0.1, 0.2], {"m.py": {"1": [], "5": [0], "9": [1]}})
    assert chosen(reached, "m.py", [1]) == [[0, 1]]
    assert chosen(reached, "unseen.py", [1]) == []


@pytest.mark.parametrize(("line", "expected"), [(1, True), (4, True), (5, False)])
def test_import_time_code_is_recorded_separately(line: int, expected: bool) -> None:
    assert at_import(BEFORE, [line]) is expected


def test_who_loads_a_module_first_is_not_the_only_one_to_reach_its_constants() -> None:
    reached = Reached(["t.py::a", "t.py::b"], [0.1, 0.2], {"m.py": {"1": [1], "5": [0]}})
    assert chosen(reached, "m.py", [1], constant=True) == [[0, 1]]


def test_readers_of_a_table_come_first(tmp_path: Path) -> None:
    for name, text in {"reads": "from pack.table import PRICES", "other": "from pack.table.rows import ROW"}.items():
        (tmp_path / f"{name}.py").write_text(text)
    reached = Reached(["other.py::a", "other.py::b", "reads.py::c"], [0.1, 0.1, 0.2], {"pack/table.py": {"5": [0]}})
    assert readers(reached, "pack/table.py", tmp_path) == [2]
    assert chosen(reached, "pack/table.py", [1], constant=True, naming=[2]) == [[2], [0]]


def test_remaining_golden_kernels_come_last() -> None:
    golden = [f"{LONG[0]}::a[{number}]" for number in range(3)]
    reached = Reached([*golden, "t.py::a"], [500.0, 300.0, 400.0, 0.1], {"m.py": {"1": [1], "5": [0, 3]}})
    assert chosen(reached, "m.py", [5]) == [[3], [0]]
    assert chosen(reached, "m.py", [1], constant=True) == [[3], [1], [2, 0]]


def test_second_round_has_the_overflow_of_the_first() -> None:
    (most, _), _ = ROUNDS
    tests = [f"t.py::a[{number}]" for number in range(most + 2)]
    first, second = chosen(Reached(tests, [0.0] * len(tests), {"m.py": {"1": list(range(most + 2))}}), "m.py", [1])
    assert (len(first), len(second)) == (most, 2)


def test_workers_records_are_merged_without_failing_tests() -> None:
    one = {
        "seconds": {"t.py::a": 0.5, "t.py::bad": float("inf")},
        "lines": {"m.py": {"1": ["", "t.py::a", "t.py::bad"]}},
    }
    two = {"seconds": {"t.py::b": 0.25}, "lines": {"m.py": {"1": ["t.py::b"], "2": ["t.py::b"]}}}
    assert merged([one, two]) == Reached(["t.py::a", "t.py::b"], [0.5, 0.25], {"m.py": {"1": [0, 1], "2": [1]}})


def test_tests_that_are_gone_leave_the_map() -> None:
    reached = Reached(["t.py::a", "t.py::gone", "t.py::b"], [0.1, 0.2, 0.3], {"m.py": {"1": [0, 1], "2": [1, 2]}})
    assert present(reached, {"t.py::a", "t.py::b", "t.py::new"}) == Reached(
        ["t.py::a", "t.py::b"], [0.1, 0.3], {"m.py": {"1": [0], "2": [1]}}
    )


def test_tests_that_ran_again_replace_what_the_map_knew_of_them() -> None:
    old = Reached(["t.py::a", "t.py::b"], [0.1, 0.2], {"m.py": {"1": [0, 1], "2": [1]}})
    new = Reached(["t.py::b", "t.py::c"], [0.4, 0.5], {"m.py": {"2": [1], "3": [0]}, "n.py": {"7": [0, 1]}})
    assert completed(old, new) == Reached(
        ["t.py::a", "t.py::b", "t.py::c"],
        [0.1, 0.4, 0.5],
        {"m.py": {"1": [0], "2": [2], "3": [1]}, "n.py": {"7": [1, 2]}},
    )


@pytest.mark.slow
@pytest.mark.parametrize(("after", "killed"), [("value = 2\n", True), ("value = 1  # the same\n", False)])
def test_failure_without_the_mutant_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str, killed: bool
) -> None:
    (tmp_path / "m.py").write_text("value = 1\n")
    text = "import m\ndef test_bad(): assert m.value == 7\ndef test_good(): assert m.value == 1\n"
    (tmp_path / "test_m.py").write_text(text)
    monkeypatch.setattr("tools.robustness.mutation._own_copy", lambda: tmp_path)
    rounds = [(["test_m.py::test_bad", "test_m.py::test_good"], 0.1)]
    found = mutation.test(Work(Mutant("rules", "m.py", "core/NumberReplacer", 0), rounds, "value = 1\n", after))
    assert found.killed is killed
