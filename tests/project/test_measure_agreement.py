"""What `tools/measure/measure_agreement.py` keeps of its runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tools.measure import measure_agreement
from tools.measure.measure_agreement import Compared, entry_of, read_tally, sums, write_tally

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_tally_comes_back_and_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = Compared(Counter(ptxas=3, cubin=2), Counter(ptxas=12, cubin=6), ("one",), 3)
    every = [entry_of("sm_90", "a-cuda/main.cu", both), entry_of("gfx90a", "a, b/main.cu", None)]
    write_tally(tmp_path / "tally.csv", every)
    assert read_tally(tmp_path / "tally.csv") == sorted(every)
    assert list(sums(every)) == [
        "gfx90a: 0 of 1 files compile, 0 kernels, 0 numbers and 0 names, 0 differ",
        "sm_90: 1 of 1 files compile, 3 kernels, 18 numbers and 3 names, 1 differ",
        "all: 1 of 2 files compile, 3 kernels, 18 numbers and 3 names, 1 differ",
    ]
    assert measure_agreement.main(["--tally", str(tmp_path / "tally.csv")]) == 1
    assert capsys.readouterr().out.splitlines() == list(sums(every))


def test_names_that_are_spelled_in_two_ways_do_not_differ() -> None:
    theirs = "kernel<64, 4, void around<int>(int*, long const*)::'lambda'(int)>"
    assert measure_agreement._plain(theirs) == measure_agreement._plain("kernel<64, 4, around<int>::{lambda#1}>")
    assert measure_agreement._plain(theirs) != measure_agreement._plain("kernel<64, 4, around<float>::{lambda#1}>")
    assert measure_agreement._plain("f(int)::'lambda'(int)::operator()") == "f::{}::operator()"


def test_nothing_was_done_yet(tmp_path: Path) -> None:
    assert read_tally(tmp_path / "tally.csv") == read_tally(None) == []
