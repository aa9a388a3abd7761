"""Reviewdog's diagnostic format: one document; columns count UTF-8 bytes, ends are exclusive."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from regpress_lint.core.diagnostics import Severity
from regpress_lint.formats import Options, repository_path
from regpress_lint.formats.terminal import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.core.diagnostics import Diagnostic, Location, Report
    from regpress_lint.core.source import Position

Level = Literal["ERROR", "WARNING", "INFO"]
SOURCE = {"name": "regpress-lint", "url": "https://regpress-lint.readthedocs.io/"}
_LEVELS: Mapping[Severity, Level] = {
    Severity.ERROR: "ERROR",
    Severity.WARNING: "WARNING",
    Severity.INFO: "INFO",
    Severity.HINT: "INFO",
}


def render(report: Report, options: Options) -> Iterator[str]:
    """One JSON object, pure ASCII, a diagnostic a line."""
    worst = max((item.severity for item in report.diagnostics), default=None)
    head: dict[str, Any] = {"source": SOURCE}
    if worst is not None:
        head["severity"] = _LEVELS[worst]
    yield f'{json.dumps(head)[:-1]}, "diagnostics": ['
    separator = "\n"
    for item in report.diagnostics:
        yield separator + json.dumps(as_dict(item, options))
        separator = ",\n"
    yield "\n]}\n" if report.diagnostics else "]}\n"


def as_dict(item: Diagnostic, options: Options) -> dict[str, Any]:
    """A diagnostic; a fix whose edits belong together is one suggestion if it is one edit, for reviewdog offers each
    suggestion by itself.
    """
    code = {"value": well_formed(item.code)} | ({"url": well_formed(item.url)} if item.url else {})
    message = f"{item.message}\nhelp: {item.help}" if item.help else item.message
    found: dict[str, Any] = {
        "message": well_formed(message),
        "location": _location(item.location, options),
        "severity": _LEVELS[item.severity],
        "code": code,
    }
    if item.fix is not None and len(item.fix.edits) == 1:
        (edit,) = item.fix.edits
        found["suggestions"] = [{"range": _range(edit.start, edit.end), "text": well_formed(edit.text)}]
    if item.related:
        found["related_locations"] = [
            {"message": well_formed(each.message), "location": _location(each.location, options)}
            for each in item.related
        ]
    return found


def _location(location: Location, options: Options) -> dict[str, Any]:
    path = well_formed(repository_path(location.path, options))
    return {"path": path, "range": _range(location.start, location.end)}


def _range(start: Position, end: Position) -> dict[str, Any]:
    return {"start": _position(start), "end": _position(end)}


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}
