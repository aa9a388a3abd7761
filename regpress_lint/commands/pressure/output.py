"""`pressure` for a terminal (the source with a bar beside every line, then the live values at the widest one), and as
version 1 of the machine output.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.commands.kernels.output import cluster_dict, unknown_dict
from regpress_lint.commands.pressure.data import (
    CAVEAT,
    SCALARS,
    Scale,
    Section,
    extras,
    facts_of,
    insides,
    number,
    remark,
    scale,
)
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.uncertainty import plain
from regpress_lint.render.terminal import MINIMUM_WIDTH, Palette, Style, cells, count, layout, visible, wrap
from regpress_lint.targets.occupancy import architecture
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.commands.pressure.data import Taken, Without
    from regpress_lint.commands.pressure.lines import Entry, Inside, LinePressure, Value


def document(sections: Iterable[Section]) -> dict[str, Any]:
    """All kernels, one entry for each architecture."""
    return {"version": 1, "kernels": [kernel(section) for section in sections]}


def kernel(section: Section) -> dict[str, Any]:
    """One entry. Registers are 32-bit, a thread's; those of `scalar` values are a wave's.

    alive: registers at the peak; with `calibrated`, which may be negative, they are the estimate.
    """
    peak, estimate, band = section.peak, section.registers, section.band
    return {
        "path": section.path,
        "name": section.name,
        "arguments": section.arguments or None,
        "instances": section.instances,
        "line": section.line,
        "end_line": section.end_line,
        "complete": section.complete and section.pressure.complete,
        "target": section.target,
        "unserved": section.unserved and section.unserved._asdict(),
        "registers": {name: getattr(estimate, name) for name in ("low", "estimate", "high")},
        "alive": section.pressure.alive,
        "calibrated": section.calibrated,
        "scratch_bytes": estimate.scratch_bytes,
        "budget": section.budget,
        "waves_per_simd": {
            "estimate": plain(band.waves),
            "low": plain(band.fewest),
            "high": plain(band.most),
            "max": band.possible,
        },
        "steps": [{"registers": most, "waves_per_simd": plain(waves)} for most, waves in section.steps],
        "peak": None
        if peak is None
        else {
            "line": peak.line,
            "registers": peak.total,
            "live": peak.live,
            "values": [entry.value for entry in peak.values],
        },
        "values": [_value(value) for value in section.pressure.values],
        "lines": [_line(line) for line in section.pressure.lines],
        "inside": [_inside(function) for function in section.inside],
        "scratch": [{"name": name, "bytes": size} for name, size in section.pressure.scratch],
        "unknown": list(map(unknown_dict, section.unknown)),
        "files": section.files and section.files._asdict(),
        "roles": [role._asdict() for role in section.roles],
        "cluster": cluster_dict(section.cluster),
        "without": None if section.without is None else _without(section.without),
    }


def _inside(function: Inside) -> dict[str, Any]:
    return {
        "name": function.name,
        "path": function.source.path,
        "line": function.line,
        "values": [_value(value) for value in function.pressure.values],
        "lines": [_line(line) for line in function.pressure.lines],
    }


def _without(without: Without) -> dict[str, Any]:
    return {
        "what": without.words,
        "lines": [{"first": first, "last": last} for first, last in without.lines],
        "whole": _taken(without.whole),
        "tests": list(without.tests),
        "off": None if without.off is None else _taken(without.off),
    }


def _taken(taken: Taken) -> dict[str, Any]:
    low, estimate, high = taken.registers
    return {
        "registers": {"low": low, "estimate": estimate, "high": high},
        "scratch_bytes": taken.scratch_bytes,
        "waves_per_simd": plain(taken.waves),
    }


def _value(value: Value) -> dict[str, Any]:
    fields = value._asdict()
    through, waits = fields.pop("through"), fields.pop("waits")
    functions = {name: fields[name] or None for name in ("function", "defined_in", "used_in")}
    return {**fields, **functions, "held_through_loop": through, "lines_until_first_use": waits}


def _line(line: LinePressure) -> dict[str, Any]:
    return {
        "line": line.line,
        "live": line.live,
        "scalar": line.scalar,
        "temporaries": line.temporaries,
        "loads_in_flight": line.in_flight,
        "routine": line.routine and line.routine._asdict(),
        "inlined": [{"name": inner.name, "path": inner.path, "line": inner.line or None} for inner in line.inlined],
        "registers": line.total,
        "code": line.code,
        "values": [entry.value for entry in line.values],
        "value_registers": [entry.registers for entry in line.values],
        "value_copies": [entry.copies for entry in line.values],
    }


_MOST_ROWS = 30  # of the table below the source; what is narrower is counted
_NEAR = 6  # lines kept around a peak when folded
_PEAKS = 3
_LEAST_CODE = 24  # cells of source that a narrow terminal keeps
_FIXED = 55  # cells of the table that are not name and type


class Glyphs(NamedTuple):
    """Characters of the bars. parts: the fractions of a cell that can be filled, the full one last."""

    parts: str
    extra: str
    tick: str
    peak: str
    fold: str
    left: str


BLOCKS = Glyphs("▏▎▍▌▋▊▉█", "░", "┊", "▶", "⋮", "│")
ASCII = Glyphs("#", "+", ":", ">", "...", "|")


def glyphs_for(encoding: str | None) -> Glyphs:
    """Block elements if an output encoding has them, else ASCII."""
    try:
        "".join((BLOCKS.parts, *BLOCKS[1:])).encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return ASCII
    return BLOCKS


def legend(glyphs: Glyphs, width: int) -> list[str]:
    """The meaning of the bars and its limits, for the top of all kernels; an empty line ends it."""
    signs = (
        f"{glyphs.parts[-1]} values  {glyphs.extra} what a library call takes, or reads that are started early"
        f"  {glyphs.tick} register step"
    )
    return [*wrap(CAVEAT, width), *wrap(signs, width), ""]


class _Frame(NamedTuple):
    """Shared state of all rows of one kernel; widths in cells."""

    section: Section
    palette: Palette
    glyphs: Glyphs
    scale: Scale
    digits: int
    bar: int
    code: int
    indent: int
    scalars: bool

    def x(self, registers: int) -> int:
        """Cell in which a bar of so many registers ends."""
        return min(registers * self.bar // self.scale.top, self.bar)


def render(
    section: Section, *, width: int, palette: Palette, glyphs: Glyphs = BLOCKS, fold: bool = False, note: str = ""
) -> Iterator[str]:
    """One kernel as lines with their newline; `note` is one more sentence of the header. `legend` goes before."""
    frame = _frame(section, max(width, MINIMUM_WIDTH), palette, glyphs)
    width = max(width, MINIMUM_WIDTH)
    yield from _ended(_header(frame, width, note))
    yield from _ended(_ruler(frame))
    yield from _ended(_rows(frame, fold))
    for inner in section.within():
        frame = _frame(inner, width, palette, glyphs)
        place = visible(f"{inner.path}:{inner.line}")
        yield from _ended(
            ("", f"{palette.paint('in', 'gutter')} {palette.paint(visible(inner.function), 'bold')}  {place}")
        )
        yield from _ended(_rows(frame, fold))
    yield from _ended(_below(frame, width))


def _ended(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield f"{line.rstrip()}\n"


def _frame(section: Section, width: int, palette: Palette, glyphs: Glyphs) -> _Frame:
    digits = len(str(section.pressure.lines[-1].line)) if section.pressure.lines else 1
    scalars = architecture(section.target).has_scalar_registers
    bar = min(max(width // 4, 8), 40)
    used = 2 + digits + 1 + 4 + (6 if scalars else 0) + 1 + bar + 4
    if width - used < _LEAST_CODE:
        bar = max(bar - (_LEAST_CODE - (width - used)), 6)
    used = 2 + digits + 1 + 4 + (6 if scalars else 0) + 1 + bar + 4
    return _Frame(
        section, palette, glyphs, scale(section), digits, bar, max(width - used, 8), _indent(section.text), scalars
    )


def _indent(text: Sequence[str]) -> int:
    """Cells of indentation that all lines of a kernel have."""
    shown = [line.expandtabs(4) for line in text if line.strip()]
    return min((len(line) - len(line.lstrip(" ")) for line in shown), default=0)


# --------------------------------------------------------------------------------------------------------- header


def _header(frame: _Frame, width: int, note: str) -> Iterator[str]:
    section, paint = frame.section, frame.palette.paint
    where = visible(f"{section.path}:{section.line}")
    incomplete = "" if section.complete else " (parts of it were not understood)"
    name = paint(visible(section.heading), "bold")
    place = f"{where}  {section.target} ({section.title})"
    fits = len("kernel ") + cells(f"{visible(section.heading)}{incomplete}  {place}") <= width
    yield f"{paint('kernel', 'gutter')} {name}{incomplete}" + (f"  {place}" if fits else "")
    if not fits:
        yield from (f"  {line}" for line in wrap(place, width - 2))
    for label, sentence in (*facts_of(section), *([("also", note)] if note else [])):
        before = 2 + 11
        first, *rest = wrap(sentence, width, first=before, indent=" " * before)
        yield f"  {paint(f'{label:<11}', 'gutter')}{first}"
        yield from rest
    yield ""


def _ruler(frame: _Frame) -> Iterator[str]:
    """Two lines above the bars: waves per SIMD between the steps, registers at them."""
    paint, bar = frame.palette.paint, frame.bar
    before = 2 + frame.digits + 1
    columns = f"{'live':>4}" + (f"{SCALARS[1]:>6}" if frame.scalars else "")
    waves, registers = [" "] * (bar + 12), [" "] * (bar + 12)
    left = 0
    for most, value in frame.scale.steps:
        right = frame.x(most)
        label = number(value)
        if right - left > len(label):
            start = left + (right - left - len(label) + 1) // 2
            waves[start : start + len(label)] = label
        _put(registers, right, str(most))
        left = right
    _put(registers, 0, "0", left=True)
    if not any(most == frame.scale.top for most, _ in frame.scale.steps):
        _put(registers, bar, str(frame.scale.top))
    later = _next_waves(frame)
    if later and bar - left > len(later):
        start = left + (bar - left - len(later) + 1) // 2
        waves[start : start + len(later)] = later
    heading = in_words_of(vendor_of((frame.section.target,)), "waves/SIMD")
    yield paint(f"{heading:>{before + len(columns)}} {''.join(waves).rstrip()}", "gutter")
    yield paint(f"{'line':>{before - 1}} {columns} {''.join(registers).rstrip()}", "gutter")


def _next_waves(frame: _Frame) -> str:
    beyond = (waves for most, waves in frame.section.steps if most > frame.scale.top)
    reached = any(most == frame.scale.top for most, _ in frame.scale.steps)
    return "" if reached else next((number(waves) for waves in beyond), "")


def _put(row: list[str], at: int, text: str, *, left: bool = False) -> None:
    """Write `text` so that it ends (or begins) at a cell, unless something is in the way."""
    start = at if left else max(at - len(text) + 1, 0)
    if all(cell == " " for cell in row[max(start - 1, 0) : start + len(text) + 1]):
        row[start : start + len(text)] = text


# ----------------------------------------------------------------------------------------------------------- rows


def _rows(frame: _Frame, fold: bool) -> Iterator[str]:
    lines = frame.section.pressure.lines
    visible_lines = _kept(lines) if fold else frozenset(range(len(lines)))
    position = 0
    while position < len(lines):
        if position in visible_lines:
            yield _row(frame, position)
            position += 1
            continue
        end = position
        while end < len(lines) and end not in visible_lines:
            end += 1
        hidden = lines[position:end]
        most = max(line.total for line in hidden)
        text = f"{len(hidden)} lines folded" + (f", at most {most} live" if most else "")
        yield frame.palette.paint(f"  {frame.glyphs.fold:>{frame.digits}} {text}", "gutter")
        position = end


def _kept(lines: Sequence[LinePressure]) -> frozenset[int]:
    """Indices of lines near the widest few that are not near each other, and of the first and last line."""
    ordered = sorted(range(len(lines)), key=lambda i: (-lines[i].total, i))
    peaks: list[int] = []
    for index in ordered:
        if len(peaks) < _PEAKS and all(abs(index - peak) > 2 * _NEAR for peak in peaks):
            peaks.append(index)
    near = {i for peak in peaks for i in range(peak - _NEAR, peak + _NEAR + 1)} | {0, len(lines) - 1}
    # A fold of a line or two takes as much room as the lines.
    return frozenset(near | {i for i in range(len(lines)) if i - 1 in near and i + 1 in near})


def _row(frame: _Frame, index: int) -> str:
    section, paint = frame.section, frame.palette.paint
    line = section.pressure.lines[index]
    is_peak = section.pressure.peak == index
    mark = paint(frame.glyphs.peak, "error") + " " * (2 - len(frame.glyphs.peak)) if is_peak else "  "
    amount = f"{line.total:>4}" if line.code and line.total else " " * 4
    columns = f"{line.scalar or '':>6}" if frame.scalars and line.code else " " * 6 if frame.scalars else ""
    bar = _bar(frame, line)
    gutter = paint(f"{line.line:>{frame.digits}}", "gutter")
    rule = paint(frame.glyphs.left, "gutter")
    code = _code(frame, section.text[index], _aside(section, index))
    if section.without is not None and section.without.leaves_out(line.line):
        code = paint(code, "gutter")
    style: Style = "error" if is_peak else "bold"
    return f"{mark}{gutter} {paint(amount, style) if is_peak else amount}{columns} {bar} {rule} {code}"


def _bar(frame: _Frame, line: LinePressure) -> str:
    """Values solid, what comes on top of them light, the steps of the architecture where the bar does not reach."""
    parts, top, width = frame.glyphs.parts, frame.scale.top, frame.bar
    eighths = min(line.live * width * len(parts) // top, width * len(parts))
    full, part = divmod(eighths, len(parts))
    solid = parts[-1] * full + (parts[part - 1] if part else "")
    if line.live and not solid:
        solid = parts[0]
    wide = min(-(-line.total * width // top), width) if line.extra else 0
    extra = frame.glyphs.extra * (wide - len(solid))
    ticks = {frame.x(most) for most, _ in frame.scale.steps}
    used = len(solid) + len(extra)
    empty = "".join(frame.glyphs.tick if cell in ticks else " " for cell in range(used, width + 1))
    paint = frame.palette.paint
    style = _heat(frame, line)
    return f"{paint(solid, style)}{paint(extra, style)}{paint(empty, 'gutter') if empty.strip() else empty}"


def _heat(frame: _Frame, line: LinePressure) -> Style:
    peak = frame.section.peak
    share = line.total / peak.total if peak is not None else 0.0
    if not line.code:
        return "gutter"
    return "error" if share >= 0.9 else "warning" if share >= 0.6 else "help"


def _aside(section: Section, index: int) -> str:
    line = section.pressure.lines[index]
    if section.without is not None and any(first == line.line for first, _ in section.without.lines):
        return "left out"
    inner = f"in {visible(line.inlined[0].name)}" if line.inlined else ""
    return f"+{line.routine.registers} in {visible(line.routine.name)}" if line.routine is not None else inner


def _code(frame: _Frame, text: str, aside: str) -> str:
    """Source without the kernel's indentation, clipped; the registers that a call on it adds follow it."""
    shown, skip = "", frame.indent
    aside = aside if cells(aside) + _LEAST_CODE // 2 <= frame.code else ""
    room = frame.code - (cells(aside) + 3 if aside else 0)
    used = 0
    for cell in layout(text.rstrip()):
        if skip > 0 and not cell.text.strip():
            skip -= cell.width
            if skip < 0:
                shown, used = shown + " " * -skip, used - skip
            continue
        skip = 0
        if used + cell.width > room:
            shown = shown[: max(len(shown) - 3, 0)] + "..."
            break
        shown, used = shown + cell.text, used + cell.width
    return f"{shown}   {frame.palette.paint(aside, 'gutter')}" if aside else shown


# ---------------------------------------------------------------------------------------------------------- below


def _below(frame: _Frame, width: int) -> Iterator[str]:
    section, paint = frame.section, frame.palette.paint
    line = section.peak
    yield ""
    if line is None:
        return
    vector, shared = section.values(line, scalar=False), section.values(line, scalar=True)
    amount = sum(entry.copies for _, entry in vector)
    held = f"{count(line.live, 'register')} in {count(amount, 'value')}" if vector else "no value of a thread's own"
    whose = f" of {visible(section.function)}" if section.function else ""
    yield paint(f"Live at line {line.line}{whose}: {held}", "bold")
    if vector:
        yield from _table(vector[:_MOST_ROWS], line.line, width, frame.palette)
    if hidden := vector[_MOST_ROWS:]:
        narrower = sum(entry.registers for _, entry in hidden)
        more = sum(entry.copies for _, entry in hidden)
        yield f"  and {count(more, 'value')} more, {count(narrower, 'register')} (all with --output-format json)"
    if any(value.guessed for value, _ in vector):
        yield "  ? the type is not visible: a guess"
    if beyond := extras(line):
        yield from wrap(f"Besides: {', '.join(beyond)}.", width, indent="  ")
    for depth, sentence in enumerate(insides(line), 1):
        before = "  " * depth
        yield from (f"{before}{part}" for part in wrap(sentence, width - len(before), indent="  "))
    if shared:
        listed = ", ".join(f"{value.name} {entry.registers}" for value, entry in shared)
        yield from wrap(f"In {SCALARS[0]} ({line.scalar}): {listed}.", width, indent="  ")
    yield ""


def _line_in(function: str, line: int) -> str:
    """A line, with the function that it is of unless that is shown."""
    return visible(f"{function}:{line}") if function else str(line)


def _table(values: Sequence[tuple[Value, Entry]], line: int, width: int, palette: Palette) -> Iterator[str]:
    head = ("value", "type", "registers", "defined", "last used", "what it is", "")
    rows = [
        (
            visible(value.name),
            visible(value.type),
            f"{entry.registers}{'?' if value.guessed else ''}",
            _line_in(value.defined_in, value.defined),
            _line_in(value.used_in, value.last_used),
            value.kind,
            remark(value, entry, line),
        )
        for value, entry in values
    ]
    most = (min(max((width - _FIXED) // 2, 8), 28),) * 2 + (width,) * 4
    widths = [min(max(cells(row[i]) for row in (head, *rows)), most[i]) for i in range(len(head) - 1)]
    for number_, row in enumerate((head, *rows)):
        text = "  "
        for i, (cell, room) in enumerate(zip(row[:-1], widths, strict=True)):
            clipped = cell if cells(cell) <= room else f"{cell[: room - 3]}..."
            gap = " " * (room - cells(clipped))
            text += f"{gap}{clipped}  " if i in (2, 3, 4) else f"{clipped}{gap}  "
        if not number_:
            yield palette.paint(text.rstrip(), "gutter")
            continue
        comment = row[-1]
        if comment and cells(text) + cells(comment) <= width:
            yield f"{text}{palette.paint(comment, 'gutter')}"
            continue
        yield text.rstrip()
        if comment:
            yield from (f"      {palette.paint(part.strip(), 'gutter')}" for part in wrap(comment, width - 6))
