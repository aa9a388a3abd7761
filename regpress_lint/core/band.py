"""Numbers of a kernel as views, advice and formats write them: a band of registers, and waves as whole as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction


class Band(NamedTuple):
    """Registers a thread."""

    low: int
    estimate: int
    high: int


def plain(value: Fraction) -> int | float:
    """A fraction as a number: whole if it is whole."""
    return value.numerator if value.denominator == 1 else float(value)
