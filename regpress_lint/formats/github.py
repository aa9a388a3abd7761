"""GitHub workflow commands: annotations on the lines of a pull request.

Escaping follows `actions/toolkit`, `packages/core/src/command.ts`. GitHub shows 10 annotations of each level per step
and drops the rest silently, so the most severe come first and one plain line counts those left out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.diagnostics import Diagnostic, Report, Severity
from regpress_lint.formats import Options, repository_path
from regpress_lint.formats.terminal import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

Level = Literal["error", "warning", "notice"]
LIMIT = 10
_LEVELS: dict[Severity, Level] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
    Severity.HINT: "notice",
}


def render(report: Report, options: Options) -> Iterator[str]:
    """At most ten commands of each level, most severe first, then a line about those that did not fit."""
    seen: Counter[Level] = Counter()
    for diagnostic in sorted(report.diagnostics, key=lambda item: (-item.severity, item.sort_key)):
        level = _LEVELS[diagnostic.severity]
        seen[level] += 1
        if seen[level] <= LIMIT:
            yield f"{command(level, diagnostic, options)}\n"
    left_out = {level: count - LIMIT for level, count in seen.items() if count > LIMIT}
    if left_out:
        parts = ", ".join(f"{count} {level}{'s' if count > 1 else ''}" for level, count in left_out.items())
        yield (
            f"{sum(left_out.values())} more not annotated ({parts}): "
            f"GitHub shows {LIMIT} of each level a step. The other formats list all of them.\n"
        )


def command(level: Level, diagnostic: Diagnostic, options: Options) -> str:
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
    where = [f"kernel: {diagnostic.kernel}"] if diagnostic.kernel else []
    where += [f"targets: {', '.join(diagnostic.targets)}"] if diagnostic.targets else []
    lines = [diagnostic.message, ", ".join(where), f"help: {diagnostic.help}" if diagnostic.help else ""]
    return "\n".join(line for line in lines if line)


def _escape_data(text: str) -> str:
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
