"""Edits, logs and comparisons of tools/measure/time_changes.py; the programs are not in the repository."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tools.generators import result_tables
from tools.measure import time_changes, time_inputs

_LOG = """\
ptxas info    : Compiling entry function '_Z5firstPf' for 'sm_90'
ptxas info    : Function properties for _Z6helperv
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z5firstPf
    64 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers, 64 bytes cumulative stack size
ptxas info    : Compiling entry function '_Z6secondPf' for 'sm_90'
ptxas info    : Function properties for _Z6secondPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers
"""


def _run(printed: str, *kernels: tuple[str, int, int]) -> dict[str, object]:
    rows = {name: [launches, total // max(launches, 1), total] for name, launches, total in kernels}
    return {"status": 0, "printed": printed, "kernels": rows}


def test_an_edit_needs_one_place_or_a_line() -> None:
    text = "int a[4];\nint b[4];\n"
    assert time_changes.edited(text, ["k.cu", "a[4]", "a[8]"]) == "int a[8];\nint b[4];\n"
    assert time_changes.edited(text, ["k.cu:2", "[4]", "[8]"]) == "int a[4];\nint b[8];\n"
    assert time_changes.edited(text, ["k.cu:*", "[4]", "[8]"]) == "int a[8];\nint b[8];\n"
    for edit in (["k.cu", "[4]", "[8]"], ["k.cu:1", "b[4]", "b[8]"], ["k.cu:*", "c[4]", ""]):
        with pytest.raises(ValueError, match=re.escape(edit[1])):
            time_changes.edited(text, edit)


def test_small_powers_become_products_and_others_stay() -> None:
    assert time_changes.with_products("pow(x, 2) + powf(f(a, b) - c, 3.f)") == "times2(x) + times3(f(a, b) - c)"
    assert time_changes.with_products("sqrt(pow((a/r-1.),3.)) * pow(q, 1.6)") == "sqrt(times3((a/r-1.))) * pow(q, 1.6)"


def test_floats_replace_double_literals_and_types_only() -> None:
    assert time_changes.with_floats("double a = 1.5e3*x1 + .5 + 2 + 1.f;") == "float a = 1.5e3f*x1 + .5f + 2 + 1.f;"


def test_assigned_elements_become_a_static_table() -> None:
    text = "  int days[3];\n  days[0]=31;;\n  days[1]=28; // short\n  days[2]=31;\n  return days[m];\n"
    assert time_changes.with_static_table(text, "days") == (
        "  static const int days[3] = {31, 28, 31};\n  return days[m];\n"
    )


def test_resources_of_a_log_belong_to_the_kernel_and_not_to_callees() -> None:
    assert time_changes.resources(_LOG) == {"_Z5firstPf": [40, 64, 16], "_Z6secondPf": [12, 0, 0]}


def test_figure_is_the_time_per_launch_of_the_named_kernels() -> None:
    one = _run("", ("_Z5firstPf", 2, 6000), ("_Z6secondPf", 1, 500), ("_Z5firstPd", 3, 0))
    assert time_changes.figure(one, "first") == (3.0, 2)
    assert time_changes.figure(one, "third") is None


def test_printed_results_are_compared_without_times() -> None:
    before = [_run("checksum 1.0000\ntime 5 s")]
    assert time_changes.same(before, [_run("checksum 1.0000\ntime 4 s")]) == "yes"
    assert time_changes.same(before, [_run("checksum 1.0001\ntime 4 s")]) == "rounding"
    assert time_changes.same(before, [_run("checksum 1.1\ntime 4 s")]) == "no"
    assert time_changes.same(before, [_run("FAIL\ntime 4 s")]) == "no"


def test_every_change_names_a_program_and_its_edit() -> None:
    plan = time_changes.read_plan(time_changes.RESULTS / "changes.toml")
    names = [change["name"] for change in plan.changes]
    assert len(set(names)) == len(names)
    for change in plan.changes:
        made = {"edits", "powers", "floats", "tables"} & set(change)
        assert change["program"] in plan.programs
        assert bool(made) == (change["by"] == "hand"), change["name"]
    assert {program["data"] for program in plan.programs.values() if "data" in program} == set(time_inputs.INPUTS)


@pytest.mark.parametrize("rule", sorted({row["rule"] for row in result_tables.rows_of("changes.csv")}))
def test_two_of_three_warnings_of_a_rule_pay(rule: str) -> None:
    """A rule whose warnings gain neither time nor private memory loses that severity."""
    paid = result_tables.paid_warnings([row for row in result_tables.rows_of("changes.csv") if row["rule"] == rule])
    assert 3 * sum(paid) >= 2 * len(paid)


def test_changes_that_were_not_run_keep_their_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "changes.toml").write_bytes((time_changes.RESULTS / "changes.toml").read_bytes())
    rows = (time_changes.RESULTS / "changes.csv").read_text()
    (tmp_path / "changes.csv").write_text(rows)
    monkeypatch.setattr(time_changes, "RESULTS", tmp_path)
    nothing = tmp_path / "out.json"
    nothing.write_text('{"gpu": "", "compiler": "", "runs": {}, "resources": {}}')
    time_changes.store([nothing], "2026-11-30")
    assert (tmp_path / "changes.csv").read_text() == rows


def test_only_named_programs_are_built() -> None:
    plan = time_changes.read_plan(time_changes.RESULTS / "changes.toml")
    names = {build.name for build in time_changes.builds(plan, Path("f"), ["hotspot"])}
    assert names == {"before-hotspot", "hotspot-RP801-hand-1"}
    with pytest.raises(ValueError, match="hotspott"):
        time_changes.builds(plan, Path("f"), ["hotspott"])


def test_times_of_a_folder_that_is_named_relatively_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "changes.toml").write_text('change = []\n[program.p]\narguments = ""\n')
    where = tmp_path / "before-p" / "p-cuda"
    where.mkdir(parents=True)
    (where / "main").write_text('#!/bin/sh\necho "kernel,2,3,6000" > "$KERNEL_TIMES"\n')
    (where / "main").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(time_changes, "_gpu", str)
    monkeypatch.setattr(time_changes, "_compiler", str)
    time_changes.run(Path(), Path("out.json"), seconds=30)
    runs = json.loads((tmp_path / "out.json").read_text())["runs"]["before-p"]
    assert runs[0]["kernels"] == {"kernel": [2, 3, 6000]}
