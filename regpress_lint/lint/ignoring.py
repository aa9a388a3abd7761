"""Comments that silence findings, put into a file: `check --add-ignore`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.diagnostics import ResolvedEdit, ResolvedFix
from regpress_lint.core.fixes import apply
from regpress_lint.lint.selection import INTERNAL_ERROR
from regpress_lint.lint.suppressions import parse
from regpress_lint.lint.unused import CODE as UNUSED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.core.source import Source

_WIDEST = 120  # cells of a line that a comment may be put behind


def with_ignores(source: Source, diagnostics: Iterable[Diagnostic], reason: str) -> bytes:
    """The file with a comment for each line that has findings; lines inside of macros cannot have one and stay.

    If a comment on the line already names rules, these are added to it. Internal errors and suppressions
    that silence nothing are not silenced.
    """
    by_line: dict[int, set[str]] = {}
    for found in diagnostics:
        if found.code not in (INTERNAL_ERROR, UNUSED):
            by_line.setdefault(found.location.start.line, set()).add(found.code)
    said = " ".join(reason.split()).rstrip("\\")
    named = {source.line_of(entry.order.start): entry for entry in parse(source).entries if entry.ours}
    fixes = []
    for line, codes in sorted(by_line.items()):
        known = named.get(line)
        text = source.text(known.order) if known is not None else ""
        if known is not None and known.selectors and text.startswith("regpress: ignore["):
            at, written = known.order.end - 1, f", {', '.join(sorted(codes - set(known.selectors)))}"
        else:
            place = _place(source, line, f"// regpress: ignore[{', '.join(sorted(codes))}] {said}".rstrip())
            if place is None:
                continue
            at, written = place
        position = source.position(at)
        fixes.append(ResolvedFix("", "safe", (ResolvedEdit(position, position, written),)))
    return apply(source.data, fixes)[0]


def _place(source: Source, line: int, comment: str) -> tuple[int, str] | None:
    """Where a comment for a line goes, and its text: behind the line if there is room, else above it."""
    span = source.line_span(line)
    text = source.data[span.start : span.end]
    above = source.line_span(line - 1) if line > 1 else None
    if above is not None and source.data[above.start : above.end].rstrip().endswith(b"\\"):
        return None
    bare = text.rstrip()
    continued = bare.endswith((b"\\", b"*/")) or b"//" in bare or b"/*" in bare
    if not continued and len(source.line_text(line).rstrip()) + len(comment) + 2 <= _WIDEST:
        return span.start + len(bare), f"  {comment}"
    indent = text[: len(text) - len(text.lstrip())].decode("utf-8", "replace")
    return span.start, f"{indent}{comment}\n"
