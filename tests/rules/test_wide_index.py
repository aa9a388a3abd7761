"""RP605: what 32 bits save is tried, and decides what the finding is worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from snippets import ROOT

from regpress_lint.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

POSITIVE = (ROOT / "testdata" / "rules" / "RP605" / "positive.cu").read_text()


def _found(capsys: pytest.CaptureFixture[str], path: Path, text: str) -> list[dict[str, Any]]:
    path.write_text(text)
    words = ["check", "--isolated", "--no-cache", "--exit-zero", "--arch", "sm_90", "--select", "RP605"]
    main([*words, "--output-format", "json", str(path)])
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["diagnostics"]
    return found


def test_help_names_the_tried_change(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = _found(capsys, tmp_path / "a.cu", POSITIVE)
    assert (first["severity"], second["severity"]) == ("info", "info")
    assert "tried: 90 -> 64 registers, 4 -> 8 w" in first["help"]


def test_it_is_a_hint_where_no_wave_is_gained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    # LDS leaves room for four blocks on an SM: the second kernel has as many with 46 registers already.
    shared = POSITIVE.replace("  if (i >= n) return;", "  __shared__ char room[48 * 1024];\n  room[i % 9] = n;\n")
    first, second = _found(capsys, tmp_path / "a.cu", shared)
    assert (first["severity"], second["severity"]) == ("info", "hint")
