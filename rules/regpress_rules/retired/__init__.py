"""Codes that are no rules of their own any more, with their pages: an alias for the rule that has taken over, or
documentation only. Comments, selections and configurations that name them keep their meaning.
"""

from __future__ import annotations

from regpress_lint.api import NamedTuple


class Retired(NamedTuple):
    """A code and name of earlier versions. `successor`: the rule that they mean now; empty for documentation."""

    code: str
    name: str
    successor: str
    summary: str

    @property
    def module(self) -> str:
        """Where its page is: NAME.md in this folder."""
        return f"{__name__}.{self.name.replace('-', '_')}"


RETIRED = (
    Retired(
        "RP502",
        "excessive-unroll",
        "RP501",
        "Part of RP501 unbounded-unroll, which also reports factors that are too large.",
    ),
    Retired(
        "RP602",
        "large-by-value-argument",
        "",
        "Documentation only: by value is the better way today; RP108 reports arguments beyond what a toolchain takes.",
    ),
    Retired(
        "RP901",
        "multidimensional-accessor",
        "",
        "Documentation only: accessors of two and three dimensions, and the registers that their addresses take.",
    ),
    Retired(
        "RP902",
        "accessor-instead-of-usm",
        "",
        "Documentation only: buffer accessors take no more registers than USM pointers.",
    ),
    Retired(
        "RP903",
        "private-array-shareable-in-subgroup",
        "RP403",
        "Part of RP403 runtime-indexed-array, whose help on Intel says how to keep counters in registers.",
    ),
)
_MEANT = {word: each.successor or each.code for each in RETIRED for word in (each.code.casefold(), each.name)}


def current(word: str) -> str:
    """The code that a code or name means today; the word itself if it is not of an earlier version."""
    return _MEANT.get(word.casefold(), word)


def retired(word: str) -> Retired | None:
    """Information about a code or name of an earlier version."""
    folded = word.casefold()
    return next((rule for rule in RETIRED if folded in (rule.code.casefold(), rule.name)), None)
