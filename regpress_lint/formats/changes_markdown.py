"""`diff` as Markdown for a pull request: one table, then the findings; the mark in front finds an older comment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.formats.changes_words import finding, headline, moves, place, setup
from regpress_lint.formats.markdown import code, plain, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.views.changes import Changes, KernelChange

MARK = "<!-- regpress-lint diff -->"
MOST_ROWS = 50  # GitHub takes 65,536 characters of a comment


def render(changes: Changes) -> Iterator[str]:
    """Pieces of whole lines."""
    yield f"{MARK}\n**Register pressure:** {headline(changes)}\n"
    rows = [row for change in changes.kernels for row in _rows(change)]
    if rows:
        yield "\n| | kernel | GPU | what moved |\n|---|---|---|---|\n"
        yield from rows[:MOST_ROWS]
        if len(rows) > MOST_ROWS:
            yield f"\n{len(rows) - MOST_ROWS} more rows are left out.\n"
    new = [each for change in changes.kernels for each in change.new] + list(changes.new)
    gone = [each for change in changes.kernels for each in change.gone] + list(changes.gone)
    for title, found in (("New findings", new), ("Gone", gone)):
        if found:
            yield f"\n**{title}**\n\n"
            yield from (_finding(each) for each in found[:MOST_ROWS])
            if len(found) > MOST_ROWS:
                yield f"- {len(found) - MOST_ROWS} more\n"


def _rows(change: KernelChange) -> Iterator[str]:
    sign = "worse" if change.worse else change.status if change.status != "changed" else ""
    kernel = f"{code(change.name)} {plain(place(change))}"
    shown = [target for target in change.targets if target.moved]
    for target in shown if change.status != "removed" else ():
        moved = ", ".join(moves(target, "→")) + (f", because {target.why}" if target.why else "")
        yield f"| {sign} | {kernel} | {plain(target.name)} | {plain(moved)} |\n"
    if change.setup:
        yield f"| {sign} | {kernel} | | {plain(setup(change, '→'))} |\n"
    if change.status == "removed":
        yield f"| {sign} | {kernel} | | |\n"


def _finding(found: Diagnostic) -> str:
    text = spoken(finding(found))
    return f"- {plain(found.location.path)}:{found.location.start.line}: {text}\n"
