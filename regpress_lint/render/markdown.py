"""Markdown: a step summary or a comment on a pull request. Whatever a name holds, it stays text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import Severity
from regpress_lint.core.patterns import pattern
from regpress_lint.render import Options, repository_path
from regpress_lint.render.terminal import visible
from regpress_lint.render.text import summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import Diagnostic, Report


MOST_ROWS = 200  # a step summary may have a megabyte, a comment 65,536 characters
_SPECIAL = pattern(r"([\\*_{}\[\]()#+!|~$>@])")


def render_markdown(report: Report, options: Options) -> Iterator[str]:
    """The counts, a table with the most severe findings first, and the number of those left out."""
    yield f"### regpress-lint\n\n{plain(summary(report, options.unsafe))}\n"
    ordered = sorted(report.diagnostics, key=lambda diagnostic: (-diagnostic.severity, diagnostic.sort_key))
    if ordered:
        yield "\n| severity | rule | where | kernel | finding |\n|---|---|---|---|---|\n"
    yield from (_row(diagnostic, options) for diagnostic in ordered[:MOST_ROWS])
    if len(ordered) > MOST_ROWS:
        yield f"\n{len(ordered) - MOST_ROWS} less severe findings are left out.\n"
    if report.problems:
        yield "\n"
    yield from (f"- {plain(problem)}\n" for problem in report.problems)


def _row(diagnostic: Diagnostic, options: Options) -> str:
    label = f"**{diagnostic.severity.label}**" if diagnostic.severity >= Severity.WARNING else diagnostic.severity.label
    rule = plain(f"{diagnostic.code} {diagnostic.name}")
    if diagnostic.url and re.fullmatch(r"https?://[\w./~%-]+", diagnostic.url):
        rule = f"[{rule}]({diagnostic.url})"
    where = code(f"{repository_path(diagnostic.location.path, options)}:{diagnostic.location.start.line}")
    message = f"{diagnostic.message}; {diagnostic.help}" if diagnostic.help else diagnostic.message
    kernel = code(diagnostic.kernel) if diagnostic.kernel else ""
    return f"| {label} | {rule} | {where} | {kernel} | {spoken(message)} |\n"


def spoken(text: str) -> str:
    """A message, in which backticks quote code, as one line of a table."""
    pieces = re.split(r"`([^`]*)`", text)
    return "".join(code(piece) if index % 2 else plain(piece) for index, piece in enumerate(pieces))


def code(text: str) -> str:
    """Text as code; a bar would end a cell of a table even there."""
    shown = visible(text)
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    blank = " " if longest or not shown.strip() else ""
    return f"{fence}{blank}{shown}{blank}{fence}".replace("|", "\\|") if shown else ""


def plain(text: str) -> str:
    """Text without any meaning in Markdown or HTML."""
    escaped = visible(text).replace("&", "&amp;").replace("<", "&lt;")
    return _SPECIAL.sub(r"\\\1", escaped).replace("`", "\\`")
