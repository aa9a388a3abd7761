"""Measurements of changes of a kind, on an architecture or on the nearest one that was measured."""

from __future__ import annotations

from functools import cache

from regpress_lint.lint.advice.advice_data import Measured
from regpress_lint.lint.advice.measured_pairs import PAIRS
from regpress_lint.targets.gpu import gpu


@cache
def _table() -> dict[tuple[str, str], Measured]:
    return {(row[0], row[1]): Measured(*row) for row in PAIRS}


def measured(code: str, target: str) -> Measured | None:
    """The evidence of a rule; None for a change without a rule, or without measurements on such a GPU."""
    for name in (target, _alike(target)):
        found = _table().get((code, name))
        if found is not None:
            return found
    return None


def _alike(target: str) -> str:
    """The architecture that was measured for those of its kind."""
    own = gpu(target)
    if own.is_intel:
        return "pvc"
    return "sm_90" if own.is_nvidia else "gfx90a" if own.is_gfx9 else "gfx1100"
