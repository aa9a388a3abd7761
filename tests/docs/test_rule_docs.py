"""Every rule's page: headings, and examples that behave as the page says."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from regpress_lint import testing
from regpress_lint.api import Rule, Severity
from regpress_rules import rules
from tools.generators import rule_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RULES: tuple[type[Rule], ...] = tuple(sorted(rules(), key=lambda rule: rule.code))
HEADINGS = (
    "What it does",
    "Example",
    "Use instead",
    "Why it costs",
    "Targets",
    "When to ignore",
    "Fix safety",
    "Sources",
)
BEHIND = {"When it is reported": "Why it costs", "Measured": "Targets"}  # not every page has these
PATHS = {"hip": "example.hip", "cuda": "example.cu", "sycl": "example.cpp"}
# Made by the linter, or about a text that no compiler takes.
WITHOUT_EXAMPLES = {"RP002", "RP009"}

by_code = pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])


def page(rule: type[Rule]) -> str:
    return rule_pages.documentation(rule)


# Rules whose findings are hints: there, a hint counts.
HINTS = {rule.code for rule in RULES if rule.severity is Severity.HINT}


def section(rule: type[Rule], heading: str) -> str:
    _, found, text = page(rule).partition(f"## {heading}\n")
    assert found, f"{rule_pages.file_of(rule)} has no section {heading}"
    return text.split("\n## ", 1)[0]


def blocks(text: str) -> Iterator[tuple[str, str]]:
    for match in re.finditer(r"```(hip|cuda|sycl)\n(.*?)```", text, re.DOTALL):
        yield match[1], match[2]


def findings(asked: Iterable[type[Rule]], language: str, text: str) -> list[testing.Found]:
    found = testing.run(asked, text, PATHS[language], language)  # type: ignore[arg-type]
    return [each for each in found if each.severity > Severity.HINT or each.code in HINTS]


@by_code
def test_the_page_has_a_summary_and_the_headings_in_order(rule: type[Rule]) -> None:
    found = tuple(re.findall(r"^## (.+)$", page(rule), re.MULTILINE))
    unknown, missing = set(found) - {*HEADINGS, *BEHIND}, [each for each in HEADINGS if each not in found]
    assert not unknown, f"{rule_pages.file_of(rule)}: unknown headings {', '.join(unknown)}"
    assert not missing, f"{rule_pages.file_of(rule)}: no headings {', '.join(missing)}"
    assert tuple(heading for heading in found if heading not in BEHIND) == HEADINGS
    assert all((BEHIND[heading], heading) in pairwise(found) for heading in found if heading in BEHIND)
    summary = page(rule).split("\n\n", 1)[0]
    assert summary.endswith(".")
    assert "\n" not in summary
    assert rule.info().summary == summary
    assert rule.info().url.endswith(f"/{rule.name}")


@by_code
def test_no_section_is_empty(rule: type[Rule]) -> None:
    assert [heading for heading in HEADINGS if not section(rule, heading).strip()] == []


@by_code
def test_documented_examples_behave_as_documented(rule: type[Rule]) -> None:
    if rule.code in WITHOUT_EXAMPLES:
        assert not list(blocks(page(rule)))
        return
    bad, good = list(blocks(section(rule, "Example"))), list(blocks(section(rule, "Use instead")))
    assert bad
    assert good
    silent = [language for language, text in bad if not findings([rule], language, text)]
    assert not silent, f"the example in {' and '.join(silent)} is not reported, or only as a hint"
    assert [found for language, text in good for found in findings([rule], language, text)] == []


@by_code
def test_the_replacement_needs_no_other_rule(rule: type[Rule]) -> None:
    for language, text in blocks(section(rule, "Use instead")):
        found = findings(RULES, language, text)
        # The frame of a library function is there however it is called.
        assert [each for each in found if each.code != "RP109" or each.severity > Severity.INFO] == []


def test_codes_and_names_are_unique_and_well_formed() -> None:
    codes, names = [rule.code for rule in RULES], [rule.name for rule in RULES]
    assert len(set(codes)) == len(codes)
    assert len(set(names)) == len(names)
    assert [code for code in codes if not re.fullmatch(r"RP\d{3}", code)] == []
    assert [name for name in names if not re.fullmatch(r"[a-z]+(-[a-z]+)+", name)] == []


@by_code
def test_a_rule_lives_in_the_module_of_its_name(rule: type[Rule]) -> None:
    package, _, module = rule.__module__.rpartition(".")
    assert package.split(".")[0] == "regpress_rules"
    assert module == rule.name.replace("-", "_")


@by_code
def test_a_page_promises_speed_only_with_the_gpu_that_was_measured(rule: type[Rule]) -> None:
    text = " ".join(page(rule).split())
    for match in re.finditer(r"times (?:slower|faster|as fast)", text):
        assert "H200" in text[max(0, match.start() - 400) : match.end()], match[0]


@by_code
def test_a_page_holds_no_html_which_a_terminal_would_show(rule: type[Rule]) -> None:
    prose = re.sub(r"`[^`]*`", "", re.sub(r"(?s)```.*?```", "", page(rule)))
    assert re.findall(r"</?[a-z]+>", prose) == []
