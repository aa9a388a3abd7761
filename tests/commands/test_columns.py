"""Tables on lines that are too short for them: paths and numbers stay whole."""

from __future__ import annotations

import pytest

from regpress_lint.render.columns import named, table
from regpress_lint.render.terminal import cells

PATH = "src/solvers/incompressible/pressure_correction_kernels.cu:1234"
ROWS = [
    ("kernel", "where", "target", "registers", "waves/SIMD", "limited by", "next step"),
    ("correct", PATH, "gfx90a", "102", "4 of 8", "registers and LDS", "registers 96 -> 5 waves"),
    ("correct", PATH, "sm_90", "92", "4 of 16", "registers", "registers 80 -> 6 warps"),
    ("fill", "src/fill.cu:7", "sm_90", "12", "16 of 16", "warp slots", ""),
]
LEFT = frozenset({0, 1, 2, 5, 6})


def test_a_line_that_is_long_enough_has_a_row_each() -> None:
    assert named(ROWS, 2, LEFT, 200) == named(ROWS, 2, LEFT) == table(ROWS, LEFT)


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_names_and_paths_are_never_broken_and_numbers_stay_together(width: int) -> None:
    found = named(ROWS, 2, LEFT, width)
    assert sum(PATH in line for line in found) == 1  # once for both of its rows
    assert next(line for line in found if "gfx90a" in line).split()[:5] == ["gfx90a", "102", "4", "of", "8"]
    assert all(cells(line) <= width for line in found if PATH not in line)


def test_long_texts_are_below_the_numbers() -> None:
    found = named(ROWS, 2, LEFT, 42)
    assert "\n".join(found).count("  registers and LDS; registers 96 -> 5\n    waves\n") == 1
    assert found[-1] == "  warp slots"


def test_row_with_only_a_name_shows_that_name() -> None:
    rows = [("kernel", "where", "registers"), ("step", "", ""), ("  <float>", "src/a/very/long/path.cu:1", "24")]
    assert named(rows, 2, frozenset({0, 1}), 30)[1:] == ["step", "  <float>", "  src/a/very/long/path.cu:1", "  24"]


def test_heads_of_numbers_give_way_before_texts_and_texts_between_words() -> None:
    rows = [("number", "registers/thread", "source"), ("lanes", "64", "LLVM AMDGPUBaseInfo.cpp getMaxWavesPerEU")]
    assert table(rows, frozenset({0, 2}), 58) == [
        "number  registers/  source",
        "            thread",
        "lanes           64  LLVM AMDGPUBaseInfo.cpp",
        "                    getMaxWavesPerEU",
    ]
