"""The list of the built-in rules says what their classes say, so that a run may trust it without loading them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from regpress_lint.lint import registry
from regpress_rules import listed
from tools.generators import rule_index

if TYPE_CHECKING:
    from regpress_lint.api import Rule

CLASSES = tuple(rule_index.classes())


def test_the_committed_list_is_current() -> None:
    assert rule_index.INDEX.read_text(encoding="utf-8") == rule_index.text(), "run: python tools/generate.py rule_index"


@pytest.mark.parametrize("rule", CLASSES, ids=lambda rule: rule.code)
def test_an_entry_of_the_list_is_the_entry_of_its_class(rule: type[Rule]) -> None:
    known = next((entry for entry in registry.load().rules if entry.code == rule.code), None)
    assert known is not None, "run: python tools/generate.py rule_index"
    own = registry.entry(rule)
    assert known.load() is rule
    assert known._replace(info=own.info, load=own.load) == own
    assert known.info._replace(read=None) == own.info._replace(read=None)
    assert known.info.documentation == own.info.documentation


def test_the_list_is_in_the_order_of_codes() -> None:
    codes = [row.code for row in listed()]
    assert codes == sorted(codes)


def test_needs_are_facts() -> None:
    """A name that is no fact would be an internal error for the first kernel."""
    from regpress_lint import testing
    from regpress_lint.core.settings import Settings
    from regpress_lint.facts.kernel import kernel_facts

    file = testing.build("__global__ void f(float* a) { a[0] = 1.0f; }")
    facts = kernel_facts(file, file.kernels[0], Settings())
    assert {rule.scope().covers(facts) for rule in CLASSES} == {True, False}
