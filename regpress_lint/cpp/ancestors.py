"""The nodes around a place of a file, in its syntax tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node


_last: list[tuple[Node, ...]] = [()]
"""What was found last, root first: who asks for one place after another asks for neighbours, deep down as well."""


def nodes_around(root: Node, start: int, end: int) -> list[Node]:
    """The smallest node that holds a range, its parent, and so on up to the root.

    One way down: `Node.parent` looks from the root on, for each step up, and a file may nest as deep as it likes. The
    way begins where the one before it leaves off, not at the root.
    """
    smallest = root.descendant_for_byte_range(start, end)
    found = _shared(root, start, end)
    node: Node | None = found.pop() if found else root
    while node is not None and smallest is not None and node != smallest:
        found.append(node)
        node = node.child_with_descendant(smallest)
    found += [] if smallest is None else [smallest]
    _last[0] = tuple(found)
    return found[::-1]


def _shared(root: Node, start: int, end: int) -> list[Node]:
    """The part of the last way, root first, that leads to a range as well: all of it lies around the range, with room
    on both sides, for at an edge another node without text may hold it.
    """
    last = _last[0]
    if not last or last[0] != root:
        return []
    for number in range(len(last) - 1, 0, -1):
        if last[number].start_byte < start and end < last[number].end_byte:
            return [*last[: number + 1]]
    return []


def above(root: Node, node: Node) -> list[Node]:
    """The nodes around a node of a tree, from the inside out, as `Node.parent` gives them step by step."""
    found = nodes_around(root, node.start_byte, node.end_byte)
    at = next((position for position, each in enumerate(found) if each == node), None)
    if at is not None:
        return found[at + 1 :]
    parents = []  # a node without text, or of another tree
    outer = node.parent
    while outer is not None:
        parents.append(outer)
        outer = outer.parent
    return parents
