"""How bad a number of registers is: by its cost, never relative to the kernel's other lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

# The most registers of each tone but the last: as a share of the waves that few registers allow, and of the budget.
_SHARES = ((1.0, 0.75), (0.5, 0.9), (0.25, 1.0))
NAMES = (
    "costs no wave",
    "costs waves, or over 3/4 of the budget",
    "half of the waves, or over 9/10 of the budget",
    "a quarter of the waves, or over the budget",
)


def tones(steps: Sequence[tuple[int, Fraction]], budget: int) -> tuple[int, int, int]:
    """The most registers of the first, second and third tone; more than that is the fourth.

    steps: (most registers, waves), fewest registers first; without any the budget alone counts. Few registers leave
    all the waves that block size and LDS allow: what those cost is not the registers' doing.
    """
    full = steps[0][1] if steps else None
    found = []
    for position, (waves, share) in enumerate(_SHARES):
        kept = [most for most, left in steps if full is not None and _keeps(left / full, waves, position)]
        found.append(min(max(kept, default=budget), int(share * budget)))
    return found[0], max(found[:2]), max(found)


def _keeps(left: Fraction, share: float, position: int) -> bool:
    return left >= share if not position else left > share


def tone(registers: int, limits: Sequence[int]) -> int:
    """The tone of a number of registers: 0 costs nothing, 3 is the worst."""
    return sum(registers > limit for limit in limits)
