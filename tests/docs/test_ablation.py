"""The script ablate_registers switches off existing mechanisms temporarily, and its results have a row for each."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from tools.measure import ablate_registers

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("target", "vendor"), [("gfx90a", "amd"), ("sm_90", "nvidia")])
def test_the_results_have_a_row_for_every_mechanism(target: str, vendor: str) -> None:
    with (ROOT / "tools" / "measure" / "results" / "ablation.csv").open(newline="") as stream:
        rows = {row["switched_off"] for row in csv.DictReader(stream) if row["target"] == target} - {""}
    assert rows == {mechanism.name for mechanism in ablate_registers.MECHANISMS if vendor in mechanism.vendors}


def test_a_mechanism_is_off_inside_and_on_again_behind() -> None:
    for mechanism in ablate_registers.MECHANISMS:
        before = [vars(owner).get(name) for owner, name, _ in mechanism.changes]
        with mechanism.off():
            assert [vars(owner)[name] for owner, name, _ in mechanism.changes] == [new for *_, new in mechanism.changes]
        assert [vars(owner).get(name) for owner, name, _ in mechanism.changes] == before


def test_a_mechanism_is_on_again_after_an_error() -> None:
    mechanism = next(one for one in ablate_registers.MECHANISMS if one.name == "loops unrolled in part")
    owner, name, new = mechanism.changes[0]
    with pytest.raises(ZeroDivisionError), mechanism.off():
        raise ZeroDivisionError
    assert vars(owner)[name] is not new


def test_a_name_that_is_gone_is_an_error() -> None:
    with pytest.raises(AttributeError, match="bring tools/measure/ablate_registers"):  # noqa: SIM117
        with ablate_registers.swapped(((re, "_no_such_function", None),)):
            pass
