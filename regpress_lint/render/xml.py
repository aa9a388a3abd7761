"""Checkstyle's XML, which many services read (a file with its findings; columns count characters), and JUnit's as
Jenkins and GitLab read it (a suite for each file with findings, a failed case for each of them).

XML 1.0 has no way at all to write most control characters.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Literal

from regpress_lint.core.diagnostics import Severity
from regpress_lint.render import Options, repository_path
from regpress_lint.render.terminal import visible
from regpress_lint.render.text import summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from regpress_lint.core.diagnostics import Diagnostic, Report


def attribute(text: str) -> str:
    """A text between double quotes; line breaks and what cannot be written are shown as escapes."""
    return f'"{_escaped(visible(text))}"'


def content(text: str) -> str:
    """Text of an element, its lines kept."""
    return "\n".join(_escaped(visible(line)) for line in text.split("\n"))


def _escaped(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return escaped.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")


Level = Literal["error", "warning", "info"]
_LEVELS: Mapping[Severity, Level] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "info",
    Severity.HINT: "info",
}


def render_checkstyle(report: Report, options: Options) -> Iterator[str]:
    """One document; diagnostics are in the order of their files already."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n'
    for path, diagnostics in groupby(report.diagnostics, key=lambda item: repository_path(item.location.path, options)):
        yield f"<file name={attribute(path)}>\n"
        yield from map(_error, diagnostics)
        yield "</file>\n"
    yield "</checkstyle>\n"


def _error(item: Diagnostic) -> str:
    start = item.location.start
    message = f"{item.message}; {item.help}" if item.help else item.message
    return (
        f'<error line="{start.line}" column="{start.codepoint}" severity="{_LEVELS[item.severity]}" '
        f"message={attribute(message)} source={attribute(f'regpress-lint.{item.code}')}/>\n"
    )


def render_junit(report: Report, options: Options) -> Iterator[str]:
    """One document; without findings it holds one passed case, because readers take an empty one for a failure."""
    grouped = groupby(report.diagnostics, key=lambda item: repository_path(item.location.path, options))
    suites = [(path, list(findings)) for path, findings in grouped]
    failures = sum(map(_fails, report.diagnostics))
    errors = len(report.problems)
    tests = len(report.diagnostics) + errors or 1
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="regpress-lint" tests="{tests}" failures="{failures}" errors="{errors}">\n'
    for path, diagnostics in suites:
        yield from _suite(path, diagnostics)
    if errors:
        yield f'<testsuite name="regpress-lint" tests="{errors}" failures="0" errors="{errors}">\n'
        for problem in report.problems:
            yield f'<testcase name={attribute(problem)} classname="regpress-lint">'
            yield f'<error type="error" message={attribute(problem)}/></testcase>\n'
        yield "</testsuite>\n"
    elif not suites:
        yield '<testsuite name="regpress-lint" tests="1" failures="0" errors="0">\n'
        yield f'<testcase name={attribute(summary(report, options.unsafe))} classname="regpress-lint"/>\n'
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _suite(path: str, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    failures = sum(map(_fails, diagnostics))
    yield f'<testsuite name={attribute(path)} tests="{len(diagnostics)}" failures="{failures}" errors="0">\n'
    for item in diagnostics:
        yield from _case(item, path)
    yield "</testsuite>\n"


def _case(item: Diagnostic, path: str) -> Iterator[str]:
    start = item.location.start
    name = f"{item.code} {item.name} {start.line}:{start.codepoint}"
    text = content("\n".join(_lines(item, path)))
    yield f"<testcase name={attribute(name)} classname={attribute(path)}>\n"
    if _fails(item):
        yield f'<failure type="{item.severity.label}" message={attribute(item.message)}>{text}</failure>\n'
    else:
        yield f"<system-out>{text}</system-out>\n"
    yield "</testcase>\n"


def _lines(item: Diagnostic, path: str) -> Iterator[str]:
    start = item.location.start
    yield f"{path}:{start.line}:{start.codepoint}: {item.severity.label}: {item.message}"
    if item.kernel:
        yield item.about
    if item.targets:
        yield f"targets: {', '.join(item.targets)}"
    for related in item.related:
        yield f"note: line {related.location.start.line}: {related.message}"
    if item.help:
        yield f"help: {item.help}"
    if item.url:
        yield item.url


def _fails(item: Diagnostic) -> bool:
    return item.severity >= Severity.WARNING
