"""Macros whose arguments are code for the host, for a device, or for each dimension of space."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from regpress_lint.core.patterns import pattern

if TYPE_CHECKING:
    from regpress_lint.cpp.mask.draft import Draft


# Code for the host or for a device alone, as macros of libcu++ and AMReX have it in a second pair of parentheses.
BY_TARGET = pattern(r"\b(?:AMREX_IF_ON_(?:DEVICE|HOST)|NV_IF_(?:ELSE_)?TARGET)\s*\(", re.ASCII)


def mask_targets(draft: Draft) -> None:
    """`NV_IF_TARGET(NV_IS_HOST, (a();), (b();))` as `{ b(); }`: a block of what is compiled for a device, which may be
    nothing.
    """
    code, done = draft.code, 0
    for match in BY_TARGET.finditer(code):
        close = draft.brackets.close(match.end() - 1)
        if close is None or match.start() < done or code.startswith("#", code.rfind("\n", 0, match.start()) + 1):
            continue
        parts = _in_parentheses(draft, match.end(), close)
        for_host = "HOST" in code[match.start() : parts[0][0] if parts else close]
        device = parts[1:2] if for_host else parts[:1]
        if not device:
            draft.patch(match.start(), close + 1, "{}")
            done = close
            continue
        ((start, end),) = device
        draft.patch(match.start(), start + 1, "{")
        draft.patch(end, close + 1, "}")


TERMS = "AMREX_D_TERM"


def mask_terms(draft: Draft) -> None:
    """`AMREX_D_TERM(a, + b, + c)` as `(a + b + c)`: a term for each dimension of space, with its operator in front;
    statements, and brackets of them, one after the other.
    """
    code = draft.code
    for match in re.finditer(rf"\b{TERMS}\(", code):
        opening = match.end() - 1
        close = draft.brackets.close(opening)
        if close is None or code.startswith("#", code.rfind("\n", 0, match.start()) + 1):
            continue
        draft.patch(match.start(), opening)
        if not {";", "}"}.isdisjoint(code[opening:close]):
            draft.patch(opening, opening + 1)
            draft.patch(close, close + 1, ";")
        at = opening + 1
        while at < close:
            if code[at] == "(":
                at = draft.brackets.close(at) or close
            elif code[at] == ",":
                draft.patch(at, at + 1)
            at += 1


def _in_parentheses(draft: Draft, start: int, end: int) -> list[tuple[int, int]]:
    """The arguments between two offsets that parentheses enclose, by the offsets of these."""
    code, spans = draft.code, []
    while start < end:
        if code[start] == "(" and (close := draft.brackets.close(start)) is not None:
            spans.append((start, close))
            start = close
        comma = code.find(",", start, end) if not code[start].isspace() else start
        start = comma + 1 if comma >= 0 else end
    return spans
