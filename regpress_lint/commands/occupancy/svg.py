"""Occupancy curves as one self-contained SVG: every limit's staircase, what is resident below them, the kernel's point.

The frame knows where things are in a panel: the scales, the room text takes, labels that cover nothing.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


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


FONT = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif"
_INK, _QUIET, _GRID, _PAPER, _FILL = "#1a1a1a", "#5f6368", "#e4e6e8", "#fcfcfb", "#56b4e9"
_SINGLE, _SMALL = (960, 580), (640, 540)


def render(panels: Sequence[Panel]) -> str:
    """The picture: one panel large, several as small multiples, two or three a row."""
    width, height = _SINGLE if len(panels) == 1 else _SMALL
    columns = len(panels) if len(panels) < 4 else 2 if len(panels) == 4 else 3
    rows = -(-len(panels) // columns)
    title = "Occupancy: " + ", ".join(panel.name for panel in panels)
    whole = f"{columns * width} {rows * height}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole}" width="{columns * width}" '
        f'height="{rows * height}" role="img" aria-labelledby="title desc" font-family="{FONT}" font-size="13">',
        f'<title id="title">{_escape(title)}</title>',
        f'<desc id="desc">{_escape(" ".join(f"{p.name}: {p.kernel}: {p.result}." for p in panels))}</desc>',
        f'<rect width="100%" height="100%" rx="10" fill="{_PAPER}"/>',
    ]
    for index, panel in enumerate(panels):
        lines.append(f'<g transform="translate({index % columns * width} {index // columns * height})">')
        lines += _panel(panel, frame_of(panel, width, height), index)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _panel(panel: Panel, frame: Frame, index: int) -> Iterator[str]:
    yield from _header(panel, frame)
    yield from _waves_axis(panel, frame)
    yield (
        f'<clipPath id="plot{index}"><rect x="{LEFT}" y="{TOP}" width="{_n(frame.right - LEFT)}" '
        f'height="{_n(frame.floor - TOP + 2)}"/></clipPath>'
    )
    yield f'<g clip-path="url(#plot{index})" stroke-linejoin="round">'
    area = "".join(
        f"L{_n(frame.x(a))} {_n(frame.y(v))}H{_n(frame.x(b))}"
        for (a, b), v in zip(pairwise(panel.edges), panel.resident, strict=True)
    )
    bottom = _n(frame.floor)
    yield f'<path d="M{LEFT} {bottom}{area}V{bottom}Z" fill="{_FILL}" fill-opacity="0.25"/>'
    for limit in panel.limits:
        dashes = f' stroke-dasharray="{limit.dashes}" ' if limit.dashes else " "
        path = _staircase(panel, limit, frame)
        yield f'<path d="{path}" fill="none" stroke="{limit.color}" stroke-width="3"{dashes}/>'
    yield "</g>"
    yield from _resource_axis(panel, frame)
    yield from _marks(panel, frame)
    yield from _legend(panel, frame)


def _header(panel: Panel, frame: Frame) -> Iterator[str]:
    room = frame.width - 2 * 24
    title = _fit(panel.title, (room - text_width(panel.name, 22) - 14) / 14)
    yield (
        f'<text x="24" y="38" fill="{_INK}"><tspan font-size="22" font-weight="700">{_escape(panel.name)}</tspan>'
        f'<tspan dx="10" font-size="14" fill="{_QUIET}">{_escape(title)}</tspan></text>'
    )
    # A kernel with much to tell and a reason why a launch cannot work are long: smaller letters before an ellipsis.
    size = max(11, min(13, int(room / CHARACTER / max(len(panel.kernel), 1))))
    yield f'<text x="24" y="60" font-size="{size}" fill="{_QUIET}">{_escape(_fit(panel.kernel, room / size))}</text>'
    size = max(11, min(15, int(room / BOLD / max(len(panel.result), 1))))
    result = _escape(_fit(panel.result, room / size * CHARACTER / BOLD))
    yield f'<text x="24" y="82" font-size="{size}" font-weight="600" fill="{_INK}">{result}</text>'


def _waves_axis(panel: Panel, frame: Frame) -> Iterator[str]:
    """Waves on the left, percent on the right, a quiet line for each."""
    every = next(step for step in (1, 2, 4, 5, 8) if frame.most / step <= 10)
    for waves in range(0, frame.most + 1, every):
        y = _n(frame.y(waves))
        yield f'<path d="M{LEFT} {y}H{_n(frame.right)}" stroke="{_GRID}"/>'
        yield _text(LEFT - 8, frame.y(waves) + 4.5, str(waves), "end")
    for percent in (0, 25, 50, 75, 100):
        yield _text(frame.right + 12, frame.y(frame.most * percent / 100) + 4.5, f"{percent}%", "start")
    middle = _n((frame.y(0) + frame.y(frame.most)) / 2)
    yield (
        f'<text transform="translate(20 {middle}) rotate(-90)" text-anchor="middle" fill="{_INK}">'
        f"{_escape(panel.y_title)}</text>"
    )


def _staircase(panel: Panel, limit: Limit, frame: Frame) -> str:
    """A path that breaks where nothing limits."""
    parts, drawing = [], False
    for (start, end), value in zip(pairwise(panel.edges), limit.values, strict=True):
        if value is None:
            drawing = False
            continue
        move = f"V{_n(frame.y(value))}" if drawing else f"M{_n(frame.x(start))} {_n(frame.y(value))}"
        parts.append(f"{move}H{_n(frame.x(end))}")
        drawing = True
    return "".join(parts) or "M0 0"


def _resource_axis(panel: Panel, frame: Frame) -> Iterator[str]:
    """Ticks where the resident waves change; labels on two rows, left out where both are taken."""
    floor = frame.floor
    yield f'<path d="M{LEFT} {_n(floor)}H{_n(frame.right)}" stroke="{_INK}" stroke-width="1.5"/>'
    if frame.cut_at is not None:
        x = (frame.x(frame.cut_at) + frame.right) / 2
        yield f'<path d="M{_n(x - 5)} {_n(floor + 6)}l4 -12h6l-4 12z" fill="{_PAPER}"/>'
        yield f'<path d="M{_n(x - 5)} {_n(floor + 6)}l4 -12m2 12l4 -12" stroke="{_INK}" stroke-width="1.5"/>'
    for tick in (panel.edges[0], *panel.ticks):
        yield f'<path d="M{_n(frame.x(tick))} {_n(floor)}v6" stroke="{_INK}"/>'
    for x, text, row in _placed(panel, frame):
        if row:
            yield f'<path d="M{_n(x)} {_n(floor + 6)}v12" stroke="{_GRID}"/>'
        yield _text(x, floor + 19 + 15 * row, text, "middle")
    yield _text((LEFT + frame.right) / 2, floor + 56, panel.x_title, "middle", _INK)


def _placed(panel: Panel, frame: Frame) -> list[tuple[float, str, int]]:
    """(x, label, row) of the tick labels that fit; the end of the axis and the steps beside the kernel come first."""
    near = panel.mark.x if panel.mark is not None else 0
    order = sorted((panel.edges[0], *panel.ticks), key=lambda tick: (tick != panel.edges[-1], abs(tick - near)))
    taken: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    placed = []
    for tick in order:
        x, text = frame.x(tick), f"{tick / panel.unit:g}"
        half = text_width(text, 13) / 2 + 4
        for row, spans in enumerate(taken):
            if all(x + half <= low or x - half >= high for low, high in spans):
                spans.append((x - half, x + half))
                placed.append((x, text, row))
                break
    return placed


def _marks(panel: Panel, frame: Frame) -> Iterator[str]:
    """The kernel with the resources free to it, and the step that it could reach; their labels never cover each
    other."""
    taken: list[Box] = []
    if panel.mark is not None and panel.free is not None:
        yield from _free(panel.mark, panel.free, frame)
        middle = (frame.x(panel.mark.x) + frame.x(panel.free)) / 2
        taken.append(Box(middle - 16, frame.y(panel.mark.y) + 6, 32))
    for mark, fill in ((panel.mark, _INK), (panel.next, _PAPER)):
        if mark is None:
            continue
        x, y = frame.x(mark.x), frame.y(mark.y)
        box = label_box(mark, panel, frame, taken)
        taken += [box, Box(x - 8, y - BOX / 2, 16)]
        weight, edge = ("700", "1") if mark is panel.mark else ("400", "0.45")
        to_x, to_y = box.foot(x, y)
        yield f'<path d="M{_n(x)} {_n(y)}L{_n(to_x)} {_n(to_y)}" stroke="{_INK}"/>'
        yield (
            f'<rect x="{_n(box.left)}" y="{_n(box.top)}" width="{_n(box.width)}" height="{BOX}" rx="5" '
            f'fill="{_PAPER}" stroke="{_INK}" stroke-opacity="{edge}"/>'
        )
        yield (
            f'<text x="{_n(box.left + box.width / 2)}" y="{_n(box.top + 17.5)}" text-anchor="middle" font-size="14" '
            f'font-weight="{weight}" fill="{_INK}">{_escape(mark.label)}</text>'
        )
        yield f'<circle cx="{_n(x)}" cy="{_n(y)}" r="6.5" fill="{fill}" stroke="{_INK}" stroke-width="2"/>'


def _free(mark: Mark, last: int, frame: Frame) -> Iterator[str]:
    """A bar along the curve from the kernel to the last value that costs it no wave, named where the name fits."""
    x, end, y = frame.x(mark.x), frame.x(last), frame.y(mark.y)
    text = "free"
    yield f'<path d="M{_n(x)} {_n(y + 5)}H{_n(end)}" stroke="{_INK}" stroke-width="5" stroke-opacity="0.35"/>'
    if end - x > text_width(text, 13) + 12 and y + 20 < frame.floor:
        yield _text((x + end) / 2, y + 20, text, "middle", _INK)


def _legend(panel: Panel, frame: Frame) -> Iterator[str]:
    """A row below the axis; on two rows where one is too narrow."""
    entries = [*((limit.label, limit) for limit in panel.limits), (panel.legend, None)]
    widths = [text_width(label, 13) + 62 for label, _ in entries]
    rows = (
        [entries]
        if sum(widths) <= frame.width - 40
        else [entries[: -(-len(entries) // 2)], entries[-(-len(entries) // 2) :]]
    )
    y = frame.floor + (88 if len(rows) == 1 else 80)
    for row in rows:
        x = (frame.width - sum(text_width(label, 13) + 62 for label, _ in row) + 22) / 2
        for label, limit in row:
            if limit is None:
                yield f'<rect x="{_n(x)}" y="{_n(y - 10)}" width="30" height="13" fill="{_FILL}" fill-opacity="0.25"/>'
            else:
                dashes = f' stroke-dasharray="{limit.dashes}"' if limit.dashes else ""
                yield f'<path d="M{_n(x)} {_n(y - 4)}h32" stroke="{limit.color}" stroke-width="3"{dashes}/>'
            yield _text(x + 40, y, label, "start", _INK)
            x += text_width(label, 13) + 62
        y += 22


def _text(x: float, y: float, text: str, anchor: str, color: str = _QUIET) -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}" fill="{color}">{_escape(text)}</text>'


def _fit(text: str, ems: float) -> str:
    """`text`, cut with an ellipsis to so many ems."""
    most = max(int(ems / CHARACTER), 1)
    return text if len(text) <= most else text[: most - 1].rstrip(" ,;(") + "…"


def _n(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.1f}".removesuffix(".0")


def _escape(text: str) -> str:
    """Text for element content, in characters that XML allows."""
    pairs: Iterable[tuple[str, str]] = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"))
    text = "".join(char if char.isprintable() else "\ufffd" for char in text)
    for char, entity in pairs:
        text = text.replace(char, entity)
    return text
