"""Checkstyle's XML, which many services read: a file with its findings. Columns count characters."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.diagnostics import Severity
from regpress_lint.formats import Options, repository_path
from regpress_lint.formats.xml_text import attribute

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from regpress_lint.core.diagnostics import Diagnostic, Report

Level = Literal["error", "warning", "info"]
_LEVELS: Mapping[Severity, Level] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "info",
    Severity.HINT: "info",
}


def render(report: Report, options: Options) -> Iterator[str]:
    """One document; diagnostics are in the order of their files already."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n'
    for path, found in groupby(report.diagnostics, key=lambda item: repository_path(item.location.path, options)):
        yield f"<file name={attribute(path)}>\n"
        yield from map(_error, found)
        yield "</file>\n"
    yield "</checkstyle>\n"


def _error(item: Diagnostic) -> str:
    start = item.location.start
    message = f"{item.message}; {item.help}" if item.help else item.message
    return (
        f'<error line="{start.line}" column="{start.codepoint}" severity="{_LEVELS[item.severity]}" '
        f"message={attribute(message)} source={attribute(f'regpress-lint.{item.code}')}/>\n"
    )
