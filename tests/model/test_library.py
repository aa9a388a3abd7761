"""The table of the math libraries' functions agrees with itself and with the table of prices."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from regpress_lint.targets.builtins import STANDARD_CONSTANTS
from regpress_lint.targets.costs import COSTS, LOCAL_ATOMIC, SCAN, library_key
from regpress_lint.targets.library import FAMILIES, MATH, PLAIN, TRANSCENDENTAL, TYPED, named
from tools.measure import library_costs
from tools.measure.library_costs import MEASURED, NOT_OPENCL, TABLE, merged, price, registers, rows_of, stored

if TYPE_CHECKING:
    from pathlib import Path

    from tools.measure.library_costs import Table

_WORDS = frozenset(("transcendental", "light", "costly", "free", "typed", "integral", "plain", "single"))


def test_words_are_known_and_do_not_contradict() -> None:
    used = {word: row.name for row in MATH.values() for word in row.words}
    unknown = [f'targets/library.py: {used[word]}: no word "{word}"' for word in used.keys() - _WORDS]
    assert not unknown
    assert used.keys() == _WORDS
    for one, other in (("transcendental", "light"), ("typed", "integral"), ("plain", "single"), ("costly", "free")):
        assert not named(one) & named(other)


@pytest.mark.parametrize("vendor", sorted(COSTS))
def test_each_family_has_a_price(vendor: str) -> None:
    priced = {key.partition(":")[0] for key in COSTS[vendor]}
    missing = sorted(set(FAMILIES.values()) - priced)
    command = f"python -m tools.measure.library_costs --only {missing[0] if missing else ''} --write"
    assert not missing, f"no cost of {missing} in targets/costs.py: put the lines there that {command} prints"


def test_an_unmeasured_cost_names_the_script() -> None:
    with pytest.raises(KeyError, match=r"zeta:d in targets/costs.py: measure it with .*library_costs"):
        _ = COSTS["amd"]["zeta:d"]


def test_short_operation_has_no_routine_in_single_precision() -> None:
    assert library_key("expf", None) == "exp:f"
    assert not PLAIN & TRANSCENDENTAL
    assert {"fmaf", "sqrtf", "labs", "fma"} <= PLAIN
    assert "labsf" not in PLAIN
    assert "sincos" not in TYPED  # it stores its results


# ------------------------------------------------------------------------- prices, beside what compilers were measured


@cache
def measured() -> Table:
    """The table of `python -m tools.measure.library_costs --write`, by target and operation."""
    return stored()


def priced(*, calls: bool) -> list[tuple[str, str]]:
    """Prices of calls by name, or of divisions and shuffles, for each vendor that was measured."""
    return [
        (vendor, key)
        for vendor in MEASURED
        for key in COSTS[vendor]
        if rows_of(measured(), vendor, key) and calls is (key[0] != "/" and key != "shuffle")
    ]


def test_every_routine_was_measured() -> None:
    made_up = {"printf", "assert", "malloc", "free", "indirect", "recursion"}
    not_opencl = {key for key in COSTS["intel"] if key.partition(":")[0] in {*NOT_OPENCL, "shuffle"}}
    for vendor in MEASURED:
        others = {"intel": not_opencl | {LOCAL_ATOMIC}, "amd": {SCAN}}  # scans: by kernels of Kokkos
        expected = made_up | others.get(vendor, set())
        unmeasured = {key for key in COSTS[vendor] if not rows_of(measured(), vendor, key)}
        new = sorted(unmeasured - expected)
        assert not new, f"{new} of {vendor}: a family has the name of one of its functions that is measured"
        assert unmeasured == expected


# Functions that have the price of another one; each stood in the table before it had to be measured.
GUESSED = frozenset(
    (
        *("erfcinv", "erfcx", "erfinv", "normcdf", "j1", "jn", "y0", "y1", "yn", "norm3d", "rhypot", "rcbrt"),
        *("powi", "pown", "powr", "sincospi", "tanpi"),
        # Compiled with nvcc 13.0.88 and clang 19.1.7, in both precisions: all eight are in the band of `hypot`.
        *("norm4d", "rnorm3d", "rnorm4d"),
    )
)


def test_a_new_function_is_measured_before_it_has_a_family() -> None:
    """A guessed family took a kernel on sm_90 from 13 to 25 registers."""
    known = {operation.partition(":")[0] for rows in measured().values() for operation in rows}
    new = sorted(name for name in MATH if FAMILIES.get(name) and name not in known | GUESSED)
    assert not new, "add them to FUNCTIONS of tools/measure/library_costs.py, and run it with --only NAME --write"
    assert GUESSED.isdisjoint(known)


def test_measuring_one_function_again_leaves_the_other_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "costs.csv"
    copy.write_bytes(library_costs.TABLE.read_bytes())
    monkeypatch.setattr(library_costs, "TABLE", copy)
    monkeypatch.setattr(library_costs, "table", lambda found, _target: [(each, (9,) * 7) for each in found])
    assert library_costs.main(["--only", "cbrt:d", "--target", "sm_90", "--write"]) == 0
    before, after = (path.read_text().splitlines() for path in (TABLE, copy))
    changed = [line for line, old in zip(after, before, strict=True) if line != old]
    assert changed == ["sm_90,cbrt:d,9,9,9,9,9,9,9"]
    assert '_NVIDIA:  "cbrt:d": Cost(9, scratch=9),' in capsys.readouterr().out
    with pytest.raises(SystemExit):
        library_costs.main(["--only", "cbrrt", "--write"])
    assert "add it to FUNCTIONS of tools/measure/library_costs.py" in capsys.readouterr().err


def test_a_row_of_a_new_function_stands_where_the_script_has_it() -> None:
    table = measured()
    rest = {"pvc": {name: row for name, row in table["pvc"].items() if name != "exp:f"}}
    assert [*merged(rest, {"pvc": {"exp:f": table["pvc"]["exp:f"]}})["pvc"]] == [*table["pvc"]]


@pytest.mark.parametrize(("vendor", "key"), priced(calls=True))
def test_routine_costs_match_measurements(vendor: str, key: str) -> None:
    cost, expected = COSTS[vendor][key], price(vendor, key, rows_of(measured(), vendor, key))
    assert (cost.once, cost.in_loop, cost.scratch) == (expected.once, expected.in_loop, expected.scratch)


@pytest.mark.parametrize(("vendor", "key"), priced(calls=False))
def test_division_costs_are_close_to_measurements(vendor: str, key: str) -> None:
    assert abs(COSTS[vendor][key].once - registers(vendor, rows_of(measured(), vendor, key))) <= 1.5
    assert COSTS[vendor][key].scratch == 0


# As POSIX lists them for <math.h>, to more digits than a double has.
_LISTED = {
    "M_E": "2.7182818284590452354",
    "M_LOG2E": "1.4426950408889634074",
    "M_LOG10E": "0.43429448190325182765",
    "M_LN2": "0.69314718055994530942",
    "M_LN10": "2.30258509299404568402",
    "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.78539816339744830962",
    "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308",
    "M_2_SQRTPI": "1.12837916709551257390",
    "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
}


@pytest.mark.parametrize("name", _LISTED)
def test_a_constant_of_math_h_has_its_value(name: str) -> None:
    assert STANDARD_CONSTANTS[name] == pytest.approx(float(_LISTED[name]), rel=1e-15)
