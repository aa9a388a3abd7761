"""docs/occupancy.md and the claims beside its oracle tables match their generator and cover all GPUs."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from regpress_lint.targets.occupancy import architectures

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "occupancy_document.py"


@pytest.fixture(scope="module")
def generator() -> Iterator[Any]:
    """The script as a module: benchmarks is no package."""
    spec = importlib.util.spec_from_file_location(SCRIPT.stem, SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[SCRIPT.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules[SCRIPT.stem]


def test_the_committed_pages_are_the_generated_ones(generator: Any) -> None:
    for page, text in generator.pages().items():
        assert page.read_text(encoding="utf-8") == text, "run benchmarks/occupancy_document.py"


def test_check_says_so(generator: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert generator.main(["--check"]) == 0
    assert "up to date" in capsys.readouterr().out
    monkeypatch.setattr(generator, "CLAIMS", generator.TEMPLATE)
    assert generator.main(["--check"]) == 1
    assert "run benchmarks" in capsys.readouterr().out


def test_every_architecture_has_limits_a_staircase_and_its_unverified_numbers(generator: Any) -> None:
    text = "".join(generator.pages().values())
    for arch in architectures():
        # Limits, stairs (two wave sizes on RDNA) or register budgets, unverified numbers.
        assert len(re.findall(rf"^[-|] .*\b{arch.name}\b", text, flags=re.MULTILINE)) >= 3, arch.name


def test_no_expression_is_left_and_tables_are_whole(generator: Any) -> None:
    text = "".join(generator.pages().values())
    assert "{{" not in text
    assert "}}" not in text
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1, block.splitlines()[0]
