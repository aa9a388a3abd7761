"""Lines of a kernel's source for the values of its graph, with the inlined functions that they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.core.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from regpress_lint.core.source import Source
    from regpress_lint.ir.graph import Graph, Site


class Inlined(NamedTuple):
    """A place in a function that the kernel calls: its name, file and line (0 for an unknown file)."""

    name: str
    path: str
    line: int


class Places:
    """Lines of a kernel's function in its file; what a call brings in belongs to the line of the call."""

    def __init__(self, graph: Graph, source: Source, first: int, last: int) -> None:
        self._graph = graph
        self._source = source
        self.first = first
        self.last = last
        self._lines: dict[int, int] = {}

    def line(self, number: int) -> int | None:
        """Line of the kernel that a value comes from; None for what nothing wrote."""
        node, site = self._graph.nodes[number], self._graph.sites[number]
        while site is not None:
            node, site = site.call, site.outer
        if node is None:
            return None
        start = node.span.start
        found = self._lines.get(start)
        if found is None:
            found = self._lines[start] = min(max(self._source.line_of(start), self.first), self.last)
        return found

    def text(self, number: int) -> str:
        """The source text that computed a value; empty inside of functions that the kernel calls."""
        node = self._graph.nodes[number]
        return self._source.text(node.span) if node is not None and self._graph.sites[number] is None else ""

    def inlined(self, number: int, source_of: Callable[[str], Source | None]) -> tuple[Inlined, ...]:
        """The calls on the way to what made a value, the outermost first."""
        node, site = self._graph.nodes[number], self._graph.sites[number]
        found: list[Inlined] = []
        while site is not None:
            found.append(_inlined(site, node.span.start if node is not None else None, source_of))
            node, site = site.call, site.outer
        return tuple(reversed(found))


def _inlined(site: Site, offset: int | None, source_of: Callable[[str], Source | None]) -> Inlined:
    source = source_of(site.path) if offset is not None else None
    return Inlined(site.name, site.path, source.line_of(offset) if source is not None and offset is not None else 0)
