"""`diff` for a terminal: a kernel with its architectures and findings, then the counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.formats.changes_words import finding, headline, moves, place, setup
from regpress_lint.formats.terminal import Palette, visible, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from regpress_lint.core.diagnostics import Diagnostic
    from regpress_lint.views.changes import Changes, KernelChange


def render(changes: Changes, palette: Palette, width: int) -> Iterator[str]:
    """Lines with their ends."""
    for change in changes.kernels:
        yield from (f"{line}\n" for line in (*_kernel(change, palette, width), ""))
    outside = list(_findings(changes.new, changes.gone, palette, width))
    if outside:
        yield from (f"{line}\n" for line in ("outside of kernels that changed", *outside, ""))
    yield f"{headline(changes)}\n"


def _kernel(change: KernelChange, palette: Palette, width: int) -> Iterator[str]:
    status = "" if change.status == "changed" else f" {change.status}"
    name = palette.paint(visible(change.name), "error" if change.worse else "bold")
    yield f"{name}  {visible(place(change))}{status}"
    if change.setup:
        yield from wrap(visible(f"  {setup(change, '->')}"), width, indent="    ")
    if change.status != "removed":
        for target in change.targets:
            if target.moved:
                yield from wrap(f"  {target.name}: {', '.join(moves(target, '->'))}", width, indent="    ")
                if target.why:
                    yield from wrap(visible(f"    because {target.why}"), width, indent="      ")
    yield from _findings(change.new, change.gone, palette, width)


def _findings(new: Iterable[Diagnostic], gone: Iterable[Diagnostic], palette: Palette, width: int) -> Iterator[str]:
    for sign, found in (("+", new), ("-", gone)):
        for each in found:
            first, *rest = wrap(f"{finding(each)} (line {each.location.start.line})", width, first=4, indent="      ")
            yield f"  {palette.paint(sign, 'warning' if sign == '+' else 'help')} {first}"
            yield from rest
