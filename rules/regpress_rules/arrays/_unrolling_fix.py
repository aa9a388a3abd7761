"""The fix of counted loops that alone make an array's indices dynamic."""

from __future__ import annotations

from regpress_lint.api import Edit, Fix, KernelFacts, Span
from regpress_rules.arrays._private import Case, calls_math


def unrolling_fix(facts: KernelFacts, case: Case) -> Fix | None:
    """`#pragma unroll` before counted loops that alone make the indices dynamic."""
    reasons = [reason for by_target in case.reasons.values() for reason in by_target]
    if not reasons or any(reason.kind != "body" for reason in reasons) or any(map(calls_math, case.loops)):
        return None
    source = facts.file.source
    edits: list[Edit] = []
    for access in case.reasons:
        if access.function.path not in ("", facts.file.path):
            return None
    for loop in case.loops:
        if loop.loop.unroll is not None or loop.loop.kind != "for":
            return None
        start = loop.loop.span.start
        line = source.line_span(source.line_of(start))
        before = source.text(Span(line.start, start))
        if before.strip() or not source.text(loop.loop.span).startswith("for") or _continued(facts, line):
            return None
        newline = "\r\n" if source.text(Span(line.start, line.end + 2)).endswith("\r\n") else "\n"
        edits.append(Edit(Span(line.start, line.start), f"#pragma unroll{newline}"))
    title = "unroll the loop completely" if len(edits) == 1 else "unroll the loops completely"
    from regpress_rules.arrays._price import fits

    return Fix(title, "unsafe", tuple(edits)) if edits and fits(facts, case) else None


def _continued(facts: KernelFacts, line: Span) -> bool:
    """True inside a macro's body: the line, or the one before it, ends in a backslash."""
    source = facts.file.source
    before = source.line_span(source.line_of(max(line.start - 1, 0)))
    return any(source.text(span).rstrip().endswith("\\") for span in (line, before))
