"""Gates on compilers' numbers: two builds compared, and budgets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_helpers import run, run_json
from format_samples import validate

from regpress_lint.core.measured import Row
from regpress_lint.measured.ratchet import Taken, compared, taken

SOURCE = """#include <hip/hip_runtime.h>
template <typename T> __global__ void step(T *x) { x[threadIdx.x] += 1; }
template __global__ void step<float>(float *);
__global__ void fill(double *x) { x[threadIdx.x] *= 2; }
"""
SAMPLES = Path(__file__).resolve().parents[2] / "testdata" / "measured"
FLOAT, FILL = "_Z4stepIfEvPT_", "_Z4fillPd"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.hip").write_text(SOURCE)


def build(path: Path, *rows: dict[str, Any]) -> Path:
    """A document of `measure` with these kernels for gfx90a."""
    usual: dict[str, Any] = {
        "target": "gfx90a",
        "registers": 64,
        "spills": 0,
        "scratch_bytes": 0,
        "origin": ["remarks"],
    }
    instances = [{**usual, "inputs": [], **row} for row in rows]
    path.write_text(json.dumps({"version": 1, "kernels": [{"name": "k", "instances": instances}], "problems": []}))
    return path


# diff


def test_two_builds_as_a_pull_request_shows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = build(tmp_path / "a.json", {"symbol": FLOAT}, {"symbol": FILL}, {"symbol": "old"})
    head = build(tmp_path / "b.json", {"symbol": FLOAT, "registers": 76}, {"symbol": FILL}, {"symbol": "new"})
    told = run(capsys, "diff", base, head, "--measured", "--output-format", "markdown", "--exit-code")
    assert told.status == 1
    lines = told.out.splitlines()
    assert lines[1] == r"**Measured registers:** 1 of 3 kernels moved: \+12 VGPRs, one loses a step; 1 new; 1 gone."
    assert lines[5] == "| worse | `step<float>` | gfx90a | 64 → 76 VGPRs, 8 → 6 waves per SIMD |"
    text = run(capsys, "diff", base, head, "--measured").out
    assert "step<float>\n  gfx90a worse: 64 -> 76 VGPRs, 8 -> 6 waves per SIMD\n" in text
    back = run(capsys, "diff", head, base, "--measured", "--exit-code")
    assert (back.status, "gfx90a better: 76 -> 64 VGPRs" in back.out) == (0, True)
    document = json.loads(run(capsys, "diff", base, head, "--measured", "--output-format", "json").out)
    validate("measured_diff", document)
    assert document["summary"] == {"instances": 3, "worse": 1, "better": 0, "same": 0, "new": 1, "gone": 1}


def test_numbers_that_one_side_lacks_are_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = build(tmp_path / "a.json", {"symbol": FILL, "spills": None, "scratch_bytes": 16})
    head = build(tmp_path / "b.json", {"symbol": FILL, "spills": 12, "scratch_bytes": 16})
    assert run(capsys, "diff", base, head, "--measured").out == "None of 1 kernel moved.\n"


def test_one_or_two_registers_are_shown_and_not_worse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = build(tmp_path / "a.json", {"symbol": FILL, "registers": 40})
    head = build(tmp_path / "b.json", {"symbol": FILL, "registers": 42})
    told = run(capsys, "diff", base, head, "--measured", "--exit-code")
    assert (told.status, "gfx90a: 40 -> 42 VGPRs" in told.out) == (0, True)


def test_wrong_use_of_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = build(tmp_path / "a.json", {"symbol": FILL})
    assert "needs two files" in run(capsys, "diff", file, "--measured").err
    assert "a folder without files that end in .log" in run(capsys, "diff", file, "src", "--measured").err
    assert run(capsys, "diff", file, "nowhere", "--measured").status == 2
    # Numbers of no known GPU compare with nothing: that must not pass for "nothing moved".
    told = run(capsys, "diff", file, build(tmp_path / "b.json", {"symbol": FILL, "target": None}), "--measured")
    assert (told.status, "`measure --arch`" in told.err) == (2, True)
    remarks = (SAMPLES / "remarks.log").read_text().partition("\n")[2]
    (tmp_path / "remarks.log").write_text(remarks)
    told = run(capsys, "diff", "remarks.log", "remarks.log", "--measured")
    assert (told.status, "name it with --arch" in told.err) == (2, True)
    assert run(capsys, "diff", "remarks.log", "remarks.log", "--measured", "--arch", "gfx90a").status == 0


def test_folders_of_logs_as_a_build_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, registers in (("base", 40), ("head", 41)):
        (tmp_path / folder).mkdir()
        text = (SAMPLES / "ptxas.log").read_text().replace("Used 12 registers", f"Used {registers} registers")
        (tmp_path / folder / "1.log").write_text(text)
    assert "40 -> 41 registers" in run(capsys, "diff", "base", "head", "--measured").out


def test_worst_of_two_compilations_counts_and_only_certain_moves_are_reported() -> None:
    rows = [Row("k", "sm_90", registers=32), Row("k", "sm_90", registers=40)]
    (one,) = taken(rows, 256, lambda _: "")
    assert one.registers == 40
    before = [Taken("k", "sm_90", path, registers=32) for path in ("a.cu", "b.cu")]
    after = [Taken("k", "sm_90", path, registers=32) for path in ("c.cu", "d.cu")]
    assert [move.verdict for move in compared(before, after)] == ["gone", "gone", "new", "new"]
    assert [move.verdict for move in compared(before[:1], after[:1])] == ["same"]


# budgets


def test_budget_applies_to_measured_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = build(tmp_path / "a.json", {"symbol": FILL, "registers": 100, "spills": 4, "scratch_bytes": 16})
    limits = "vgpr<=96 scratch<=0"
    text = SOURCE.replace("__global__ void fill", f"// regpress: budget {limits}\n__global__ void fill")
    (tmp_path / "src" / "a.hip").write_text(text)
    assert run_json(capsys, "--select", "RP107", "src")["diagnostics"] == []
    found = run_json(capsys, "--select", "RP107", "--measured", str(now), "src")["diagnostics"]
    told = sorted(each["message"].partition(": ")[2] for each in found)
    assert told == [
        "measured: 100 registers and 4 dwords of spills a lane on gfx90a",
        "measured: 16 bytes of scratch on gfx90a",
    ]
    (tmp_path / "src" / "a.hip").write_text(text.replace("<=96 scratch<=0", "<=100"))
    assert run_json(capsys, "--select", "RP107", "--measured", str(now), "src")["diagnostics"] == []
