"""Private arrays at run-time indices on Intel: kernels, rules and IGC agree on which of them are in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import compilers
import pytest

from regpress_lint import testing
from regpress_lint.core.settings import Settings
from regpress_rules import rules
from tools.measure import intel_arrays
from tools.measure.intel_arrays import Case, is_in_memory, said_in_memory, sycl

if TYPE_CHECKING:
    from pathlib import Path

# Largest number of elements in registers and smallest in memory, as `tools/measure/intel_arrays.py` measured them.
LIMITS = [
    ("float", None, False, 48, 49),
    ("float", None, True, 33, 40),
    ("float", 16, True, 24, 25),
    ("float", 32, False, 12, 16),
    ("double", None, False, 24, 25),
    ("double", None, True, 12, 16),
    ("double", 16, False, 12, 16),
    ("double", 32, True, 4, 8),
    ("short", None, True, 64, 128),
    ("short", 32, False, 24, 25),
]
RP403 = [rule for rule in rules() if rule.code == "RP403"]


@pytest.mark.parametrize(("kind", "sub_group", "changed", "kept", "left"), LIMITS)
def test_limits_match_igc(kind: str, sub_group: int | None, changed: bool, kept: int, left: int) -> None:
    assert not said_in_memory(Case(kind, kept, sub_group, changed))
    assert said_in_memory(Case(kind, left, sub_group, changed))


@pytest.mark.parametrize("case", [Case("float", 25, 16, False), Case("float", 33, None, True)])
def test_rule_and_estimate_agree(case: Case) -> None:
    reported = bool(testing.run(RP403, sycl(case), "k.cpp", settings=Settings(architectures=("pvc",))))
    assert reported == said_in_memory(case)


@pytest.mark.compiler
@pytest.mark.parametrize(("kind", "sub_group", "changed", "kept", "left"), LIMITS[::3])
def test_igc_agrees(kind: str, sub_group: int | None, changed: bool, kept: int, left: int, tmp_path: Path) -> None:
    compilers.need(".cl")
    for elements in (kept, left):
        case = Case(kind, elements, sub_group, changed)
        assert is_in_memory(case, compilers.chain(), tmp_path) == (elements == left)


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case.name for case in intel_arrays.cases()]
    assert len(names) == len(set(names))
