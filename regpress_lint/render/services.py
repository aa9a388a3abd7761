"""Services that read findings: GitHub's workflow commands (annotations on the lines of a pull request), GitLab's Code
Quality, reviewdog's diagnostics as one document and as lines. Fingerprints recognise findings from run to run.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from regpress_lint.core.diagnostics import Diagnostic, Report, Severity
from regpress_lint.core.digests import subject
from regpress_lint.render import Options, repository_path
from regpress_lint.render.terminal import visible, well_formed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.core.diagnostics import Location
    from regpress_lint.core.source import Position


def fingerprints(diagnostics: Sequence[Diagnostic], options: Options) -> Iterator[str]:
    """A hash for each diagnostic that stays when lines move or a number in its message changes; no two are the same.

    Made of code, path, kernel, subject, and the ordinal among those equal so far.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for diagnostic in diagnostics:
        path = repository_path(diagnostic.location.path, options)
        key = (diagnostic.code, path, diagnostic.kernel or "", subject(diagnostic))
        seen[key] += 1
        text = "\0".join((*key, str(seen[key])))
        yield hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


GithubLevel = Literal["error", "warning", "notice"]
LIMIT = 10
_GITHUB_LEVELS: dict[Severity, GithubLevel] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
    Severity.HINT: "notice",
}


def render_github(report: Report, options: Options) -> Iterator[str]:
    """At most ten commands of each level, most severe first, then a line about those that did not fit."""
    seen: Counter[GithubLevel] = Counter()
    for diagnostic in sorted(report.diagnostics, key=lambda diagnostic: (-diagnostic.severity, diagnostic.sort_key)):
        level = _GITHUB_LEVELS[diagnostic.severity]
        seen[level] += 1
        if seen[level] <= LIMIT:
            yield f"{command(level, diagnostic, options)}\n"
    if left_out := {level: count - LIMIT for level, count in seen.items() if count > LIMIT}:
        parts = ", ".join(f"{count} {level}{'s' if count > 1 else ''}" for level, count in left_out.items())
        yield (
            f"{sum(left_out.values())} more not annotated ({parts}): "
            f"GitHub shows {LIMIT} of each level a step. The other formats list all of them.\n"
        )


def command(level: GithubLevel, diagnostic: Diagnostic, options: Options) -> str:
    """One workflow command; columns (UTF-16) only if start and end share a line, GitHub refuses them otherwise."""
    start, end = diagnostic.location.start, diagnostic.location.end
    properties = {
        "file": repository_path(diagnostic.location.path, options),
        "line": str(start.line),
        "endLine": str(end.line),
    }
    if start.line == end.line:
        properties |= {"col": str(start.utf16), "endColumn": str(end.utf16)}
    properties["title"] = f"{diagnostic.code} {diagnostic.name}"
    written = ",".join(f"{key}={_escape_property(value)}" for key, value in properties.items())
    return f"::{level} {written}::{_escape_data(_message(diagnostic))}"


def _message(diagnostic: Diagnostic) -> str:
    where = [diagnostic.about] if diagnostic.kernel else []
    where += [f"targets: {', '.join(diagnostic.targets)}"] if diagnostic.targets else []
    lines = [diagnostic.message, ", ".join(where), f"help: {diagnostic.help}" if diagnostic.help else ""]
    return "\n".join(line for line in lines if line)


def _escape_data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")


GitlabLevel = Literal["info", "minor", "major", "critical", "blocker"]
_GITLAB_LEVELS: Mapping[Severity, GitlabLevel] = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFO: "minor",
    Severity.HINT: "info",
}


def render_gitlab(report: Report, options: Options) -> Iterator[str]:
    """One JSON array, pure ASCII, one finding per line."""
    yield "["
    separator = "\n"
    for diagnostic, fingerprint in zip(report.diagnostics, fingerprints(report.diagnostics, options), strict=True):
        yield separator + json.dumps(_issue(diagnostic, fingerprint, options))
        separator = ",\n"
    yield "\n]\n" if report.diagnostics else "]\n"


def _issue(diagnostic: Diagnostic, fingerprint: str, options: Options) -> dict[str, object]:
    path = well_formed(repository_path(diagnostic.location.path, options))
    message = f"{diagnostic.message}; {diagnostic.help}" if diagnostic.help else diagnostic.message
    return {
        "description": well_formed(
            f"{diagnostic.code} {diagnostic.name}: {message}"
        ),  # GitLab does not show `check_name`
        "check_name": well_formed(diagnostic.code),
        "fingerprint": fingerprint,
        "severity": _GITLAB_LEVELS[diagnostic.severity],
        "location": {
            "path": path,
            "positions": {"begin": _position(diagnostic.location.start), "end": _position(diagnostic.location.end)},
        },
    }


def _position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.codepoint}


RdjsonLevel = Literal["ERROR", "WARNING", "INFO"]
SOURCE = {"name": "regpress-lint", "url": "https://regpress-lint.readthedocs.io/"}
_RDJSON_LEVELS: Mapping[Severity, RdjsonLevel] = {
    Severity.ERROR: "ERROR",
    Severity.WARNING: "WARNING",
    Severity.INFO: "INFO",
    Severity.HINT: "INFO",
}


def render_rdjson(report: Report, options: Options) -> Iterator[str]:
    """One JSON object, pure ASCII, a diagnostic a line."""
    worst = max((diagnostic.severity for diagnostic in report.diagnostics), default=None)
    head: dict[str, Any] = {"source": SOURCE}
    if worst is not None:
        head["severity"] = _RDJSON_LEVELS[worst]
    yield f'{json.dumps(head)[:-1]}, "diagnostics": ['
    separator = "\n"
    for diagnostic in report.diagnostics:
        yield separator + json.dumps(as_dict(diagnostic, options))
        separator = ",\n"
    yield "\n]}\n" if report.diagnostics else "]}\n"


def as_dict(diagnostic: Diagnostic, options: Options) -> dict[str, Any]:
    """A diagnostic; a fix whose edits belong together is one suggestion if it is one edit, for reviewdog offers each
    suggestion by itself.
    """
    code = {"value": well_formed(diagnostic.code)} | ({"url": well_formed(diagnostic.url)} if diagnostic.url else {})
    message = f"{diagnostic.message}\nhelp: {diagnostic.help}" if diagnostic.help else diagnostic.message
    data: dict[str, Any] = {
        "message": well_formed(message),
        "location": _location(diagnostic.location, options),
        "severity": _RDJSON_LEVELS[diagnostic.severity],
        "code": code,
    }
    if diagnostic.fix is not None and len(diagnostic.fix.edits) == 1:
        (edit,) = diagnostic.fix.edits
        data["suggestions"] = [{"range": _range(edit.start, edit.end), "text": well_formed(edit.text)}]
    if diagnostic.related:
        data["related_locations"] = [
            {"message": well_formed(note.message), "location": _location(note.location, options)}
            for note in diagnostic.related
        ]
    return data


def _location(location: Location, options: Options) -> dict[str, Any]:
    path = well_formed(repository_path(location.path, options))
    return {"path": path, "range": _range(location.start, location.end)}


def _range(start: Position, end: Position) -> dict[str, Any]:
    return {"start": _rdjson_position(start), "end": _rdjson_position(end)}


def _rdjson_position(position: Position) -> dict[str, int]:
    return {"line": position.line, "column": position.column}


def render_rdjsonl(report: Report, options: Options) -> Iterator[str]:
    """One object a line, pure ASCII."""
    for diagnostic in report.diagnostics:
        yield f"{json.dumps({**as_dict(diagnostic, options), 'source': SOURCE})}\n"
