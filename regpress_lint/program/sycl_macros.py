"""Launches of SYCL that macros write: `#define LAUNCH(N) q.parallel_for(range, [=](auto it) { work<N>(p, it); })`.

Each use counts as its expansion. A thin lambda's kernel is its callee, which is in a file; a body that a macro writes
is in no file, and so is not understood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple
from regpress_lint.core.patterns import pattern
from regpress_lint.core.source import Source, Span
from regpress_lint.cpp.names.macro_calls import written_out
from regpress_lint.cpp.names.parsed_file import Unit
from regpress_lint.cpp.parse import parse_ladder
from regpress_lint.program.sycl_forms import Entry, sycl_entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regpress_lint.cpp.names.project import Project

_LAUNCHES = pattern(r"\b(?:parallel_for|single_task)\b[^;]*\[[=&]")


class Placed(NamedTuple):
    """A kernel that something launches, the trees that contain it, and the use of a macro that writes it, if one
    does."""

    unit: Unit
    entry: Entry
    use: Span | None = None


def placed_entries(project: Project, unit: Unit) -> Iterator[Placed]:
    """The kernels of a file as it is written, and those that macros write."""
    yield from (Placed(unit, entry) for entry in sycl_entries(unit))
    if any(_LAUNCHES.search(macro.body) for macro in unit.macros):
        yield from project.once(("SYCL launches of macros", unit.source.path), lambda: _of_macros(unit))


def _of_macros(unit: Unit) -> tuple[Placed, ...]:
    found = written_out(unit, lambda body: _LAUNCHES.search(body) is not None)
    if found is None:
        return ()
    source = Source(unit.source.path, found.data)
    other = Unit(source, unit.macros, parse_ladder(found.data, unit.macros))
    placed = []
    for entry in sycl_entries(other):
        at = entry.call.start_byte if entry.call is not None else -1
        use = next((use for written, use in found.places if written.start <= at < written.end), None)
        if use is not None:
            placed.append(Placed(other, entry, use))
    return tuple(placed)
