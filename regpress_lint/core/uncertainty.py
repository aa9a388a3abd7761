"""The known and the unknown part of a number: a band of registers, waves as whole as they are, and an unknown, one
entry of the ledger that every estimate comes with.
"""

from __future__ import annotations

from regpress_lint.core.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Literal, TypeAlias

    from regpress_lint.core.source import Span

    Kind: TypeAlias = Literal[
        "size", "type", "callee", "store", "loop", "argument", "macro", "limit", "memory", "instances"
    ]
    Opens: TypeAlias = Literal["up", "down", "both", "nothing"]


# Registers that a function of the project may take of which nothing is visible: compilers inline it, and no thread of
# any GPU has more. WarpX' `PushPX` without its headers is 27 by what is left of it, 296 compiled.
ANY_NUMBER = 512


class Band(NamedTuple):
    """Registers a thread."""

    low: int
    estimate: int
    high: int


def plain(value: Fraction) -> int | float:
    """A fraction as a number: whole if it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


class Unknown(NamedTuple):
    """Something that the estimate would need and that is unknown.

    name: as the source spells it. path, span: its place. text: one sentence for people, which says what would
    tell. opens: to which side the band opens; "nothing" where the numbers are the same either way. at_most: registers
    by which they are off, None where nothing says how many; 0 for what only concerns private memory.
    """

    kind: Kind
    name: str
    path: str
    span: Span
    text: str
    opens: Opens = "up"
    at_most: int | None = None

    @property
    def matters(self) -> bool:
        """True where the numbers may be others."""
        return self.opens != "nothing"
