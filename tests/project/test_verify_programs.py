"""tools/measure/verify_programs.py: selection of programs, their compilation, and the counts in the table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tools.measure import verify_programs

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

NUMBERS = {"registers": 60, "waves": 7.5}


def finding(verdict: str, kind: str = "safe", **targets: str) -> dict[str, Any]:
    changes = {
        target: {
            "verdict": change,
            "before": NUMBERS,
            "after": {**NUMBERS, "registers": 69, "waves": 6.75} if change == "lost" else NUMBERS,
            "error": None,
        }
        for target, change in targets.items()
    }
    return {"code": "RP201", "applicability": kind, "verdict": verdict, "path": "p/a.cu", "line": 3, "targets": changes}


def test_the_table_is_by_rule_fix_and_target() -> None:
    found = [
        (finding("confirmed", gfx90a="improved", sm_90="less code"), "p/a.cu:3"),
        (finding("refuted", sm_90="lost"), "p/b.cu:3"),
        (finding("unverified", sm_90="unverified"), "p/c.cu:3"),
    ]
    rows = list(verify_programs.table(found))
    assert rows[2:] == [
        "| RP201 | safe | gfx90a | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 100% |",
        "| RP201 | safe | sm_90 | 0 | 1 | 0 | 0 | 1 | 0 | 1 | 50% |",
    ]
    told = "lost: RP201 safe sm_90 p/b.cu:3 registers 60 -> 69, waves 7.5 -> 6.75"
    assert list(verify_programs.doubtful(found)) == [told]
    assert list(verify_programs.bar(found)) == [
        "safe fixes: 1 of 2 improve something on a target (50%); 1 lose waves; 1 not compiled"
    ]


def test_programs_without_a_fix_are_passed_over(tmp_path: Path) -> None:
    def given(path: str, applicability: str | None) -> dict[str, Any]:
        fix = None if applicability is None else {"applicability": applicability, "edits": [{}]}
        return {"path": path, "fix": fix}

    file = tmp_path / "check.json"
    rows = [given(f"{tmp_path}/a-hip/x.cu", "safe"), given("b-cuda/x.cu", "unsafe"), given("c-sycl/x.cpp", "safe")]
    file.write_text(json.dumps({"diagnostics": [*rows, given("d-cuda/x.cu", None)]}))
    assert verify_programs.programs(tmp_path, file, unsafe=False) == ["a-hip"]
    assert verify_programs.programs(tmp_path, file, unsafe=True) == ["a-hip", "b-cuda"]


def test_a_program_is_compiled_by_its_makefile_s_words(tmp_path: Path) -> None:
    for name in ("a-hip", "a-cuda"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.cu").write_text("")
        (tmp_path / name / "Makefile").write_text("CFLAGS = -DSIZE=4 -I../shared\n")
    hip, cuda = (verify_programs.commands(tmp_path / name)[0]["arguments"] for name in ("a-hip", "a-cuda"))
    assert hip[:3] == ["clang++", "-x", "hip"]
    assert cuda[0] == "nvcc"
    assert "-DSIZE=4" in hip


def test_a_source_that_another_one_includes_is_compiled_with_it(tmp_path: Path) -> None:
    program = tmp_path / "a-cuda"
    (program / "src").mkdir(parents=True)
    (program / "main.cu").write_text('#include "src/kernels.cu"\n#include "other.h"\n')
    (program / "src" / "kernels.cu").write_text("")
    (program / "own.cu").write_text("#include <vector>\n")
    files = [each["file"].rpartition("/")[2] for each in verify_programs.commands(program)]
    assert files == ["main.cu", "own.cu"]


def test_run_resumes_where_the_last_one_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src" / "a-cuda").mkdir(parents=True)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "a-cuda.safe.json").write_text(
        json.dumps({"findings": [finding("confirmed", sm_90="improved")]})
    )
    monkeypatch.setattr(verify_programs, "verified", None)  # nothing is asked again
    assert verify_programs.main([str(tmp_path / "src"), str(tmp_path / "kept")]) == 0
    assert capsys.readouterr().out.startswith("1 of 1 programs, 1 fixes\n")
