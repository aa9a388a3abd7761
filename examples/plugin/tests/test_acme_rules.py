"""The rules against the comments of their fixtures, and against their own pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from acme_rules import rules

from regpress_lint import testing

if TYPE_CHECKING:
    from regpress_lint.api import Rule

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.cu"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_findings_match_the_comments(path: Path) -> None:
    mismatch = testing.check(rules(), path.read_text(), path.as_posix())
    assert not mismatch, str(mismatch)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_the_example_is_reported_and_the_replacement_is_not(rule: type[Rule]) -> None:
    example, replacement = re.findall(r"```cuda\n(.*?)```", rule.info().documentation, re.DOTALL)
    assert testing.run([rule], example, "example.cu")
    assert not testing.run([rule], replacement, "example.cu")


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_the_fix_of_the_example_removes_the_finding(rule: type[Rule]) -> None:
    example, replacement = re.findall(r"```cuda\n(.*?)```", rule.info().documentation, re.DOTALL)
    found = testing.run([rule], example, "example.cu")
    assert testing.fixed(example, found) == example  # nothing is changed unasked
    assert testing.fixed(example, found, unsafe=True) == replacement
