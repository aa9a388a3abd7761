"""docs/occupancy.md and the claims beside its oracle tables match their generator and cover all GPUs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.targets.occupancy import architectures
from tools.generators import occupancy_document

if TYPE_CHECKING:
    import pytest


def test_the_committed_pages_are_the_generated_ones() -> None:
    for page, text in occupancy_document.pages().items():
        assert page.read_text(encoding="utf-8") == text, "run tools/generators/occupancy_document.py"


def test_check_reports_stale_files(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert occupancy_document.main(["--check"]) == 0
    assert "up to date" in capsys.readouterr().out
    monkeypatch.setattr(occupancy_document, "CLAIMS", occupancy_document.TEMPLATE)
    assert occupancy_document.main(["--check"]) == 1
    assert "run tools" in capsys.readouterr().out


def test_every_architecture_has_limits_a_staircase_and_its_unverified_numbers() -> None:
    text = "".join(occupancy_document.pages().values())
    for arch in architectures():
        # Limits, stairs (two wave sizes on RDNA) or register budgets, unverified numbers.
        assert len(re.findall(rf"^[-|] .*\b{arch.name}\b", text, flags=re.MULTILINE)) >= 3, arch.name


def test_no_expression_is_left_and_tables_are_whole() -> None:
    text = "".join(occupancy_document.pages().values())
    assert "{{" not in text
    assert "}}" not in text
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1, block.splitlines()[0]
