"""The effect of a change on a kernel, by a compiler's numbers before and after.

lost       more scratch or spills, or fewer waves (that is, worse by a step)
improved   less scratch or spills, more waves, or at least NOTICEABLE registers fewer
worse      at least NOTICEABLE registers more
less code  none of these, and at least 5 % less code: for rules whose claim is time
broken     does not compile any more
no change  nothing of this happened
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

# From bad to good.
VERDICTS = ("broken", "lost", "worse", "no change", "less code", "improved")
HURT, GOOD = frozenset(VERDICTS[:3]), frozenset(VERDICTS[4:])
# Below this many registers a difference is the allocator's mood and no effect.
NOTICEABLE = 3
_LESS_CODE = 0.95


class Numbers(NamedTuple):
    """The numbers of one instance of a kernel."""

    registers: int
    scratch_bytes: int
    spills: int
    waves: float
    code_bytes: int
    lds_bytes: int = 0

    def __str__(self) -> str:
        return (
            f"{self.registers} registers, {self.scratch_bytes} B private, {self.spills} spills, {self.waves:g} waves, "
            f"{self.code_bytes} B code"
        )


def verdict(before: Numbers, after: Numbers) -> str:
    """See the module. Scratch comes before waves: what ended a spill may well take the registers for it."""
    if after.scratch_bytes > before.scratch_bytes or after.spills > before.spills:
        return "lost"
    if after.scratch_bytes < before.scratch_bytes or after.spills < before.spills or after.waves > before.waves:
        return "improved"
    if after.waves < before.waves:
        return "lost"
    if before.registers - after.registers >= NOTICEABLE:
        return "improved"
    if after.registers - before.registers >= NOTICEABLE:
        return "worse"
    return "less code" if after.code_bytes < _LESS_CODE * before.code_bytes else "no change"


def together(verdicts: Iterable[str]) -> str:
    """One verdict for all instances of a kernel: lost if one is, worse if at least as many are as improved, else the
    best."""
    counts = Counter(verdicts)
    if counts["lost"]:
        return "lost"
    if counts["worse"] and counts["worse"] >= counts["improved"]:
        return "worse"
    return next((name for name in reversed(VERDICTS) if counts[name]), "no change")
