"""Reports of rules: findings with their places, notes and fixes."""

from __future__ import annotations

from regpress_lint.core.diagnostics import (
    EVERY_TARGET as EVERY_TARGET,
    USED as USED,
    Edit as Edit,
    Finding as Finding,
    Fix as Fix,
    Note as Note,
    Severity as Severity,
    Trial as Trial,
)
from regpress_lint.core.named import NamedTuple
from regpress_lint.core.source import Span as Span
from regpress_lint.core.uncertainty import Unknown as Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from regpress_lint.facts.kernel import KernelFacts


class Place(NamedTuple):
    """Where a finding is reported: its span in the linted file, and the notes that name a place in another file."""

    span: Span
    notes: tuple[Note, ...]
    here: bool


def place(facts: KernelFacts, span: Span, path: str, what: str) -> Place:
    """Position for something at `span` of `path`.

    A finding is always in the linted file: for code of a header it is at the kernel, or at the launch if the kernel is
    also in a header, and a note points to the code.
    """
    file, kernel = facts.file, facts.kernel
    if path in ("", file.path):
        return Place(span, (), True)
    note = (Note(span, what, path),)
    if kernel.path == file.path:
        return Place(kernel.name_span, note, False)
    if kernel.entry is not None:
        return Place(Span(kernel.entry.start, kernel.entry.start + 1), note, False)
    launch = next((launch for launch in kernel.launches if launch.path == file.path), None)
    return Place(launch.span if launch is not None else Span(0, 0), note, False)
