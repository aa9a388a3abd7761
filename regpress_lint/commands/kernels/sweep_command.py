"""The command `kernels --sweep`: sweeps as text with a small plot, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from regpress_lint.cli.context import complain, run_context
from regpress_lint.cli.inputs import asked
from regpress_lint.cli.parser import format_of, write_json
from regpress_lint.commands.kernels.headers import with_kernels
from regpress_lint.commands.kernels.output import limiters, short, target_dict
from regpress_lint.commands.kernels.sweep import BLOCK, axes_of, file_sweep
from regpress_lint.core.errors import UsageError, one_line
from regpress_lint.core.named import NamedTuple
from regpress_lint.lint.work import Work
from regpress_lint.render.columns import table
from regpress_lint.render.terminal import cells, visible
from regpress_lint.targets.vocabulary import in_words_of, vendor_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from regpress_lint.commands.kernels.rows import OccupancyRow, TargetRow
    from regpress_lint.commands.kernels.sweep import Axis, Point, Swept
    from regpress_lint.core.settings import Settings
    from regpress_lint.cpp.names.project import Project


_BAR, _SHORT_BAR = 16, 4  # cells of a full bar, and of one where lines are too long
_OPEN = "(4-8): waves over the band of the estimate; where bands overlap, compile both"
_BOUNDED = "block sets launch bounds (CUDA, HIP) as well: without them in the source, `kernels` may show another band"
_BEST = "* none of these is better: least scratch, then most resident waves; speed also depends on the work per thread"
_HEAD = ("registers", "band", "budget", "scratch", "waves/SIMD", "limited by", "")
_CSV = (
    *("path", "line", "kernel", "values", "target", "registers", "low", "high", "budget", "scratch_bytes"),
    *("excess_bytes", "waves_per_simd", "max_waves_per_simd", "limiters", "best", "reason"),
    *("fewest_waves_per_simd", "most_waves_per_simd"),
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
            texts = frozenset({0, len(kernel.axes) + 6, len(kernel.axes) + 7})
            rows = _rows(kernel, target, head, _BAR)
            marked |= any(row[0] for row in rows[1:])
            most = width and width - 2
            if most is not None and (beyond := max(map(cells, table(rows, texts))) - most) > 0:
                rows = _rows(kernel, target, head, max(_SHORT_BAR, _BAR - beyond))
            yield from (f"  {line}" for line in table(rows, texts, most))
    left_open = any(point.open for kernel in swept for point in kernel.points)
    bounded = any(BLOCK in kernel.axes for kernel in swept)
    if marked or left_open or bounded:
        yield ""
    if bounded:
        yield _BOUNDED
    if left_open:
        yield _OPEN
    if marked:
        yield _BEST


def _rows(kernel: Swept, target: str, head: tuple[str, ...], bar: int) -> list[tuple[str, ...]]:
    return [("", *kernel.axes, *head), *(_cells(point, target, len(head), bar) for point in kernel.points)]


def _cells(point: Point, target: str, columns: int, full: int) -> tuple[str, ...]:
    """A point as a row. full: cells of a full bar."""
    values = tuple(map(visible, point.values))
    row = next((row for row in point.targets if row.name == target), None)
    if row is None or row.unserved is not None:
        reason = point.reason if row is None or row.unserved is None else row.unserved.reason
        return ("", *values, *("-",) * (columns - 2), visible(reason), "")
    now, registers = row.occupancy, row.registers
    bar = "#" * max(1, round(full * now.fraction)) if now.waves else ""
    return (
        "*" if target in point.best else "",
        *values,
        str(registers.estimate),
        f"{registers.low}-{registers.high}",
        str(row.budget),
        f"{row.scratch_bytes}" + (f"+{row.excess_bytes}?" if row.excess_bytes else ""),
        _waves(now, dict(point.open).get(target)),
        in_words_of(vendor_of((target,)), limiters(now.limiters)),
        bar,
    )


def _waves(now: OccupancyRow, span: tuple[int | float, int | float] | None) -> str:
    """`6 of 16`, and `6 (4-8) of 16` where the band leaves it open."""
    text = short(now.waves_per_simd)
    if span is not None:
        text += f" ({short(span[0])}-{short(span[1])})"
    return f"{text} of {now.max_waves_per_simd}"


def document(swept: Iterable[Swept]) -> dict[str, Any]:
    """`--output-format json`, version 1."""
    return {"version": 1, "sweeps": [_sweep(kernel) for kernel in swept]}


def _sweep(kernel: Swept) -> dict[str, Any]:
    points = [
        {
            "values": dict(zip(kernel.axes, point.values, strict=True)),
            "reason": point.reason or None,
            "best": list(point.best),
            "open": {name: {"fewest": few, "most": most} for name, (few, most) in point.open},
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
                writer.writerow((*place, *("",) * 11, point.reason, "", ""))
    return stream.getvalue()


def _numbers(row: TargetRow, point: Point) -> tuple[object, ...]:
    now, registers = row.occupancy, row.registers
    return (
        *(row.name, registers.estimate, registers.low, registers.high, row.budget, row.scratch_bytes),
        *(row.excess_bytes, now.waves_per_simd, now.max_waves_per_simd, " ".join(now.limiters)),
        *("yes" if row.name in point.best else "", row.unserved.reason if row.unserved is not None else ""),
        *dict(point.open).get(row.name, (now.waves_per_simd, now.waves_per_simd)),
    )


_FORMATS = ("text", "json", "csv")


class SweptFile(NamedTuple):
    """The sweeps of one file that are shown, the number of those that changed nothing, messages about the file, and
    where none of its own kernels was swept headers with others.
    """

    sweeps: tuple[Swept, ...] = ()
    same: int = 0
    headers: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def run(arguments: argparse.Namespace) -> int:
    """Exit status of `kernels --sweep`: 0, or 2 if something could not be read or analysed. Raises UsageError."""
    for name in ("sort", "top", "advise", "measured", "disagreements"):
        if getattr(arguments, name, None):
            raise UsageError(f"--sweep and --{name} cannot be combined")
    chosen = format_of(arguments.output_format, _FORMATS)
    axes = axes_of(arguments.sweep)  # first: `--sweep file.cu` lacks NAME=VALUES, and no path
    if not arguments.paths:
        raise UsageError("kernels: the following arguments are required: PATH")
    arguments.output_format = "text"  # `csv` is no format of the configuration
    context = run_context(arguments)
    parts, problems, _ = asked(
        arguments, context, Work("sweep", partial(_ask, axes, tuple(arguments.kernel or ())), SweptFile)
    )
    sweeps = sorted((sweep for part in parts for sweep in part.sweeps), key=lambda sweep: sweep.path)
    problems += [line for part in parts for line in part.problems]
    if not sweeps and not problems:
        if arguments.kernel:  # one that matches is shown, whatever it depends on
            names = " or ".join(f'"{glob}"' for glob in arguments.kernel)
            raise UsageError(f"--sweep: no kernel here is called {names}")
        text = _nothing_changes(axes, {header: None for part in parts for header in part.headers})
        if not (same := sum(part.same for part in parts)):
            raise UsageError(text)
        complain((f"{text}; tried: {same}",), "note")
    _write(sweeps, chosen)
    complain((line for part in parts for line in part.warnings), "warning")
    complain(problems)
    return 2 if problems else 0


def _nothing_changes(axes: tuple[Axis, ...], headers: Iterable[str]) -> str:
    names = ", ".join(axis.name for axis in axes)
    text = f"--sweep: no kernel here changes with {names} (--kernel NAME shows one anyway)"
    first, *more = (*headers, "")
    if not first:
        return text
    others = f", and {len(more) - 1} other headers" if len(more) > 1 else ""
    return f"{text}; a kernel of a header is swept where the header is named: {first}{others}"


def _write(sweeps: list[Swept], chosen: str) -> None:
    if chosen == "json":
        write_json(document(sweeps))
    elif chosen == "csv":
        sys.stdout.write(csv_text(sweeps))
    elif sweeps:
        from regpress_lint.render.terminal import line_width

        whole_lines = not sys.stdout.isatty() and "COLUMNS" not in os.environ  # as `kernels` in a pipe
        print("\n".join(lines(sweeps, None if whole_lines else line_width(sys.stdout, os.environ))))


def _ask(
    axes: tuple[Axis, ...],
    patterns: tuple[str, ...],
    data: bytes,
    path: str,
    settings: Settings,
    project: Callable[[], Project],
) -> SweptFile:
    try:
        tried = tuple(file_sweep(data, path, settings, project, axes, patterns))
        single = all(len(axis.values) == 1 for axis in axes)
        shown = tried if patterns or single else tuple(swept for swept in tried if swept.changes)
        return SweptFile(shown, len(tried) - len(shown), () if tried else with_kernels(project(), path, data))
    except Exception as error:  # as everywhere: one file must not end the run
        return SweptFile(problems=(f"{path}: internal error: {one_line(error)}",))
