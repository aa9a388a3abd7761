"""JUnit's XML as Jenkins and GitLab read it: a suite for each file with findings, a failed case for each of them.

Warnings and errors fail; what is less is told in a passed case, so that a report is red for what makes a run fail by
default. The schema has no place for lines: they are in the names.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.formats import Options, repository_path
from regpress_lint.formats.full import summary
from regpress_lint.formats.xml_text import attribute, content

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.core.diagnostics import Diagnostic, Report


def render(report: Report, options: Options) -> Iterator[str]:
    """One document; without findings it holds one passed case, because readers take an empty one for a failure."""
    grouped = groupby(report.diagnostics, key=lambda item: repository_path(item.location.path, options))
    suites = [(path, list(found)) for path, found in grouped]
    failures = sum(map(_fails, report.diagnostics))
    errors = len(report.problems)
    tests = len(report.diagnostics) + errors or 1
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="regpress-lint" tests="{tests}" failures="{failures}" errors="{errors}">\n'
    for path, found in suites:
        yield from _suite(path, found, options)
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


def _suite(path: str, found: Sequence[Diagnostic], options: Options) -> Iterator[str]:
    failures = sum(map(_fails, found))
    yield f'<testsuite name={attribute(path)} tests="{len(found)}" failures="{failures}" errors="0">\n'
    for item in found:
        yield from _case(item, path, options)
    yield "</testsuite>\n"


def _case(item: Diagnostic, path: str, options: Options) -> Iterator[str]:
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
        yield f"kernel: {item.kernel}"
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
