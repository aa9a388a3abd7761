"""A first look at many findings: the worst ones, as many as are wanted or fit a screen, and the others by rule."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from regpress_lint.formats.columns import table
from regpress_lint.formats.terminal import visible, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.formats import Options

_FOOT = 8  # lines: the counts, in two lines if need be, what stands around the rules, and the prompt that follows
_TRIED = 200  # findings that are looked at for what fits


def worst(
    found: Sequence[Diagnostic], block: Callable[[Diagnostic], list[str]], options: Options
) -> tuple[list[list[str]], list[str]]:
    """Blocks of the findings that are shown, and lines about the others; all findings, as they are, if there is room.

    The most severe come first, and of equally severe ones the first of each rule before the second of any.
    """
    if options.top is not None and len(found) <= options.top:
        return [block(each) for each in found], []
    ordered = _ordered(found)
    if options.top is not None:
        return [block(each) for each in ordered[: options.top]], list(_others(ordered[options.top :], options))
    lines = (options.lines or 0) - _FOOT
    whole = _fitting(found, block, lines)
    if len(whole) == len(found):
        return list(whole.values()), []
    kinds = len({(each.severity, each.code) for each in found})
    shown = _fitting(ordered, block, lines - kinds) or {0: block(ordered[0])}
    rest = [each for number, each in enumerate(ordered) if number not in shown]
    return list(shown.values()), list(_others(rest, options))


def _ordered(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    seen: Counter[str] = Counter()
    ranks = []
    for each in found:
        ranks.append((-each.severity, seen[each.code]))
        seen[each.code] += 1
    return [found[number] for number in sorted(range(len(found)), key=ranks.__getitem__)]


def _fitting(found: Sequence[Diagnostic], block: Callable[[Diagnostic], list[str]], lines: int) -> dict[int, list[str]]:
    """Blocks, by the number of their finding, that together have at most so many lines; too long ones are left out."""
    fitting: dict[int, list[str]] = {}
    for number, each in enumerate(found[:_TRIED]):
        made = block(each)
        if len(made) <= lines:
            fitting[number] = made
            lines -= len(made)
    return fitting


def _others(rest: Sequence[Diagnostic], options: Options) -> Iterator[str]:
    """How many findings of which rules are not shown, most severe and most frequent first, and what shows them."""
    if not rest:
        return
    counts = Counter((-found.severity, found.severity.label, found.code, found.name) for found in rest)
    ordered = sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0][2]))
    yield f"{len(rest)} more:"
    rows = [(f"  {count}", label, code, visible(name)) for (_, label, code, name), count in ordered]
    yield from table(rows, frozenset({1, 2, 3}), options.width)
    yield ""
    yield from wrap(f"`--top 0` shows all, `--select {ordered[0][0][2]}` those of a rule.", options.width)
    yield ""
