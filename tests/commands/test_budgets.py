"""Budgets of kernels: what may be written, where it holds, and who names it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from cli_helpers import HIP, run, run_json

from regpress_lint.targets.budget_text import Budget, BudgetError, parse

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "a.hip").write_text(HIP)


def severities(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    found = run_json(capsys, "--select", "RP107", *arguments, "a.hip")["diagnostics"]
    return [f"{each['severity']} {' '.join(each['targets'])}" for each in found]


def test_functions_that_may_write() -> None:
    assert parse("vgpr<=96 waves >= 4.5 mi250x, h100") == (
        Budget("registers", 96, "vgpr<=96", ("gfx90a", "sm_90")),
        Budget("waves", 4.5, "waves>=4.5", ("gfx90a", "sm_90")),
    )
    assert [each.resource for each in parse("Registers<=8 scratch<=0 LDS<=1024")] == ["registers", "scratch", "lds"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "no limit"),
        ("gfx90a", "no limit"),
        ("sgpr<=3", 'no budget is known for "sgpr"'),
        ("vgpr>=3", "waves are a lower limit"),
        ("waves<=3", "waves are a lower limit"),
        ("vgpr<=3 gfx90b", "unknown architecture"),
    ],
)
def test_functions_that_may_not_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, expected: str
) -> None:
    with pytest.raises(BudgetError, match=expected):
        parse(text)
    (tmp_path / "regpress.toml").write_text(f'[budgets]\nsquare = "{text}"\n')
    wrong = run(capsys, "check", "a.hip")
    assert wrong.status == 2
    assert f"{tmp_path}/regpress.toml: budgets: " in wrong.err
    (tmp_path / "regpress.toml").unlink()
    (tmp_path / "a.hip").write_text(HIP.replace("__global__", f"// regpress: budget {text or 'x'}\n__global__"))
    assert expected in run(capsys, "check", "a.hip").err


def test_the_band_decides_the_severity(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = json.loads(run(capsys, "kernels", "--output-format", "json", "a.hip").out)["kernels"]
    band = row["targets"]["gfx90a"]["registers"]
    for limit, expected in (
        (band["high"], []),
        (band["high"] - 1, ["info gfx90a"]),
        (band["low"], ["info gfx90a"]),
        (band["low"] - 1, ["warning gfx90a"]),
    ):
        (tmp_path / "a.hip").write_text(HIP.replace("__global__", f"// regpress: budget vgpr<={limit}\n__global__"))
        assert severities(capsys) == expected, limit


def test_patterns_of_the_configuration_and_architectures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "regpress.toml").write_text(
        '[budgets]\n"squ*" = ["vgpr<=1 gfx90a", "waves>=99"]\n"other" = "vgpr<=1"\n'
    )
    assert severities(capsys) == ["warning gfx90a", "warning gfx90a"]
    assert severities(capsys, "--arch", "sm_90") == ["warning sm_90"]
    assert severities(capsys, "--arch", "sm_90,gfx90a") == ["warning gfx90a", "warning sm_90 gfx90a"]


def test_kernels_name_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HIP.replace("__global__", "/* regpress: budget vgpr<=1 lds<=64 */\n__global__")
    (tmp_path / "a.hip").write_text(text)
    assert "\nbudget: square exceeds vgpr<=1 on gfx90a (a.hip:3)\n" in run(capsys, "kernels", "a.hip").out
    (row,) = json.loads(run(capsys, "kernels", "--output-format", "json", "a.hip").out)["kernels"]
    assert row["targets"]["gfx90a"]["budgets"] == [
        {"text": "vgpr<=1", "verdict": "exceeded"},
        {"text": "lds<=64", "verdict": "kept"},
    ]
    assert run(capsys, "check", "a.hip").err == ""


def test_a_cache_keeps_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REGPRESS_LINT_NO_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "regpress.toml").write_text('[budgets]\nsquare = "vgpr<=1"\n')
    first = run(capsys, "kernels", "a.hip")
    assert run(capsys, "kernels", "a.hip") == first
    (tmp_path / "regpress.toml").write_text('[budgets]\nsquare = "vgpr<=900"\n')
    assert "budget:" not in run(capsys, "kernels", "a.hip").out
