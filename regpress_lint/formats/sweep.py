"""`kernels --sweep` as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from regpress_lint.formats.columns import table
from regpress_lint.formats.kernels_json import target_dict
from regpress_lint.formats.kernels_text import limiters, short
from regpress_lint.formats.terminal import visible
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.views.kernels import TargetRow
    from regpress_lint.views.sweep import Point, Swept

_BAR = 16  # cells of a full bar
_HEAD = ("registers", "band", "budget", "scratch", "waves/SIMD", "limited by", "")
_CSV = (
    *("path", "line", "kernel", "values", "target", "registers", "low", "high", "budget", "scratch_bytes"),
    *("excess_bytes", "waves_per_simd", "max_waves_per_simd", "limiters", "best", "reason"),
)


def lines(swept: Sequence[Swept], width: int | None = None) -> Iterator[str]:
    """A table per kernel and GPU, a line per point; `*` marks the best."""
    marked = False
    for number, kernel in enumerate(swept):
        if number:
            yield ""
        names = dict.fromkeys(row.name for point in kernel.points for row in point.targets)
        for target in names or ("",):
            yield visible(f"{kernel.name} ({kernel.path}:{kernel.line}){f', {target}' if target else ''}")
            vendor = vendor_of((target,)) if target else None
            head = tuple(in_words_of(vendor, cell) for cell in _HEAD) if vendor else _HEAD
            rows = [("", *kernel.axes, *head)]
            rows += [_cells(point, target, len(head)) for point in kernel.points]
            marked |= any(row[0] for row in rows[1:])
            left = frozenset({0, len(kernel.axes) + 6, len(kernel.axes) + 7})
            yield from (f"  {line}" for line in table(rows, left, width and width - 2))
    if marked:
        yield ""
        yield "* best of these: least scratch, then most resident waves; speed also depends on the work per thread"


def _cells(point: Point, target: str, columns: int) -> tuple[str, ...]:
    values = tuple(map(visible, point.values))
    row = next((each for each in point.targets if each.name == target), None)
    if row is None or row.unserved is not None:
        reason = point.reason if row is None or row.unserved is None else row.unserved.reason
        return ("", *values, *("-",) * (columns - 2), visible(reason), "")
    now, registers = row.occupancy, row.registers
    bar = "#" * max(1, round(_BAR * now.fraction)) if now.waves else ""
    return (
        "*" if target in point.best else "",
        *values,
        str(registers.estimate),
        f"{registers.low}-{registers.high}",
        str(row.budget),
        f"{row.scratch_bytes}" + (f"+{row.excess_bytes}?" if row.excess_bytes else ""),
        f"{short(now.waves_per_simd)} of {now.max_waves_per_simd}",
        in_words_of(vendor_of((target,)), limiters(now.limiters)),
        bar,
    )


def document(swept: Iterable[Swept]) -> dict[str, Any]:
    """`--output-format json`, version 1."""
    return {"version": 1, "sweeps": [_sweep(kernel) for kernel in swept]}


def _sweep(kernel: Swept) -> dict[str, Any]:
    points = [
        {
            "values": dict(zip(kernel.axes, point.values, strict=True)),
            "reason": point.reason or None,
            "best": list(point.best),
            "targets": {row.name: target_dict(row) for row in point.targets},
        }
        for point in kernel.points
    ]
    return {
        "path": kernel.path,
        "line": kernel.line,
        "kernel": kernel.name,
        "axes": list(kernel.axes),
        "points": points,
    }


def csv_text(swept: Iterable[Swept]) -> str:
    """`--output-format csv`: a line per point and GPU."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_CSV)
    for kernel in swept:
        for point in kernel.points:
            values = " ".join(f"{name}={value}" for name, value in zip(kernel.axes, point.values, strict=True))
            place = (kernel.path, kernel.line, kernel.name, values)
            writer.writerows((*place, *_numbers(row, point)) for row in point.targets)
            if not point.targets:
                writer.writerow((*place, *("",) * 11, point.reason))
    return stream.getvalue()


def _numbers(row: TargetRow, point: Point) -> tuple[object, ...]:
    now, registers = row.occupancy, row.registers
    return (
        *(row.name, registers.estimate, registers.low, registers.high, row.budget, row.scratch_bytes),
        *(row.excess_bytes, now.waves_per_simd, now.max_waves_per_simd, " ".join(now.limiters)),
        *("yes" if row.name in point.best else "", row.unserved.reason if row.unserved is not None else ""),
    )
