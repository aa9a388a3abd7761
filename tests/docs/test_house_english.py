"""Plain English: patterns of translated sentences stay rare in pages, help texts, findings and docstrings."""

from __future__ import annotations

import re
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

# Hits per 1,000 words that a group may have. A ratio over many files that several people change at once must not be
# close to its limit, or two changes that are fine alone fail together; so pages also have limits of their own. Limits
# only fall: the test fails where one is more than `_SLACK` above the text.
LIMITS = {"pages": 1.0, "rules": 1.0, "docstrings": 1.0, "findings": 1.0, "messages": 1.0, "tests": 1.0, "tools": 2.0}
_SLACK = 1.0
_LONGEST = 40  # words of a sentence
_NAME = re.compile(r"^\s*def test_(\w+)", re.MULTILINE)
_TRANSLATED = re.compile(
    r"(?:^|_)(?:what|nobody|somebody|whoever|nowhere|besides|stands?|lies|hangs|asked|asks_for|anew|dear\w*|repair\w*)(?:_|$)"
    r"|_(?:is|are)_(?:no|none)(?:_|$)|_too$|_alone$"
)
_TRANSLATED_NAMES = 40
_FOLDERS = {
    "rules": ("rules/**/*.md",),
    "docstrings": ("regpress_lint/**/*.py", "rules/**/*.py"),
    "findings": ("testdata/findings/*.txt",),
    "messages": ("regpress_lint/**/*.py", "rules/**/*.py"),
    "tests": ("tests/**/*.py",),
    "tools": ("tools/**/*.py", "examples/**/*.py", "packaging/**/*.py"),
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


# Parsing every module takes seconds: those groups are for CI.
every_group = pytest.mark.parametrize(
    "group",
    [pytest.param(name, marks=[pytest.mark.slow] * (".py" in folders[0])) for name, folders in _FOLDERS.items()],
)


def rate(group: str) -> float:
    """Hits per 1,000 words of a group."""
    texts = house_english.messages if group == "messages" else house_english.prose
    found, words = house_english.counted(files(group), texts)
    assert words > 5_000, group
    return 1000 * found.total() / words


@every_group
def test_a_group_stays_below_its_limit_which_follows_improvements(group: str) -> None:
    found = rate(group)
    assert found <= LIMITS[group], f"{found:.2f}"
    assert LIMITS[group] <= found + _SLACK, f"{found:.2f}: lower the limit"


def test_help_texts_have_few_hits() -> None:
    texts = [parser.format_help() for parser in grammar().values()]
    found = [hit.text for text in texts for hit in house_english.hits(one(text))]
    assert 1000 * len(found) <= 3 * sum(len(text.split()) for text in texts), found


def test_few_names_of_tests_are_translated() -> None:
    """A name says condition and result; the limit of such names only falls."""
    names = [name for path in files("tests") for name in _NAME.findall(path.read_text(encoding="utf-8"))]
    found = [name for name in names if _TRANSLATED.search(name)]
    assert len(names) > 2_000
    assert len(found) <= _TRANSLATED_NAMES, found
    assert len(found) > _TRANSLATED_NAMES - 10, "lower the limit"


@pytest.mark.parametrize("page", files("pages"), ids=lambda path: path.name)
def test_no_page_exceeds_its_limit(page: Path) -> None:
    found = [f"{hit.line}: {hit.text} ({hit.pattern.advice})" for hit in house_english.hits(house_english.prose(page))]
    assert len(found) <= 1 + house_english.words(page) // 1000, found


@pytest.mark.parametrize("page", files("pages"), ids=lambda path: path.name)
def test_no_sentence_of_a_page_exceeds_the_limit(page: Path) -> None:
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
def test_pattern_matches_its_example(text: str, name: str) -> None:
    found = [hit.pattern.name for hit in house_english.hits(one(text))]
    assert found[:1] == ([name] if name else []) or text == "Nobody knows."


def test_messages_are_string_literals_without_docstrings(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""What is the module."""\n\nname = 1\nraise OSError(f"cannot read {name} of a file")\nx = "one two"\n'
    )
    assert list(house_english.messages(module)) == [(4, "cannot read `x` of a file")]


def test_long_sentences_outside_of_lists_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    long = "word " * 41
    page.write_text(f"# {long}.\n\n- {long}.\n\n| {long}. |\n\nShort. {long}end.\n")
    assert house_english.long_sentences(page, 40) == [f"{long}end."]
