"""Where things are in a panel of the occupancy picture: the scales, the room text takes, labels that cover nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

TOP, BOTTOM, LEFT, RIGHT = 104, 118, 62, 62
# Room above the maximum, so that the curves of limits that do not bind are seen to be higher.
ABOVE = 1.22
# A last step that takes more of the axis than this is cut, and drawn this wide.
_LONG, _STUB = 0.38, 0.09
CHARACTER, BOLD = 0.56, 0.61  # mean width of a character, in ems, of the widest font that the picture names
BOX = 25


class Limit(NamedTuple):
    """One curve: waves per SIMD over the edges of the panel's runs, None where nothing limits."""

    label: str
    color: str
    dashes: str
    values: tuple[float | None, ...]


class Mark(NamedTuple):
    """A point with a label."""

    x: float
    y: float
    label: str


class Panel(NamedTuple):
    """One architecture. Run `i` reaches from `edges[i]` to `edges[i + 1]` with `resident[i]` waves per SIMD.

    unit: what an x of 1 is shown as (1024: KiB). ticks: the x at which the resident waves change. most: the
    waves that a SIMD holds. y_title, legend: what is resident, for the axis and for the legend.
    """

    name: str
    title: str
    kernel: str
    result: str
    x_title: str
    y_title: str
    legend: str
    unit: int
    edges: tuple[int, ...]
    resident: tuple[float, ...]
    limits: tuple[Limit, ...]
    ticks: tuple[int, ...]
    most: int
    mark: Mark | None
    next: Mark | None
    free: int | None
    """Up to where the kernel may go without losing a wave, None where it may not."""


class Box(NamedTuple):
    """Where a label is: its left upper corner and its width."""

    left: float
    top: float
    width: float

    def covers(self, other: Box) -> bool:
        apart = self.left > other.left + other.width or other.left > self.left + self.width
        return not apart and abs(self.top - other.top) < BOX + 5

    def foot(self, x: float, y: float) -> tuple[float, float]:
        """Where a line from a point meets the box."""
        return min(max(x, self.left + 8), self.left + self.width - 8), self.top + (BOX if self.top < y else 0)

    def hides(self, x: float, y: float) -> bool:
        return self.left <= x <= self.left + self.width and self.top <= y <= self.top + BOX


class Frame(NamedTuple):
    """A panel's plot area in its own coordinates, and the scale of x (a long last run is drawn as a stub)."""

    width: int
    height: int
    first: float
    last: float
    cut_at: float | None
    most: int

    @property
    def right(self) -> float:
        return self.width - RIGHT

    @property
    def floor(self) -> float:
        return self.height - BOTTOM

    def x(self, value: float) -> float:
        span = self.right - LEFT
        if self.cut_at is None:
            return LEFT + span * (value - self.first) / (self.last - self.first)
        whole = span * (1 - _STUB)
        if value <= self.cut_at:
            return LEFT + whole * (value - self.first) / (self.cut_at - self.first)
        return LEFT + whole + span * _STUB * (value - self.cut_at) / (self.last - self.cut_at)

    def y(self, waves: float) -> float:
        return self.floor - (self.floor - TOP) * min(waves / (self.most * ABOVE), 1.5)


def frame_of(panel: Panel, width: int, height: int) -> Frame:
    first, last = panel.edges[0], panel.edges[-1]
    start = max((tick for tick in panel.ticks if tick < last), default=first)
    beyond = max((mark.x for mark in (panel.mark, panel.next) if mark is not None), default=first)
    cut = start if last - start > _LONG * (last - first) and start > first and beyond <= start else None
    return Frame(width, height, first, last, cut, panel.most)


def label_box(mark: Mark, panel: Panel, frame: Frame, taken: Sequence[Box]) -> Box:
    """The first place that covers no curve, or the one that covers the fewest pieces of them.

    Right above the point first, then left below, where a falling curve leaves only the filled area, then farther off.
    """
    x, y = frame.x(mark.x), frame.y(mark.y)
    width = text_width(mark.label, 14, BOLD) + 20
    lefts = (x + 18, x - 16 - width, x - width / 2)
    tops = (y - 38, y + 13, y - 60, y + 32, y - 82, y + 60, y - 104, y + 90, y - 126)
    near = [Box(lefts[0], tops[0], width), Box(lefts[1], tops[1], width)]
    places = [*near, *(Box(left, top, width) for top in tops for left in lefts)]
    allowed = [
        box
        for box in places
        if box.left >= LEFT + 4
        and box.left + width <= frame.right - 4
        and box.top > TOP - 24
        and box.top + BOX < frame.floor - 4
        and not any(map(box.covers, taken))
    ]
    fallback = Box(max(min(x + 18, frame.right - width), LEFT), max(y - 38, TOP - 20), width)
    return min(allowed, key=lambda box: _crossings(box, panel, frame) + _hidden(x, y, box, taken), default=fallback)


def _hidden(x: float, y: float, box: Box, taken: Sequence[Box]) -> int:
    """The tenths of the line from the point to its box that another box hides."""
    to_x, to_y = box.foot(x, y)
    tenths = [(x + (to_x - x) * part / 10, y + (to_y - y) * part / 10) for part in range(3, 10)]
    return sum(other.hides(*point) for point in tenths for other in taken)


def _crossings(box: Box, panel: Panel, frame: Frame) -> int:
    """How many treads and risers of the staircases the box would cover."""
    right, low, high = box.left + box.width, box.top - 3, box.top + BOX + 3
    count = 0
    for limit in panel.limits:
        before: float | None = None
        for (start, end), value in zip(pairwise(panel.edges), limit.values, strict=True):
            if value is None:
                before = None
                continue
            y = frame.y(value)
            count += frame.x(start) < right and frame.x(end) > box.left and low < y < high
            if before is not None and box.left < frame.x(start) < right:
                count += min(before, y) < high and max(before, y) > low
            before = y
    return count


def text_width(text: str, size: float, character: float = CHARACTER) -> float:
    return len(text) * size * character
