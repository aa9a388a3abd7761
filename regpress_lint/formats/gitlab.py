"""GitLab Code Quality: a report for the widget of a merge request.

GitLab tells findings apart by their fingerprint alone, and takes two with the same for one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.diagnostics import Severity
from regpress_lint.formats import Options, repository_path
from regpress_lint.formats.service_fingerprints import fingerprints
from regpress_lint.formats.terminal import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.core.diagnostics import Diagnostic, Report
    from regpress_lint.core.source import Position

Level = Literal["info", "minor", "major", "critical", "blocker"]
_LEVELS: Mapping[Severity, Level] = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFO: "minor",
    Severity.HINT: "info",
}


def render(report: Report, options: Options) -> Iterator[str]:
    """One JSON array, pure ASCII, one finding per line."""
    yield "["
    separator = "\n"
    for item, fingerprint in zip(report.diagnostics, fingerprints(report.diagnostics, options), strict=True):
        yield separator + json.dumps(_issue(item, fingerprint, options))
        separator = ",\n"
    yield "\n]\n" if report.diagnostics else "]\n"


def _issue(item: Diagnostic, fingerprint: str, options: Options) -> dict[str, object]:
    path = well_formed(repository_path(item.location.path, options))
    message = f"{item.message}; {item.help}" if item.help else item.message
    return {
        "description": well_formed(f"{item.code} {item.name}: {message}"),  # GitLab does not show `check_name`
        "check_name": well_formed(item.code),
        "fingerprint": fingerprint,
        "severity": _LEVELS[item.severity],
        "location": {
            "path": path,
            "positions": {"begin": _position(item.location.start), "end": _position(item.location.end)},
        },
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.codepoint}
