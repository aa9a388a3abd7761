"""`diff --measured` as text, Markdown for a pull request, and JSON (`schemas/measured_diff.v1.schema.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.formats.markdown import code, plain
from regpress_lint.formats.ratchet_words import clauses, headline, place, why
from regpress_lint.formats.terminal import Palette, visible, well_formed, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regpress_lint.measured.ratchet import Move, Taken

MARK = "<!-- regpress-lint diff --measured -->"
MOST_ROWS = 50  # GitHub takes 65,536 characters of a comment
_SIGNS = {"worse": "worse", "better": "better", "same": "", "new": "new", "gone": "gone"}


def text(moves: Sequence[Move], palette: Palette, width: int) -> Iterator[str]:
    """Lines with their ends: a kernel with its targets, then the counts."""
    name = ""
    for move in moves:
        if not move.moved:
            continue
        head = " ".join(filter(None, (visible(move.now.name), visible(place(move)))))
        if head != name:
            name = head
            yield f"{palette.paint(head, 'bold')}\n"
        yield from (f"{line}\n" for line in lines(move, palette, width))
    yield f"{headline(moves)}\n"


def lines(move: Move, palette: Palette, width: int) -> Iterator[str]:
    """A target of a kernel."""
    told = ", ".join(filter(None, (*clauses(move, "->"), why(move)))) or "nothing is known of it"
    sign = _SIGNS[move.verdict]
    shown = f"{visible(move.now.target)}{f' {sign}' if sign else ''}: {told}"
    first, *rest = wrap(shown, width, first=2, indent="    ")
    yield f"  {palette.paint(first, 'error') if sign == 'worse' else first}"
    yield from rest


def named_lines(move: Move, palette: Palette, width: int) -> Iterator[str]:
    """A target of a kernel with the kernel's name in front."""
    yield "  " + " ".join(filter(None, (visible(move.now.name), visible(place(move)))))
    yield from (f"  {line}" for line in lines(move, palette, width - 2))


def markdown(moves: Sequence[Move]) -> Iterator[str]:
    """Pieces of whole lines; what is worse comes first."""
    yield f"{MARK}\n**Measured registers:** {plain(headline(moves))}\n"
    order = list(_SIGNS)
    shown = sorted((move for move in moves if move.moved), key=lambda move: order.index(move.verdict))
    if shown:
        yield "\n| | kernel | GPU | what moved |\n|---|---|---|---|\n"
    for move in shown[:MOST_ROWS]:
        kernel = " ".join(filter(None, (code(move.now.name), plain(place(move)))))
        told = plain(", ".join(filter(None, (*clauses(move, "→"), why(move)))))
        yield f"| {_SIGNS[move.verdict]} | {kernel} | {plain(move.now.target)} | {told} |\n"
    if len(shown) > MOST_ROWS:
        yield f"\n{len(shown) - MOST_ROWS} more rows are left out.\n"


def document(moves: Sequence[Move], base: str, head: str) -> dict[str, Any]:
    """The JSON."""
    counted = {name: sum(move.verdict == name and move.moved for move in moves) for name in _SIGNS}
    return {
        "version": 1,
        "base": well_formed(base),
        "head": well_formed(head),
        "summary": {"instances": sum(move.after is not None for move in moves), **counted},
        "instances": [_instance(move) for move in moves if move.moved],
    }


def _instance(move: Move) -> dict[str, Any]:
    return {
        "name": well_formed(move.now.name),
        "target": well_formed(move.now.target),
        "path": well_formed(move.now.path) or None,
        "verdict": move.verdict,
        "before": _numbers(move.before),
        "after": _numbers(move.after),
    }


def _numbers(one: Taken | None) -> dict[str, Any] | None:
    if one is None:
        return None
    numbers = {"registers": one.registers, "spills": one.spills, "scratch_bytes": one.scratch_bytes}
    return {"name": well_formed(one.name), **numbers, "waves_per_simd": one.waves}
