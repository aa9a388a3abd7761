"""Measured differences, of `diff --measured` and `measure --compare`, as text, Markdown for a pull request, and JSON
(`schemas/measured_diff.v1.schema.json`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regpress_lint.render.markdown import code, plain
from regpress_lint.render.terminal import Palette, count, visible, well_formed, wrap
from regpress_lint.targets.occupancy import architecture, is_known
from regpress_lint.targets.vocabulary import WORDS, in_words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from regpress_lint.measured.ratchet import Move, Taken
    from regpress_lint.targets.occupancy import Vendor


_BYTES = "bytes of scratch"


def headline(moves: Sequence[Move]) -> str:
    """`3 of 412 kernels moved: +12 VGPRs, one loses a step.`"""
    total = len(_kernels(move for move in moves if move.after is not None))
    pairs = [move for move in moves if move.before is not None and move.after is not None and move.moved]
    parts = [f"{len(_kernels(pairs)) or 'none'} of {count(total, 'kernel')} moved"]
    sums = ", ".join(_sums(pairs))
    parts = [f"{parts[0]}: {sums}" if sums else parts[0]]
    for verdict, word in (("new", "new"), ("gone", "gone")):
        number = len(_kernels(move for move in moves if move.verdict == verdict))
        parts += [f"{number} {word}"] if number else []
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _kernels(moves: Iterable[Move]) -> set[tuple[str, str]]:
    return {(move.now.path, move.now.name) for move in moves}


def _sums(pairs: Sequence[Move]) -> Iterator[str]:
    vendors = {_vendor(move.now.target) for move in pairs}
    only = vendors.pop() if len(vendors) == 1 else None
    names = {"registers": WORDS[only].registers if only else "registers"}
    names |= {"spills": "dwords of spills", "scratch_bytes": _BYTES}
    for field, word in names.items():
        number = sum(_difference(move, field) for move in pairs)
        if number:
            yield in_words_of(only, f"{number:+,} {word}")
    for sign, verb in ((-1, "lose"), (1, "gain")):
        number = len(_kernels(move for move in pairs if move.steps == sign))
        if number:
            yield f"one {verb}s a step" if number == 1 else f"{number} {verb} a step"


def _difference(move: Move, field: str) -> int:
    old, new = getattr(move.before, field), getattr(move.after, field)
    return 0 if old is None or new is None else new - old


def clauses(move: Move, arrow: str) -> Iterator[str]:
    """The changes, a clause each; for an instance that exists only at one time its numbers."""
    vendor = _vendor(move.now.target)
    before, after = move.before, move.after
    for field, word in (
        ("registers", WORDS[vendor].registers if vendor else "registers"),
        ("spills", "dwords of spills"),
        ("scratch_bytes", _BYTES),
        ("waves", "waves per SIMD"),
    ):
        old, new = _number(before, field), _number(after, field)
        if old and new and old != new:
            yield in_words_of(vendor, f"{old} {arrow} {new} {word}")
        elif (before is None or after is None) and (old or new) not in ("", "0"):
            yield in_words_of(vendor, f"{old or new} {word}")


def place(move: Move) -> str:
    """An instance's place, and its earlier name."""
    now, old = move.now, move.before
    text = now.path
    if old is not None and move.after is not None and (old.path, old.name) != (now.path, now.name):
        was = old.name if old.name != now.name else old.path
        text += f"{' ' if text else ''}(was {was})" if was else ""
    return text


def _number(instance: Taken | None, field: str) -> str:
    value = None if instance is None else getattr(instance, field)
    return "" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _vendor(target: str) -> Vendor | None:
    return architecture(target).vendor if is_known(target) else None


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
    change = ", ".join(clauses(move, "->")) or "nothing is known of it"
    sign = _SIGNS[move.verdict]
    shown = f"{visible(move.now.target)}{f' {sign}' if sign else ''}: {change}"
    first, *rest = wrap(shown, width, first=2, indent="    ")
    yield f"  {palette.paint(first, 'error') if sign == 'worse' else first}"
    yield from rest


def markdown(moves: Sequence[Move]) -> Iterator[str]:
    """Pieces of whole lines; what is worse comes first."""
    yield f"{MARK}\n**Measured registers:** {plain(headline(moves))}\n"
    order = list(_SIGNS)
    shown = sorted((move for move in moves if move.moved), key=lambda move: order.index(move.verdict))
    if shown:
        yield "\n| | kernel | GPU | what moved |\n|---|---|---|---|\n"
    for move in shown[:MOST_ROWS]:
        kernel = " ".join(filter(None, (code(move.now.name), plain(place(move)))))
        change = plain(", ".join(clauses(move, "→")))
        yield f"| {_SIGNS[move.verdict]} | {kernel} | {plain(move.now.target)} | {change} |\n"
    if len(shown) > MOST_ROWS:
        yield f"\n{len(shown) - MOST_ROWS} more rows are left out.\n"


def document(moves: Sequence[Move], base: str, head: str) -> dict[str, Any]:
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


def _numbers(instance: Taken | None) -> dict[str, Any] | None:
    if instance is None:
        return None
    numbers = {"registers": instance.registers, "spills": instance.spills, "scratch_bytes": instance.scratch_bytes}
    return {"name": well_formed(instance.name), **numbers, "waves_per_simd": instance.waves}
