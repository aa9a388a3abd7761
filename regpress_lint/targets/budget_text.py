"""Budgets of a kernel: `vgpr<=96 waves>=4 gfx90a`, in a comment above it or in the configuration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

Resource = Literal["registers", "waves", "scratch", "lds"]
_RESOURCES: Mapping[str, Resource] = {
    **dict.fromkeys(("vgpr", "vgprs", "registers"), "registers"),
    "waves": "waves",
    "scratch": "scratch",
    "lds": "lds",
}
_TERM = pattern(r"(?<![A-Za-z])([A-Za-z]++)\s*+(<=|>=)\s*(\d{1,9}(?:\.\d{1,6})?)")
ORDER = pattern(rb"regpress(?:-lint)?:[ \t]*budget[ \t]+([^\r\n]*?)[ \t]*(?:\*/|\r?$)", re.MULTILINE)


class BudgetError(ValueError):
    """A text that is no budget; says why."""


class Budget(NamedTuple):
    """One limit. targets: canonical names of the architectures that it is for, none for all of them."""

    resource: Resource
    limit: float
    text: str
    targets: tuple[str, ...] = ()

    def is_for(self, target: str) -> bool:
        """Whether it holds on an architecture."""
        return not self.targets or target in self.targets


def parse(text: str) -> tuple[Budget, ...]:
    """The limits of a text, each for all the architectures that it names. Raises BudgetError."""
    terms = _TERM.findall(text)
    names = _TERM.sub(" ", text).replace(",", " ").split()
    if not terms:
        raise BudgetError(f'"{text.strip()}" has no limit such as vgpr<=96 or waves>=4')
    targets = tuple(dict.fromkeys(_architecture(name) for name in names))
    return tuple(_budget(word, sign, number, targets) for word, sign, number in terms)


def _budget(word: str, sign: str, number: str, targets: tuple[str, ...]) -> Budget:
    resource = _RESOURCES.get(word.lower())
    if resource is None:
        raise BudgetError(f'no budget is known for "{word}"; there are vgpr (registers), waves, scratch and lds')
    if sign != (">=" if resource == "waves" else "<="):
        raise BudgetError(f'"{word}{sign}{number}": waves are a lower limit (>=), all others an upper one (<=)')
    return Budget(resource, float(number), f"{word}{sign}{number}", targets)


def _architecture(name: str) -> str:
    from regpress_lint.targets.occupancy import UnknownArchitectureError, architecture

    try:
        return architecture(name).name
    except UnknownArchitectureError as error:
        raise BudgetError(" ".join(str(error).split())) from None
