"""Accessors to buffers that a kernel uses, and how it indexes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from regpress_lint.api.syntax import Index, Name, nodes_of

if TYPE_CHECKING:
    from regpress_lint.api import KernelFacts, Span
    from regpress_lint.api.syntax import Expr

_MOST = 3


class Used(NamedTuple):
    """An accessor, its dimensions, where it is declared, and its elements that the kernel reads and writes."""

    name: str
    dimensions: int
    declared: Span
    accesses: tuple[Index, ...]


def used_accessors(facts: KernelFacts) -> list[Used]:
    """The accessors whose elements a kernel reads or writes by subscripts, in the order of their
    declarations; without those whose dimensions nothing settles.
    """
    chains: dict[str, list[tuple[Index, int]]] = {}
    names = {each.name for each in facts.kernel.buffer_accessors}
    inner: set[Expr] = set()
    for node in nodes_of(facts.kernel.function):
        if not isinstance(node, Index) or node in inner:
            continue
        base, depth = node.base, 1
        while isinstance(base, Index):
            inner.add(base)
            base, depth = base.base, depth + 1
        if isinstance(base, Name) and base.name in names and _is_captured(base):
            chains.setdefault(base.name, []).append((node, depth))
    found = []
    for each in facts.kernel.buffer_accessors:
        accesses = chains.get(each.name, [])
        deepest = max((depth for _, depth in accesses), default=0)
        dimensions = each.dimensions or (min(deepest, _MOST) if deepest > 1 else 0)
        if accesses and dimensions:
            found.append(Used(each.name, dimensions, each.span, tuple(node for node, _ in accesses)))
    return sorted(found, key=lambda each: each.declared)


def _is_captured(name: Name) -> bool:
    """False for a variable of the kernel that hides the accessor."""
    return name.variable is None or name.variable.storage in ("capture", "shared")
