"""docs/estimates.md quotes the fit; tools/measure/ablate_registers.py switches off existing mechanisms temporarily."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from regpress_lint.model.estimate.fit import FITS
from tools.measure import ablate_registers

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "estimates.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"-?\d\.\d{3}")


@pytest.mark.parametrize(("vendor", "label"), [("amd", "AMD"), ("nvidia", "NVIDIA")])
def test_the_document_quotes_the_fit(vendor: str, label: str) -> None:
    found = re.search(rf"^ +- {label}: (.+?)(?=^ +- )", DOCUMENT, re.MULTILINE | re.DOTALL)
    assert found is not None
    fit = FITS[vendor]
    assert [float(number) for number in NUMBER.findall(found[1])] == [fit.intercept, *fit.weights]


def test_the_document_quotes_the_floors() -> None:
    found = re.search(r"below (\d\.\d) \(AMD\) or (\d\.\d) \(NVIDIA\)", DOCUMENT)
    assert found is not None
    assert (float(found[1]), float(found[2])) == (FITS["amd"].floor, FITS["nvidia"].floor)


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
