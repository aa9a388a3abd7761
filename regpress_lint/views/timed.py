"""Times of the user's own benchmark before and after."""

from __future__ import annotations

from typing import Literal

from regpress_lint.core.named import NamedTuple

Verdict = Literal["faster", "slower", "no difference"]


class Timed(NamedTuple):
    """Seconds of each run, in their order."""

    command: str
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def bands(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """From the fastest run to the slowest but one, which may have been disturbed: before and after."""
        return _band(self.before), _band(self.after)

    @property
    def verdict(self) -> Verdict:
        """Only where the bands do not touch is there a difference."""
        (low, high), (least, most) = self.bands
        return "faster" if most < low else "slower" if least > high else "no difference"


def _band(runs: tuple[float, ...]) -> tuple[float, float]:
    ordered = sorted(runs)
    return ordered[0], ordered[-2] if len(ordered) > 2 else ordered[-1]
