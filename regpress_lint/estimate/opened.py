"""How far unknowns open the band of an estimate: decided only here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.core.uncertainty import Unknown
    from regpress_lint.estimate.registers import RegisterEstimate
    from regpress_lint.targets.occupancy import Architecture

_LEAST = 1
# What the fit's looser band was made for: kernels that call what is not in view, or hold values of unknown types.
FITTED = frozenset(("callee", "type"))


def opened(found: RegisterEstimate, unknowns: Iterable[Unknown], arch: Architecture) -> RegisterEstimate:
    """The estimate with its band opened to the sides that the unknowns say: by as many registers as each may take, to
    what a thread can have on the architecture where nothing says how many. The estimate itself stays.
    """
    low, high, most = found.low, found.high, arch.max_regs_per_thread
    for one in unknowns:
        if one.kind in FITTED and one.at_most is None:
            continue
        if one.opens in ("up", "both"):
            high = most if one.at_most is None else min(most, high + one.at_most)
        if one.opens in ("down", "both"):
            low = _LEAST if one.at_most is None else max(_LEAST, low - one.at_most)
    return found._replace(low=low, high=max(high, found.high))
