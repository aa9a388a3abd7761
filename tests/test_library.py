"""The table of the math libraries' functions agrees with itself and with the table of prices."""

from __future__ import annotations

import pytest

from regpress_lint.targets.costs import COSTS, library_key
from regpress_lint.targets.library import FAMILIES, MATH, PLAIN, TRANSCENDENTAL, TYPED, named

_WORDS = frozenset(("transcendental", "light", "costly", "free", "typed", "integral", "plain", "single"))


def test_words_are_known_and_do_not_contradict() -> None:
    assert frozenset().union(*(row.words for row in MATH.values())) == _WORDS
    for one, other in (("transcendental", "light"), ("typed", "integral"), ("plain", "single"), ("costly", "free")):
        assert not named(one) & named(other)


@pytest.mark.parametrize("vendor", sorted(COSTS))
def test_each_family_has_a_price(vendor: str) -> None:
    priced = {key.partition(":")[0] for key in COSTS[vendor]}
    assert set(FAMILIES.values()) <= priced


def test_what_is_a_few_instructions_has_no_routine_in_single_precision() -> None:
    assert library_key("expf", None) == "exp:f"
    assert not PLAIN & TRANSCENDENTAL
    assert {"fmaf", "sqrtf", "labs", "fma"} <= PLAIN
    assert "labsf" not in PLAIN
    assert "sincos" not in TYPED  # it stores its results
