"""Codes of earlier versions: what they mean in comments, selections, configurations and baselines, and their pages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from cli_helpers import run

from regpress_lint import lint_bytes
from regpress_lint.core.settings import Settings
from regpress_lint.lint import baseline, registry
from regpress_lint.lint.selection import select
from regpress_rules.retired import RETIRED, Retired, current

if TYPE_CHECKING:
    from pathlib import Path

LOOP = """#include <hip/hip_runtime.h>
__global__ void __launch_bounds__(256) waves(const double* a, double* b, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
{comment}#pragma unroll 16
  for (int k = 0; k < 64; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = s;
}}
"""


AMD = Settings(architectures=("gfx90a",))
SELECTED = {"select": replace(AMD, select=("RP502",)), "extend_select": replace(AMD, extend_select=("RP502",))}


def codes(comment: str = "", settings: Settings = AMD) -> list[str]:
    text = LOOP.format(comment=f"{comment}\n" if comment else "").encode()
    report = lint_bytes(text, "k.hip", settings)
    return [each.code for each in report.diagnostics if each.code.startswith(("RP5", "RP002"))]


@pytest.mark.parametrize("word", ["RP502", "excessive-unroll", "RP501"])
def test_a_comment_that_names_the_old_code_silences_the_new_one(word: str) -> None:
    assert codes() == ["RP501"]
    assert codes(f"// regpress: ignore[{word}]") == []


@pytest.mark.parametrize("settings", SELECTED.values(), ids=SELECTED.keys())
def test_selecting_the_old_code_selects_the_new_one(settings: Settings) -> None:
    assert codes(settings=settings) == ["RP501"]
    assert select(registry.load().rules, settings).explicit == {"RP501"}


def test_ignoring_the_old_code_ignores_the_new_one() -> None:
    assert codes(settings=replace(AMD, ignore=("excessive-unroll",))) == []


def test_documentation_code_is_not_an_unknown_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "k.hip"
    source.write_text(LOOP.format(comment="// regpress: ignore[RP602, RP501]\n"))
    (tmp_path / "pyproject.toml").write_text('[tool.regpress-lint]\nignore = ["RP901", "RP902"]\n')
    output = run(capsys, "check", "--no-cache", "--arch", "gfx90a", str(source))
    assert output.err == ""
    assert "RP501" not in output.out


def test_an_entry_of_a_baseline_covers_the_new_code() -> None:
    text = """version = 1
findings = [
  { path = "a.cu", kernel = "k", rule = "RP502", subject = "s", severity = "warning" },
  { path = "a.cu", kernel = "k", rule = "RP403", subject = "bins", severity = "warning" },
  { path = "a.cu", kernel = "k", rule = "RP903", subject = "bins", severity = "info" },
]
"""
    found = baseline.parse(text, "baseline.toml")
    assert [(each.key.rule, each.severity.label) for each in found] == [("RP501", "warning"), ("RP403", "warning")]


@pytest.mark.parametrize("old", RETIRED, ids=lambda old: old.code)
def test_page_explains_retired_codes(old: Retired, capsys: pytest.CaptureFixture[str]) -> None:
    page = run(capsys, "rule", old.code).out
    info = registry.info(old.code)
    assert page.startswith(f"{info.code} {info.name}\n")
    assert re.search("Part of RP|Documentation only", page)
    assert "## What it does" in info.documentation
    assert info.code not in {rule.code for rule in registry.load().rules}


def test_aliases_lead_to_rules_that_exist() -> None:
    known = {rule.code for rule in registry.load().rules}
    assert {old.successor for old in RETIRED} <= known | {""}
    assert current("RP201") == "RP201"
