"""The table of the math libraries' functions agrees with itself and with the table of prices."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache
from statistics import mean
from typing import TYPE_CHECKING

import pytest

from regpress_lint.targets.builtins import STANDARD_CONSTANTS
from regpress_lint.targets.costs import COSTS, LOCAL_ATOMIC, SCAN, library_key
from regpress_lint.targets.library import FAMILIES, MATH, PLAIN, TRANSCENDENTAL, TYPED, named
from tools.measure.library_costs import COLUMNS, TABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORDS = frozenset(("transcendental", "light", "costly", "free", "typed", "integral", "plain", "single"))


def test_words_are_known_and_do_not_contradict() -> None:
    assert frozenset().union(*(row.words for row in MATH.values())) == _WORDS
    for one, other in (("transcendental", "light"), ("typed", "integral"), ("plain", "single"), ("costly", "free")):
        assert not named(one) & named(other)


@pytest.mark.parametrize("vendor", sorted(COSTS))
def test_each_family_has_a_price(vendor: str) -> None:
    priced = {key.partition(":")[0] for key in COSTS[vendor]}
    assert set(FAMILIES.values()) <= priced


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

MEASURED = {"amd": "gfx90a", "nvidia": "sm_90", "intel": "pvc"}
# What one operation of the table stands for that is not a call by name.
_OTHERS = {
    "/:f": ("x/y:f", "x/u:f"),
    "/:d": ("x/y:d", "x/u:d"),
    "/:i": ("x/y:i", "x%y:i", "x/y:u", "x%y:u"),
    "/:l": ("x/y:ll", "x%y:ll", "x/y:ull", "x%y:ull"),
    "/constant:i": ("x/7:i", "x%7:i", "x/7:u", "x%7:u"),
    "/constant:l": ("x/7:ll", "x%7:ll", "x/7:ull", "x%7:ull"),
    "/uniform:i": ("u/v:i", "u/v:u"),
    "/uniform:l": ("u/v:ll", "u/v:ull"),
    "shuffle": ("shfl_xor", "shfl_down", "shfl"),
    "sincos:f": ("sincos:f",),
    "sincos:d": ("sincos:d",),
    **{f"constant/pow:{kind}": (f"pow(7,x):{kind}",) for kind in "fd"},
    **{f"fmod/constant:{kind}": (f"fmod(x,7):{kind}",) for kind in "fd"},
}
_PINNED = ("fmod:d", "fmod/constant:d")  # the kernel with a loop pins both operands


@cache
def measured() -> Mapping[str, Mapping[str, Mapping[str, int]]]:
    """The table of `python -m tools.measure.library_costs --write`, by target and operation."""
    found: dict[str, dict[str, Mapping[str, int]]] = defaultdict(dict)
    with TABLE.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            found[row["target"]][row["operation"]] = {name: int(row[name]) for name in COLUMNS if row[name]}
    return found


def rows(vendor: str, key: str) -> list[Mapping[str, int]]:
    """Measurements of the operations that have a single price."""
    table = measured()[MEASURED[vendor]]
    family, _, kind = key.partition(":")
    names = _OTHERS.get(key) or [f"{name}:{kind}" for name, of in FAMILIES.items() if of == family]
    return [table[name] for name in names if name in table]


def priced(*, calls: bool) -> list[tuple[str, str]]:
    """Prices of calls by name, or of divisions and shuffles, for each vendor that was measured."""
    return [
        (vendor, key)
        for vendor in MEASURED
        for key in COSTS[vendor]
        if rows(vendor, key) and calls is (key[0] != "/" and key != "shuffle")
    ]


def registers(vendor: str, found: list[Mapping[str, int]]) -> float:
    """Alone a kernel for NVIDIA has registers to spare."""
    return mean((row["free"] + row["live"]) / 2 if vendor == "nvidia" else row["free"] for row in found)


def test_every_routine_was_measured() -> None:
    made_up = {"printf", "assert", "malloc", "free", "indirect", "recursion"}
    not_opencl = {"j0:f", "j0:d", "shuffle", LOCAL_ATOMIC}
    for vendor in MEASURED:
        others = {"intel": not_opencl, "amd": {SCAN}}  # scans: by kernels of Kokkos
        expected = made_up | others.get(vendor, set())
        assert {key for key in COSTS[vendor] if not rows(vendor, key)} == expected


# Functions that have the price of another one; each stood in the table before it had to be measured.
GUESSED = frozenset(
    (
        *("erfcinv", "erfcx", "erfinv", "normcdf", "j1", "jn", "y0", "y1", "yn", "norm3d", "rhypot", "rcbrt"),
        *("powi", "pown", "powr", "sincospi", "tanpi"),
    )
)


def test_a_new_function_is_measured_before_it_has_a_family() -> None:
    """A guessed family took a kernel on sm_90 from 13 to 25 registers."""
    known = {operation.partition(":")[0] for rows in measured().values() for operation in rows}
    new = sorted(name for name in MATH if FAMILIES.get(name) and name not in known | GUESSED)
    assert not new, "add them to tools/measure/library_costs.py, and run it with --write"
    assert GUESSED.isdisjoint(known)


@pytest.mark.parametrize(("vendor", "key"), priced(calls=True))
def test_routine_costs_match_measurements(vendor: str, key: str) -> None:
    found, cost = rows(vendor, key), COSTS[vendor][key]
    assert cost.once == round(registers(vendor, found))
    assert cost.scratch == max(row["bytes"] for row in found)
    if vendor != "amd" or key in _PINNED:  # constants are operands: from a bank of their own, or immediate
        assert cost.in_loop == cost.once
    else:
        assert cost.in_loop == round(mean(row["loop"] for row in found))


@pytest.mark.parametrize(("vendor", "key"), priced(calls=False))
def test_division_costs_are_close_to_measurements(vendor: str, key: str) -> None:
    assert abs(COSTS[vendor][key].once - registers(vendor, rows(vendor, key))) <= 1.5
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
