"""The committed pages of the rules are made from today's, and stand where findings link to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from regpress_lint.api.rule import DOCUMENTATION_URL
from regpress_rules import rules
from tools.generators import rule_pages

if TYPE_CHECKING:
    from regpress_lint.api import Rule

TEXTS = {path.name: path.read_text() for path in sorted(rule_pages.PAGES.glob("*.md"))}


# What the list of rules says of the fixes of each.
FIXES = dict(re.findall(r"^\| (RP\d+) \|.*\| ([\w ]*?) *\|$", TEXTS["index.md"], re.MULTILINE))


def test_committed_pages_are_current() -> None:
    assert rule_pages.stale(rule_pages.pages(FIXES)) == [], "run: python tools/generate.py rule_pages"


@pytest.mark.slow
def test_committed_pages_list_the_fixes() -> None:
    assert {rule.code: rule_pages.fixes_of(rule) for rule in rules()} == FIXES


@pytest.mark.parametrize("rule", list(rules()), ids=lambda rule: rule.code)
def test_a_finding_links_to_the_page_of_its_rule(rule: type[Rule]) -> None:
    info = rule.info()
    assert f"{info.name}.md" in TEXTS, f"docs/rules/{info.name}.md is missing: run python tools/generate.py rule_pages"
    assert info.url == f"{DOCUMENTATION_URL}{info.name}"
    assert TEXTS[f"{info.name}.md"].startswith(f"# {info.code} {info.name}\n")
    assert f"| {info.code} | [{info.name}]({info.name}.md) |" in TEXTS["index.md"]


def test_links_between_pages_lead_somewhere() -> None:
    for name, text in TEXTS.items():
        links = re.findall(r"\]\(([^)]+\.md)\)", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
        assert set(links) <= TEXTS.keys(), name


def test_a_table_is_not_broken_by_its_cells() -> None:
    for name, text in TEXTS.items():
        for rows in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
            counts = {len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", row))) for row in rows.splitlines()}
            assert len(counts) == 1, f"{name}: {rows}"
