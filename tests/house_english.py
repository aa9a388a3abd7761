"""Patterns of sentences that are translated rather than written, and how a native writer says them instead."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_UNITS = r"registers?|threads?|bytes|warps|waves|lines?|rows?|findings?|processes|dwords|tests?|files?|one|seconds?"
_WHOLES = (
    r"thread|block|SM|SIMD|kernel|lane|core|line|finding|file|row|repository|function|kind|vendor|architecture|habit|"
    r"format|target|day|group|side|folder"
)
_IS = r"is|are|was|were|has|have|stands|lies|costs?|comes|it|a|the"


class Pattern(NamedTuple):
    """A pattern with its advice."""

    name: str
    expression: re.Pattern[str]
    advice: str


def _pattern(name: str, expression: str, advice: str) -> Pattern:
    return Pattern(name, re.compile(expression, re.MULTILINE), advice)


PATTERNS = (
    _pattern("per", rf"\b(?:{_UNITS}) an? (?:{_WHOLES})\b", "use `per`"),
    _pattern("anew", r"\banew\b|\bas ever\b|\bbe it\b", "again, as before"),
    _pattern("but-for", r"\bbut for\b(?! the grace)|\b[Bb]esides\b(?!,)", "except, also"),
    _pattern("in-view", r"\b(?:in|out of) view\b", "visible, not visible"),
    _pattern("hands", r"\bhand(?:s|ed|ing)? (?:on|over|to)\b|\bhangs? on\b", "pass, depend on"),
    _pattern(
        "stands",
        r"\b(?:stands?|lies?|lie) (?:in|beside|there|below|above|by (?:itself|themselves)|behind|alone|among|between|"
        r"outside|before|together|apart)\b",
        "is, are",
    ),
    _pattern("said-real", r"\b\d[\d,.]* (?:said|real|true|have)\b|\bin truth\b|\bsays nothing\b", "estimated, actual"),
    _pattern("is-to", r"\b(?:is|are) to (?!be (?:expected|found|gained))[a-z]+\b", "must, should, will"),
    _pattern(
        "what-clause",
        rf"(?:(?:^|[.;:(] ?)What (?:{_IS}|compiled|holds|fails|makes|changes|nobody|compilers?)\b(?![^.]*\?))|"
        rf"\b(?:of|for|in|by|with|from|and|to|than|that) what (?:{_IS}|those|they|all|remains|[a-z]+ (?:is|are|has))\b",
        "name the thing: `code that ...`, `the values ...`",
    ),
    _pattern(
        "of-front", r"(?:^|[.;:] )Of (?!course)[^.,;]{3,60}, ?|[;,] of (?:which|them|whom|those) ", "number first"
    ),
    _pattern("somebody", r"\b(?:no ?body|somebody|whoever|nowhere)\b", "users, the caller, unknown"),
    _pattern(
        "asked", r"\b(?:is|are|was|were|be) asked\b|\basks? (?:for|of|libclang|what|whether|clang|nvcc)\b", "query"
    ),
    _pattern(
        "made-of",
        r"\b(?:is|are|was|were) made (?:of|by|again|for|so|in|with)\b|\bmakes? (?:of|one out of)\b",
        "generated, consists of",
    ),
    _pattern("informations", r"\binformations\b|\b(?:is|are|made) information\b|\binfos\b", "is reported as info"),
    _pattern("repair", r"\brepair(?:s|ed|ing)?\b", "fix"),
    _pattern(
        "comes-out", r"\b(?:came|comes?) out of\b|\bgoes? (?:to memory|with it)\b|\b(?:is|are) held\b", "results from"
    ),
    _pattern("dear", r"\bdear\b|\bby and by\b|\bin haste\b", "expensive"),
    _pattern("too", r", too[.;:,)]", "also"),
)
_CODE = re.compile(r"```.*?```|<!--.*?-->|`[^`\n]*`", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?]+[.!?](?=\s|$)")
_BLOCK = re.compile(r"^(?:[|#>\-*\d]|\s{4}|<|!\[).*$", re.MULTILINE)


class Hit(NamedTuple):
    """A place that matches a pattern."""

    line: int
    pattern: Pattern
    text: str


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Texts of a file with the line where each begins: a page without its code, or docstrings of a module."""
    if path.suffix == ".py":
        yield from _of_module(path)[0]
        return
    text = path.read_text(encoding="utf-8")
    yield 1, _CODE.sub(lambda found: re.sub(r"[^\n]", "_", found[0]), text)


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """String literals of a module with four words or more that are not docstrings; values in f-strings become `x`."""
    yield from _of_module(path)[1]


@cache
def _of_module(path: Path) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Docstrings and messages, from one walk over the tree."""
    docstrings, literals = [], []
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):  # parents come first
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (found := ast.get_docstring(node)):
            docstrings.append((node.body[0].lineno, found))
            skipped.update(map(id, ast.iter_child_nodes(node.body[0])))
        elif isinstance(node, ast.JoinedStr):
            skipped.update(map(id, node.values))
            parts = (str(part.value) if isinstance(part, ast.Constant) else "`x`" for part in node.values)
            literals.append((node.lineno, "".join(parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            literals.append((node.lineno, node.value))
    return docstrings, [(line, text) for line, text in literals if len(text.split()) > 3]


def hits(texts: Iterator[tuple[int, str]]) -> Iterator[Hit]:
    """Places in texts that match."""
    for line, text in texts:
        for pattern in PATTERNS:
            for found in pattern.expression.finditer(text):
                yield Hit(line + text.count("\n", 0, found.start()), pattern, " ".join(found[0].split()))


def words(path: Path) -> int:
    """Words of a file's prose."""
    return sum(len(text.split()) for _, text in prose(path))


def counted(paths: list[Path], texts: Callable[[Path], Iterator[tuple[int, str]]] = prose) -> tuple[Counter[str], int]:
    """Hits by pattern and words over the texts of files."""
    found: Counter[str] = Counter()
    words_ = 0
    for path in paths:
        parts = list(texts(path))
        found.update(hit.pattern.name for hit in hits(iter(parts)))
        words_ += sum(len(text.split()) for _, text in parts)
    return found, words_


def long_sentences(path: Path, most: int) -> list[str]:
    """Sentences of a page's paragraphs with more than `most` words; lists, tables and headings do not count."""
    ((_, text),) = prose(path)
    paragraphs = re.split(r"\n\s*\n", _BLOCK.sub("", text))
    sentences = (" ".join(found[0].split()) for each in paragraphs for found in _SENTENCE.finditer(each))
    return [sentence for sentence in sentences if len(sentence.split()) > most]
