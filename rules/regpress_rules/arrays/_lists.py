"""Private arrays that are lists: a counter says how many elements there are, and grows where a condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from regpress_lint.api.syntax import If, Name, Update, nodes_of

if TYPE_CHECKING:
    from regpress_lint.api.facts import Access, PrivateArray
    from regpress_lint.api.syntax import Variable


def is_list(array: PrivateArray) -> bool:
    """True if the array is written behind its last element, `a[n++] = x` or `a[n] = x; ++n;`, on a condition.

    How many elements it has is then known at run time alone: no copies of a loop make its indices constant.
    """
    return any(_appends(access, array) for access in array.dynamic if access.kind == "write")


def _appends(access: Access, array: PrivateArray) -> bool:
    if len(access.indices) != 1:
        return False
    index = access.indices[0]
    place = index.operand if isinstance(index, Update) and index.op == "++" else index
    if not isinstance(place, Name) or place.variable is None or place.variable.storage != "local":
        return False
    return _counts_on_condition(array, access, place.variable)


def _counts_on_condition(array: PrivateArray, access: Access, counter: Variable) -> bool:
    """True if a condition around the write, behind the declaration of the array, has the counter's step as well."""
    nodes = list(nodes_of(access.function))
    steps = [
        node.span
        for node in nodes
        if isinstance(node, Update)
        and node.op == "++"
        and isinstance(node.operand, Name)
        and node.operand.variable is counter
    ]
    if any(
        loop.loop.step is not None and loop.loop.step.span.contains(step) for loop in access.loops for step in steps
    ):
        return False  # the counter of a loop
    around = [node.span for node in nodes if isinstance(node, If) and node.span.contains(access.span)]
    if access.function is array.function:
        around = [span for span in around if span.start > array.variable.span.start]
    return any(span.contains(step) for span in around for step in steps)
