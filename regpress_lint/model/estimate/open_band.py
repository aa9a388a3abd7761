"""How far unknowns open the band of an estimate: decided only here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.uncertainty import ANY_NUMBER, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.model.estimate.registers import RegisterEstimate
    from regpress_lint.targets.occupancy import Architecture


_LEAST = 1
_OF_CALL = 32  # registers that a call takes by itself: the function is inlined, and may need none
# What the fit's looser band was made for: kernels that call what is not visible, or hold values of unknown types.
FITTED = frozenset(("callee", "type"))


def opened(before: RegisterEstimate, unknowns: Iterable[Unknown], arch: Architecture) -> RegisterEstimate:
    """The estimate with its band opened to the sides that the unknowns say: by as many registers as each may take, to
    what a thread can have on the architecture where nothing says how many. The estimate itself stays.
    """
    low, high, most = before.low, before.high, arch.max_regs_per_thread
    for unknown in unknowns:
        if unknown.kind in FITTED and unknown.at_most is None:
            continue
        if unknown.opens in ("up", "both"):
            high = most if unknown.at_most is None else min(most, high + unknown.at_most)
        if unknown.opens in ("down", "both"):
            fewer = _OF_CALL if unknown.at_most == ANY_NUMBER else unknown.at_most
            low = _LEAST if fewer is None else max(_LEAST, low - fewer)
    return before._replace(low=low, high=max(high, before.high))


def is_unbounded(unknown: Unknown, arch: Architecture) -> bool:
    """True for an unknown that may take as many registers as a thread can have: the upper end is then no estimate."""
    most = arch.max_regs_per_thread
    bounded = most if unknown.at_most is None and unknown.kind not in FITTED else unknown.at_most or 0
    return unknown.opens in ("up", "both") and bounded >= most
