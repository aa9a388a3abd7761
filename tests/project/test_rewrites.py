"""Kernels of testdata/golden in other words that change nothing (`tools/measure/rewrites.py`)."""

from __future__ import annotations

from statistics import fmean

import pytest

from tools.measure import rewrites
from tools.measure.golden_rows import GOLDEN
from tools.measure.kernel_rewrites import EACH, REWRITES, chosen, definitions, text_with
from tools.measure.rewrites import Row, Verdict, read_rows, verdicts

# A kernel of each rewrite that compilers make the same of, small enough to be asked in the unit suite.
QUICK = (("stencils.cu", "heat_1d"), ("stencils.cu", "heat_2d"))
BAR = 0.95


def rows_of(file: str) -> list[Row]:
    """The recorded results of a file."""
    return [row for row in read_rows() if row.file == file]


def test_every_rewrite_has_a_row() -> None:
    assert {row.rewrite for row in read_rows()} == set(REWRITES)


def test_stored_rows_match_todays_rewrites() -> None:
    known = chosen((GOLDEN / "stencils.cu").read_bytes())
    assert {name for name, some in known.items() if len(some) == EACH} == {one.kernel for one in rows_of("stencils.cu")}
    assert not [row for row in rows_of("stencils.cu") if row.rewrite not in known[row.kernel]]


def test_rewrite_changes_only_its_kernel() -> None:
    data = (GOLDEN / "stencils.cu").read_bytes()
    text = text_with(data, {"wave_radius4": "while"})
    before = {one.name: one.text(one.body) for one in definitions(data)}
    after = {one.name: one.text(one.body) for one in definitions(text.encode())}
    assert [name for name in before if before[name] != after[name]] == ["wave_radius4"]
    assert "#pragma unroll\nwhile (k < 8)" in after["wave_radius4"]


@pytest.mark.parametrize(("file", "kernel"), QUICK)
def test_equivalent_rewrite_changes_no_estimate(file: str, kernel: str) -> None:
    found = list(verdicts([row for row in rows_of(file) if row.kernel == kernel]))
    assert found
    assert not [str(one) for one in found if not one.is_right]


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted({row.file for row in read_rows()}))
def test_the_share_that_is_right_is_not_worse(file: str) -> None:
    found = list(verdicts(rows_of(file)))
    wrong = [str(one) for one in found if not one.is_right]
    assert fmean(one.is_right for one in found) >= BAR, wrong


def test_a_verdict_follows_the_compiler() -> None:
    """Where registers stay, ours stay; where they move, ours move the same way, or the band holds them."""
    row = Row("x.cu", "k", "while", "sm_90", 40, 0, 41, 0)
    said = rewrites.Said(30, 40, 50, 0)
    assert Verdict(row, said, said).is_right
    assert not Verdict(row, said, said._replace(estimate=80)).is_right
    assert not Verdict(row, said, said._replace(memory=64)).is_right
    moved = row._replace(after=90)
    assert not Verdict(moved, said, said).is_right
    assert Verdict(moved, said, said._replace(estimate=70)).is_right
