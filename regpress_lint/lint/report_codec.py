"""Reports as JSON and back, for the cache: lists in the order of the fields."""

from __future__ import annotations

from typing import Any

from regpress_lint.core.diagnostics import (
    Diagnostic,
    Location,
    Related,
    Report,
    ResolvedEdit,
    ResolvedFix,
    Severity,
)
from regpress_lint.core.source import Position

_SEVERITIES = tuple(Severity)
_UNFIT = ("tracebacks", "notes")  # what went wrong may go well the next time


def encode(report: Report) -> Any:
    """A report of one file; None for one that is not to be kept."""
    if report.problems or report.rules or any(key in report.extra for key in _UNFIT):
        return None
    extra = {key: lines for key, lines in report.extra.items() if lines}
    if not report.files and not extra:
        return []
    return [report.diagnostics, report.files, report.kernels, report.suppressed, extra]


def decode(found: Any) -> Report:
    """The report again. Raises one of many for what `encode` has not made."""
    if not found:
        return Report()
    diagnostics, files, kernels, suppressed, extra = found
    lines: dict[str, object] = {key: tuple(value) for key, value in extra.items()}
    return Report(
        tuple(map(_diagnostic, diagnostics)), int(files), int(kernels), suppressed=int(suppressed), extra=lines
    )


def _diagnostic(row: list[Any]) -> Diagnostic:
    code, name, severity, location, message, kernel, targets, help_, url, related, fix = row
    return Diagnostic(
        code,
        name,
        _SEVERITIES[severity],
        _location(location),
        message,
        kernel,
        tuple(targets),
        help_,
        url,
        tuple(Related(_location(place), text) for place, text in related),
        None if fix is None else _fix(*fix),
    )


def _location(row: list[Any]) -> Location:
    path, start, end, line_text = row
    return Location(path, Position(*start), Position(*end), line_text)


def _fix(title: str, applicability: Any, edits: list[Any]) -> ResolvedFix:
    resolved = (ResolvedEdit(Position(*start), Position(*end), text) for start, end, text in edits)
    return ResolvedFix(title, applicability, tuple(resolved))
