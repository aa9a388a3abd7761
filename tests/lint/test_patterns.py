"""No regular expression is worse than quadratic, even on sources written to make it slow."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from functools import cache
from typing import Any

import pytest

import regpress_lint
import regpress_rules
from regpress_lint.core.patterns import _Pattern

LONG = 480  # characters of a run
SHORT = 120  # of one that is tried first: a search that takes too long with LONG takes at least LEAST with this
LEAST = 1 / 64  # times the yardstick: in a cube a 64th of what LONG takes, and that is to be more than MOST
MOST = 20.0  # times what a search takes that is the square of a run four times as long: a cube is 100 times that
LETTERS = [*map(chr, range(32, 127)), "\n", "\t"]
RUNS = ' a0(<,:*"'


def every_pattern() -> dict[str, re.Pattern[Any]]:
    """Patterns of all modules, by place."""
    found: dict[str, re.Pattern[Any]] = {}
    for package in (regpress_lint, regpress_rules):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(info.name)).items():
                if isinstance(value, _Pattern):
                    found.setdefault(f"{info.name}.{name}", re.compile(value._text, value._flags))
                elif isinstance(value, re.Pattern):
                    found.setdefault(f"{info.name}.{name}", value)
    return found


def is_in(items: Any, letter: str) -> bool:
    """Whether a class of characters has a letter."""
    found = False
    for code, value in items:
        if code is codes.LITERAL:
            found |= value == ord(letter)
        elif code is codes.RANGE:
            found |= value[0] <= ord(letter) <= value[1]
        elif code is codes.CATEGORY:
            name = str(value)
            of = letter.isspace() if "SPACE" in name else letter.isdigit() if "DIGIT" in name else letter.isidentifier()
            of |= "WORD" in name and letter.isdigit()
            found |= of != ("_NOT_" in name)
    return found != any(code is codes.NEGATE for code, _ in items)


@cache
def letters(items: tuple[Any, ...]) -> list[str]:
    """Letters that a class has; a name in another language if it has none of ours."""
    return [each for each in LETTERS if is_in(items, each)] or ["\x80"]


class Example:
    """A text that a pattern matches; for each repetition in it, its place and its possible items."""

    def __init__(self, tree: Any, seed: int) -> None:
        self.random = random.Random(seed)
        self.text = ""
        self.repeats: list[tuple[int, str]] = []
        self.add(tree)

    def add(self, tree: Any) -> None:
        for code, value in tree:
            if code is codes.LITERAL:
                self.text += chr(value)
            elif code in (codes.ANY, codes.NOT_LITERAL):
                self.text += "x"
            elif code is codes.IN:
                self.text += self.random.choice(letters(tuple(value)))
            elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
                self.repeat(*value)
            elif code is codes.BRANCH:
                self.add(self.random.choice(value[1]))
            elif code is codes.SUBPATTERN:
                self.add(value[3])
            elif code is codes.ATOMIC_GROUP or (code is codes.ASSERT and value[0] == 1):
                self.add(value if code is codes.ATOMIC_GROUP else value[1])

    def repeat(self, least: int, most: Any, tree: Any) -> None:
        for _ in range(self.random.randint(least, min(most, least + 2))):
            self.add(tree)
        if most is codes.MAXREPEAT or most > 20:
            single = tree[0][1] if len(tree) == 1 and tree[0][0] is codes.IN else ()
            runs = [each for each in RUNS if single and is_in(single, each)]
            before = len(self.text)
            self.add(tree)
            self.repeats += [(before, run) for run in (self.text[before:], *runs) if run]
            self.text = self.text[:before]


def seconds(pattern: re.Pattern[Any], text: str | bytes) -> float:
    """CPU seconds of a search to the end."""
    begin = time.process_time()
    any(False for _ in pattern.finditer(text))
    return time.process_time() - begin


@cache
def yardstick() -> float:
    """CPU seconds of a quadratic search, for comparison: machines differ, their ratios do not."""
    return min(seconds(re.compile("a*b"), "a" * 4 * LONG) for _ in range(5))


def slowest(pattern: re.Pattern[Any]) -> tuple[float, str]:
    """The slowest search through a text that is nearly what the pattern matches, with a long run in it, as a multiple
    of the yardstick.
    """
    tree, is_bytes, worst = parser.parse(pattern.pattern, pattern.flags), isinstance(pattern.pattern, bytes), (0.0, "")
    tried: dict[tuple[str, str], None] = {}
    for seed in range(8):
        example = Example(tree, seed)
        tried.update(((example.text[:at], run), None) for at, run in example.repeats)

    def times(before: str, run: str, characters: int) -> float:
        text = before + run * (characters // len(run)) + "\x01"
        return seconds(pattern, text.encode("utf-8", "replace") if is_bytes else text) / yardstick()

    for before, run in list(tried)[:40]:
        if times(before, run, SHORT) > LEAST:
            worst = max(worst, (times(before, run, LONG), before + run))
        if worst[0] > MOST:
            break
    return worst


@pytest.mark.slow
def test_no_pattern_takes_cubic_time() -> None:
    patterns = every_pattern()
    assert len(patterns) > 250
    found = ((name, *slowest(pattern)) for name, pattern in patterns.items())
    assert [(name, text) for name, times, text in found if times > MOST] == []


def test_a_pattern_that_does_is_found() -> None:
    assert slowest(re.compile(r"item\s*(?:const\s*)?&?\s*\w*\s*[,)]"))[0] > MOST
    assert slowest(re.compile(r"item\s*+(?:const\s*+)?&?\s*+\w*+\s*+[,)]"))[0] < MOST
